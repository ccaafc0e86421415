/* stat.c: what is known about a file, and the changes of names, modes and times. */
#include "files.h"

/* As the x86-64 ABI has it. */
struct stat {
  unsigned long device, number, links;
  unsigned mode, user, group, unused;
  unsigned long special;
  long size, block_size, blocks;
  long times[3][2]; /* accessed, modified, changed */
  long reserved[3];
};

_Static_assert(sizeof(struct stat) == 144, "the kernel's layout");

enum { AT_SYMLINK_NOFOLLOW = 0x100, AT_REMOVEDIR = 0x200, AT_EMPTY_PATH = 0x1000 };

#define STATUS "environment: file status"

static void fill(struct File *file, struct stat *to) {
  labrys_decide(file);
  labrys_end_seen(file);
  memset(to, 0, sizeof *to);
  to->device = 1;
  to->number = file->number;
  to->links = (file->mode & S_IFMT) == S_IFDIR ? 2 : file->links;
  to->mode = file->mode;
  to->size = (file->mode & S_IFMT) == S_IFDIR ? 4096 : (long)file->size;
  to->block_size = 4096;
  to->blocks = (to->size + 511) / 512;
  to->times[0][0] = file->times[0][0];
  to->times[0][1] = file->times[0][1];
  to->times[1][0] = to->times[2][0] = file->times[1][0];
  to->times[1][1] = to->times[2][1] = file->times[1][1];
  /* All but the size, which is an input where the harness makes it one. */
  labrys_assumed_bytes(to, offsetof(struct stat, size), STATUS);
  labrys_assumed_bytes(&to->block_size, sizeof *to - offsetof(struct stat, block_size), STATUS);
}

static int stat_at(int directory, const char *path, struct stat *to, int flags) {
  struct File *file;
  if ((flags & AT_EMPTY_PATH) != 0 && *path == 0) {
    struct Open *open = labrys_opened(directory);
    if (open == NULL)
      return -1;
    fill(open->file, to);
    return 0;
  }
  file = labrys_look_up(directory, path, (flags & AT_SYMLINK_NOFOLLOW) == 0);
  if (file == NULL)
    return -1;
  fill(file, to);
  return 0;
}

WEAK int stat(const char *path, struct stat *to) { return stat_at(AT_FDCWD, path, to, 0); }

WEAK int lstat(const char *path, struct stat *to) {
  return stat_at(AT_FDCWD, path, to, AT_SYMLINK_NOFOLLOW);
}

WEAK int fstat(int descriptor, struct stat *to) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL)
    return -1;
  fill(open->file, to);
  return 0;
}

WEAK int fstatat(int directory, const char *path, struct stat *to, int flags) {
  return stat_at(directory, path, to, flags);
}

WEAK int stat64(const char *path, struct stat *to) { return stat(path, to); }

WEAK int lstat64(const char *path, struct stat *to) { return lstat(path, to); }

WEAK int fstat64(int descriptor, struct stat *to) { return fstat(descriptor, to); }

WEAK int fstatat64(int directory, const char *path, struct stat *to, int flags) {
  return fstatat(directory, path, to, flags);
}

/* The forms of old glibc headers. */
WEAK int __xstat(int version, const char *path, struct stat *to) {
  (void)version;
  return stat(path, to);
}

WEAK int __lxstat(int version, const char *path, struct stat *to) {
  (void)version;
  return lstat(path, to);
}

WEAK int __fxstat(int version, int descriptor, struct stat *to) {
  (void)version;
  return fstat(descriptor, to);
}

WEAK int __fxstatat(int version, int directory, const char *path, struct stat *to, int flags) {
  (void)version;
  return fstatat(directory, path, to, flags);
}

WEAK int __xstat64(int version, const char *path, struct stat *to) {
  return __xstat(version, path, to);
}

WEAK int __lxstat64(int version, const char *path, struct stat *to) {
  return __lxstat(version, path, to);
}

WEAK int __fxstat64(int version, int descriptor, struct stat *to) {
  return __fxstat(version, descriptor, to);
}

WEAK int __fxstatat64(int version, int directory, const char *path, struct stat *to, int flags) {
  return __fxstatat(version, directory, path, to, flags);
}

/* Root may do everything but execute a file that nobody may execute. */
static int check_access(struct File *file, int mode) {
  if (file == NULL)
    return -1;
  if ((mode & ~7) != 0)
    return labrys_fail(EINVAL);
  if ((mode & 1) != 0 && (file->mode & S_IFMT) != S_IFDIR && (file->mode & 0111) == 0)
    return labrys_fail(EACCES);
  return 0;
}

WEAK int faccessat(int directory, const char *path, int mode, int flags) {
  return check_access(labrys_look_up(directory, path, (flags & AT_SYMLINK_NOFOLLOW) == 0), mode);
}

WEAK int access(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, 0); }

WEAK int euidaccess(const char *path, int mode) { return access(path, mode); }

WEAK int eaccess(const char *path, int mode) { return access(path, mode); }

/* ---- Modes, owners and times ---- */

