// The negative amount shifts the other way: no fault.
// expect: no fault
#include "labrys.h"

int main(void) {
    unsigned char n = labrys_uchar("n");
    labrys_assume(n < 40);
    int amount = 30 - n;
    return amount < 0 ? (int)(12345u << -amount) : 12345 >> amount;
}
