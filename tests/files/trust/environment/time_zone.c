// Local time is that of a place, universal time is not.
// arguments: --function hours
#include <time.h>

int hours(int n) {
    time_t day = 86400;
    if (gmtime(&day)->tm_hour != 0) //@ true infeasible, false covered
        return 1;
    if (localtime(&day)->tm_hour != 0) //@ true open, false covered
        return 2;
    struct tm noon = {.tm_year = 100, .tm_mday = 1, .tm_hour = 12};
    if (mktime(&noon) % 86400 != 43200) //@ true open, false covered
        return 3;
    return n;
}
