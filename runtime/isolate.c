/* isolate.c: keeps apart what the processes of one split test share: places in open files, the
 * streams, and the files of the test. Places and streams are put back when a child has ended;
 * where a file was changed, or something is open that cannot be put back, the run is given up. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
static int file_count;

/* Above the limit of open files: the program can neither get nor close these numbers. */
int keep_streams(uint32_t open_files) {
  int i, first = (int)open_files;
  file_count = (int)open_files;
  if (open_files > MOST_FILES)
    return 0;
  for (i = 1; i < 3; i++)
    if (dup3(i, kept_streams[i] = first + i, O_CLOEXEC) < 0)
      return 0;
  syscall(SYS_close_range, 3, first, 0);
  return syscall(SYS_close_range, first + 3, ~0u, 0) == 0;
}

/* ---- Open files ---- */

static off_t places[MOST_FILES], sizes[3];
static int flags[MOST_FILES];

static int is_kept_stream(int file) {
  struct stat state, kept;
  int i;
  for (i = 1; i < 3; i++)
    if (fstat(file, &state) == 0 && fstat(kept_streams[i], &kept) == 0 &&
        state.st_ino == kept.st_ino && state.st_dev == kept.st_dev)
      return 1;
  return 0;
}

/* What the program writes to a file cannot be taken back, but for its streams. */
static int save_place(int file) {
  places[file] = lseek(file, 0, SEEK_CUR);
  if (places[file] < 0)
    return errno == EBADF;
  flags[file] = fcntl(file, F_GETFL);
  return (flags[file] & O_ACCMODE) == O_RDONLY || is_kept_stream(file);
}

int save_files(void) {
  struct stat state;
  int i;
  for (i = 0; i < file_count; i++)
    if (!save_place(i))
      return 0;
  for (i = 1; i < 3; i++) {
    if (fstat(kept_streams[i], &state) != 0)
      return 0;
    sizes[i] = state.st_size;
  }
  return 1;
}

int restore_files(void) {
  int i;
  for (i = 0; i < file_count; i++)
    if (places[i] >= 0 &&
        (lseek(i, places[i], SEEK_SET) != places[i] || fcntl(i, F_GETFL) != flags[i]))
      return 0;
  for (i = 1; i < 3; i++)
    if (ftruncate(kept_streams[i], sizes[i]) != 0)
      return 0;
  return 1;
}

/* ---- The files of the test ---- */

static uint64_t tree_hash;

static void mix(uint64_t value) { tree_hash = (tree_hash ^ value) * LABRYS_TRACE_FACTOR; }

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
  mix(state.st_ino);
  mix(state.st_mode);
  mix((uint64_t)state.st_size);
  mix((uint64_t)state.st_mtim.tv_sec);
  mix((uint64_t)state.st_mtim.tv_nsec);
  mix(state.st_nlink);
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

int files_are_untouched(const char *directory) {
  static uint64_t before;
  static int knows;
  tree_hash = LABRYS_TRACE_START;
  if (!look_at(AT_FDCWD, directory, !knows, 0))
    return 0;
  if (!knows) {
    before = tree_hash;
    knows = 1;
  }
  return tree_hash == before;
}
