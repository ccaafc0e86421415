// Exploration: a UTF-8 checker over seven symbolic bytes.
// alphabet: text 1 0 128 144 160 194 224 225 237 240 241 244 245
// expect: paths 1111
#include "labrys.h"

/* The length of the valid sequence at s, of which left bytes are there; 0 if it is invalid. */
static int sequence(const unsigned char *s, int left) {
    unsigned char lead = s[0];
    if (lead < 0x80)
        return 1;
    if (lead < 0xc2 || lead > 0xf4)
        return 0;
    int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (left < length)
        return 0;
    unsigned char low = 0x80, high = 0xbf;
    if (lead == 0xe0)
        low = 0xa0;
    else if (lead == 0xed)
        high = 0x9f;
    else if (lead == 0xf0)
        low = 0x90;
    else if (lead == 0xf4)
        high = 0x8f;
    if (s[1] < low || s[1] > high)
        return 0;
    for (int i = 2; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* The number of characters, or -1 if the text is not valid UTF-8. */
static int count(const unsigned char *text, int size) {
    int at = 0, characters = 0;
    while (at < size) {
        int n = sequence(text + at, size - at);
        if (n == 0)
            return -1;
        at += n;
        characters++;
    }
    return characters;
}

int main(void) {
    unsigned char text[7];
    labrys_symbolic(text, sizeof text, "text");
    return count(text, 7);
}
