// A string parameter comes as NULL, empty, and with the text that the code looks for.
// arguments: --function command
// expect: branches 10 feasible 10
// expect: return -1
// expect: return 0
// expect: return 1
// expect: return 2
#include <string.h>

int command(const char *text) {
    if (!text)
        return -1;
    if (*text == 0)
        return 0;
    if (strcmp(text, "start") == 0)
        return 1;
    if (strlen(text) == 3 && text[2] == '!')
        return 2;
    return 3;
}
