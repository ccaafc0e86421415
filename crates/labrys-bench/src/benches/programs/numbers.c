/* What the cheap stages of a solver cannot decide: products, remainders, a hash, doubles. */
#include "labrys.h"

static int hash(const unsigned char *key, int length) {
    unsigned h = 5381;
    for (int i = 0; i < length; i++)
        h = h * 33 ^ key[i];
    return (int)(h % 61);
}

static int weigh(short a, short b, double limit) {
    int score = 0;
    if (a * b == 391)
        score++;
    if (b != 0 && a / b > 7)
        score++;
    if (a % 9 == 4)
        score++;
    if (limit > 0.5 && limit * 3.0 < 6.0)
        score++;
    if (limit + 1.0 > (double)a)
        score++;
    return score;
}

int main(void) {
    unsigned char key[3];
    labrys_symbolic(key, sizeof key, "key");
    short a = labrys_short("a"), b = labrys_short("b");
    double limit = labrys_double("limit");
    int score = weigh(a, b, limit);
    if (hash(key, 3) == 17)
        score += 10;
    if (key[0] > key[1] && hash(key, 2) < 5)
        score += 20;
    return score;
}
