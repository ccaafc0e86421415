// expect: flags --arg -v --sym-args 0..2:3 --arg end --program-name opts --time 30s
// expect: branches 18 covered 18
// Options by getopt with given arguments before and behind those that are inputs.
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int option, verbose = 0, level = 0;
  const char *output = NULL;
  while ((option = getopt(argc, argv, "vl:o:")) != -1)
    switch (option) {
    case 'v':
      verbose++;
      break;
    case 'l':
      level = atoi(optarg);
      if (level < 0 || level > 5)
        return 3;
      break;
    case 'o':
      output = optarg;
      break;
    default:
      return 2;
    }
  if (verbose > 1)
    printf("very verbose\n");
  if (optind == argc)
    return 1;
  if (output)
    printf("%s %d\n", output, level);
  return level == 5 ? 4 : 0;
}
