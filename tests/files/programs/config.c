// expect: flags --sym-file etc/app.conf:4 --time 30s
// expect: branches 20 covered 17
// expect: output file out.txt
// Reads KEY=VALUE lines from a file and writes what it understood to another one, which it then
// reads again.
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[16];
  int keys = 0, c, size = 0;
  FILE *in = fopen("etc/app.conf", "r"), *out;
  if (!in)
    return 1;
  out = fopen("out.txt", "w+");
  if (!out)
    return 2;
  while (fgets(line, sizeof line, in)) {
    char *equals = strchr(line, '=');
    if (line[0] == '#' || line[0] == '\n')
      continue;
    if (!equals) {
      fprintf(stderr, "no '=' in a line\n");
      return 3;
    }
    fprintf(out, "%d:%.1s\n", ++keys, equals + 1);
  }
  rewind(out);
  while ((c = getc(out)) != EOF)
    size++;
  if (fclose(out) != 0 || fclose(in) != 0)
    return 4;
  return size == keys * 4 ? 0 : 5;
}
