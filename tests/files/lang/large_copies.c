// Large structures and arrays: assignment, memcpy, memmove with overlap, memset, by value.
// expect: result c11a19d67ccf89d058b743ba770821c858b743ba770821c82bb542b9780821c801000000000000000000000000000000c700000000000000d2000000000000000300000000000000fc00000000000000fa000000000000000300000000000000010000000000000086f098826d7a4fb7c11a19d67ccf89d0
#include "out.h"

struct large { int v[300]; char tail[5]; };
struct holder { struct large a, b; };

static struct large bump(struct large s) {
    for (int i = 0; i < 300; i++)
        s.v[i] += i;
    s.tail[4]++;
    return s;
}
static unsigned long long sum(const struct large *s) {
    unsigned long long t = 0;
    for (int i = 0; i < 300; i++)
        t = t * 31 + (unsigned)s->v[i];
    return t + (unsigned)s->tail[4];
}

int main(void) {
    static struct holder h;
    memset(&h, 1, sizeof h);
    h.b = bump(h.a);
    out(sum(&h.a)), out(sum(&h.b));
    struct holder copy = h;
    copy.a = copy.b;
    copy.b.v[299] = -1;
    out(sum(&copy.a)), out(sum(&copy.b)), out(memcmp(&h.b, &copy.a, sizeof h.b) == 0);
    unsigned char bytes[256];
    for (int i = 0; i < 256; i++)
        bytes[i] = (unsigned char)i;
    memmove(bytes + 10, bytes, 200);
    out(bytes[10]), out(bytes[209]), out(bytes[210]);
    memmove(bytes, bytes + 3, 250);
    out(bytes[0]), out(bytes[249]), out(bytes[250]);
    memcpy(&bytes[100], &h.b.v[2], 4);
    out(bytes[100]), out(bytes[103]);
    struct large array[2] = {h.a, bump(bump(h.b))};
    out(sum(&array[1])), out(sum(array));
    return finish();
}
