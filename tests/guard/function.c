// The guard: a function as users have them, for the whole way from the source to its tests.
#include <stddef.h>

int find(const int *sorted, size_t count, int wanted) {
    size_t low = 0, high = count;
    if (!sorted || count > 4)
        return -1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] == wanted)
            return (int)middle;
        if (sorted[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}
