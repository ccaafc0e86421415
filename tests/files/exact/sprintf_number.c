// Digits of an input that sprintf puts into a buffer.
// expect: branches 16 feasible 14
// expect: paths 7
// expect: infeasible 19:9:true
// expect: infeasible 24:12:false
// expect: mcdc 16:9 UU
#include "labrys.h"
#include <stdio.h>

int main(void) {
    unsigned char c = labrys_uchar("c");
    char text[16];
    int n = sprintf(text, "%u", c);
    if (text[0] == '7')
        return n;
    if (n == 3 && text[2] == '5')
        return text[1] == '0' ? 4 : 5;
    sprintf(text, "%o", c);
    if (text[0] == '8')
        return 6;
    sprintf(text, "%2$*1$X", 4, c);
    if (text[2] == 'F')
        return text[3] == 'A' ? 7 : 8;
    return text[0] == ' ' ? 9 : 10;
}
