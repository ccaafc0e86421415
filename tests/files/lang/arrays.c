// Arrays of one to four dimensions, negative offsets from the middle, arrays in structures.
// expect: result 7b00000000000000020000000000000070000000000000007b00000000000000bf02000000000000040000000000000074000000000000001d00000000000000000000000000000005000000000000000400000000000000
#include "out.h"

static int cube[2][3][4];
struct grid { unsigned char cell[4][4]; int used; };
static const int days[2][13] = {{0, 31, 28, 31}, {0, 31, 29, 31}};

static int count(const struct grid *g) {
    int n = 0;
    for (int i = 0; i < 16; i++)
        n += (&g->cell[0][0])[i] != 0;
    return n;
}
static void transpose(int n, int a[][3]) {
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < 3; j++) {
            int t = a[i][j];
            a[i][j] = a[j][i];
            a[j][i] = t;
        }
}

int main(void) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++)
                cube[i][j][k] = i * 100 + j * 10 + k;
    out((unsigned)cube[1][2][3]), out((unsigned)(**cube)[2]), out((unsigned)*(*(*(cube + 1) + 1) + 2)), out((unsigned)((int *)cube)[23]);
    int square[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    transpose(3, square);
    out((unsigned)(square[0][2] * 100 + square[2][0]));
    struct grid g = {{{1}, {0, 2}, [3] = {[3] = 9}}, 3};
    struct grid *p = &g;
    p->cell[p->used][0] = 7;
    out((unsigned)count(p));
    int line[9] = {0}, *middle = line + 4;
    for (int i = -4; i <= 4; i++)
        middle[i] = i * i;
    out((unsigned)(line[0] + middle[-1] * 100)), out((unsigned)days[1][2]), out((unsigned)days[0][12]);
    char hyper[2][2][2][2] = {0};
    hyper[1][0][1][1] = 5;
    out((unsigned)((char *)hyper)[11]), out(sizeof hyper[0][0]);
    return finish();
}
