// arguments: --function check_valves --proof-rules loops --paths 400
// The valve controller of the paper on working both ways (docs/papers.md), figure 1.
#include <stdio.h>
#include <stdlib.h>

extern int size;
extern int valves[];

static int status_of(int i) {
  if (i < 0) { //@ true infeasible, false covered
    exit(EXIT_FAILURE);
  }
  if (i >= size) { //@ true infeasible, false covered
    exit(EXIT_FAILURE);
  }
  return valves[i];
}

int check_valves(int wait1, int wait2) {
  int count, i;
  while (wait1 > 0)
    wait1--;
  count = 0, i = 0;
  while (i < size) {
    if (status_of(i) == -1)
      count++;
    i++;
  }
  if (count > 2) //@ all covered
    puts("ALARM");
  if (count > i) //@ true infeasible, false covered
    puts("impossible");
  while (wait2 > 0)
    wait2--;
  return count;
}
