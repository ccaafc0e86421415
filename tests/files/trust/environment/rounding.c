// The direction of rounding can be changed, and the caller may have done so.
// arguments: --function halves
#include <fenv.h>
#include <math.h>

int halves(int n) {
    if (n == 0)
        if (fabs(-2.0) != 2.0) //@ true infeasible, false covered
            return 1;
    if (n == 1) {
        fesetround(FE_UPWARD);
        if (rint(0.25) == 1.0) //@ true open, false open
            return 2;
        return 3;
    }
    if (fegetround() != FE_TONEAREST) //@ true unknown rounding mode, false covered
        return 4;
    return 5;
}
