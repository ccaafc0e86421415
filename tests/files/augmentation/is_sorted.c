// 1 if four numbers ascend, -1 if they descend, 2 if all are equal, else 0.
int is_sorted(const int n[4]) {
    int up = 1, down = 1;
    for (int i = 0; i < 3; i++) {
        if (n[i] > n[i + 1])
            up = 0;
        if (n[i] < n[i + 1])
            down = 0;
    }
    if (up && down)
        return 2;
    return up - down;
}