static int change_mode(struct File *file, unsigned mode) {
  if (file == NULL)
    return -1;
  file->mode = (file->mode & S_IFMT) | (mode & 07777);
  return 0;
}

WEAK int chmod(const char *path, unsigned mode) {
  return change_mode(labrys_look_up(AT_FDCWD, path, 1), mode);
}

WEAK int fchmod(int descriptor, unsigned mode) {
  struct Open *open = labrys_opened(descriptor);
  return open == NULL ? -1 : change_mode(open->file, mode);
}

WEAK int fchmodat(int directory, const char *path, unsigned mode, int flags) {
  (void)flags;
  return change_mode(labrys_look_up(directory, path, 1), mode);
}

WEAK int chown(const char *path, unsigned user, unsigned group) {
  (void)user, (void)group;
  return labrys_look_up(AT_FDCWD, path, 1) == NULL ? -1 : 0;
}

WEAK int lchown(const char *path, unsigned user, unsigned group) {
  (void)user, (void)group;
  return labrys_look_up(AT_FDCWD, path, 0) == NULL ? -1 : 0;
}

WEAK int fchown(int descriptor, unsigned user, unsigned group) {
  (void)user, (void)group;
  return labrys_opened(descriptor) == NULL ? -1 : 0;
}

WEAK int fchownat(int directory, const char *path, unsigned user, unsigned group, int flags) {
  (void)user, (void)group;
  return labrys_look_up(directory, path, (flags & AT_SYMLINK_NOFOLLOW) == 0) == NULL ? -1 : 0;
}

static int set_times(struct File *file, const long times[2][2]) {
  int i;
  if (file == NULL)
    return -1;
  for (i = 0; times != NULL && i < 2; i++) {
    file->times[i][0] = times[i][0];
    file->times[i][1] = times[i][1];
  }
  return 0;
}

WEAK int utimensat(int directory, const char *path, const long times[2][2], int flags) {
  if (path == NULL) {
    struct Open *open = labrys_opened(directory);
    return open == NULL ? -1 : set_times(open->file, times);
  }
  return set_times(labrys_look_up(directory, path, (flags & AT_SYMLINK_NOFOLLOW) == 0), times);
}

WEAK int futimens(int descriptor, const long times[2][2]) {
  struct Open *open = labrys_opened(descriptor);
  return open == NULL ? -1 : set_times(open->file, times);
}

/* ---- Names ---- */

static int unlink_at(int directory, const char *path) {
  struct Place place;
  if (labrys_find(directory, path, LABRYS_REMOVES, &place) != 0)
    return -1;
  if (place.file == NULL)
    return labrys_fail(ENOENT);
  if ((place.file->mode & S_IFMT) == S_IFDIR)
    return labrys_fail(EISDIR);
  labrys_unlink(place.directory, place.file, place.name);
  return 0;
}

static int rmdir_at(int directory, const char *path) {
  struct Place place;
  if (labrys_find(directory, path, LABRYS_REMOVES, &place) != 0)
    return -1;
  if (place.file == NULL)
    return labrys_fail(ENOENT);
  if ((place.file->mode & S_IFMT) != S_IFDIR)
    return labrys_fail(ENOTDIR);
  if (place.directory == NULL || place.name[0] == '.')
    return labrys_fail(place.file == &labrys_root ? 16 /* EBUSY */ : EINVAL);
  if (labrys_entries(place.file) != NULL)
    return labrys_fail(ENOTEMPTY);
  labrys_unlink(place.directory, place.file, place.name);
  return 0;
}

WEAK int unlink(const char *path) { return unlink_at(AT_FDCWD, path); }

WEAK int rmdir(const char *path) { return rmdir_at(AT_FDCWD, path); }

WEAK int unlinkat(int directory, const char *path, int flags) {
  return (flags & AT_REMOVEDIR) != 0 ? rmdir_at(directory, path) : unlink_at(directory, path);
}

WEAK int remove(const char *path) {
  if (unlink(path) == 0)
    return 0;
  return *__errno_location() == EISDIR ? rmdir(path) : -1;
}

WEAK int mkdirat(int directory, const char *path, unsigned mode) {
  struct Place place;
  struct File *made;
  unsigned mask = labrys_creation_mask();
  if (labrys_find(directory, path, LABRYS_MAKES_DIRECTORY, &place) != 0)
    return -1;
  if (place.file != NULL)
    return labrys_fail(EEXIST);
  made = labrys_new_file(S_IFDIR | (mode & 01777 & ~mask));
  made->parent = place.directory;
  labrys_link(place.directory, place.name, made);
  return 0;
}

WEAK int mkdir(const char *path, unsigned mode) { return mkdirat(AT_FDCWD, path, mode); }

WEAK int linkat(int from_directory, const char *from, int to_directory, const char *to,
                int flags) {
  struct File *file = labrys_look_up(from_directory, from, (flags & 0x400) != 0);
  struct Place place;
  if (file == NULL)
    return -1;
  if (labrys_find(to_directory, to, 0, &place) != 0)
    return -1;
  if (place.file != NULL)
    return labrys_fail(EEXIST);
  if ((file->mode & S_IFMT) == S_IFDIR)
    return labrys_fail(1 /* EPERM */);
  labrys_link(place.directory, place.name, file);
  return 0;
}

