/* names.c: names that the library makes: temporary ones, and real paths. */
#include "files.h"

int open(const char *path, int flags, ...);
int mkdir(const char *path, unsigned mode);
char *getcwd(char *to, size_t room);

static unsigned made_names;

/* The six X before the suffix become a name that is free. */
static char *fill_pattern(char *pattern, int suffix) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
  size_t size = strlen(pattern);
  char *place;
  unsigned number = made_names++, i;
  if (suffix < 0 || size < 6 + (size_t)suffix)
    return NULL;
  place = pattern + size - 6 - (size_t)suffix;
  for (i = 0; i < 6; i++)
    if (place[i] != 'X')
      return NULL;
  for (i = 0; i < 6; i++) {
    place[i] = letters[number % 36];
    number /= 36;
  }
  labrys_assumed_bytes(place, 6, "environment: temporary names");
  return place;
}

WEAK int mkostemps(char *pattern, int suffix, int flags) {
  if (fill_pattern(pattern, suffix) == NULL)
    return labrys_fail(EINVAL);
  return open(pattern, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
}

WEAK int mkstemp(char *pattern) { return mkostemps(pattern, 0, 0); }

WEAK int mkstemp64(char *pattern) { return mkostemps(pattern, 0, 0); }

WEAK int mkstemps(char *pattern, int suffix) { return mkostemps(pattern, suffix, 0); }

WEAK int mkostemp(char *pattern, int flags) { return mkostemps(pattern, 0, flags); }

WEAK char *mkdtemp(char *pattern) {
  if (fill_pattern(pattern, 0) == NULL) {
    labrys_fail(EINVAL);
    return NULL;
  }
  return mkdir(pattern, 0700) == 0 ? pattern : NULL;
}

WEAK char *mktemp(char *pattern) {
  if (fill_pattern(pattern, 0) == NULL) {
    labrys_fail(EINVAL);
    *pattern = 0;
  }
  return pattern;
}

/* The path of a directory, written before end; its start. */
static char *path_before(struct File *directory, char *end, char *start) {
  *--end = 0;
  for (; directory->parent != NULL; directory = directory->parent) {
    struct Entry *entry = directory->parent->entries;
    size_t size;
    while (entry != NULL && entry->file != directory)
      entry = entry->next;
    size = entry == NULL ? 0 : strlen(entry->name);
    if (entry == NULL || (size_t)(end - start) < size + 1)
      return NULL;
    end -= size;
    memcpy(end, entry->name, size);
    *--end = '/';
  }
  return end;
}

WEAK char *realpath(const char *restrict path, char *restrict to) {
  struct Place place;
  char text[LABRYS_PATH], *start;
  struct File *directory;
  size_t size, name;
  if (path == NULL) {
    labrys_fail(EINVAL);
    return NULL;
  }
  if (labrys_find(AT_FDCWD, path, 1, &place) != 0)
    return NULL;
  if (place.file == NULL) {
    labrys_fail(ENOENT);
    return NULL;
  }
  directory = (place.file->mode & S_IFMT) == S_IFDIR ? place.file : place.directory;
  start = path_before(directory, text + sizeof text, text);
  if (start == NULL) {
    labrys_fail(ENAMETOOLONG);
    return NULL;
  }
  size = strlen(start);
  name = directory == place.file ? 0 : strlen(place.name);
  if (to == NULL)
    to = malloc(size + name + 2);
  memcpy(to, start, size);
  if (name > 0 || size == 0)
    to[size++] = '/';
  memcpy(to + size, place.name, name);
  to[size + name] = 0;
  labrys_assumed_bytes(to, size + name + 1, "environment: current directory");
  return to;
}

WEAK char *__realpath_chk(const char *path, char *to, size_t room) {
  (void)room;
  return realpath(path, to);
}

WEAK char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

WEAK long pathconf(const char *path, int name) {
  if (labrys_look_up(AT_FDCWD, path, 1) == NULL)
    return -1;
  return name == 3 ? LABRYS_NAME : name == 4 ? LABRYS_PATH : name == 5 ? 4096 : name == 0 ? 127
                                                                                          : -1;
}

WEAK long fpathconf(int descriptor, int name) {
  if (labrys_opened(descriptor) == NULL)
    return -1;
  return name == 3 ? LABRYS_NAME : name == 4 ? LABRYS_PATH : name == 5 ? 4096 : name == 0 ? 127
                                                                                          : -1;
}
