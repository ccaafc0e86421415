// Reads the attributes of a directive: name="value" pairs up to the end mark `->`. Names become
// lower case, values may be quoted, and a backslash protects a quote. The text has N characters;
// names and values have little room.
#include "labrys.h"

#ifndef N
#define N 5
#endif

enum { NAME_ROOM = 4, VALUE_ROOM = 4, ATTRIBUTES = 3 };

enum outcome {
    DONE,
    END_OF_TEXT,
    NAME_TOO_LONG,
    VALUE_TOO_LONG,
    NO_NAME,
    BAD_CHARACTER,
    TOO_MANY
};

struct source {
    const char *text;
    int size;
    int at;
    int line;
};

struct attribute {
    char name[NAME_ROOM];
    char value[VALUE_ROOM];
    int has_value;
};

struct directive {
    struct attribute attributes[ATTRIBUTES];
    int count;
};

/* The next character, or -1 at the end. Lines are counted on the way. */
static int next(struct source *source) {
    int c;
    if (source->at >= source->size)
        return -1;
    c = (unsigned char)source->text[source->at];
    source->at++;
    if (c == '\n')
        source->line++;
    return c;
}

/* Goes back by one character. */
static void back(struct source *source) {
    source->at--;
    if (source->text[source->at] == '\n')
        source->line--;
}

static int is_blank(int c) { return c == ' ' || c == '\t' || c == '\n'; }

static int is_upper(int c) { return c >= 'A' && c <= 'Z'; }

static int is_name(int c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }

/* The first character that is not blank, or -1. */
static int skip_blanks(struct source *source) {
    int c;
    do {
        c = next(source);
    } while (c >= 0 && is_blank(c));
    return c;
}

/* Is this the end mark, of which the first character was read already? */
static int ends_here(struct source *source, int c) {
    if (c != '-')
        return 0;
    c = next(source);
    if (c == '>')
        return 1;
    if (c >= 0)
        back(source);
    return 0;
}

/* Reads a name, of which c is the first character. */
static enum outcome read_name(struct source *source, int c, struct attribute *attribute) {
    int length = 0;
    if (!is_name(c))
        return BAD_CHARACTER;
    while (is_name(c)) {
        if (length >= NAME_ROOM - 1)
            return NAME_TOO_LONG;
        if (is_upper(c))
            c = c - 'A' + 'a';
        attribute->name[length] = (char)c;
        length++;
        c = next(source);
    }
    attribute->name[length] = 0;
    if (c < 0)
        return END_OF_TEXT;
    back(source);
    return DONE;
}

/* Reads a value up to the quote that ends it. */
static enum outcome read_quoted(struct source *source, int quote, struct attribute *attribute) {
    int length = 0, c;
    for (;;) {
        c = next(source);
        if (c < 0)
            return END_OF_TEXT;
        if (c == '\\') {
            c = next(source);
            if (c < 0)
                return END_OF_TEXT;
            if (c != quote && c != '\\') {
                if (length >= VALUE_ROOM - 1)
                    return VALUE_TOO_LONG;
                attribute->value[length] = '\\';
                length++;
            }
        } else if (c == quote) {
            break;
        }
        if (length >= VALUE_ROOM - 1)
            return VALUE_TOO_LONG;
        attribute->value[length] = (char)c;
        length++;
    }
    attribute->value[length] = 0;
    return DONE;
}

/* Reads a value without quotes, up to a blank or the end mark. */
static enum outcome read_bare(struct source *source, int c, struct attribute *attribute) {
    int length = 0;
    while (c >= 0 && !is_blank(c) && c != '-') {
        if (length >= VALUE_ROOM - 1)
            return VALUE_TOO_LONG;
        attribute->value[length] = (char)c;
        length++;
        c = next(source);
    }
    attribute->value[length] = 0;
    if (c < 0)
        return END_OF_TEXT;
    back(source);
    return DONE;
}

static enum outcome read_value(struct source *source, struct attribute *attribute) {
    int c = skip_blanks(source);
    attribute->has_value = 1;
    if (c < 0)
        return END_OF_TEXT;
    if (c == '"' || c == '\'')
        return read_quoted(source, c, attribute);
    return read_bare(source, c, attribute);
}

/* Reads one attribute; a name without a value is one as well. */
static enum outcome read_attribute(struct source *source, int c, struct attribute *attribute) {
    enum outcome outcome;
    attribute->has_value = 0;
    attribute->value[0] = 0;
    outcome = read_name(source, c, attribute);
    if (outcome != DONE)
        return outcome;
    c = skip_blanks(source);
    if (c < 0)
        return END_OF_TEXT;
    if (c != '=') {
        back(source);
        return DONE;
    }
    return read_value(source, attribute);
}

/* Reads a directive up to its end mark. */
enum outcome get_tag(struct source *source, struct directive *directive) {
    enum outcome outcome;
    int c;
    directive->count = 0;
    for (;;) {
        c = skip_blanks(source);
        if (c < 0)
            return END_OF_TEXT;
        if (ends_here(source, c))
            return directive->count > 0 ? DONE : NO_NAME;
        if (directive->count >= ATTRIBUTES)
            return TOO_MANY;
        outcome = read_attribute(source, c, &directive->attributes[directive->count]);
        if (outcome != DONE)
            return outcome;
        directive->count++;
    }
}

int main(void) {
    char text[N];
    struct source source = {0, 0, 0, 1};
    struct directive directive;
    enum outcome outcome;
    labrys_symbolic(text, sizeof text, "text");
    source.text = text;
    source.size = N;
    outcome = get_tag(&source, &directive);
    return (int)outcome * 16 + directive.count;
}
