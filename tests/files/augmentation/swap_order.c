// Puts two numbers into ascending order; whether they were swapped.
int swap_order(int *a, int *b) {
    if (*a <= *b)
        return 0;
    int other = *a;
    *a = *b;
    *b = other;
    return 1;
}
