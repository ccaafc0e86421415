// What is left to read is an input, whatever it is, up to a size.
// arguments: --function depth --array-len 1 --depth 1
#include <stdio.h>

int depth(void) {
    int c, count = 0, open = 0;
    while ((c = getchar()) != EOF) { //@ true covered, false covered
        count++;
        if (c > 255) //@ true unknown --array-len, false covered
            return -1;
        if (c == '{') //@ true covered, false covered
            open++;
        if (c == '}' && open == 2)
            return 2;
        if (count > 500) //@ true unknown --array-len, false covered
            return 3;
    }
    return 0;
}
