// The guard: many decisions of all forms, for the front end.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum token { END, NUMBER, NAME, PLUS, MINUS, TIMES, OVER, OPEN, CLOSE, UNKNOWN };

struct reader {
    const char *text;
    size_t at;
    long number;
    char name[16];
};

static enum token next_token(struct reader *r) {
    while (r->text[r->at] == ' ' || r->text[r->at] == '\t')
        r->at++;
    char c = r->text[r->at];
    if (c == '\0')
        return END;
    if (isdigit((unsigned char)c)) {
        r->number = 0;
        while (isdigit((unsigned char)r->text[r->at]) && r->number < 100000)
            r->number = r->number * 10 + (r->text[r->at++] - '0');
        return NUMBER;
    }
    if (isalpha((unsigned char)c) || c == '_') {
        size_t n = 0;
        while (n + 1 < sizeof r->name &&
               (isalnum((unsigned char)r->text[r->at]) || r->text[r->at] == '_'))
            r->name[n++] = r->text[r->at++];
        r->name[n] = '\0';
        return NAME;
    }
    r->at++;
    switch (c) {
    case '+': return PLUS;
    case '-': return MINUS;
    case '*': return TIMES;
    case '/': return OVER;
    case '(': return OPEN;
    case ')': return CLOSE;
    default: return UNKNOWN;
    }
}

int leap(int year) { return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0; }

int days(int year, int month) {
    if (month < 1 || month > 12 || year < 1583)
        return -1;
    if (month == 2)
        return leap(year) ? 29 : 28;
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

int valid(int year, int month, int day) {
    int most = days(year, month);
    return most > 0 && day >= 1 && day <= most;
}

long balance(const char *text) {
    struct reader r = {text, 0, 0, ""};
    long depth = 0, sum = 0;
    for (enum token t = next_token(&r); t != END; t = next_token(&r)) {
        if (t == OPEN)
            depth++;
        else if (t == CLOSE && --depth < 0)
            return -1;
        else if (t == NUMBER && !(depth > 3 || sum > 1000000))
            sum += r.number;
        else if (t == NAME && strcmp(r.name, "reset") == 0)
            sum = 0;
        else if (t == UNKNOWN)
            return -2;
    }
    return depth == 0 ? sum : -3;
}

int clamp(int value, int low, int high) {
    if (low > high)
        return 0;
    return value < low ? low : value > high ? high : value;
}

int report(const char *text, FILE *out) {
    long sum = balance(text);
    if (sum < 0 && out)
        fprintf(out, "error %ld in '%s'\n", sum, text);
    else if (out && (sum > 10 || (sum == 0 && text[0])))
        fprintf(out, "%ld\n", sum);
    return sum < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
