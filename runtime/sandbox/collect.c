/* collect.c: brings the files with coverage counters out of the sandbox. A test may have put
 * anything in their place, so only regular files are copied, and no link is followed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sandbox.h"

static void copy(int from, int to) {
  static char buffer[1 << 16];
  ssize_t got;
  while ((got = read(from, buffer, sizeof buffer)) > 0) {
    ssize_t done = 0, part;
    for (; done < got; done += part)
      if ((part = write(to, buffer + done, (size_t)(got - done))) <= 0)
        return;
  }
}

void collect(const char *from, int to) {
  int directory = open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *entries = directory < 0 ? NULL : fdopendir(directory);
  struct dirent *entry;
  while (entries && (entry = readdir(entries)) != NULL) {
    struct stat state;
    int inside = openat(directory, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (inside >= 0 && fstat(inside, &state) == 0 && S_ISREG(state.st_mode)) {
      int outside = openat(to, entry->d_name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC,
                           0644);
      if (outside >= 0) {
        copy(inside, outside);
        close(outside);
      }
    }
    if (inside >= 0)
      close(inside);
  }
  if (entries)
    closedir(entries);
}
