// expect: flags --sym-stdin 4 --time 30s
// expect: branches 14 covered 14
// Lines of any length by getline, with and without a newline at the end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *line = NULL, *longest = NULL;
  size_t room = 0;
  ssize_t size, most = -1;
  int lines = 0, open_end = 0;
  while ((size = getline(&line, &room, stdin)) != -1) {
    lines++;
    if (line[size - 1] == '\n')
      line[--size] = 0;
    else
      open_end = 1;
    if (size > most) {
      most = size;
      free(longest);
      longest = strdup(line);
    }
  }
  if (lines == 0)
    return 1;
  if (open_end)
    fputs("no newline at the end\n", stderr);
  puts(longest);
  if (lines > 1 && most == 0)
    return 2;
  free(longest);
  free(line);
  return 0;
}
