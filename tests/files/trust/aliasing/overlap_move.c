// A copy within one buffer must go backwards if the target is behind the source.
// arguments: --function move --time 60s
#include <stddef.h>
void move(char *to, const char *from, size_t n) {
    if (!to || !from || n > 3)
        return;
    if (to > from && to < from + n) { //@ true covered, false covered
        while (n > 0) { //@ true covered, false covered
            n--;
            to[n] = from[n];
        }
    } else {
        for (size_t i = 0; i < n; i++) //@ true covered, false covered
            to[i] = from[i];
    }
    if (n > 3) //@ true infeasible, false covered
        to[0] = 0;
}
