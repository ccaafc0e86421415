// A program has variables with names of the models' own. The models' are still those that a caller may
// have changed before, and the program's are its own.
// arguments: --function names
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static const int character_classes[2] = {1, 2};
static const int random_state = 5, state48 = 6, actions = 7, blocked_signals = 8;
static const int output_stream = 9;

int names(int n, unsigned k) {
    struct sigaction old;
    FILE *out = k ? stdout : stderr;
    switch (n) {
    case 0:
        return lrand48() == 7 ? 1 : 0; //@ true open
    case 1:
        return rand() == 7 ? 1 : 0; //@ true open
    case 2:
        return isalpha(0xe9) ? 1 : 0; //@ true open
    case 3:
        sigaction(SIGINT, 0, &old);
        return old.sa_handler == SIG_IGN ? 1 : 0; //@ true open
    case 4:
        return out == NULL ? 1 : 0; //@ true open
    case 5:
        return character_classes[k & 1] + random_state == 8 ? 1 : 0; //@ true infeasible
    case 6:
        k = (k & 1) + state48 + actions + blocked_signals + output_stream;
        return k == 32 ? 1 : 0; //@ true infeasible
    }
    return 0;
}
