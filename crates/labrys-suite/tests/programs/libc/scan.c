/* scan.c: the scanf family on strings. */
#include "check.h"

MODEL(free);
extern int model_sscanf(const char *, const char *, ...);
extern int model___isoc99_sscanf(const char *, const char *, ...);

union Place {
  unsigned char bytes[64];
  char *pointer;
};

/* One specification: what it stores is compared byte by byte. */
static const char *const specs[] = {
    "%d",   "%5d",    "%hhd", "%hd",  "%ld",   "%lld", "%i",    "%3i",    "%u",     "%o",   "%x",
    "%4x",  "%zu",    "%jd",  "%p",   "%s",    "%3s",  "%c",    "%4c",    "%[a-c]", "%[^,]", "%3[0-9x]",
    "%[]a]", "%[^]-]", "%f",   "%lf",  "%Lf",   "%5lf", "%e",    "%a",     "%n",     "%*d",  "%*s",
    "%2$d", "%ls",    "%lc",  "%2lc", "%hhn",  "%%",   "%l[a-c]", "%2lf",  "%lg",    "%1$d", "%tx"};
static const char *const inputs[] = {
    "12",    "-7 x", "0x1f", "0x",    "0xg",    "(nil)", "(nix", "99999999999999999999", "abc,def",
    "1.5e3", "1.5e", "inf",  "-infinity", "infix", "nan", "nano", "0x1.8p3", ".", "-.5", "+", "  ",
    "",      "%",    "]-a",  "08",    "0",      "1e+x",  "--1",  "a b", "\xe9x"};

static int round_of_scan;

void check_scan(void) {
  union Place left[4], right[4];
  char form[80];
  const char *spec[3];
  char *input = below(2) ? copy_of(0, inputs[below(30)]) : text(0, below(12), "01ax,. -e+f\t");
  int x, y, i, error_a, error_b;
  for (i = 0; i < 3; i++)
    do
      spec[i] = specs[below(sizeof specs / sizeof *specs)];
    while (i > 0 && strchr(spec[i], '$'));
  if (strchr(spec[0], '$'))
    sprintf(form, "%s", spec[0]);
  else
    sprintf(form, "%s%s%s%s%s", spec[0], below(2) ? " " : below(2) ? "," : "", spec[1],
            below(2) ? " " : "", spec[2]);
  memset(left, 0x55, sizeof left);
  memset(right, 0x55, sizeof right);
  *model___errno_location() = errno = 0;
  x = model___isoc99_sscanf(input, form, left, left + 1, left + 2, left + 3);
  error_a = *model___errno_location();
  y = sscanf(input, form, right, right + 1, right + 2, right + 3);
  error_b = errno;
  CHECK(x == y && memcmp(left, right, sizeof left) == 0 && error_a == error_b,
        "sscanf(\"%s\", \"%s\"): %d %d, errno %d %d", input, form, x, y, error_a, error_b);
  if (round_of_scan++ % 100 == 0) {
    char *a = NULL, *b = NULL;
    x = model___isoc99_sscanf(input, "%m[^,],%*c", &a);
    y = sscanf(input, "%m[^,],%*c", &b);
    CHECK(x == y && (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0), "%%m of %s", input);
    model_free(a);
    free(b);
    x = model_sscanf(input, "%as", &a);
    CHECK(x <= 1, "%%as");
    if (x == 1)
      model_free(a);
  }
}
