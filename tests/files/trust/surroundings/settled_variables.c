// A variable that is only written where it would have to hold something else than it ever does keeps its
// initial value in all calls.
// arguments: --function poll_all --array-len 2 --depth 2
int attach(void);
static int handle = -1; // only ever -1
static unsigned char small = 255; // becomes 3 in the first call
static signed char negative = -1; // is never 255
static int counted = 4; // somebody else sets it
static int known; // an address of it is known
static int two_steps; // 0, then 1, then 2

void set_counted(int value) { counted = value; }
int *address_of_known(void) { return &known; }

static int poll_handle(int now) {
    static int opened = -1;
    if (now < 0)
        return 0;
    if (opened == -2) //@ true infeasible, false covered
        opened = attach();
    if (opened >= 0) { //@ true infeasible, false covered
        if (now > 3) //@ true infeasible, false infeasible
            return 2;
        opened = -1;
    }
    return 1;
}

static int poll_others(void) {
    int seen = 0;
    if (handle != -1) { //@ true infeasible, false covered
        handle = attach();
        seen++;
    }
    if (small == 255) { //@ true covered, false open
        small = 3;
        seen++;
    }
    if (negative == 255) { //@ true infeasible, false covered
        negative = 1;
        seen++;
    }
    if (counted == 5) { //@ true covered, false covered
        counted = 6;
        seen++;
    }
    if (known == 7) { //@ true open, false covered
        known = 8;
        seen++;
    }
    if (two_steps == 2) //@ true open, false covered
        seen++;
    if (two_steps == 1) //@ true open, false covered
        two_steps = 2;
    if (two_steps == 0) //@ true covered, false open
        two_steps = 1;
    return seen;
}

int poll_all(int now) {
    int first = poll_handle(now);
    return first + poll_others();
}
