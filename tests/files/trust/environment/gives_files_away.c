// A test may not give a file away, but a function that does so is tested as if it might.
// arguments: --function give
#include <fcntl.h>
#include <unistd.h>

int give(unsigned user) {
    int file = open("a", O_CREAT | O_RDWR, 0600);
    if (user > 1000) //@ true covered, false covered
        if (fchown(file, user, -1) == 0) //@ true covered, false unknown library fchown
            return 3;
    return 0;
}
