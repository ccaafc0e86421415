// A function that gets a size and returns untyped memory may be one that allocates.
// arguments: --function build
#include <stddef.h>
void *take(size_t size);
void *take_array(size_t count, size_t size);
struct row { char name[60]; long cells[20]; };

int build(int n) {
    struct row *row = take(sizeof *row);
    long *list = take_array(40, sizeof *list);
    if (!row || !list)
        return 0;
    row->cells[19] = n;
    list[39] = 2 * (long)n;
    if (row->cells[19] == 12) //@ true covered, false covered
        return 1;
    if (list[39] == 26) //@ true covered, false covered
        return 2;
    if (list[39] == 24) //@ true open
        return 3;
    if (row->cells[10] == 5) //@ true open
        return 4;
    return 5;
}
