#include <stdbool.h>
#include <stdint.h>

// adult: age=17; age=18
int adult(int age) {
    if (age >= 18)
        return 1;
    return 0;
}

// above_hundred: x=100; x=101
int above_hundred(int x) {
    if (x > 100)
        return 1;
    return 0;
}

// between: x=2; x=3; x=8
int between(int x) {
    if (x >= 3 && x <= 7)
        return 1;
    return 0;
}

// sum_of: a=1 b=2 c=3
int sum_of(int a, int b, int c) {
    return a + b + c;
}

// far_away: x=-7; x=-8; x=5000000001
int far_away(int64_t x) {
    if (x < -7)
        return 1;
    if (x > 5000000000)
        return 2;
    return 0;
}

// unsigned_limits: small=200 large=1; small=201 large=0; small=200 large=4000000000
int unsigned_limits(uint8_t small, uint32_t large) {
    if (small > 200)
        return 1;
    if (large >= 4000000000u)
        return 2;
    return 0;
}

// order: a=0 b=0; a=0 b=1; a=1 b=0
int order(int a, int b) {
    if (a < b)
        return -1;
    if (a > b)
        return 1;
    return 0;
}

// gcd: a=1 b=0; a=1 b=2; a=-2147483648 b=-1
int gcd(int a, int b) {
    if (b == 0)
        return a;
    return a % b;
}

// square: x=0; x=1; x=40000; x=32
int square(int x) {
    if (x > 0 && x < 40000 && x * x > 1000)
        return 1;
    return 0;
}

// shifted: celsius=-273; celsius=-274
int shifted(int celsius) {
    if (celsius + 273 < 0)
        return -1;
    return 0;
}

enum light { RED, AMBER, GREEN };

// may_go: light=0 hurry=false; light=1 hurry=false; light=2 hurry=false; light=1 hurry=true
int may_go(enum light light, bool hurry) {
    if (light == GREEN)
        return 1;
    return light == AMBER && hurry;
}

// price: age=5 weekend=0 member=0; age=6 weekend=0 member=0; age=5 weekend=1 member=0; age=5 weekend=1 member=1
int price(int age, int weekend, int member) {
    int price = age < 6 ? 0 : 12;
    if (weekend && member)
        price -= 2;
    return price;
}

// same: a=0 b=0; a=2 b=1; a=51 b=51
int same(int a, int b) {
    if (a == b && a > 50)
        return 1;
    return 0;
}

// even: n=2; n=1
int even(int n) {
    if (n % 2 == 0)
        return 1;
    return 0;
}

// narrow: s=-300 c=1; s=-301 c=0
short narrow(short s, signed char c) {
    if (s < -300)
        return 1;
    return c < -3;
}

// product: a=1 b=0; a=2 b=1; a=2 b=3; a=100 b=2; a=2 b=100; a=5 b=7
int product(int a, int b) {
    if (a > 1 && b > 1 && a < 100 && b < 100 && a * b == 35)
        return 1;
    return 0;
}