WEAK int link(const char *from, const char *to) {
  return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

WEAK int symlinkat(const char *target, int directory, const char *path) {
  struct Place place;
  struct File *made;
  size_t size = strlen(target);
  if (size == 0)
    return labrys_fail(ENOENT);
  if (size >= LABRYS_PATH)
    return labrys_fail(ENAMETOOLONG);
  if (labrys_find(directory, path, 0, &place) != 0)
    return -1;
  if (place.file != NULL)
    return labrys_fail(EEXIST);
  made = labrys_new_file(S_IFLNK | 0777);
  made->bytes = labrys_malloc(size);
  made->size = made->room = size;
  memcpy(made->bytes, target, size);
  labrys_link(place.directory, place.name, made);
  return 0;
}

WEAK int symlink(const char *target, const char *path) {
  return symlinkat(target, AT_FDCWD, path);
}

WEAK long readlinkat(int directory, const char *path, char *to, size_t room) {
  struct File *file = labrys_look_up(directory, path, 0);
  size_t size;
  if (file == NULL)
    return -1;
  if ((file->mode & S_IFMT) != S_IFLNK)
    return labrys_fail(EINVAL);
  size = file->size < room ? file->size : room;
  memcpy(to, file->bytes, size);
  return (long)size;
}

WEAK long readlink(const char *path, char *to, size_t room) {
  return readlinkat(AT_FDCWD, path, to, room);
}

/* Is the directory inside of the other one, or the same? */
static int is_inside(struct File *directory, const struct File *other) {
  for (; directory != NULL; directory = directory->parent)
    if (directory == other)
      return 1;
  return 0;
}

WEAK int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  struct Place source, target;
  int moves_directory;
  if (labrys_find(from_directory, from, 0, &source) != 0 ||
      labrys_find(to_directory, to, 0, &target) != 0)
    return -1;
  if (source.file == NULL)
    return labrys_fail(ENOENT);
  if (source.directory == NULL || target.directory == NULL)
    return labrys_fail(16 /* EBUSY */);
  moves_directory = (source.file->mode & S_IFMT) == S_IFDIR;
  if (moves_directory && is_inside(target.directory, source.file))
    return labrys_fail(EINVAL);
  if (target.file == source.file)
    return 0;
  if (target.file != NULL) {
    int onto_directory = (target.file->mode & S_IFMT) == S_IFDIR;
    if (moves_directory && !onto_directory)
      return labrys_fail(ENOTDIR);
    if (!moves_directory && onto_directory)
      return labrys_fail(EISDIR);
    if (onto_directory && labrys_entries(target.file) != NULL)
      return labrys_fail(ENOTEMPTY);
    labrys_unlink(target.directory, target.file, target.name);
  }
  labrys_link(target.directory, target.name, source.file);
  labrys_unlink(source.directory, source.file, source.name);
  if (moves_directory)
    source.file->parent = target.directory;
  /* Under its new name it is another file. */
  source.file->is_changed = 1;
  return 0;
}

WEAK int rename(const char *from, const char *to) {
  return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

/* ---- The current directory: a program is started anywhere ---- */

#define DIRECTORY "environment: current directory"

WEAK int chdir(const char *path) {
  struct File *file = labrys_look_up(AT_FDCWD, path, 1);
  if (file == NULL)
    return -1;
  if ((file->mode & S_IFMT) != S_IFDIR)
    return labrys_fail(ENOTDIR);
  labrys_directory = file;
  return 0;
}

WEAK int fchdir(int descriptor) {
  struct Open *open = labrys_opened(descriptor);
  if (open == NULL)
    return -1;
  if ((open->file->mode & S_IFMT) != S_IFDIR)
    return labrys_fail(ENOTDIR);
  labrys_directory = open->file;
  return 0;
}

WEAK char *getcwd(char *to, size_t room) {
  char text[LABRYS_PATH];
  size_t at = sizeof text - 1, size;
  struct File *directory = labrys_directory;
  text[at] = 0;
  for (; directory->parent != NULL; directory = directory->parent) {
    struct Entry *entry = directory->parent->entries;
    while (entry != NULL && entry->file != directory)
      entry = entry->next;
    size = entry == NULL ? 0 : strlen(entry->name);
    if (entry == NULL || size + 2 > at) {
      labrys_fail(ENOENT);
      return NULL;
    }
    at -= size;
    memcpy(text + at, entry->name, size);
    text[--at] = '/';
  }
  if (text[at] == 0)
    text[--at] = '/';
  size = sizeof text - at;
  if (to != NULL && room > 0)
    size = (size_t)labrys_assumed((long)size, DIRECTORY);
  if (to == NULL) {
    to = malloc(room == 0 || room < size ? size : room);
  } else if (room < size) {
    labrys_fail(room == 0 ? EINVAL : ERANGE);
    return NULL;
  }
  size = sizeof text - at;
  memcpy(to, text + at, size);
  labrys_assumed_bytes(to, size, DIRECTORY);
  return to;
}

WEAK char *get_current_dir_name(void) { return getcwd(NULL, 0); }
