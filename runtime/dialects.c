/* dialects.c: the functions of other tools (KLEE, SV-COMP and Test-Comp, CREST, CBMC, LTest) in
 * terms of labrys.h, so that their drivers run unchanged. Compiled for the engine and for native
 * replay alike. Everything is weak: a program's own definition wins. */
#include <stddef.h>
#include <stdint.h>

#include "labrys.h"

#define WEAK __attribute__((weak))

/* ---- KLEE ---- */

WEAK void klee_make_symbolic(void *ptr, size_t size, const char *name) {
  labrys_symbolic(ptr, size, name ? name : "unnamed");
}

WEAK void klee_assume(uintptr_t condition) { labrys_assume(condition != 0); }

/* An int in [begin, end). */
WEAK int klee_range(int begin, int end, const char *name) {
  int value = labrys_int(name);
  labrys_assume((value >= begin) & (value < end));
  return value;
}

WEAK int klee_int(const char *name) { return labrys_int(name); }

/* Ends the path without a test, as KLEE does. */
WEAK void klee_silent_exit(int status) {
  (void)status;
  labrys_assume(0);
}

WEAK void klee_abort(void) { labrys_error("abort"); }

WEAK void klee_report_error(const char *file, int line, const char *message, const char *suffix) {
  (void)file, (void)line, (void)message, (void)suffix;
  labrys_error("assertion");
}

WEAK void klee_prefer_cex(void *object, uintptr_t condition) { (void)object, (void)condition; }
WEAK void klee_posix_prefer_cex(void *object, uintptr_t condition) {
  (void)object, (void)condition;
}
WEAK void klee_warning(const char *message) { (void)message; }
WEAK void klee_warning_once(const char *message) { (void)message; }
WEAK void klee_mark_global(void *object) { (void)object; }
WEAK void klee_open_merge(void) {}
WEAK void klee_close_merge(void) {}
WEAK void klee_check_memory_access(const void *address, size_t size) {
  const volatile unsigned char *bytes = address;
  if (size) {
    (void)bytes[0];
    (void)bytes[size - 1];
  }
}

/* As in a native run: the answer must not depend on who executes the program. */
WEAK unsigned klee_is_symbolic(uintptr_t value) {
  (void)value;
  return 0;
}
WEAK unsigned klee_is_replay(void) { return 0; }

#define KLEE_GET_VALUE(suffix, type)                                                           \
  WEAK type klee_get_value##suffix(type value) { return value; }
KLEE_GET_VALUE(f, float)
KLEE_GET_VALUE(d, double)
KLEE_GET_VALUE(l, long)
KLEE_GET_VALUE(ll, long long)
KLEE_GET_VALUE(_i32, int32_t)
KLEE_GET_VALUE(_i64, int64_t)

/* ---- SV-COMP, Test-Comp, and the nondet_ names that CBMC drivers use ---- */

/* The name of the next input, where its place in the text has given it one. */
static const char *given_name;

void labrys_name_input(const char *name) { given_name = name; }

static const char *name_or(const char *usual) {
  const char *name = given_name;
  if (!name)
    return usual;
  given_name = 0;
  return name;
}

#define NONDET(suffix, type, kind)                                                             \
  WEAK type __VERIFIER_nondet_##suffix(void) { return (type)labrys_##kind(name_or(#suffix)); } \
  WEAK type nondet_##suffix(void) { return (type)labrys_##kind(name_or(#suffix)); }
NONDET(bool, _Bool, bool)
NONDET(char, char, char)
NONDET(schar, signed char, schar)
NONDET(uchar, unsigned char, uchar)
NONDET(short, short, short)
NONDET(ushort, unsigned short, ushort)
NONDET(int, int, int)
NONDET(uint, unsigned, uint)
NONDET(unsigned, unsigned, uint)
NONDET(unsigned_int, unsigned, uint)
NONDET(unsigned_char, unsigned char, uchar)
NONDET(long, long, long)
NONDET(ulong, unsigned long, ulong)
NONDET(unsigned_long, unsigned long, ulong)
NONDET(longlong, long long, llong)
NONDET(ulonglong, unsigned long long, ullong)
NONDET(float, float, float)
NONDET(double, double, double)
NONDET(size_t, size_t, ulong)
NONDET(ssize_t, long, long)
NONDET(loff_t, long long, llong)
NONDET(sector_t, unsigned long, ulong)
NONDET(pthread_t, unsigned long, ulong)
NONDET(S8, signed char, schar)
NONDET(s8, int8_t, schar)
NONDET(s16, int16_t, short)
NONDET(s32, int32_t, int)
NONDET(s64, int64_t, long)
NONDET(u8, uint8_t, uchar)
NONDET(u16, uint16_t, ushort)
NONDET(u32, uint32_t, uint)
NONDET(u64, uint64_t, ulong)
NONDET(U8, uint8_t, uchar)
NONDET(U16, uint16_t, ushort)
NONDET(U32, uint32_t, uint)
NONDET(pointer, void *, ulong)
NONDET(pchar, char *, ulong)
NONDET(charp, char *, ulong)
NONDET(const_char_pointer, const char *, ulong)

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;
#define NONDET_WIDE(suffix, type)                                                              \
  WEAK type __VERIFIER_nondet_##suffix(void) {                                                 \
    type value;                                                                                \
    labrys_symbolic(&value, sizeof value, #suffix);                                            \
    return value;                                                                              \
  }
NONDET_WIDE(int128, Int128)
NONDET_WIDE(uint128, UInt128)
#endif

WEAK void __VERIFIER_nondet_memory(void *memory, size_t size) {
  labrys_symbolic(memory, size, "memory");
}

WEAK void __VERIFIER_assume(int condition) { labrys_assume(condition != 0); }
WEAK void __VERIFIER_atomic_begin(void) {}
WEAK void __VERIFIER_atomic_end(void) {}
WEAK void __VERIFIER_error(void) { labrys_error("reach-error"); }
WEAK void reach_error(void) { labrys_error("reach-error"); }

/* ---- CREST: crest.h makes CREST_int(x) and the rest from these ---- */

#define CREST(suffix, type)                                                                    \
  WEAK void __Crest##suffix(type *variable) {                                                  \
    labrys_symbolic(variable, sizeof *variable, #type);                                        \
  }
CREST(UChar, unsigned char)
CREST(UShort, unsigned short)
CREST(UInt, unsigned int)
CREST(Char, char)
CREST(Short, short)
CREST(Int, int)

/* ---- CBMC ---- */

WEAK void __CPROVER_assume(_Bool condition) { labrys_assume(condition); }

WEAK void __CPROVER_assert(_Bool condition, const char *description) {
  (void)description;
  if (!condition)
    labrys_error("assertion");
}

WEAK void __CPROVER_cover(_Bool condition) { (void)condition; }
WEAK void __CPROVER_atomic_begin(void) {}
WEAK void __CPROVER_atomic_end(void) {}

/* ---- LTest: Labrys replaces the labels in the annotated program; in the original they do
 * nothing ---- */

#undef pc_label
WEAK void pc_label(_Bool predicate, ...) { (void)predicate; }
WEAK void pc_label_bindings(_Bool predicate, ...) { (void)predicate; }
WEAK void pc_label_sequence(_Bool predicate, ...) { (void)predicate; }
WEAK void pc_label_sequence_condition(_Bool predicate, ...) { (void)predicate; }
