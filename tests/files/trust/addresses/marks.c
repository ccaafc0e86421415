// Small numbers as marks in place of pointers: no object lies there.
// arguments: --function marks
#define DELETED ((struct item *)1)
struct item {
    int key;
};
int marks(int c) {
    struct item one = {c};
    struct item *slots[2] = {&one, 0};
    if (c == 4)
        slots[1] = DELETED;
    if (slots[0] == DELETED) //@ true infeasible, false covered
        return 1;
    if (slots[1] == DELETED) //@ true covered, false covered
        return 2;
    return 0;
}
