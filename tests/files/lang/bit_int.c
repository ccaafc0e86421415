// _Bool, odd widths by bit-fields of 1 to 63 bits, and their promotions.
// expect: result 010000000000000068000000000000000500000000000000f6ffffff1f000000f1ffffffffffffff00000000000000fcffffffffffffff03380000000000000001000000000000000100000000000000010000000000000010000000000000000100000000000000
#include "out.h"

struct widths {
    unsigned long long one : 1, seven : 7, nineteen : 19, thirty_seven : 37;
    signed long long five : 5, fifty_nine : 59;
};

int main(void) {
    struct widths w = {0};
    w.one = 3;
    w.seven = 1000;
    w.nineteen = (1u << 19) + 5;
    w.thirty_seven = ~0ULL - 9;
    w.five = 17;
    w.fifty_nine = -(1LL << 58);
    out(w.one), out(w.seven), out(w.nineteen), out(w.thirty_seven);
    out((unsigned long long)w.five), out((unsigned long long)w.fifty_nine);
    w.fifty_nine -= 1;
    w.seven *= 3;
    out((unsigned long long)w.fifty_nine), out(w.seven);
    _Bool b = 0.25;
    out(b);
    b += 41;
    out(b);
    b = (_Bool)(void *)&w;
    out(b), out(sizeof w), out(w.seven - 100 < 0);
    return finish();
}
