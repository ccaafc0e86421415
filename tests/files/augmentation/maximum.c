// The largest of four numbers.
int maximum(int a, int b, int c, int d) {
    int values[4] = {a, b, c, d};
    int largest = values[0];
    for (int i = 1; i < 4; i++)
        if (values[i] > largest)
            largest = values[i];
    return largest;
}
