// Reads and writes at an index that the input chooses.
// expect: branches 14 feasible 12
// expect: paths 4
// expect: infeasible 17:27:true
// expect: infeasible 26:9:true
// expect: mcdc 17:9 --
#include "labrys.h"

int main(void) {
    unsigned char i = labrys_uchar("i");
    unsigned char j = labrys_uchar("j");
    labrys_assume(i < 8);
    labrys_assume(j < 8);
    int cells[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    cells[i] = 50;
    cells[j] += 7;
    if (cells[i] == 50 && i == j)
        return 1;
    if (cells[i] == 57)
        return 2;
    if (cells[j] == 8)
        return 3;
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += cells[k];
    if (sum < 31)
        return 4;
    return sum == 31 + 57 - 9 ? 5 : 6;
}
