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

#define WEAK __attribute__((weak))

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

/* Captured output. */
void labrys_write(int descriptor, const void *bytes, size_t size);

/* As snprintf(to, size, spec, value), where spec is one conversion such as "%-8.3f". */
int labrys_format_double(char *to, size_t size, const char *spec, double value);

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

/* The stream type of the models: programs only pass pointers to it around. */
typedef struct _IO_FILE {
  int descriptor;
} FILE;

/* Where formatted text goes: into to while there is room, or out through descriptor if to is
 * null. size counts everything. */
struct Sink {
  char *to;
  size_t room;
  size_t size;
  int descriptor;
};

void labrys_format(struct Sink *sink, const char *format, va_list arguments);

#endif
