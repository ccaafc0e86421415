// C says of these results only their sign, or whether they are 0.
// arguments: --function values --array-len 4
#include <ctype.h>
#include <math.h>
#include <string.h>
#include <strings.h>

static int order(const char *a, const char *b) { return memcmp(a, b, 1); }

int values(int n, char a, char b, int c, double x) {
    int r = 0;
    if (c < 0 || c > 127)
        return 0;
    switch (n) {
    case 0:
        r = memcmp(&a, &b, 1);
        return r == 300 ? 1 : 0; //@ true unknown value of memcmp
    case 1: {
        char s[2] = {a, 0}, t[2] = {b, 0};
        return strcmp(s, t) == -300 ? 1 : 0; //@ true unknown value of strcmp
    }
    case 2: {
        char s[2] = {a, 0}, t[2] = {b, 0};
        return strncmp(s, t, 2) > 256 ? 1 : 0; //@ true unknown value of strncmp
    }
    case 3:
        return isdigit(c) == 1 ? 1 : 0; //@ true unknown value of a character class
    case 4:
        r = (isxdigit)(c);
        return r == 3 ? 1 : 0; //@ true unknown value of isxdigit
    case 5:
        return signbit(x) > 1 ? 1 : 0; //@ true open
    case 6: {
        char t[2] = "x", s[2] = {a, 0};
        return strcmp(s, t) + 1000 > 1300 ? 1 : 0; //@ true unknown value of strcmp
    }
    case 7: // What C says of them stays a fact, however it is asked.
        r = order(&a, &a);
        return r != 0 ? 1 : 0; //@ true infeasible
    case 8:
        if ((unsigned char)a > (unsigned char)b) {
            r = order(&a, &b);
            if (r <= 0) //@ true infeasible
                return 1;
        }
        return r > 0 ? 1 : 0; //@ true covered
    case 9:
        if (c < '0') {
            r = isdigit(c) ? 3 : 0; //@ true infeasible
        }
        return r;
    case 10:
        if (x < 0) {
            if (!signbit(x)) //@ true infeasible
                return 1;
        }
        return 0;
    case 11:
        if (a == b) {
            if (memcmp(&a, &b, 1)) //@ true infeasible
                return 1;
        }
        return 0;
    }
    return 0;
}
