/* Native labrys_* functions for one run: inputs come from argv (one hex string an input, missing
 * ones are zero), outputs go to stdout as hex, a failed assumption exits with 77. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program_main(void);

static char **inputs;
static int left;

void labrys_symbolic(void *ptr, size_t size, const char *name) {
    (void)name;
    memset(ptr, 0, size);
    if (left == 0) return;
    left--;
    const char *hex = *inputs++;
    for (size_t i = 0; i < size && hex[0] && hex[1]; i++, hex += 2) {
        unsigned byte;
        sscanf(hex, "%2x", &byte);
        ((unsigned char *)ptr)[i] = (unsigned char)byte;
    }
}

void labrys_assume(int condition) {
    if (!condition) _Exit(77);
}

#define INPUT(type, suffix)                          \
    type labrys_##suffix(const char *name) {         \
        type value;                                  \
        labrys_symbolic(&value, sizeof value, name); \
        return value;                                \
    }
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, llong)
INPUT(unsigned long long, ullong)
INPUT(float, float)
INPUT(double, double)

_Bool labrys_bool(const char *name) {
    unsigned char value;
    labrys_symbolic(&value, 1, name);
    return value & 1;
}

void labrys_output(const char *name, const void *ptr, size_t size) {
    printf("%s ", name);
    for (size_t i = 0; i < size; i++) printf("%02x", ((const unsigned char *)ptr)[i]);
    printf("\n");
}

/* For programs that call the error function of the Test-Comp dialect. */
void reach_error(void) {
    fprintf(stderr, "reach_error called\n");
    abort();
}

int main(int argc, char **argv) {
    inputs = argv + 1;
    left = argc - 1;
    setvbuf(stdout, 0, _IONBF, 0);
    return program_main();
}
