// A global that is only declared is an input; a defined one becomes one on demand.
// arguments: --function ready --symbolic-globals
// expect: branches 4 feasible 4
// expect: return 2
extern int temperature;
static int limit = 50;

int ready(void) {
    if (temperature > 90)
        return 1;
    if (limit == 7)
        return 2;
    return 0;
}
