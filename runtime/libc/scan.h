/* scan.h: what the scanner and the functions of the scanf family share. */
#ifndef LABRYS_LIBC_SCAN_H
#define LABRYS_LIBC_SCAN_H

#include "number.h"

enum { END_OF_INPUT = -1 };

/* What is read: a stream, or, if that is null, a string. */
struct Source {
  const char *text;
  FILE *stream;
  size_t count; /* characters read so far */
  int has_ended, error;
};

enum Outcome { MATCHED, SKIPPED, MISMATCH, NO_INPUT };

/* One call; the lower part is the specification at hand. */
struct Scan {
  struct Source *source;
  va_list first, rest; /* all arguments, and those that were not used yet */
  int is_old;          /* before C99: "%as" allocates */
  int suppress, allocate, position, width;
  enum { SCAN_INT, SCAN_CHAR, SCAN_SHORT, SCAN_LONG, SCAN_LONG_DOUBLE } size;
};

/* The number of values stored, or END_OF_INPUT. */
int labrys_scan(struct Scan *scan, const char *format);

#endif
