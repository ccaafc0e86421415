/* engine.h: what the engine provides to the C library models, and what the models share.
 *
 * The models are C, written for symbolic execution: few branches on data, byte reads that the
 * engine can check, no system headers (a program brings its own). They are compiled for the
 * engine only; natively the real library is used. Every function is weak: a program's own
 * definition wins. */
#ifndef LABRYS_LIBC_ENGINE_H
#define LABRYS_LIBC_ENGINE_H

#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "../protocol.h"

#define WEAK __attribute__((weak))

typedef long ssize_t;

/* ---- Provided by the engine ---- */

/* A new object. Never fails; size 0 gives a unique pointer that must not be dereferenced. */
void *labrys_malloc(size_t size);
void *labrys_malloc_aligned(size_t alignment, size_t size);

/* Ends the object's life; a fault if ptr is not the start of a living heap object. Null is
 * ignored. */
void labrys_free(void *ptr);

/* How many bytes there are from ptr to the end of its object; 0 if it points to none. Never a
 * fault. */
size_t labrys_object_size(const void *ptr);

/* condition ? yes : no, as a value, without a fork. */
unsigned long long labrys_select(int condition, unsigned long long yes, unsigned long long no);

/* Whether the value depends on an input on this path. Concrete itself. */
int labrys_is_symbolic(unsigned long long value);

/* The value under the current model, without constraining the path. Only for text that goes out
 * of the program: nothing that the program reads again may be made from it. */
unsigned long long labrys_current(unsigned long long value);

/* Captured output: 1 is standard output, 2 standard error. */
void labrys_write(int descriptor, const void *bytes, size_t size);

/* The same for a string of at most so many bytes. Its length may depend on the input: it costs
 * no path. */
void labrys_write_text(int descriptor, const char *text, size_t most);

/* What is written from here on is exact. After labrys_current on an input it is not, and the
 * native run is not compared with it. */
void labrys_exact(void);

/* The run relies on something that only a bound of the harness makes true; flag is the option
 * that raises it. */
void labrys_touch(const char *flag);

/* Other threads, if the caller of a function has any, may have changed what they share with it. */
void labrys_other_threads(void);

/* The value, which might be another one in other surroundings: whoever decides by it relies on the
 * assumption of this text. Nothing is assumed where nobody looks at the value. */
long labrys_assumed(long value, const char *text);

/* What depends on the locale: that of a new program is C, but a function may be called in another one.
 * The first is for a single value, the second for what differs in more ways. */
long labrys_local(long value);
void labrys_rest_on_locale(void);

/* Does the value rest on an assumption? Concrete itself. */
int labrys_is_assumed(unsigned long long value);

/* The value without its assumptions: for numbers that only name something, such as descriptors. */
unsigned long long labrys_plain(unsigned long long value);
void *labrys_plain_pointer(void *pointer);

/* Faults that raise these signals, one bit each, call the function with the number of the signal;
 * it never returns. */
void labrys_handle_faults(unsigned long signals, void (*function)(int));

/* Ends the path, which is incomplete then: the models do not know this. */
void labrys_unsupported(const char *what) __attribute__((noreturn));

/* Does the value depend on an uninitialised byte? Concrete itself. */
int labrys_is_uninit(unsigned long long value);

/* The engine puts this call where the ways of a choice between mutants come together, to compare
 * them with the original there. */
void labrys_mutant_joined(void);

/* The value under the current model, which the path then has; other values are other paths. */
unsigned long long labrys_pin(unsigned long long value);

/* As snprintf(to, size, spec, value), where spec is one conversion such as "%-8.3f" or, for the
 * long double at value, "%-8.3Lf". The number is pinned. */
int labrys_format_double(char *to, size_t size, const char *spec, double value);
int labrys_format_long_double(char *to, size_t size, const char *spec, const void *value);

/* The number of 32, 64 or 80 bits that a text of size bytes is, as strtof, strtod and strtold
 * read it; gives the error number that they leave. The text is pinned. */
int labrys_parse_float(const char *text, size_t size, int format, void *to);

/* As in labrys.h. */
void labrys_limit(const void *ptr, size_t size, const char *flag);

/* Ends the run with this status. */
void labrys_exit(int status) __attribute__((noreturn));

/* Ends the run with a fault, as in labrys.h. */
void labrys_error(const char *kind) __attribute__((noreturn));

/* ---- Shared by the models ---- */

#define EDOM 33
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34

int *__errno_location(void);
void *malloc(size_t size);
void free(void *ptr);
size_t strlen(const char *text);
char *strerror(int number);
const char *strerrorname_np(int number);

/* The same for bytes in memory. */
void labrys_assumed_bytes(void *bytes, size_t size, const char *text);

/* abort: calls the handler of SIGABRT, if there is one; then there is none any more. */
void labrys_abort_signal(void);

/* The length of a string, or most if that is less, as one expression: no path is split where the
 * bytes are known to be followed by an end. */
size_t labrys_length(const char *text, size_t most);

/* The bytes of a wide character in the current locale, at most six; their number, or -1. */
size_t labrys_wide_to_bytes(char *to, wchar_t c);

/* The wide character at the start of size bytes; how many of them it has, -1 if they are none, -2
 * if more are needed. */
size_t labrys_bytes_to_wide(wchar_t *to, const char *bytes, size_t size);

/* The stream type of the models, see stream.h. */
typedef struct _IO_FILE FILE;

extern FILE *stdin, *stdout, *stderr;

/* Writes to a stream. */
void labrys_put(FILE *stream, const void *bytes, size_t size);

/* Can nothing that the program reads come from what it writes to this stream? Then the bytes
 * need not be exact, only their number. */
int labrys_only_shows(FILE *stream);

/* Where formatted text goes: to a stream, or, if that is null, into to while there is room. size
 * counts everything, exactly. */
struct Sink {
  char *to;
  size_t room;
  size_t size;
  FILE *stream;
};

/* Gives what the printf functions return: the size, or -1 with an error number. */
int labrys_format(struct Sink *sink, const char *format, va_list arguments);

#endif
