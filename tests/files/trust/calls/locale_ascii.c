// Where a character is known to be one of ASCII, no locale matters.
// arguments: --function class_of
#include <ctype.h>

int class_of(unsigned char c) {
    if (c > 127) //@ true covered, false covered
        return -1;
    if (isalpha(c)) { //@ true covered, false covered
        if (c == '1') //@ true infeasible, false covered
            return 2;
        return 1;
    }
    if (c == 'q') //@ true infeasible, false covered
        return 3;
    return 0;
}
