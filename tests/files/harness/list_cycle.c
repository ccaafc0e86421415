// Whether a list ends: the code looks at sharing, so one test must have it.
// arguments: --function has_cycle --depth 3 --time 20s
// expect: branches 6 feasible 6
// expect: return 0
// expect: return 1
struct node {
    int value;
    struct node *next;
};

int has_cycle(const struct node *list) {
    const struct node *slow = list, *fast = list;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
        if (slow == fast)
            return 1;
    }
    return 0;
}
