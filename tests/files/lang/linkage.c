// Weak symbols, aliases, thread-local variables, constructors, extern declarations in blocks.
// expect: result 0200000000000000020000000000000005000000000000000a0000000000000014000000000000000c00000000000000050000000000000015000000000000007e000000000000001500000000000000
#include "out.h"

extern int missing(void) __attribute__((weak));
extern int absent __attribute__((weak));
__attribute__((weak)) int overridable(int x) { return x + 1; }
static _Thread_local int local = 7;
__thread int counts[3] = {1, 2, 3};
int original = 11;
extern int other_name __attribute__((alias("original")));
static int started;
__attribute__((constructor)) static void start(void) { started = 5; }
int later(int);
static int target_of_alias(int x) { return x * 3; }
int alias_of_function(int x) __attribute__((alias("target_of_alias")));

int main(void) {
    out(missing ? 1 : 2), out(&absent ? 1 : 2), out((unsigned)overridable(4));
    local += 3;
    counts[1] *= local;
    out((unsigned)local), out((unsigned)counts[1]);
    other_name++;
    out((unsigned)original), out((unsigned)started);
    { extern int after; out((unsigned)after); }
    out((unsigned)later(6));
    out((unsigned)alias_of_function(7));
    return finish();
}

int after = 21;
int later(int x) { return x * after; }
