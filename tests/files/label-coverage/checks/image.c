/* Images that an encoder made by hand, and broken ones. */
#include "check.h"
#include "../image.c"
#undef main

/* Packs codes of given widths into one block behind a descriptor. */
static int pack(unsigned char *to, int descriptor, const int *codes, const int *widths, int count) {
    unsigned bits = 0;
    int used = 0, size = 2, i;
    to[0] = (unsigned char)descriptor;
    for (i = 0; i < count; i++) {
        bits |= (unsigned)codes[i] << used;
        used += widths[i];
        while (used >= 8) to[size++] = (unsigned char)bits, bits >>= 8, used -= 8;
    }
    if (used) to[size++] = (unsigned char)bits;
    to[1] = (unsigned char)(size - 2);
    return size;
}

static int descriptor(int width, int height, int interlaced, int bits) {
    return width | height << 2 | interlaced << 4 | bits << 5;
}

int main(void) {
    unsigned char bytes[32];
    struct image image;
    int size;
    int plain[] = {CLEAR, 1, 2, 3, 0}, three[] = {3, 3, 3, 4, 4};
    int run[] = {1, 6, 1}, pair[] = {1, 2, 6}, wide[] = {3, 3, 4};
    int unknown[] = {1, 7}, end[] = {1, END};
    size = pack(bytes, descriptor(2, 2, 0, 2), plain, (int[]){3, 3, 3, 3, 4}, 5);
    CHECK(read_image(bytes, size, &image) == COMPLETE);
    CHECK(image.pixels[0][0] == 1 && image.pixels[0][1] == 2);
    CHECK(image.pixels[1][0] == 3 && image.pixels[1][1] == 0 && like_the_first(&image) == 1);
    /* Code 6 is used before it is entered: the colour before, twice. */
    size = pack(bytes, descriptor(2, 2, 0, 2), run, (int[]){3, 3, 3}, 3);
    CHECK(read_image(bytes, size, &image) == COMPLETE && like_the_first(&image) == 4);
    /* Code 6 stands for 1 2. */
    size = pack(bytes, descriptor(2, 2, 0, 2), pair, wide, 3);
    CHECK(read_image(bytes, size, &image) == COMPLETE);
    CHECK(image.pixels[1][0] == 1 && image.pixels[1][1] == 2);
    size = pack(bytes, descriptor(1, 2, 1, 2), pair, wide, 2);
    CHECK(read_image(bytes, size, &image) == COMPLETE && image.pixels[1][0] == 2);
    size = pack(bytes, descriptor(2, 2, 0, 2), unknown, three, 2);
    CHECK(read_image(bytes, size, &image) == BAD_CODE);
    size = pack(bytes, descriptor(2, 2, 0, 2), end, three, 2);
    CHECK(read_image(bytes, size, &image) == CUT_OFF);
    size = pack(bytes, descriptor(2, 2, 0, 1), plain, three, 5);
    CHECK(read_image(bytes, size, &image) == BAD_COLOUR);
    bytes[0] = (unsigned char)descriptor(3, 1, 0, 1);
    CHECK(read_image(bytes, size, &image) == BAD_SIZE);
    bytes[0] = (unsigned char)descriptor(1, 1, 0, 3);
    CHECK(read_image(bytes, size, &image) == BAD_BITS);
    CHECK(read_image(bytes, 0, &image) == CUT_OFF);
    return checked == 13 ? 0 : 1;
}
