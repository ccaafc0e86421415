// How many steps of the 3n + 1 rule lead to 1, at most 50; -1 for no positive number.
int collatz(int n) {
    int steps = 0;
    if (n < 1 || n > 1000)
        return -1;
    while (n != 1 && steps < 50) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        steps++;
    }
    return steps;
}
