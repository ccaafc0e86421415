// expect: flags --sym-args 0..2:2 --sym-stdin 3 --sym-file ab:3
// expect: branches 22 covered 22
// Counts lines, words and bytes of standard input or of a file, which may be missing.
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int c, lines = 0, words = 0, bytes = 0, in_word = 0, only_lines = 0;
  FILE *file = stdin;
  if (argc > 1 && strcmp(argv[1], "-l") == 0) {
    only_lines = 1;
    argv++;
    argc--;
  }
  if (argc > 1) {
    file = fopen(argv[1], "r");
    if (!file) {
      perror(argv[1]);
      return 1;
    }
  }
  while ((c = getc(file)) != EOF) {
    bytes++;
    if (c == '\n')
      lines++;
    if (c == ' ' || c == '\n' || c == '\t')
      in_word = 0;
    else if (!in_word) {
      in_word = 1;
      words++;
    }
  }
  if (only_lines)
    printf("%d\n", lines);
  else
    printf("%d %d %d\n", lines, words, bytes);
  return 0;
}
