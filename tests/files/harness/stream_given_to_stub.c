// A function without a body that gets a stream does not write into its members: natively the C
// library would wait for its lock, or crash.
// arguments: --function copy
// expect: branches 4 feasible 4
#include <stdio.h>
struct codec;
int use_stream(struct codec *codec, FILE *stream);

int copy(struct codec *codec, int byte) {
    if (use_stream(codec, stdout) > 3)
        putchar(byte);
    if (byte > 10)
        return 1;
    return 0;
}
