// expect: flags --sym-args 0..2:3 --sym-stdin 2 --time 30s
// expect: branches 28 covered 28
// Translates by sets with ranges, as a filter.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int expand(const char *text, unsigned char *set) {
  int size = 0;
  while (*text) {
    if (text[1] == '-' && text[2]) {
      unsigned char from = (unsigned char)text[0], to = (unsigned char)text[2];
      if (from > to) {
        fprintf(stderr, "tr: wrong range\n");
        exit(2);
      }
      if (to - from > 3) {
        fprintf(stderr, "tr: range too large\n");
        exit(2);
      }
      for (; from <= to && size < 12; from++)
        set[size++] = from;
      text += 3;
    } else {
      set[size++] = (unsigned char)*text++;
    }
  }
  return size;
}

int main(int argc, char **argv) {
  unsigned char from[16], to[16];
  int count, other, c, i;
  if (argc != 3) {
    fputs("usage: tr FROM TO\n", stderr);
    return 2;
  }
  count = expand(argv[1], from);
  other = expand(argv[2], to);
  if (count == 0 || other == 0)
    return 1;
  while ((c = getchar()) != EOF) {
    for (i = 0; i < count; i++)
      if (from[i] == c) {
        c = to[i < other ? i : other - 1];
        break;
      }
    putchar(c);
  }
  return ferror(stdin) != 0;
}
