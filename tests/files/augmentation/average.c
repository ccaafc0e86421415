// The mean of two numbers, rounded towards the first, without overflow.
int average(int a, int b) {
    long long sum = (long long)a + b;
    if (sum % 2 == 0)
        return (int)(sum / 2);
    if (a < b)
        return (int)((sum - (sum < 0)) / 2);
    return (int)((sum + (sum > 0)) / 2);
}
