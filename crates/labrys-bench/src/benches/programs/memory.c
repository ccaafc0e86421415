/* Every byte of the input forks, and every turn writes to a buffer, so that no two waiting
 * candidates have the same memory. */
#include "labrys.h"

#ifndef LENGTH
#define LENGTH 16
#endif
#ifndef BUFFER
#define BUFFER 4096
#endif

static unsigned char input[LENGTH], buffer[BUFFER];

int main(void) {
    int high = 0;
    labrys_symbolic(input, sizeof input, "input");
    for (int i = 0; i < LENGTH; i++) {
        if (input[i] > 100)
            high++;
        buffer[i * 64 % BUFFER] = (unsigned char)high;
    }
    return high;
}
