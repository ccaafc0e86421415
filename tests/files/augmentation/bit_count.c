// How many bits of a number are set.
int bit_count(unsigned n) {
    int count = 0;
    while (n) {
        n &= n - 1;
        count++;
    }
    return count;
}
