/* A small program for the short form of the benchmarks: says what kind of number its argument is. */
#include <stdio.h>
#include <string.h>

int classify(const char *text) {
    int digits = 0;
    if (*text == '-' || *text == '+')
        text++;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            return -1;
        digits++;
    }
    if (digits == 0)
        return -1;
    return digits > 1 ? 2 : 1;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fputs("usage: miniature NUMBER\n", stderr);
        return 2;
    }
    if (strcmp(argv[1], "-h") == 0) {
        puts("says what kind of number NUMBER is");
        return 0;
    }
    switch (classify(argv[1])) {
    case 1:
        puts("a digit");
        return 0;
    case 2:
        puts("a number");
        return 0;
    default:
        puts("no number");
        return 1;
    }
}
