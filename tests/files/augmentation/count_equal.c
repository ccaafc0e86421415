// How many of four numbers are the wanted one, and where the first stands (-1 if nowhere).
int count_equal(const int n[4], int wanted, int *first) {
    int count = 0;
    *first = -1;
    for (int i = 0; i < 4; i++)
        if (n[i] == wanted) {
            if (count == 0)
                *first = i;
            count++;
        }
    return count;
}
