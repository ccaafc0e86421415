/* Text of floating-point numbers, done by the host's C library. Values are passed as 16 bytes,
 * little endian; `format` is the width in bits. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As snprintf; the specification is one conversion of a long double. */
int labrys_float_format(char *to, size_t size, const char *spec, const void *bits)
{
    long double x;
    memcpy(&x, bits, sizeof x);
    return snprintf(to, size, spec, x);
}

/* The number that the text is; returns the error number that this left, 0 for none. */
int labrys_float_parse(int format, const char *text, void *out)
{
    memset(out, 0, 16);
    errno = 0;
    if (format == 32) {
        float r = strtof(text, NULL);
        memcpy(out, &r, 4);
    } else if (format == 64) {
        double r = strtod(text, NULL);
        memcpy(out, &r, 8);
    } else {
        long double r = strtold(text, NULL);
        memcpy(out, &r, 10);
    }
    return errno;
}
