// String and memory functions of libc on concrete data.
// expect: result 0900000000000000010000000000000001000000000000001400000000000000040000000000000012000000000000000a00000000000000010000000000000003000000000000000900000000000000010000000000000001000000000000006c000000000000000300000000000000d6ffffff000000001f00000000000000ff0100000000000009000000000000000c00000000000000610000000000000000000000000000005a000000000000000100000000000000
#include "out.h"
#include <stdlib.h>

int main(void) {
    char b[32] = "labyrinth";
    out(strlen(b)), out((unsigned)(strcmp(b, "labyrint") > 0)), out((unsigned)(strncmp(b, "labels", 3) == 0));
    strcat(b, " of ");
    strncat(b, "Knossos!", 7);
    out(strlen(b)), out((size_t)(strchr(b, 'r') - b)), out((size_t)(strrchr(b, 'o') - b)), out((size_t)(strstr(b, "of") - b));
    out(!strchr(b, 'z')), out(strspn(b, "abl")), out(strcspn(b, " "));
    memmove(b + 2, b, 10);
    b[12] = 0;
    out((unsigned)(strcmp(b, "lalabyrinth ") == 0)), out((unsigned)memcmp("ab", "ac", 2) >> 31);
    memmove(b, b + 2, 9);
    out((unsigned)b[0]), out((size_t)((char *)memchr(b, 'y', 9) - b));
    out((unsigned)atoi(" -42x")), out((unsigned long)strtol("0x1fZ", 0, 16)), out((unsigned long)strtol("777", 0, 8)), out((unsigned)abs(-9));
    char *end;
    out((unsigned long)strtol("12ab", &end, 10)), out((unsigned)*end);
    char filled[8];
    memset(filled, 0x5a, sizeof filled);
    strncpy(filled, "abc", 5);
    out((unsigned char)filled[4]), out((unsigned char)filled[5]), out(memcmp(filled, "abc", 4) == 0);
    return finish();
}
