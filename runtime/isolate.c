/* isolate.c: keeps apart what the processes of one split test share: places in open files, the
 * streams, and the files of the test. Places and streams are put back when a child has ended;
 * where a file was changed, or something is open that cannot be put back, the run is given up. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "replay.h"
#include "split.h"

enum { MOST_FILES = 256, MOST_LEVELS = 8 };

int kept_streams[3];
static struct stat kept[3]; /* what they are */
static int file_count;

/* Above the limit of open files: the program can neither get nor close these numbers. */
int keep_streams(uint32_t open_files) {
  int i, first = (int)open_files;
  file_count = (int)open_files;
  if (open_files > MOST_FILES)
    return 0;
  for (i = 1; i < 3; i++)
    if (dup3(i, kept_streams[i] = first + i, O_CLOEXEC) < 0 || fstat(i, &kept[i]) != 0)
      return 0;
  syscall(SYS_close_range, 3, first, 0);
  return syscall(SYS_close_range, first + 3, ~0u, 0) == 0;
}

/* ---- Open files ---- */

static off_t places[MOST_FILES], sizes[3];
static int flags[MOST_FILES], open_files[MOST_FILES], open_count;

/* Asks for all at once: a call for each number would cost more than a split. */
static int find_open_files(void) {
  static struct pollfd all[MOST_FILES];
  int i;
  for (i = 0; i < file_count; i++)
    all[i].fd = i;
  if (syscall(SYS_poll, all, file_count, 0) < 0)
    return 0;
  for (open_count = i = 0; i < file_count; i++)
    if (!(all[i].revents & POLLNVAL))
      open_files[open_count++] = i;
  return 1;
}

static int is_kept_stream(int file) {
  struct stat state;
  int i;
  if (fstat(file, &state) != 0)
    return 0;
  for (i = 1; i < 3; i++)
    if (state.st_ino == kept[i].st_ino && state.st_dev == kept[i].st_dev)
      return 1;
  return 0;
}

/* What the program writes to a file cannot be taken back, but for its streams. */
static int save_place(int file) {
  places[file] = lseek(file, 0, SEEK_CUR);
  flags[file] = fcntl(file, F_GETFL);
  return places[file] >= 0 && ((flags[file] & O_ACCMODE) == O_RDONLY || is_kept_stream(file));
}

int save_files(void) {
  struct stat state;
  int i;
  if (!find_open_files())
    return 0;
  for (i = 0; i < open_count; i++)
    if (!save_place(open_files[i]))
      return 0;
  for (i = 1; i < 3; i++) {
    if (fstat(kept_streams[i], &state) != 0)
      return 0;
    sizes[i] = state.st_size;
  }
  return 1;
}

int restore_files(void) {
  int i, file;
  for (i = 0; i < open_count; i++) {
    file = open_files[i];
    if (lseek(file, places[file], SEEK_SET) != places[file] || fcntl(file, F_GETFL) != flags[file])
      return 0;
  }
  for (i = 1; i < 3; i++)
    if (ftruncate(kept_streams[i], sizes[i]) != 0)
      return 0;
  return 1;
}

/* ---- The files of the test ---- */

static uint64_t tree_hash;
static unsigned entry_count;

static void mix(uint64_t value) { tree_hash = (tree_hash ^ value) * LABRYS_TRACE_FACTOR; }

static void mix_state(const struct stat *state) {
  mix(state->st_ino);
  mix(state->st_mode);
  mix((uint64_t)state->st_size);
  mix((uint64_t)state->st_mtim.tv_sec);
  mix((uint64_t)state->st_mtim.tv_nsec);
  mix(state->st_nlink);
}

/* All files get an old time once. Whoever writes to one of them, or adds and removes some in a
 * directory, gives it another: times of now may be the same for some milliseconds. */
static int look_at(int directory, const char *name, int sets_times, int level) {
  static char entries[MOST_LEVELS][1 << 12];
  const struct timespec old[2] = {{0, 0}, {0, 0}};
  struct stat state;
  long got, at;
  int file;
  if (level == MOST_LEVELS)
    return 0;
  file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 || (sets_times && futimens(file, old) != 0) || fstat(file, &state) != 0) {
    if (file >= 0)
      close(file);
    return 0;
  }
  mix_state(&state);
  entry_count++;
  if (!S_ISDIR(state.st_mode)) {
    close(file);
    return S_ISREG(state.st_mode);
  }
  while ((got = syscall(SYS_getdents64, file, entries[level], sizeof *entries)) > 0)
    for (at = 0; at < got;) {
      const struct dirent64 *entry = (const struct dirent64 *)(entries[level] + at);
      at += entry->d_reclen;
      if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
          !look_at(file, entry->d_name, sets_times, level + 1)) {
        close(file);
        return 0;
      }
    }
  close(file);
  return got == 0;
}

static int knows_files;
static uint64_t first_hash;

int look_at_files(const char *directory) {
  if (knows_files)
    return 1;
  knows_files = 1;
  tree_hash = LABRYS_TRACE_START;
  entry_count = 0;
  if (!look_at(AT_FDCWD, directory, 1, 0))
    return 0;
  first_hash = tree_hash;
  return 1;
}

/* A directory without entries has none as long as its time is the same. */
int files_are_untouched(const char *directory) {
  struct stat state;
  tree_hash = LABRYS_TRACE_START;
  if (entry_count > 1)
    return look_at(AT_FDCWD, directory, 0, 0) && tree_hash == first_hash;
  if (stat(directory, &state) != 0)
    return 0;
  mix_state(&state);
  return tree_hash == first_hash;
}
