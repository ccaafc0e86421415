// Static locals, tentative definitions, shadowing, file-scope statics changed from functions.
// expect: result 03000000000000001e0c0000000000000d00000000000000000000000000000036000000000000000600000000000000
#include "out.h"

int tentative;
int tentative;
static int hidden = 5;
extern int tentative;

static int counter(void) {
    static int count = 100;
    static struct { int calls, last; } stats;
    stats.calls++;
    stats.last = count++;
    return stats.calls * 1000 + stats.last;
}
static int *slot(int i) {
    static int slots[4] = {[2] = 9};
    return &slots[i];
}

int main(void) {
    tentative += 3;
    out((unsigned)tentative);
    counter(), counter();
    out((unsigned)counter());
    *slot(1) += 4;
    *slot(2) += *slot(1);
    out((unsigned)*slot(2)), out((unsigned)*slot(3));
    int hidden_before = hidden;
    {
        int hidden = 50;
        hidden++;
        { extern int tentative; hidden += tentative; }
        out((unsigned)hidden);
    }
    for (int i = 0; i < 3; i++) {
        static int turns;
        int fresh = 0;
        turns += ++fresh;
        hidden += turns;
    }
    out((unsigned)(hidden - hidden_before));
    return finish();
}
