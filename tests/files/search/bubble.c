// Figure 1 of the paper on coverage structures (docs/papers.md), bubble sort of flex: predictive
// path search covers its eight branches in four runs.
#include <labrys.h>

#define MAXLEN 6

static void bubble(int v[MAXLEN], int n)
{
  int i, j, k;
  if (n >= MAXLEN)
    return;
  for (i = n; i > 1; --i)
    for (j = 1; j < i; ++j)
      if (v[j] > v[j + 1]) {
        k = v[j];
        v[j] = v[j + 1];
        v[j + 1] = k;
      }
}

int main(void)
{
  int v[MAXLEN];
  int n = labrys_int("n");
  labrys_symbolic(v, sizeof v, "v");
  bubble(v, n);
  return 0;
}
