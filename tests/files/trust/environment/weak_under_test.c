// The function that is tested may be weak itself: what it does here is what is asked.
// arguments: --function tested
__attribute__((weak)) int tested(int x) {
    if ((x & 3) > 3) //@ true infeasible, false covered
        return 1;
    return x > 7 ? tested(x - 8) : x; //@ true covered, false covered
}
