/* paths.c: names and directories: from a path to a file. Names may be inputs: a name without a
 * slash is compared with each name in its directory, one path for each; only where it may have a
 * slash is it taken apart character by character. */
#include "files.h"

enum { LINKS = 40, SCANNED = 256 };

struct File labrys_root = {.mode = S_IFDIR | 0755, .number = 1, .links = 2, .is_declared = 1};
struct File *labrys_directory = &labrys_root;

/* ---- Entries ---- */

void labrys_link(struct File *directory, const char *name, struct File *file) {
  struct Entry *entry = labrys_malloc(sizeof *entry);
  entry->name = labrys_malloc(strlen(name) + 1);
  strcpy(entry->name, name);
  entry->file = file;
  entry->next = directory->entries;
  directory->entries = entry;
  file->links++;
}

static void remove_entry(struct File *directory, struct Entry *gone) {
  struct Entry **place = &directory->entries;
  while (*place != gone)
    place = &(*place)->next;
  *place = gone->next;
  gone->file->links--;
  labrys_drop_file(gone->file);
  labrys_free(gone->name);
  labrys_free(gone);
}

void labrys_unlink(struct File *directory, struct File *file, const char *name) {
  struct Entry *entry;
  for (entry = directory->entries; entry != NULL; entry = entry->next)
    if (entry->file == file && strcmp(entry->name, name) == 0) {
      remove_entry(directory, entry);
      return;
    }
}

/* A declared file may turn out to be missing when it is first looked for. */
static int is_there(struct File *directory, struct Entry *entry) {
  struct File *file = entry->file;
  if (file->is_missing) {
    remove_entry(directory, entry);
    return 0;
  }
  file->is_missing = 0;
  return 1;
}

struct Entry *labrys_entries(struct File *directory) {
  struct Entry *entry = directory->entries;
  while (entry != NULL) {
    struct Entry *next = entry->next;
    is_there(directory, entry);
    entry = next;
  }
  return directory->entries;
}

static struct File *find_entry(struct File *directory, const char *name) {
  struct Entry *entry;
  for (entry = directory->entries; entry != NULL; entry = entry->next)
    if (strcmp(entry->name, name) == 0)
      return is_there(directory, entry) ? entry->file : NULL;
  /* Which files there are is a choice of the harness. */
  labrys_touch(LIMIT_SYM_FILE);
  return NULL;
}

/* ---- Paths ---- */

/* Is this one name: no slash, no dot at its start, not too long? One question, whatever the
 * length of the text is. */
static int is_plain(const char *path) {
  size_t size = labrys_length(path, SCANNED), i;
  int is_other = (path[0] == '.') | (size == SCANNED);
  for (i = 0; i < SCANNED; i++) {
    int is_inside = i < size;
    if (!labrys_is_symbolic((unsigned)is_inside) && !is_inside)
      break;
    /* Behind what may be the end there need be no byte that can be read. */
    if (labrys_object_size(path + i) == 0 || labrys_is_uninit((unsigned char)path[i]))
      break;
    is_other |= is_inside & (path[i] == '/');
  }
  return !is_other;
}

/* The next name of a path; returns what follows it and its slashes, NULL if it is too long. */
static const char *take_name(const char *path, char *name) {
  size_t size = 0;
  while (*path != 0 && *path != '/') {
    if (size == LABRYS_NAME)
      return NULL;
    name[size++] = *path++;
  }
  name[size] = 0;
  return path;
}

static int find_from(struct File *directory, const char *path, int how, int links,
                     struct Place *place);

/* Follows a link; its last name counts as the last of the path. */
static int follow(struct File *directory, struct File *link, int how, int links,
                  struct Place *place) {
  char target[LABRYS_PATH];
  if (links == LINKS)
    return labrys_fail(ELOOP);
  memcpy(target, link->bytes, link->size);
  target[link->size] = 0;
  return find_from(target[0] == '/' ? &labrys_root : directory, target, how | LABRYS_FOLLOWS,
                   links + 1, place);
}

static int is_link(const struct File *file) {
  return file != NULL && (file->mode & S_IFMT) == S_IFLNK;
}

static int find_from(struct File *directory, const char *path, int how, int links,
                     struct Place *place) {
  for (;;) {
    const char *rest;
    int is_last, wants_directory;
    while (*path == '/')
      path++;
    if (*path == 0) { /* the root itself, or a path that ends in a slash */
      place->directory = NULL;
      place->file = directory;
      place->name = "";
      return 0;
    }
    place->name = place->text;
    rest = take_name(path, place->text);
    if (rest == NULL)
      return labrys_fail(ENAMETOOLONG);
    wants_directory = *rest == '/';
    while (*rest == '/')
      rest++;
    is_last = *rest == 0;
    if (is_last && (how & LABRYS_MAKES_DIRECTORY) != 0)
      wants_directory = 0;
    if (is_last && wants_directory && (how & LABRYS_CREATES) != 0)
      return labrys_fail(EISDIR);
    place->directory = directory;
    if (place->name[0] == '.' && place->name[1] == 0) {
      place->file = directory;
    } else if (place->name[0] == '.' && place->name[1] == '.' && place->name[2] == 0) {
      place->file = directory->parent != NULL ? directory->parent : &labrys_root;
    } else {
      place->file = find_entry(directory, place->name);
    }
    if (is_link(place->file) && (!is_last || (how & LABRYS_FOLLOWS) != 0 ||
                                 (wants_directory && (how & LABRYS_REMOVES) == 0))) {
      if (follow(directory, place->file, is_last ? how : 0, links, place) != 0)
        return -1;
    }
    if (place->file != NULL && (!is_last || wants_directory) &&
        (place->file->mode & S_IFMT) != S_IFDIR)
      return labrys_fail(ENOTDIR);
    if (is_last)
      return 0;
    if (place->file == NULL)
      return labrys_fail(ENOENT);
    directory = place->file;
    path = rest;
  }
}

int labrys_find(int descriptor, const char *path, int how, struct Place *place) {
  struct File *directory = labrys_directory;
  if (*path == 0)
    return labrys_fail(ENOENT);
  if (descriptor != AT_FDCWD && *path != '/') {
    struct Open *open = labrys_opened(descriptor);
    if (open == NULL)
      return -1;
    directory = open->file;
    if ((directory->mode & S_IFMT) != S_IFDIR)
      return labrys_fail(ENOTDIR);
  }
  if (is_plain(path)) {
    place->directory = directory;
    place->file = find_entry(directory, path);
    if (is_link(place->file) && (how & LABRYS_FOLLOWS) != 0)
      return follow(directory, place->file, how, 0, place);
    place->name = path;
    return 0;
  }
  return find_from(*path == '/' ? &labrys_root : directory, path, how, 0, place);
}

struct File *labrys_look_up(int directory, const char *path, int follows) {
  struct Place place;
  if (labrys_find(directory, path, follows, &place) != 0)
    return NULL;
  if (place.file == NULL)
    labrys_fail(ENOENT);
  return place.file;
}
