struct point {
    int x;
    unsigned y;
    char tag[8];
};

// inside: p[0].x=0 p[0].y=0 p[0].tag=""; p[0].x=3 p[0].y=0 p[0].tag=""; p[0].x=4 p[0].y=7 p[0].tag=""; p[0].x=4 p[0].y=8 p[0].tag=""; p[0].x=3 p[0].y=0 p[0].tag="q"
int inside(const struct point *p) {
    if (!p)
        return -1;
    if (p->x > 3 && p->y > 7)
        return 1;
    if (p->tag[0] == 'q')
        return 2;
    return 0;
}

// first_large: a=[0,0,0,0] n=0; a=[10,0,0,0] n=1; a=[0,0,0,0] n=-1; a=[0,0,0,0] n=5; a=[11,0,0,0] n=1
int first_large(const int *a, int n) {
    if (!a || n < 0 || n > 4)
        return -1;
    for (int i = 0; i < n; i++)
        if (a[i] > 10)
            return i;
    return -1;
}

// swap: a=[0,0,0,0] b=[0,0,0,0]; a=[1,0,0,0] b=[2,0,0,0]
void swap(int *a, int *b) {
    if (a && b && a != b) {
        int t = *a;
        *a = *b;
        *b = t;
    }
}
