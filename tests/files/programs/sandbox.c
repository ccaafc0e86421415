// expect: flags --file data/given.txt=SELF
// expect: confined
// expect: branches 30 covered 16
// expect: stop exhausted
// There is nothing but what was declared, neither for the models nor for the native run: every
// check goes the same way in both.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  char text[64];
  struct stat state;
  DIR *root;
  struct dirent *entry;
  int names = 0;
  FILE *given;
  if (open("/etc/passwd", O_RDONLY) >= 0 || errno != ENOENT)
    return 1;
  if (fopen("/proc/self/maps", "r") || access("/tmp", F_OK) == 0)
    return 2;
  if (!getcwd(text, sizeof text) || strcmp(text, "/") != 0)
    return 3;
  if (stat("data/given.txt", &state) != 0 || !S_ISREG(state.st_mode))
    return 4;
  given = fopen("/data/../data/./given.txt", "r");
  if (!given || !fgets(text, 11, given) || strcmp(text, "// expect:") != 0)
    return 5;
  root = opendir("/");
  while ((entry = readdir(root)) != NULL)
    names++;
  if (names != 3)
    return 6;
  if (system("true") == 0 || getenv("PATH"))
    return 7;
  return 0;
}
