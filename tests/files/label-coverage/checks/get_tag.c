/* Directives with their attributes. */
#include "check.h"
#include "../get_tag.c"
#undef main

static struct directive directive;

static int is(const char *text, enum outcome outcome, int count) {
    struct source source = {0, 0, 0, 1};
    source.text = text;
    source.size = (int)strlen(text);
    memset(&directive, 0, sizeof directive);
    return get_tag(&source, &directive) == outcome && directive.count == count;
}

static int has(int i, const char *name, const char *value) {
    const struct attribute *a = &directive.attributes[i];
    return strcmp(a->name, name) == 0 && a->has_value == (value != 0) &&
           strcmp(a->value, value ? value : "") == 0;
}

int main(void) {
    CHECK(is("a=\"b\" ->", DONE, 1) && has(0, "a", "b"));
    CHECK(is(" AB = 'x y'\tc->", DONE, 2) && has(0, "ab", "x y") && has(1, "c", 0));
    CHECK(is("a=\"\\\"\\n\"->", DONE, 1) && has(0, "a", "\"\\n"));
    CHECK(is("a=bc d->", DONE, 2) && has(0, "a", "bc") && has(1, "d", 0));
    CHECK(is("->", NO_NAME, 0));
    CHECK(is("a", END_OF_TEXT, 0));
    CHECK(is("a=\"b", END_OF_TEXT, 0));
    CHECK(is("abcd ->", NAME_TOO_LONG, 0));
    CHECK(is("a=wxyz ->", VALUE_TOO_LONG, 0));
    CHECK(is("a='wxyz' ->", VALUE_TOO_LONG, 0));
    CHECK(is("a 1 ->", BAD_CHARACTER, 1));
    CHECK(is("a b c d ->", TOO_MANY, 3));
    CHECK(is("a - >", BAD_CHARACTER, 1));
    return checked == 13 ? 0 : 1;
}
