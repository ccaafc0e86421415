// With these flags a compiler may compute floating-point operations in another way.
// arguments: --function fast --cc clang-19 -- -ffast-math
int fast(int n, float a, float b, int i) {
    switch (n) {
    case 0: // A difference that is too small may become 0.
        if (a > b && a - b == 0) //@ true open
            return 1;
        return 0;
    case 1:
        if (a != a) { //@ true open
            if (a < 0) //@ true unknown floating-point flags
                return 1;
        }
        return 0;
    case 2:
        return i > 3 ? 1 : 0; //@ true covered
    case 3:
        if (i > 3) {
            if (i < 3) //@ true infeasible
                return 1;
        }
        return 0;
    }
    return 0;
}
