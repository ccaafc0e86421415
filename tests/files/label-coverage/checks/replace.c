/* Patterns and lines with their results. */
#include "check.h"
#define PATTERN 4
#define LINE 6
#include "../replace.c"
#undef main

static int is(const char *pattern, const char *line, const char *with, int count,
              const char *expected) {
    char p[PATTERN + 1] = {0}, l[LINE + 1] = {0}, result[ROOM] = {0};
    strncpy(p, pattern, PATTERN);
    strncpy(l, line, LINE);
    return replace(p, l, with, result) == count && (count < 0 || strcmp(result, expected) == 0);
}

int main(void) {
    CHECK(is("a", "banana", "<>", 3, "b<>n<>n<>"));
    CHECK(is("an", "banana", "<>", 2, "b<><>a"));
    CHECK(is("?", "abc", "-", 3, "---"));
    CHECK(is("a*", "aabaa", "-", 2, "-b-"));
    CHECK(is("a*b", "aabab", "-", 2, "--"));
    CHECK(is("?*c", "abcab", "-", 1, "-ab"));
    CHECK(is("@?", "a?b", "-", 1, "a-b"));
    CHECK(is("@*", "a*b", "-", 1, "a-b"));
    CHECK(is("a$", "aaa", "-", 1, "aa-"));
    CHECK(is("$a", "$ab", "-", 1, "-b"));
    CHECK(is("x", "abc", "-", 0, "abc"));
    CHECK(is("*a", "abc", "-", -1, ""));
    CHECK(is("", "abc", "-", -1, ""));
    CHECK(is("abcd", "abcdef", "", 1, "ef"));
    return checked == 14 ? 0 : 1;
}
