/* URIs with their outcomes and escaped forms. */
#include "check.h"
#define N 20
#include "../absolute_uri.c"
#undef main

static struct uri uri;

static int is(const char *s, enum outcome outcome, const char *expected) {
    char text[N + 1] = {0}, result[ROOM];
    strncpy(text, s, N);
    memset(&uri, 0, sizeof uri);
    return escape_uri(text, &uri, result, ROOM) == outcome && strcmp(result, expected) == 0;
}

int main(void) {
    char small[8];
    CHECK(is("w:/host/path", ESCAPED, "w:host/path"));
    CHECK(is("W:host:9/a b", ESCAPED, "w:host:9/a%20b"));
    CHECK(uri.port == 9 && uri.scheme == WEB);
    CHECK(is("w:host:8/", ESCAPED, "w:host/"));
    CHECK(is("w:h/%41\"<", ESCAPED, "w:h/%41%22%3C"));
    CHECK(is("w:h/%g", BAD_ESCAPE, "w:h/"));
    CHECK(is("w:h?q", ESCAPED, "w:h?q"));
    CHECK(is("x:h?q", ESCAPED, "x:h%3Fq"));
    CHECK(is("d:h/n?ab?cdef?", ESCAPED, "d:h/n?ab?cdef?"));
    CHECK(uri.field_count == 3 && strcmp(uri.fields[0], "ab") == 0);
    CHECK(strcmp(uri.fields[1], "cde") == 0 && uri.fields[2][0] == 0);
    CHECK(is("d:h????", TOO_MANY_FIELDS, "d:h"));
    CHECK(is("w:/", NO_HOST, "w:"));
    CHECK(is("", NO_SCHEME, ""));
    CHECK(is("web:h", NO_SCHEME, ""));
    CHECK(escape_uri("w:host/path", &uri, small, 8) == NO_ROOM && strcmp(small, "w:host/") == 0);
    return checked == 16 ? 0 : 1;
}
