/* Functions on a singly linked list of readings. Labrys builds the lists: empty, one node, several. */
#include <stddef.h>

struct node {
    int value;
    struct node *next;
};

/* 1 if the values never decrease, 0 otherwise. */
int list_is_sorted(const struct node *list) {
    while (list && list->next) {
        if (list->value > list->next->value)
            return 0;
        list = list->next;
    }
    return 1;
}

/* Unlinks the first node with this value and returns the new head. */
struct node *list_remove(struct node *list, int value) {
    struct node **link = &list;
    while (*link && (*link)->value != value)
        link = &(*link)->next;
    if (*link)
        *link = (*link)->next;
    return list;
}

/* The sum of the readings; a negative one means that the sensor was off and is left out. */
long list_sum(const struct node *list, int *skipped) {
    long sum = 0;
    int off = 0;
    for (; list; list = list->next) {
        if (list->value < 0)
            off++;
        else
            sum += list->value;
    }
    if (skipped)
        *skipped = off;
    return sum;
}
