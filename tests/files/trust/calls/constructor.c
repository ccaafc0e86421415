// What a constructor wrote is a beginning like any other.
// arguments: --function state
static int mode;
__attribute__((constructor)) static void init(void) { mode = 1; }
void change(void) { mode++; }
void set(int m) { mode = m > 100 ? 7 : 1; }

int state(void) {
    if (mode == 3) //@ true open, false covered
        return 1;
    return 0;
}
