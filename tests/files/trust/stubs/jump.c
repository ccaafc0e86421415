// A function that does not return may jump.
// arguments: --function guarded
#include <setjmp.h>
jmp_buf place;
void fail(int code);

int guarded(int code) {
    int result = setjmp(place);
    if (result == 3) //@ true open, false covered
        return -3;
    if (code < 0)
        fail(code);
    return 0;
}
