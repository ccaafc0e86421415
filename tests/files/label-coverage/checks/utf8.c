/* Against encoding: exactly the encodings of all characters are valid. */
#include "check.h"
#define N 4
#include "../utf8.c"
#undef main

static int encode(unsigned c, unsigned char *to) {
    if (c < 0x80) return to[0] = (unsigned char)c, 1;
    if (c < 0x800) return to[0] = 0xc0 | c >> 6, to[1] = 0x80 | (c & 63), 2;
    if (c < 0x10000)
        return to[0] = 0xe0 | c >> 12, to[1] = 0x80 | (c >> 6 & 63), to[2] = 0x80 | (c & 63), 3;
    return to[0] = 0xf0 | c >> 18, to[1] = 0x80 | (c >> 12 & 63), to[2] = 0x80 | (c >> 6 & 63),
           to[3] = 0x80 | (c & 63), 4;
}

int main(void) {
    unsigned char text[4] = {0};
    unsigned c, valid = 0;
    int characters, a, b;
    for (c = 0; c < 0x110000; c++) {
        int size = encode(c, text), surrogate = c >= 0xd800 && c < 0xe000;
        enum verdict verdict = validate(text, size, &characters);
        CHECK(verdict == (surrogate ? SURROGATE : VALID));
        CHECK(characters == !surrogate);
        if (size > 1) CHECK(validate(text, size - 1, &characters) == CUT_OFF);
    }
    for (a = 0; a < 256; a++)
        for (b = 0; b < 256; b++) {
            text[0] = (unsigned char)a, text[1] = (unsigned char)b;
            valid += validate(text, 2, &characters) == VALID;
        }
    /* Two ASCII characters, or one of the 0x780 of two bytes. */
    CHECK(valid == 128 * 128 + 0x780);
    return 0;
}
