// arguments: --function chain --proof-rules loops --paths 300
// Objects that turns make and free.
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int chain(unsigned n) {
  struct node *head = 0;
  int made = 0, result = 0;
  if (n > 6)
    n = 6;
  for (unsigned i = 0; i < n; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      break;
    node->value = (int)i;
    node->next = head;
    head = node;
    made++;
  }
  for (struct node *p = head; p; p = p->next)
    if (p->value == 4) //@ true open
      result = 1;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  if (made == 5) //@ true open
    return 2;
  return result;
}
