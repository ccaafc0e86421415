// Writing one element says nothing about the others.
// arguments: --function second
static int buffer[8];

void put(int i, int x) {
    if (i == 2 && x < 10)
        buffer[i] = x;
}

int second(unsigned i) {
    buffer[0] = 9;
    if (i < 8)
        buffer[i] = 1;
    if (buffer[2] == 44) //@ true open, false covered
        return 1;
    return 0;
}
