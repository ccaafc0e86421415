// sscanf on a text of at most two characters: what matched, and the values.
// expect: branches 22 feasible 21
// expect: paths 10
// expect: infeasible 20:13:true
// expect: mcdc 26:9 UU
#include "labrys.h"
#include <stdio.h>

int main(void) {
    char s[3];
    labrys_symbolic(s, 2, "s");
    s[2] = 0;
    int number = -5, n = -1;
    int got = sscanf(s, "%d%n", &number, &n);
    if (got == EOF)
        return 1;
    if (got == 1) {
        if (number < 0)
            return number == -7 ? 2 : 3;
        if (number > 99)
            return 4;
        return n == 1 ? 5 : number == 42 ? 6 : 7;
    }
    char word[3] = "", c = 0;
    got = sscanf(s, "%1[a-f]%c", word, &c);
    if (got == 2 && c == word[0])
        return 8;
    return got == 0 ? 9 : got == 1 ? 10 : 11;
}
