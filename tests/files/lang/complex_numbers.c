// Complex numbers: arithmetic, parts, conjugate, comparison, by value.
// expect: result 0000000000001840000000000000084000000000000027c000000000008036c0000000000000000001000000000000000000000000001040000000000000f83f00000000000000c0000000000000000000000000000008c020000000000000000300000000000000
#include "out.h"

static double _Complex rotate(double _Complex z, double _Complex by) { return z * by; }
static float _Complex halve(float _Complex z) { return z / 2; }

int main(void) {
    volatile double re = 3, im = -4;
    double _Complex z;
    __real__ z = re;
    __imag__ z = im;
    double _Complex i = 1.0i;
    double _Complex w = rotate(z, i) + 2;
    out_double(__real__ w), out_double(__imag__ w);
    w = z * z - w / (1 + 1.0i);
    out_double(__real__ w), out_double(__imag__ w), out(w == z), out(z != ~z), out_double(__imag__ ~z);
    float _Complex h = halve((float _Complex)z);
    out_double(__real__ h), out_double(__imag__ h);
    double _Complex row[2] = {z, -z};
    out_double(__real__(row[0] + row[1])), out_double(__real__ row[1]), out(sizeof row), out((unsigned)(int)(double)z);
    return finish();
}
