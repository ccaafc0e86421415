// errno is zero when a program starts, and keeps what a failure leaves in it.
// expect: result 000000000000000001000000000000000100000000000000
#include "out.h"
#include <errno.h>
#include <stdlib.h>

int main(void) {
    out(errno);
    strtol("99999999999999999999", NULL, 10);
    out(errno == ERANGE);
    strtol("1", NULL, 10);
    out(errno == ERANGE);
    return finish();
}
