/* A program with faults and static functions, for exported tests. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct node {
  int value;
  struct node *next;
};

static int sum(const struct node *list) {
  int total = 0;
  for (; list; list = list->next)
    total += list->value;
  return total;
}

static int parse(const char *text) {
  if (strcmp(text, "crash") == 0)
    return *(volatile int *)8;
  if (strcmp(text, "leave") == 0)
    exit(3);
  assert(text[0] != '!');
  return atoi(text);
}
