/* The controller of a pump, a state machine with a ring buffer of pressures. It has two bugs that
 * only certain sequences of commands reach: Labrys finds both. */
#include "labrys.h"

enum { SLOTS = 3 };
enum command { START, STOP, SAMPLE, RESET, AVERAGE, COMMANDS };
enum state { IDLE, RUNNING, FAULT };

struct pump {
    enum state state;
    int next, count;
    int limit;
};

static int pressures[SLOTS];

static void sample(struct pump *p, int pressure) {
    if (p->state != RUNNING)
        return;
    pressures[p->next++] = pressure; /* bug: next is wrapped only below */
    if (p->count < SLOTS)
        p->count++;
    if (pressure > p->limit)
        p->state = FAULT;
    else if (p->next >= SLOTS)
        p->next = 0;
}

static int average(const struct pump *p) {
    int sum = 0;
    for (int i = 0; i < p->count; i++)
        sum += pressures[i];
    return sum / p->count; /* bug: nothing may have been sampled */
}

static void step(struct pump *p, enum command command, int pressure) {
    switch (command) {
    case START:
        if (p->state == IDLE)
            p->state = RUNNING;
        break;
    case STOP:
        if (p->state == RUNNING)
            p->state = IDLE;
        break;
    case SAMPLE:
        sample(p, pressure);
        break;
    case RESET:
        if (p->state == FAULT)
            p->state = RUNNING;
        break;
    case AVERAGE:
        if (p->state != FAULT)
            p->limit = average(p) + 50;
        break;
    default:
        break;
    }
}

int main(void) {
    struct pump p = {IDLE, 0, 0, 100};
    step(&p, START, 0);
    for (int i = 0; i < 5; i++) {
        unsigned char command = labrys_uchar("command");
        unsigned char pressure = labrys_uchar("pressure");
        labrys_assume(command < COMMANDS);
        step(&p, (enum command)command, pressure);
    }
    return p.state;
}
