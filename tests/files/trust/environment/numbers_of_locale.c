// Decimal points, groups of digits and names of days are those of the locale in which a function is
// called. Whole numbers are not.
// arguments: --function numbers
#include <stdio.h>
#include <string.h>
#include <time.h>

int numbers(int n) {
    char text[40];
    double d = 0;
    struct tm day = {0};
    switch (n) {
    case 0:
        snprintf(text, sizeof text, "%.1f", 1.5);
        return text[1] == ',' ? 1 : 0; //@ true open
    case 1:
        snprintf(text, sizeof text, "%.1f", 1.5);
        return text[0] == '2' ? 1 : 0; //@ true infeasible
    case 2:
        snprintf(text, sizeof text, "%'d", 1234567);
        return text[1] == ',' ? 1 : 0; //@ true open
    case 3:
        snprintf(text, sizeof text, "%d", 1234567);
        return text[1] == ',' ? 1 : 0; //@ true infeasible
    case 4:
        sscanf("1,5", "%lf", &d);
        return d > 1.2 ? 1 : 0; //@ true open
    case 5:
        strftime(text, sizeof text, "%A", &day);
        return text[0] == 'D' ? 1 : 0; //@ true open
    case 6:
        strftime(text, sizeof text, "%Y", &day);
        return text[0] == '2' ? 1 : 0; //@ true infeasible
    // A point of two bytes: what follows it lies further on, and less fills the width.
    case 7:
        return snprintf(text, sizeof text, "%.1f", 1.5) == 4 ? 1 : 0; //@ true open
    case 8:
        snprintf(text, sizeof text, "%4.1f", 1.5);
        return text[0] == '1' ? 1 : 0; //@ true open
    case 9:
        snprintf(text, sizeof text, "%.1f;", 1.5);
        return text[4] == ';' ? 1 : 0; //@ true open
    case 10:
        snprintf(text, sizeof text, "%.1f", 1.5);
        return text[3] != 0 ? 1 : 0; //@ true open
    case 11:
        memset(text, 'x', sizeof text);
        snprintf(text, sizeof text, "%.1f", 1.5);
        return text[4] == 0 ? 1 : 0; //@ true open
    case 12:
        memset(text, 'x', sizeof text);
        snprintf(text, sizeof text, "%.1f", 1.5);
        return text[5] == 0 ? 1 : 0; //@ true infeasible
    case 13:
        return snprintf(text, sizeof text, "%s;%.0f", "ab", 1.5) == 5 ? 1 : 0; //@ true infeasible
    case 14:
        snprintf(text, sizeof text, "%d;%.1f", 7, 1.5);
        return text[1] == ',' ? 1 : 0; //@ true infeasible
    }
    return 0;
}
