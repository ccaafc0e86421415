// What a function reads and others write are inputs: a list that somebody has built, an option that
// somebody has set. Nothing is assumed of numbers; how long a list is is a size of the harness. What
// nobody writes keeps its value.
// arguments: --function run --array-len 2 --depth 2
#include <stdlib.h>
struct job {
    int id;
    struct job *next;
};
static struct job *jobs;
static int strict;
static int never;

void add(int id) {
    struct job *job = malloc(sizeof *job);
    job->id = id;
    job->next = jobs;
    jobs = job;
}

void set_options(int argc) { strict = argc > 3; }

int run(void) {
    int found = 0, count = 0;
    if (never) //@ true infeasible, false covered
        return -1;
    if (strict > 5)
        if (strict < 5) //@ true infeasible, false covered
            return -2;
    while (jobs) { //@ true covered, false covered
        struct job *next = jobs->next;
        if (jobs->id == 77 && strict)
            found++;
        free(jobs);
        jobs = next;
        count++;
    }
    if (count > 40) //@ true unknown --depth, false covered
        return -3;
    return found;
}
