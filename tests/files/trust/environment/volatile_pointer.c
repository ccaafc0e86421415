// A register of a device behind a pointer to volatile.
// arguments: --function wait
struct device { volatile unsigned ready; unsigned number; };

int wait(struct device *d) {
    unsigned number = d->number;
    if (d->number != number) //@ true infeasible, false covered
        return 1;
    if (d->ready == 1)
        if (d->ready == 2) //@ true unknown volatile, false covered
            return 2;
    return 0;
}
