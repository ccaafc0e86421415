/* place.c: the place of a test: an empty directory that becomes its root, and three streams. What
 * the test leaves there is removed, however deep, long-named and protected it is, so that no test
 * finds files or a full disk of another. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay.h"
#include "sandbox/sandbox.h"

const char *next_entry(struct Entries *entries) {
  for (;;) {
    const struct dirent64 *entry = (const struct dirent64 *)(entries->bytes + entries->at);
    if (entries->at >= entries->got) {
      entries->got = syscall(SYS_getdents64, entries->directory, entries->bytes, sizeof entries->bytes);
      entries->at = 0;
      if (entries->got <= 0)
        return NULL;
      continue;
    }
    entries->at += entry->d_reclen;
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      return entry->d_name;
  }
}

void begin_entries(struct Entries *entries, int directory) {
  entries->directory = directory;
  entries->got = entries->at = 0;
}

static int open_stream(const struct Place *place, const char *name, int flags) {
  char path[2200];
  snprintf(path, sizeof path, "%s/%s", place->box, name);
  return open(path, flags | O_CLOEXEC, 0600);
}

int give_to_test(const struct Place *place, const char *directory) {
  uid_t user = (uid_t)place->user;
  return place->user == NO_USER || chown(directory, user, user) == 0;
}

int make_place(struct Place *place) {
  const int fresh = O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  int *streams = place->streams;
  snprintf(place->directory, sizeof place->directory, "%s/run-%u", place->box, place->number);
  if (mkdir(place->directory, 0700) != 0 || !give_to_test(place, place->directory))
    return 0;
  if (!place_counters(place))
    return 0;
  close(open_stream(place, "stdin", fresh));
  streams[0] = open_stream(place, "stdin", O_RDONLY);
  streams[1] = open_stream(place, "stdout", fresh);
  streams[2] = open_stream(place, "stderr", fresh);
  return streams[0] >= 0 && streams[1] >= 0 && streams[2] >= 0;
}

/* Moves the directories in a directory up into `top` under new names, so that depth never matters,
 * and removes its files. Returns how many are gone from it. */
static unsigned long move_up(int top, const char *name, unsigned long *names) {
  static struct Entries entries;
  unsigned long done = 0;
  int file = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), failed;
  const char *inner;
  begin_entries(&entries, file);
  while ((inner = next_entry(&entries)) != NULL) {
    char fresh[32];
    failed = unlinkat(file, inner, 0);
    while (failed && errno != EACCES && errno != EPERM) {
      fchmodat(file, inner, 0700, 0);
      snprintf(fresh, sizeof fresh, "%lu", ++*names);
      failed = renameat2(file, inner, top, fresh, RENAME_NOREPLACE);
      if (failed && errno != EEXIST)
        break;
    }
    done += !failed;
  }
  if (file >= 0)
    close(file);
  return done;
}

/* One round over the directory. Returns how many entries it has removed or moved up. */
static unsigned long clear_once(int top, unsigned long *names) {
  static struct Entries entries;
  unsigned long done = 0;
  int copy = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *name;
  begin_entries(&entries, copy);
  while ((name = next_entry(&entries)) != NULL) {
    if (unlinkat(top, name, 0) != 0 && unlinkat(top, name, AT_REMOVEDIR) != 0) {
      fchmodat(top, name, 0700, 0); /* a test may have taken the right to read it */
      done += move_up(top, name, names);
      if (unlinkat(top, name, AT_REMOVEDIR) != 0)
        continue;
    }
    done++;
  }
  if (copy >= 0)
    close(copy);
  return done;
}

static int remove_directory(const char *directory) {
  unsigned long names = 0;
  int top;
  if (rmdir(directory) == 0)
    return 1;
  chmod(directory, 0700);
  top = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (top < 0)
    return 0;
  while (clear_once(top, &names) > 0)
    ;
  close(top);
  return rmdir(directory) == 0;
}

int remove_place(struct Place *place) {
  int i;
  for (i = 0; i < 3; i++)
    close(place->streams[i]);
  return remove_directory(place->directory);
}
