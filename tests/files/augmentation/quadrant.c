// The quadrant of a point from 1 to 4, 0 on an axis, -1 at the origin.
int quadrant(int x, int y) {
    if (x == 0 && y == 0)
        return -1;
    if (x == 0 || y == 0)
        return 0;
    if (x > 0)
        return y > 0 ? 1 : 4;
    return y > 0 ? 2 : 3;
}
