// K&R definitions, implicit promotion of their arguments, calls without prototype.
// expect: result 7a00000000000000fbff000000000000fcffffff00000000fa00000000000000
#include "out.h"

int scale(a, f, c)
    int a;
    float f;
    char c;
{
    return (int)(a * f) + c;
}

static short narrow(s, p)
    short s;
    int *p;
{
    *p += s;
    return s;
}

static unsigned last(v, n)
    unsigned char v[];
    int n;
{
    return v[n - 1];
}

int main()
{
    int total = 1;
    unsigned char bytes[3] = {7, 8, 250};
    out((unsigned)scale(10, 2.5f, 'a'));
    out((unsigned)(unsigned short)narrow(-5, &total)), out((unsigned)total);
    out(last(bytes, 3));
    return finish();
}
