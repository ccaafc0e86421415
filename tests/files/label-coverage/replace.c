// Replaces what a pattern matches in a line. In patterns `?` is any character, `x*` any number of
// x, `@` takes the next character as it is, and `$` is the end of the line.
#include "labrys.h"

#ifndef PATTERN
#define PATTERN 2
#endif
#ifndef LINE
#define LINE 3
#endif

enum { ROOM = 4 * LINE + 4, NO_MATCH = -1 };

struct element {
    char kind; /* 'c' a character, '?' any, '$' the end */
    char character;
    char repeated;
};

/* Reads the pattern into elements; their number, or -1 for a pattern that makes no sense. */
static int compile_pattern(const char *pattern, struct element *elements) {
    int i, count = 0;
    for (i = 0; i < PATTERN && pattern[i]; i++) {
        struct element *e = &elements[count];
        e->kind = 'c';
        e->character = pattern[i];
        e->repeated = 0;
        if (pattern[i] == '?') {
            e->kind = '?';
        } else if (pattern[i] == '$' && (i + 1 == PATTERN || pattern[i + 1] == 0)) {
            e->kind = '$';
        } else if (pattern[i] == '@' && i + 1 < PATTERN && pattern[i + 1]) {
            e->character = pattern[++i];
        } else if (pattern[i] == '*') {
            if (count == 0)
                return -1;
            elements[count - 1].repeated = 1;
            continue;
        }
        count++;
    }
    return count;
}

static int fits(const struct element *e, const char *line, int at) {
    if (at >= LINE || line[at] == 0)
        return 0;
    return e->kind == '?' || (e->kind == 'c' && e->character == line[at]);
}

/* Where the match that begins here ends; repeated elements take as much as they can. */
static int match_here(const struct element *elements, int count, const char *line, int at) {
    int end, most;
    if (count == 0)
        return at;
    if (elements->repeated) {
        for (most = at; fits(elements, line, most); most++) {
        }
        for (; most >= at; most--) {
            end = match_here(elements + 1, count - 1, line, most);
            if (end != NO_MATCH)
                return end;
        }
        return NO_MATCH;
    }
    if (elements->kind == '$')
        return at >= LINE || line[at] == 0 ? at : NO_MATCH;
    if (!fits(elements, line, at))
        return NO_MATCH;
    return match_here(elements + 1, count - 1, line, at + 1);
}

/* Writes the line with every match replaced; returns the number of replacements, or -1. */
int replace(const char *pattern, const char *line, const char *with, char *result) {
    struct element elements[PATTERN + 1];
    int count = compile_pattern(pattern, elements);
    int at = 0, out = 0, replaced = 0, i;
    if (count <= 0)
        return -1;
    while (at < LINE && line[at]) {
        int end = match_here(elements, count, line, at);
        if (end != NO_MATCH && end > at) {
            for (i = 0; with[i] && out < ROOM - 1; i++)
                result[out++] = with[i];
            replaced++;
            at = end;
        } else if (out < ROOM - 1) {
            result[out++] = line[at++];
        }
    }
    result[out] = 0;
    return replaced;
}

int main(void) {
    char pattern[PATTERN], line[LINE], result[ROOM];
    int replaced;
    labrys_symbolic(pattern, sizeof pattern, "pattern");
    labrys_symbolic(line, sizeof line, "line");
    replaced = replace(pattern, line, "<>", result);
    return replaced;
}
