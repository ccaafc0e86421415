// Validation of UTF-8: N bytes, shortest forms only, no surrogates, nothing beyond U+10FFFF.
#include "labrys.h"

#ifndef N
#define N 5
#endif

enum verdict {
    VALID,
    STRAY_CONTINUATION,
    BAD_LEAD,
    CUT_OFF,
    BAD_CONTINUATION,
    TOO_LONG,
    SURROGATE,
    TOO_LARGE
};

struct reader {
    const unsigned char *bytes;
    int size;
    int at;
    /* Characters by the number of their bytes. */
    int count[5];
};

static int is_continuation(unsigned char byte) { return (byte & 0xc0) == 0x80; }

/* The number of bytes that a lead byte announces; 0 if it is none. */
static int announced(unsigned char lead) {
    if (lead < 0x80)
        return 1;
    if (lead < 0xc0)
        return 0;
    if (lead < 0xe0)
        return 2;
    if (lead < 0xf0)
        return 3;
    if (lead < 0xf8)
        return 4;
    return 0;
}

/* What only the first two bytes of a sequence decide. */
static enum verdict check_range(unsigned char lead, unsigned char second) {
    if (lead == 0xc0 || lead == 0xc1)
        return TOO_LONG;
    if (lead == 0xe0 && second < 0xa0)
        return TOO_LONG;
    if (lead == 0xed && second > 0x9f)
        return SURROGATE;
    if (lead == 0xf0 && second < 0x90)
        return TOO_LONG;
    if (lead == 0xf4 && second > 0x8f)
        return TOO_LARGE;
    if (lead > 0xf4)
        return TOO_LARGE;
    return VALID;
}

/* Checks the sequence at the reader's place, and goes behind it. */
static enum verdict check_sequence(struct reader *reader) {
    const unsigned char *s = reader->bytes + reader->at;
    int left = reader->size - reader->at;
    int length = announced(s[0]);
    enum verdict verdict;
    int i;
    if (length == 0)
        return is_continuation(s[0]) ? STRAY_CONTINUATION : BAD_LEAD;
    if (length > left)
        return CUT_OFF;
    for (i = 1; i < length; i++) {
        if (!is_continuation(s[i]))
            return BAD_CONTINUATION;
    }
    if (length > 1) {
        verdict = check_range(s[0], s[1]);
        if (verdict != VALID)
            return verdict;
    }
    reader->count[length]++;
    reader->at += length;
    return VALID;
}

/* The verdict on a whole text; counts its characters as far as it is valid. */
enum verdict validate(const unsigned char *bytes, int size, int *characters) {
    struct reader reader = {0, 0, 0, {0}};
    enum verdict verdict = VALID;
    int i;
    reader.bytes = bytes;
    reader.size = size;
    while (verdict == VALID && reader.at < reader.size)
        verdict = check_sequence(&reader);
    *characters = 0;
    for (i = 1; i <= 4; i++)
        *characters += reader.count[i];
    return verdict;
}

int main(void) {
    unsigned char text[N];
    int characters;
    enum verdict verdict;
    labrys_symbolic(text, sizeof text, "text");
    verdict = validate(text, N, &characters);
    return (int)verdict * 16 + characters;
}
