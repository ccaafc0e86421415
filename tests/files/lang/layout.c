// Flexible and zero-length arrays, packed and aligned attributes, padding, offsets.
// expect: result 18fcffff00000000040000000000000004000000000000000400000000000000180000000000000010000000000000000e000000000000000a000000000000002000000000000000300000000000000014000000000000000000000000001440fdffffff000000000300000000000000fd0000000000000000000000000000004000000000000000
#include "out.h"
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct flexible { int n; short data[]; };
struct zero { int n; char data[0]; };
struct loose { char a; double b; char c; };
struct __attribute__((packed)) packed { char a; double b; char c; int d; };
struct __attribute__((aligned(32))) aligned { char a; };
struct mixed { char a; _Alignas(16) int b; struct packed p; };

int main(void) {
    struct flexible *f = malloc(sizeof *f + 5 * sizeof f->data[0]);
    if (!f)
        return 1;
    f->n = 5;
    for (int i = 0; i < f->n; i++)
        f->data[i] = (short)(i * -100);
    int sum = 0;
    for (short *p = f->data; p < f->data + f->n; p++)
        sum += *p;
    out((unsigned)sum);
    free(f);
    out(sizeof(struct flexible)), out(sizeof(struct zero)), out(offsetof(struct zero, data));
    out(sizeof(struct loose)), out(offsetof(struct loose, c)), out(sizeof(struct packed)), out(offsetof(struct packed, d));
    out(sizeof(struct aligned)), out(sizeof(struct mixed)), out(offsetof(struct mixed, p));
    struct packed p = {1, 2.5, 3, -4};
    p.b *= 2;
    p.d += p.a;
    out_double(p.b), out((unsigned)p.d);
    unsigned char raw[sizeof p];
    memcpy(raw, &p, sizeof p);
    out(raw[9]), out(raw[10]);
    struct aligned many[3];
    out((uintptr_t)&many[1] % 32), out((size_t)((char *)&many[2] - (char *)many));
    return finish();
}
