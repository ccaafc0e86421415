// A caller may have chosen a locale: then characters beyond ASCII are letters, and numbers have
// commas. Digits are the same everywhere, and so are the characters of ASCII.
// arguments: --function ask
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int ask(int n, unsigned char c) {
    if (n == 1)
        if (isdigit(c)) //@ true covered, false covered
            if (c > '9') //@ true infeasible, false covered
                return 1;
    if (n == 2) {
        if (isalpha('1')) //@ true infeasible, false covered
            return 1;
        if (isdigit(0xE9)) //@ true infeasible, false covered
            return 2;
        if (toupper('a') != 'A') //@ true infeasible, false covered
            return 3;
        if (toupper(EXIT_FAILURE - 2) != -1) //@ true infeasible, false covered
            return 4;
    }
    if (n == 3)
        if (isalpha(0xE9)) //@ true unknown environment: locale, false covered
            return 1;
    if (n == 4)
        if (toupper(0xE9) == 0xC9) //@ true unknown environment: locale, false covered
            return 1;
    if (n == 5)
        if (strtod("1,5", 0) == 1.5) //@ true unknown environment: locale, false covered
            return 1;
    if (n == 6)
        if (MB_CUR_MAX > 1) //@ true unknown environment: locale, false covered
            return 1;
    if (n == 7)
        if (strcasecmp("\xe9", "\xc9") == 0) //@ true unknown environment: locale, false covered
            return 1;
    return 0;
}
