#include <ctype.h>
#include <string.h>

// command: s=""; s="start"; s="stop"
int command(const char *s) {
    if (!s)
        return -1;
    if (strcmp(s, "start") == 0)
        return 1;
    if (strcmp(s, "stop") == 0)
        return 2;
    return 0;
}

// is_digit: c="'/'"; c="'0'"; c="'a'"
int is_digit(char c) {
    return c >= '0' && c <= '9';
}

// has_dash: s=""; s="a"; s="a-"; s="a-b"
int has_dash(const char *s) {
    if (!s)
        return -1;
    return s[0] != 0 && s[1] == '-' && s[2] != 0;
}

// length: s=""; s="a"
int length(const char *s) {
    int n = 0;
    if (!s)
        return -1;
    while (s[n])
        n++;
    return n > 2;
}
