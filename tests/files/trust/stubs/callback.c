// A function that gets a function may call it, with anything.
// arguments: --function start
typedef void handler(int code, void *data);
void subscribe(handler *h, void *data);

static void on_event(int code, void *data) {
    int *count = data;
    if (code == 42) //@ true covered, false covered
        ++*count;
}

int start(void) {
    int count = 0;
    subscribe(on_event, &count);
    if (count == 1) //@ true covered, false covered
        return 1;
    if (count == 2) //@ true open, false covered
        return 2;
    return 0;
}
