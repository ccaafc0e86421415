// Exploration: a parser of tags over six symbolic bytes.
// alphabet: text 1 0 32 34 38 47 59 60 62 97 48 125
// expect: paths 8686
#include "labrys.h"

enum state { TEXT, OPEN, NAME, CLOSE_NAME, VALUE, QUOTED, EMPTY, ENTITY };

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }

/* An error skips to the next text, so that every byte is looked at. Returns the nesting depth at
 * the end, or minus the number of errors. */
static int parse(const char *text, int length) {
    enum state state = TEXT;
    int depth = 0, errors = 0, quotes = 0;
    for (int i = 0; i < length; i++) {
        char c = text[i];
        switch (state) {
        case TEXT:
            if (c == '<')
                state = OPEN;
            else if (c == '>')
                errors++;
            else if (c == 0)
                return errors ? -errors : depth;
            else if (c == '&')
                state = ENTITY;
            else if (c == '"')
                quotes++;
            break;
        case OPEN:
            if (c == '/')
                state = CLOSE_NAME;
            else if (is_letter(c))
                state = NAME;
            else
                state = TEXT, errors++;
            break;
        case NAME:
            if (c == '>')
                state = TEXT, depth++;
            else if (c == ' ')
                state = VALUE;
            else if (c == '/')
                state = EMPTY;
            else if (!is_letter(c))
                state = TEXT, errors++;
            break;
        case CLOSE_NAME:
            if (c == '>' && depth > 0)
                state = TEXT, depth--;
            else if (!is_letter(c))
                state = TEXT, errors++;
            break;
        case VALUE:
            if (c == '/')
                state = EMPTY;
            else if (c == '>')
                state = TEXT, depth++;
            else if (c == '"')
                state = QUOTED;
            break;
        case QUOTED:
            if (c == '"')
                state = VALUE;
            else if (c == 0)
                return -1;
            break;
        case EMPTY:
            if (c != '>')
                errors++;
            state = TEXT;
            break;
        case ENTITY:
            if (c == ';')
                state = TEXT;
            else if (c == 0)
                return -1;
            break;
        }
    }
    if (state != TEXT)
        errors++;
    depth += quotes;
    return errors ? -errors : depth;
}

int main(void) {
    char text[6];
    labrys_symbolic(text, sizeof text, "text");
    return parse(text, 6);
}
