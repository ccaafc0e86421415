// expect: flags --sym-env MODE:3 --env HOME=/home/user --program-name ./prog --time 30s
// expect: branches 20 covered 14
// Environment and name; standard output is a file, not a terminal.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv) {
  const char *mode = getenv("MODE"), *home = getenv("HOME");
  int count = 0;
  char **at;
  for (at = environ; *at; at++)
    count++;
  if (strcmp(argv[0], "./prog") != 0)
    return 1;
  if (!home || strcmp(home, "/home/user") != 0)
    return 2;
  if (isatty(1))
    printf("\033[1m");
  if (!mode)
    return count == 1 ? 0 : 3;
  if (strcmp(mode, "on") == 0)
    printf("on %d\n", count);
  else if (*mode == 0)
    printf("empty\n");
  setenv("MODE", "changed", 1);
  return strcmp(getenv("MODE"), "changed") == 0 ? 4 : 5;
}
