// area: width=0.0 height=0.0; width=1.0 height=0.0; width=1.0 height=2.0; width=1.0 height=101.0
double area(double width, double height) {
    if (width <= 0 || height <= 0)
        return -1;
    if (width * height > 100)
        return 100;
    return width * height;
}

// warm: celsius=36.0; celsius=36.5; celsius=38.0
int warm(float celsius) {
    if (celsius < 36.5f)
        return 0;
    return celsius < 38.0f ? 1 : 2;
}

// sums_up: a=1.0 b=2.0; a=0.0 b=10.0; a=10.0 b=0.0
int sums_up(double a, double b) {
    if (a + b == 10.0 && a < b)
        return 1;
    return 0;
}

// plain: x=1.0 y=2.0
double plain(double x, double y) {
    return x - y;
}
