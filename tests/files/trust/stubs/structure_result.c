// A structure that is returned may hold anything, and nothing else has changed.
// arguments: --function compare
struct pair { int a; short b; };
struct pair fetch(int key);

int compare(int key) {
    int own = 8;
    struct pair p = fetch(key), q = fetch(key);
    if (own != 8) //@ true infeasible, false covered
        return 1;
    if (p.a != q.a) //@ true covered, false covered
        return 2;
    if (p.b == 77) //@ true covered, false covered
        return 3;
    return 0;
}
