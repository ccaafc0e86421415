// A two-dimensional array: determinant and symmetry of a 2x2 matrix of small numbers.
// expect: branches 18 feasible 17
// expect: paths 8
// expect: infeasible 17:9:true
// expect: mcdc 19:9 UU
// expect: mcdc 21:9 UU
// expect: mcdc 24:12 UU
#include "labrys.h"

int main(void) {
    unsigned char x = labrys_uchar("x");
    int m[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = (x >> (i * 4 + j * 2) & 3) - 1;
    int det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    if (det == 7)
        return 1;
    if (det == 6 || det == -4)
        return 2;
    if (m[0][1] == m[1][0] && det < 0)
        return 3;
    int (*row)[2] = m + 1;
    return (*row)[0] == 2 && det == 0 ? 4 : 5;
}
