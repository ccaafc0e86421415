// With --faults-of-environment reading is interrupted, or gives a part.
// arguments: --main --sym-stdin 4 --faults-of-environment
#include <errno.h>
#include <unistd.h>

int main(void) {
    char bytes[4];
    long size = read(0, bytes, sizeof bytes);
    if (size < 0) //@ true covered, false covered
        return 1;
    if (size == 1)
        if (read(0, bytes, sizeof bytes) == 1) //@ true covered, false covered
            return 2;
    return 3;
}
