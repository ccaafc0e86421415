// A path that is longer than --max-steps proves nothing of what follows it.
// arguments: --function steps --max-steps 100000
int steps(int c) {
    volatile int i = 0;
    if (c > 10) { //@ true covered, false covered
        while (i < 1000000)
            i++;
        if (i == 1000000) //@ true open, false open
            return 1;
    }
    return 0;
}
