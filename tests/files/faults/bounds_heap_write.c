// The block has no room for the terminating zero.
// expect: fault out-of-bounds 15
#include "labrys.h"
#include <stdlib.h>

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n >= 1);
    labrys_assume(n <= 10);
    char *copy = malloc(10);
    if (!copy)
        return 1;
    for (int i = 0; i < n; i++)
        copy[i] = 'a';
    copy[n] = 0;
    int first = copy[0];
    free(copy);
    return first;
}
