// A variable that only some cases set decides a branch.
// expect: fault uninitialised-read 13
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int mode;
    switch (x & 3) {
    case 0: mode = 1; break;
    case 1: mode = 2; break;
    case 2: mode = 3; break;
    }
    if (mode == 2)
        return 1;
    return 0;
}
