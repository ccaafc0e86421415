/* number.h: what the functions that read numbers share. */
#ifndef LABRYS_LIBC_NUMBER_H
#define LABRYS_LIBC_NUMBER_H

#include "engine.h"

/* The digits of an integer as they are read. value and overflow are expressions. */
struct Digits {
  unsigned long long value;
  unsigned count;
  int is_signed; /* the type of the result */
  int negative;  /* there is a minus before them */
  int overflow;
};

/* The value of a digit, or 99. */
unsigned labrys_digit_value(int c);
int labrys_is_space(int c);
void labrys_add_digit(struct Digits *digits, unsigned base, unsigned digit);

/* The number, or the nearest one that the type has, with the error number set then. */
unsigned long long labrys_digits_value(const struct Digits *digits);

float strtof(const char *restrict text, char **restrict end);
double strtod(const char *restrict text, char **restrict end);
long double strtold(const char *restrict text, char **restrict end);

#endif
