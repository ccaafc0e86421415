// A whole program that asks for no other locale has that of C.
// arguments: --main
#include <ctype.h>
#include <stdlib.h>

int main(void) {
    if (isalpha(0xE9)) //@ true infeasible, false covered
        return 1;
    if (MB_CUR_MAX > 1) //@ true infeasible, false covered
        return 2;
    if (strtod("1,5", 0) == 1.5) //@ true infeasible, false covered
        return 3;
    return 0;
}
