/* Calls one function with all its inputs, without a mutant and with each. What a call returns and
   leaves behind is compared byte by byte; traps, undefined behaviour and loops without an end are
   ends of their own. For each mutant one word is printed: what the first input shows that tells it
   from the original for certain. */

enum { RETURNED, CRASHED, ENDLESS, UNDEFINED };

static sigjmp_buf start;
/* The changes of a mutant: points with their alternatives; no point is 0. */
static const unsigned (*active)[2];
static long steps;

/* The points that the original comes to with each input, one bit for each. */
static unsigned char reached[INPUTS][POINTS / 8 + 1], *reached_now;

unsigned labrys_mutant(unsigned point) {
    if (++steps > MOST_STEPS)
        siglongjmp(start, ENDLESS);
    if (!active) {
        if (point < POINTS)
            reached_now[point / 8] |= 1 << point % 8;
        return 0;
    }
    return point == active[0][0] ? active[0][1] : point == active[1][0] ? active[1][1] : 0;
}

void __ubsan_handle_out_of_bounds(void *data, void *index) { siglongjmp(start, UNDEFINED); }
void __ubsan_handle_shift_out_of_bounds(void *data, void *left, void *right) {
    siglongjmp(start, UNDEFINED);
}

/* Not undefined behaviour for us: the processor traps, and compilers drop only divisions whose
   result nobody uses. */
void __ubsan_handle_divrem_overflow(void *data, void *left, void *right) {
    siglongjmp(start, CRASHED);
}

static void on_signal(int number) { siglongjmp(start, number == SIGALRM ? ENDLESS : CRASHED); }

static struct record originals[INPUTS];

static void run(unsigned input, struct record *seen) {
    memset(seen, 0, sizeof *seen);
    steps = 0;
    reset_globals();
    int end = sigsetjmp(start, 0);
    if (end == RETURNED)
        call(input, seen);
    else
        memset(seen, 0, sizeof *seen);
    seen->end = end;
}

/* The loop over the inputs has this step, so that near inputs are not tried one after the other. */
static unsigned nth(unsigned number) { return (unsigned)(number * 7919ul % INPUTS); }

static int is_reached(unsigned input, unsigned point) {
    return reached[input][point / 8] >> point % 8 & 1;
}

/* Where the original comes to no change of a mutant, both do the same: these calls are left out. */
static void examine(const unsigned changes[2][2]) {
    struct record seen;
    int undefined = 0;
    active = changes;
    for (unsigned n = 0; n < INPUTS; n++) {
        unsigned input = nth(n);
        if (!is_reached(input, changes[0][0]) && !is_reached(input, changes[1][0]))
            continue;
        run(input, &seen);
        if (seen.end == UNDEFINED) {
            undefined = 1;
        } else if (memcmp(&seen, &originals[input], sizeof seen)) {
            printf("killed %u\n", input);
            return;
        }
    }
    printf(undefined ? "undefined\n" : "equivalent\n");
}

int main(void) {
    static const int signals[] = {SIGILL, SIGFPE, SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGALRM};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_NODEFER};
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, 0);
    for (unsigned input = 0; input < INPUTS; input++) {
        reached_now = reached[input];
        run(input, &originals[input]);
        if (originals[input].end != RETURNED) {
            printf("original %d %u\n", originals[input].end, input);
            return 0;
        }
    }
    for (unsigned i = 0; i < sizeof mutants / sizeof *mutants; i++) {
        alarm(60);
        examine(mutants[i]);
        fflush(stdout);
    }
    return 0;
}
