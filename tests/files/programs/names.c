// expect: flags --sym-stdin 3 --time 30s
// expect: branches 12 covered 12
// Strings in a buffer that is written as far as they go: what lies behind their ends was never
// written, and no comparison may depend on it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *buffer = malloc(16), *start = buffer;
  int c, size = 0, dashes = 0, empty = 0;
  while ((c = getchar()) != EOF) {
    buffer[size++] = (char)c;
    if (c == 0) {
      if (strcmp(start, "-") == 0)
        dashes++;
      else if (strncmp(start, "", 1) == 0)
        empty++;
      start = buffer + size;
    }
  }
  if (dashes > 0)
    return 1;
  return empty > 1 ? 2 : 0;
}
