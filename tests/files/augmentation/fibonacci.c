// The n-th Fibonacci number, counted from 0; -1 if there is none or it is too large.
int fibonacci(int n) {
    int previous = 0, current = 1;
    if (n < 0 || n > 20)
        return -1;
    if (n == 0)
        return 0;
    for (int i = 1; i < n; i++) {
        int next = previous + current;
        previous = current;
        current = next;
    }
    return current;
}
