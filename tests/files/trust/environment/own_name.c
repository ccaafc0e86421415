// __func__ in main is "main".
// arguments: --main
#include <string.h>

int main(void) {
    if (strcmp(__func__, "main") == 0) //@ true covered, false infeasible
        return 0;
    if (__FUNCTION__[0] == 'l') //@ true infeasible
        return 2;
    return 1;
}
