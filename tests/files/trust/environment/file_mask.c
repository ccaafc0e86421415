// The mask that a program inherits is that of whoever starts it; what it has set itself is a fact.
// arguments: --function mask
#include <sys/stat.h>

int mask(int n) {
    mode_t inherited = umask(077);
    if (umask(027) == 077) //@ true covered, false infeasible
        n++;
    if (inherited == 022) //@ true covered, false unknown file mode creation mask
        return n;
    return 2;
}
