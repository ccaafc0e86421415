// The address of the caller is not null.
// arguments: --function who
int who(int n) {
    if (__builtin_return_address(0) == 0) //@ true open, false covered
        return 1;
    if (__builtin_frame_address(0) == 0) //@ true infeasible, false covered
        return 2;
    return n;
}
