// getopt on one argument of two symbolic letters: options with and without an argument.
// expect: branches 11 feasible 9
// expect: paths 4
// expect: infeasible 21:17:false
// expect: infeasible 25:23:true
#include "labrys.h"
#include <unistd.h>

int main(void) {
    char first[3] = "-", *arguments[] = {"program", first, "x", NULL};
    labrys_symbolic(first, 2, "first");
    int result = 0, c;
    opterr = 0;
    optind = 0; // starts anew, also where many runs share one process
    while ((c = getopt(3, arguments, "+ab:")) != -1) {
        switch (c) {
        case 'a':
            result += 1;
            break;
        case 'b':
            if (optarg[0] == 'x')
                result += 2;
            break;
        default:
            result += optopt == 'b' ? 4 : 8;
        }
    }
    if (optind == 3)
        return 9;
    return result;
}
