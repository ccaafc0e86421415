// What an earlier call got is still there.
// arguments: --function current
struct config { int size; int flags; };
static struct config *kept;

void use(struct config *c) { kept = c; }

int current(void) {
    if (!kept) //@ true covered, false covered
        return -1;
    if (kept->size == 31) //@ true covered, false covered
        return 1;
    return 0;
}
