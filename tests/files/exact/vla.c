// Variable-length arrays, one and two dimensions, sized by the input.
// expect: branches 12 feasible 10
// expect: paths 9
// expect: infeasible 16:9:true
// expect: infeasible 20:9:true
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int rows = 1 + (x & 1), columns = 1 + (x >> 1 & 3);
    int grid[rows][columns];
    int n = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            grid[i][j] = n++ * (x >> 6);
    if (sizeof grid / sizeof grid[0][0] != (unsigned long)n)
        return 1;
    if (grid[rows - 1][columns - 1] == 21)
        return 2;
    if (grid[0][columns - 1] > 9)
        return 3;
    return sizeof grid[0] == 16 ? 4 : 5;
}
