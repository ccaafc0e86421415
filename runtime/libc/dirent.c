/* dirent.c: reading directories. Entries come in the order in which a file system in memory
 * gives them, the newest first; POSIX promises none. */
#include "files.h"

struct dirent {
  unsigned long number;
  long offset;
  unsigned short size;
  unsigned char type;
  char name[LABRYS_NAME + 1];
};

struct Directory { /* DIR */
  int descriptor;
  struct dirent entry;
};

typedef struct Directory DIR;

int open(const char *path, int flags, ...);

WEAK DIR *fdopendir(int descriptor) {
  struct Open *open = labrys_opened(descriptor);
  DIR *directory;
  if (open == NULL)
    return NULL;
  if ((open->file->mode & S_IFMT) != S_IFDIR) {
    labrys_fail(ENOTDIR);
    return NULL;
  }
  labrys_entries(open->file); /* which of the declared files are there is settled now */
  directory = labrys_malloc(sizeof *directory);
  directory->descriptor = descriptor;
  return directory;
}

WEAK DIR *opendir(const char *path) {
  int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return descriptor < 0 ? NULL : fdopendir(descriptor);
}

WEAK int dirfd(DIR *directory) { return directory->descriptor; }

WEAK int closedir(DIR *directory) {
  int result = labrys_close(directory->descriptor);
  labrys_free(directory);
  return result;
}

static struct dirent *give(DIR *directory, const char *name, const struct File *file,
                           int number) {
  struct dirent *entry = &directory->entry;
  entry->number = file->number;
  entry->offset = number;
  entry->type = (unsigned char)((file->mode & S_IFMT) >> 12);
  strcpy(entry->name, name);
  entry->size = (unsigned short)((offsetof(struct dirent, name) + strlen(name) + 8) & ~7ul);
  return entry;
}

WEAK struct dirent *readdir(DIR *directory) {
  struct Open *open = labrys_opened(directory->descriptor);
  struct Entry *entry;
  int number, i;
  if (open == NULL)
    return NULL;
  number = open->is_seen++;
  if (number == 0)
    return give(directory, ".", open->file, 1);
  if (number == 1)
    return give(directory, "..", open->file->parent ? open->file->parent : &labrys_root, 2);
  entry = open->file->entries;
  for (i = 2; entry != NULL && i < number; i++)
    entry = entry->next;
  /* Which files there are, and in which order, is a choice of the harness. */
  if (entry == NULL || i > 2 || entry->next != NULL)
    labrys_touch(LIMIT_SYM_FILE);
  return entry == NULL ? NULL : give(directory, entry->name, entry->file, number + 1);
}

WEAK struct dirent *readdir64(DIR *directory) { return readdir(directory); }

WEAK int readdir_r(DIR *restrict directory, struct dirent *restrict to,
                   struct dirent **restrict result) {
  struct dirent *entry = readdir(directory);
  *result = NULL;
  if (entry != NULL) {
    *to = *entry;
    *result = to;
  }
  return 0;
}

WEAK void rewinddir(DIR *directory) {
  struct Open *open = labrys_opened(directory->descriptor);
  if (open != NULL)
    open->is_seen = 0;
}

WEAK long telldir(DIR *directory) {
  struct Open *open = labrys_opened(directory->descriptor);
  return open == NULL ? -1 : open->is_seen;
}

WEAK void seekdir(DIR *directory, long place) {
  struct Open *open = labrys_opened(directory->descriptor);
  if (open != NULL)
    open->is_seen = (int)place;
}

WEAK int alphasort(const struct dirent **left, const struct dirent **right) {
  return strcmp((*left)->name, (*right)->name);
}

void qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void *realloc(void *ptr, size_t size);

WEAK int scandir(const char *path, struct dirent ***list, int (*keep)(const struct dirent *),
                 int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *directory = opendir(path);
  struct dirent *entry, **found = NULL;
  int count = 0;
  if (directory == NULL)
    return -1;
  while ((entry = readdir(directory)) != NULL) {
    if (keep != NULL && !keep(entry))
      continue;
    found = realloc(found, (size_t)(count + 1) * sizeof *found);
    found[count] = malloc(sizeof **found);
    *found[count++] = *entry;
  }
  closedir(directory);
  if (compare != NULL && count > 0)
    qsort(found, (size_t)count, sizeof *found, (int (*)(const void *, const void *))compare);
  *list = found;
  return count;
}
