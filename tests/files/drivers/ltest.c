// Labels as LTest writes them into a program.
// expect: labels 5 covered 4
#include <labels.h>
#include <crest.h>

int main(void) {
    int x, y;
    CREST_int(x);
    CREST_int(y);
    pc_label(x > y, 1, "WM");
    pc_label(x == y, 2, "WM");
    if (x > 10) {
        pc_label(x <= 10, 3, "never");
        pc_label(x == 1234567, 4, "WM");
        // A fault in a predicate makes the label false and nothing else.
        pc_label(100 / y == 7, 5, "WM");
    }
    return 0;
}
