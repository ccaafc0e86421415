// Splits an absolute URI into its parts and escapes what a rewritten request must not contain.
// Directory URIs (d://host/name?attributes?scope) keep their question marks, of which only so
// many fields are stored. N characters follow the scheme.
#include "labrys.h"

#ifndef N
#define N 6
#endif

enum { FIELDS = 3, FIELD_ROOM = 4, ROOM = 3 * N + 8 };

enum outcome {
    ESCAPED,
    NO_SCHEME,
    NO_HOST,
    TOO_MANY_FIELDS,
    BAD_ESCAPE,
    NO_ROOM
};

enum scheme { UNKNOWN, WEB, DIRECTORY };

struct uri {
    enum scheme scheme;
    int host_start;
    int host_end;
    int port;
    /* Fields of a directory URI, between its question marks. */
    char fields[FIELDS][FIELD_ROOM];
    int field_count;
};

struct text {
    char *bytes;
    int used;
    int room;
};

static char lower(char c) {
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c;
}

static int hex_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    c = lower(c);
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return -1;
}

/* Appends a character if there is room for it and the final zero. */
static int append(struct text *text, char c) {
    if (text->used + 1 >= text->room)
        return 0;
    text->bytes[text->used] = c;
    text->used++;
    return 1;
}

static int append_escaped(struct text *text, char c) {
    static const char digits[] = "0123456789ABCDEF";
    unsigned char byte = (unsigned char)c;
    if (!append(text, '%'))
        return 0;
    if (!append(text, digits[byte >> 4]))
        return 0;
    return append(text, digits[byte & 15]);
}

/* The scheme before "://": w for the web, d for directories. Returns where it ends, or -1. */
static int read_scheme(const char *s, struct uri *uri) {
    int at = 0;
    switch (lower(s[0])) {
    case 'w':
        uri->scheme = WEB;
        break;
    case 'd':
        uri->scheme = DIRECTORY;
        break;
    case 0:
        return -1;
    default:
        uri->scheme = UNKNOWN;
        break;
    }
    at++;
    if (s[at] != ':')
        return -1;
    return at + 1;
}

/* The host behind two slashes, with a port of one digit. Returns where the path begins, or -1. */
static int read_host(const char *s, int at, struct uri *uri) {
    uri->port = 0;
    if (s[at] == '/')
        at++;
    uri->host_start = at;
    while (s[at] && s[at] != '/' && s[at] != ':' && s[at] != '?')
        at++;
    uri->host_end = at;
    if (uri->host_end == uri->host_start)
        return -1;
    if (s[at] == ':') {
        at++;
        if (s[at] >= '1' && s[at] <= '9') {
            uri->port = s[at] - '0';
            at++;
        }
    }
    return at;
}

/* Stores the fields that question marks separate. False if there are too many. */
static int read_fields(const char *s, int at, struct uri *uri) {
    int length = 0;
    uri->field_count = 0;
    while (s[at] && s[at] != '?')
        at++;
    while (s[at] == '?') {
        at++;
        if (uri->field_count >= FIELDS)
            return 0;
        length = 0;
        while (s[at] && s[at] != '?') {
            if (length < FIELD_ROOM - 1)
                uri->fields[uri->field_count][length++] = s[at];
            at++;
        }
        uri->fields[uri->field_count][length] = 0;
        uri->field_count++;
    }
    return 1;
}

/* Copies the rest, escaping what is neither plain nor an escape already. */
static enum outcome escape_rest(const char *s, int at, const struct uri *uri, struct text *out) {
    for (; s[at]; at++) {
        char c = s[at];
        if (c == '%') {
            if (hex_value(s[at + 1]) < 0)
                return BAD_ESCAPE;
            if (!append(out, c))
                return NO_ROOM;
        } else if (c == '?') {
            if (uri->scheme == DIRECTORY || uri->scheme == WEB) {
                if (!append(out, c))
                    return NO_ROOM;
            } else if (!append_escaped(out, c)) {
                return NO_ROOM;
            }
        } else if (c <= ' ' || c == '"' || c == '<') {
            if (!append_escaped(out, c))
                return NO_ROOM;
        } else if (!append(out, c)) {
            return NO_ROOM;
        }
    }
    return ESCAPED;
}

/* Escapes an absolute URI. The result is always terminated. */
enum outcome escape_uri(const char *s, struct uri *uri, char *result, int room) {
    struct text out;
    enum outcome outcome;
    int at, i;
    out.bytes = result;
    out.used = 0;
    out.room = room;
    result[0] = 0;
    at = read_scheme(s, uri);
    if (at < 0)
        return NO_SCHEME;
    for (i = 0; i < at; i++)
        append(&out, lower(s[i]));
    result[out.used] = 0;
    at = read_host(s, at, uri);
    if (at < 0)
        return NO_HOST;
    for (i = uri->host_start; i < uri->host_end; i++)
        append(&out, s[i]);
    if (uri->port > 0 && uri->port != 8) {
        append(&out, ':');
        append(&out, (char)('0' + uri->port));
    }
    if (uri->scheme == DIRECTORY && !read_fields(s, at, uri)) {
        result[out.used] = 0;
        return TOO_MANY_FIELDS;
    }
    outcome = escape_rest(s, at, uri, &out);
    result[out.used] = 0;
    return outcome;
}

int main(void) {
    char s[N + 1], result[ROOM];
    struct uri uri = {UNKNOWN, 0, 0, 0, {{0}}, 0};
    enum outcome outcome;
    labrys_symbolic(s, N, "uri");
    s[N] = 0;
    outcome = escape_uri(s, &uri, result, ROOM);
    return (int)outcome * 16 + uri.field_count;
}
