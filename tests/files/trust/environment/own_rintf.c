// The program's own rintf is not that of the C library.
// arguments: --function nearest
float rintf(float x) { return x > 1 ? 100 : -100; }

int nearest(float x) {
    if (rintf(2.5f) == 100) //@ true covered, false infeasible
        return rintf(x) == 2 ? 1 : 2; //@ true infeasible, false covered
    return 3;
}
