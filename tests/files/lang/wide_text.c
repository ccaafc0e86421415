// Character and string literals: wide, UTF-8, UTF-16, UTF-32, universal names, escapes.
// expect: result ac2000000000000041000000000000004100000000000000ff000000000000006261000000000000e90000000000000000f601000000000000000000000000001000000000000000e200000000000000ac0000000000000003000000000000003dd800000000000000de00000000000000f60100000000001b000000000000000900000000000000070000000000000074000000000000006e00000000000000
#include "out.h"
#include <stddef.h>
#include <uchar.h>

static unsigned name(void) { return (unsigned char)__func__[0]; }

int main(void) {
    out((unsigned)L'\u20ac'), out((unsigned)'\x41'), out((unsigned)'\101'), out((unsigned)(unsigned char)'\xff'), out((unsigned)'ab');
    const wchar_t *w = L"a\u00e9\U0001f600";
    out((unsigned)w[1]), out((unsigned)w[2]), out((unsigned)w[3]), out(sizeof(L"xyz"));
    const char *u = u8"\u20ac";
    out((unsigned char)u[0]), out((unsigned char)u[2]), out(sizeof(u8"\u00e9"));
    const char16_t *h = u"\U0001f600";
    out(h[0]), out(h[1]), out(U'\U0001f600');
    out((unsigned)"\a\b\f\n\r\t\v\\\'\"\?\e"[11]), out(sizeof "con" "cat\0x");
    static const char split[] = "one\
two";
    out(sizeof split), out((unsigned)split[3]), out(name());
    return finish();
}
