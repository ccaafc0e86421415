// The case of a letter and the texts of errors are those of the locale in which a function is called.
// arguments: --function letters
#include <ctype.h>
#include <string.h>
int letters(unsigned char c) {
    int r = 0;
    if (toupper('a') != 'A') //@ true infeasible, false covered
        r |= 1;
    if (c > 127)
        return -1;
    if (isdigit(c)) {
        if (isalpha(c)) //@ true infeasible, false covered
            r |= 2;
    }
    if (toupper('i') != 'I') //@ true open, false covered
        return 3;
    if (strerror(2)[0] == 'K') //@ true open, false covered
        return 4;
    return r;
}
