// Binary search in a sorted table of seven; the depth is bounded, which one branch denies.
// expect: branches 12 feasible 10
// expect: paths 14
// expect: infeasible 28:9:true
// expect: infeasible 30:20:true
// expect: mcdc 30:9 --
#include "labrys.h"

static int search(const unsigned char *t, int n, int key, int *steps) {
    int low = 0, high = n - 1;
    while (low <= high) {
        int mid = (low + high) / 2;
        ++*steps;
        if (t[mid] == key)
            return mid;
        if (t[mid] < key)
            low = mid + 1;
        else
            high = mid - 1;
    }
    return -1;
}

int main(void) {
    static const unsigned char table[7] = {2, 3, 5, 77, 110, 130, 200};
    int key = labrys_uchar("key"), steps = 0;
    int at = search(table, 7, key, &steps);
    if (steps > 3)
        return 1;
    if (at >= 0 && table[at] != key)
        return 2;
    return at;
}
