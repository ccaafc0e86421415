// Two pointers to the same object: the second branch needs them to be equal.
// arguments: --function swap_add --assume "a != 0 && b != 0"
// expect: branches 2 feasible 2
// expect: return 1
int swap_add(int *a, int *b) {
    *a = 1;
    *b = 2;
    if (*a == 2)
        return 1;
    return 0;
}
