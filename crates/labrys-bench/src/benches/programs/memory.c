/* Every byte of the input forks, and every turn writes to all parts of a buffer that the engine
 * copies one by one, so that no two waiting candidates share any of it. */
#include "labrys.h"

#ifndef LENGTH
#define LENGTH 16
#endif
#ifndef BUFFER
#define BUFFER 4096
#endif

enum { PART = 512 };

static unsigned char input[LENGTH], buffer[BUFFER];

int main(void) {
    int high = 0;
    labrys_symbolic(input, sizeof input, "input");
    for (int i = 0; i < LENGTH; i++) {
        if (input[i] > 100)
            high++;
        for (int part = 0; part < BUFFER; part += PART)
            buffer[part + i % PART] = (unsigned char)high;
    }
    return high;
}
