// expect: flags --sym-args 0..2:2 --sym-stdin 2 --sym-file x:2 --time 30s
// expect: branches 28 covered 27
// cat -n by descriptors: "-" is standard input, a missing file is an error and no end.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int number, at_start = 1, numbered;

static int copy(int file) {
  char buffer[16];
  ssize_t size, i;
  while ((size = read(file, buffer, sizeof buffer)) > 0)
    for (i = 0; i < size; i++) {
      if (at_start && numbered)
        printf("%6d\t", ++number);
      if (putchar(buffer[i]) == EOF)
        return -1;
      at_start = buffer[i] == '\n';
    }
  return size < 0 ? -1 : 0;
}

int main(int argc, char **argv) {
  int i, first = 1, status = 0;
  if (argc > 1 && strcmp(argv[1], "-n") == 0) {
    numbered = 1;
    first = 2;
  }
  if (first == argc)
    return copy(0) != 0;
  for (i = first; i < argc; i++) {
    int file = strcmp(argv[i], "-") == 0 ? 0 : open(argv[i], O_RDONLY);
    if (file < 0) {
      fprintf(stderr, "cat: %s: %s\n", argv[i], strerror(errno));
      status = 1;
      continue;
    }
    if (copy(file) != 0)
      status = 1;
    if (file > 0)
      close(file);
  }
  return status;
}
