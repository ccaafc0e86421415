// A caller may pass a mark that the program compares pointers with, and a function, too.
// arguments: --function marked
#include <stdlib.h>
int marked(char *p, void (*handler)(int)) {
    int r = 0;
    if (p == (char *)-1) //@ true open
        r |= 1;
    if (p == (char *)1) //@ true open
        r |= 2;
    if (handler == (void (*)(int))1) //@ true open
        r |= 4;
    return r;
}
