/* files.c: the contents of files, and open files. Bytes may be inputs; sizes and offsets are
 * concrete: the length of a declared file is fixed when the program first looks at it, and the
 * other lengths are left as other paths. */
#include "files.h"
#include "../labrys.h"

/* ---- Standard streams ---- */

static struct File input_file = {.mode = S_IFREG | 0600, .number = 2, .links = 1, .opens = 1,
                                 .limit = LIMIT_SYM_STDIN, .is_declared = 1};
static struct File output_file = {.mode = S_IFREG | 0600, .number = 3, .links = 1, .opens = 1,
                                  .captured = 1};
static struct File error_file = {.mode = S_IFREG | 0600, .number = 4, .links = 1, .opens = 1,
                                 .captured = 2};
static struct Open input_open = {.file = &input_file, .flags = O_RDONLY, .references = 1};
static struct Open output_open = {.file = &output_file, .flags = O_RDWR | O_APPEND,
                                  .references = 1};
static struct Open error_open = {.file = &error_file, .flags = O_RDWR | O_APPEND,
                                 .references = 1};

static struct Open *table[LABRYS_DESCRIPTORS] = {&input_open, &output_open, &error_open};
static unsigned char closes_on_exec[LABRYS_DESCRIPTORS];
static unsigned char was_closed[LABRYS_DESCRIPTORS]; /* by the program */

/* Whoever starts a program, or calls a function, may have opened more. */
#define OPEN_DESCRIPTORS "environment: open descriptors"
static unsigned long next_number = 5;

int labrys_fail(int error) {
  *__errno_location() = error;
  return -1;
}

/* ---- Files ---- */

struct File *labrys_new_file(unsigned mode) {
  struct File *file = labrys_malloc(sizeof *file);
  memset(file, 0, sizeof *file);
  file->mode = mode;
  file->number = next_number++;
  return file;
}

/* A file without names that nobody has open is gone. Directories stay: the program may be in
 * them. */
void labrys_drop_file(struct File *file) {
  if (file->links > 0 || file->opens > 0 || file->is_declared ||
      (file->mode & S_IFMT) == S_IFDIR)
    return;
  if (file->bytes != NULL)
    labrys_free(file->bytes);
  labrys_free(file);
}

void labrys_decide(struct File *file) {
  if (file->is_undecided) {
    file->is_undecided = 0;
    /* A way of its own for all of it: the other sizes come one by one. */
    if (file->is_whole_first && file->length == file->most)
      file->size = file->most;
    else
      file->size = (size_t)labrys_pin(file->length);
  }
}

void labrys_end_seen(struct File *file) {
  if (file->limit != NULL && !file->is_changed && file->size >= file->most)
    labrys_touch(file->limit);
}

static void make_room(struct File *file, size_t size) {
  size_t room = file->room < 64 ? 64 : file->room;
  unsigned char *bytes;
  if (size <= file->room)
    return;
  if (size > LABRYS_FILE)
    labrys_unsupported("a file of more than 1 MiB");
  while (room < size)
    room *= 2;
  bytes = labrys_malloc(room);
  if (file->size > 0)
    memcpy(bytes, file->bytes, file->size);
  memset(bytes + file->size, 0, room - file->size);
  if (file->bytes != NULL && !file->is_declared)
    labrys_free(file->bytes);
  file->bytes = bytes;
  file->room = room;
}

int labrys_resize(struct File *file, size_t size) {
  labrys_decide(file);
  make_room(file, size);
  if (size < file->size)
    memset(file->bytes + size, 0, file->size - size);
  if (size != file->size)
    file->is_changed = 1;
  file->size = size;
  return 0;
}

/* ---- Open files ---- */

struct Open *labrys_open_file(struct File *file, int flags) {
  struct Open *open = labrys_malloc(sizeof *open);
  memset(open, 0, sizeof *open);
  open->file = file;
  open->flags = flags;
  open->references = 1;
  file->opens++;
  return open;
}

void labrys_close_open(struct Open *open) {
  if (--open->references > 0)
    return;
  open->file->opens--;
  if ((open->file->mode & S_IFMT) == S_IFIFO) {
    if ((open->flags & O_ACCMODE) == O_RDONLY)
      open->file->readers--;
    else
      open->file->writers--;
  }
  labrys_drop_file(open->file);
  if (open != &input_open && open != &output_open && open != &error_open)
    labrys_free(open);
}

int labrys_descriptor(struct Open *open, int least) {
  int descriptor;
  for (descriptor = least; descriptor < LABRYS_DESCRIPTORS; descriptor++)
    if (table[descriptor] == NULL) {
      table[descriptor] = open;
      closes_on_exec[descriptor] = (open->flags & O_CLOEXEC) != 0;
      return descriptor;
    }
  return labrys_fail(EMFILE);
}

static int is_known_closed(int descriptor) {
  return descriptor < 0 || (descriptor < LABRYS_DESCRIPTORS && was_closed[descriptor]);
}

/* Which number a descriptor has is no decision of the program. */
struct Open *labrys_opened(int descriptor) {
  descriptor = (int)labrys_plain((unsigned)descriptor);
  if (descriptor < 0 || descriptor >= LABRYS_DESCRIPTORS || table[descriptor] == NULL) {
    if (!is_known_closed(descriptor))
      labrys_touch(OPEN_DESCRIPTORS);
    labrys_fail(EBADF);
    return NULL;
  }
  return table[descriptor];
}

int labrys_opens_on_exec(int descriptor) { return !closes_on_exec[descriptor]; }

void labrys_set_close_on_exec(int descriptor, int closes) {
  closes_on_exec[labrys_plain((unsigned)descriptor)] = closes != 0;
}

/* Programs close all that they may have inherited: only who looks at the result relies on it. */
int labrys_close(int descriptor) {
  struct Open *open = NULL;
  int is_known;
  descriptor = (int)labrys_plain((unsigned)descriptor);
  is_known = is_known_closed(descriptor);
  if (descriptor >= 0 && descriptor < LABRYS_DESCRIPTORS) {
    open = table[descriptor];
    table[descriptor] = NULL;
    was_closed[descriptor] = 1;
  }
  if (open == NULL) {
    labrys_fail(EBADF);
    return is_known ? -1 : (int)labrys_assumed(-1, OPEN_DESCRIPTORS);
  }
  labrys_close_open(open);
  return 0;
}

/* ---- Reading and writing ---- */

long labrys_read_at(struct Open *open, void *to, size_t count, size_t offset) {
  struct File *file = open->file;
  size_t size;
  if ((open->flags & O_ACCMODE) == O_WRONLY || (open->flags & O_PATH) != 0)
    return labrys_fail(EBADF);
  if ((file->mode & S_IFMT) == S_IFDIR)
    return labrys_fail(EISDIR);
  if (file->captured)
    labrys_unsupported("reading back standard output");
  labrys_decide(file);
  size = offset < file->size ? file->size - offset : 0;
  if (size > count)
    size = count;
  if (size > 0)
    memcpy(to, file->bytes + offset, size);
  return (long)size;
}

long labrys_write_at(struct Open *open, const void *from, size_t count, size_t offset) {
  struct File *file = open->file;
  if ((open->flags & O_ACCMODE) == O_RDONLY || (open->flags & O_PATH) != 0)
    return labrys_fail(EBADF);
  if (file->captured) {
    labrys_write(file->captured, from, count);
    file->size += count;
    return (long)count;
  }
  count = (size_t)labrys_pin(count);
  if (count == 0)
    return 0;
  labrys_decide(file);
  if (offset > LABRYS_FILE || count > LABRYS_FILE)
    labrys_unsupported("a file of more than 1 MiB");
  make_room(file, offset + count);
  memcpy(file->bytes + offset, from, count);
  if (offset + count > file->size)
    file->size = offset + count;
  file->is_changed = 1;
  return (long)count;
}

static long read_pipe(struct Open *open, void *to, size_t count) {
  struct File *pipe = open->file;
  size_t size = count < pipe->size ? count : pipe->size, i;
  if ((open->flags & O_ACCMODE) != O_RDONLY)
    return labrys_fail(EBADF);
  if (pipe->size == 0 && pipe->writers > 0 && count > 0)
    labrys_unsupported("waiting for a pipe that the program itself writes");
  if (size > 0)
    memcpy(to, pipe->bytes, size);
  for (i = size; i < pipe->size; i++)
    pipe->bytes[i - size] = pipe->bytes[i];
  pipe->size -= size;
  return (long)size;
}

static long write_pipe(struct Open *open, const void *from, size_t count) {
  struct File *pipe = open->file;
  if ((open->flags & O_ACCMODE) != O_WRONLY)
    return labrys_fail(EBADF);
  if (pipe->readers == 0)
    labrys_unsupported("writing to a pipe without a reader");
  if (pipe->size + count > 65536)
    labrys_unsupported("waiting for room in a pipe");
  return labrys_write_at(open, from, count, pipe->size);
}

long labrys_read(struct Open *open, void *to, size_t count) {
  long size;
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return read_pipe(open, to, count);
  size = labrys_read_at(open, to, count, open->offset);
  if (size > 0)
    open->offset += (size_t)size;
  return size;
}

long labrys_write_file(struct Open *open, const void *from, size_t count) {
  long size;
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return write_pipe(open, from, count);
  if ((open->flags & O_APPEND) != 0 && count > 0) {
    labrys_decide(open->file);
    open->offset = open->file->size;
  }
  size = labrys_write_at(open, from, count, open->offset);
  if (size > 0)
    open->offset += (size_t)size;
  return size;
}

long labrys_seek(struct Open *open, long offset, int whence) {
  long base = 0;
  if ((open->file->mode & S_IFMT) == S_IFIFO)
    return labrys_fail(ESPIPE);
  switch (whence) {
  case SEEK_SET:
    break;
  case SEEK_CUR:
    base = (long)open->offset;
    break;
  case SEEK_END:
    labrys_decide(open->file);
    labrys_end_seen(open->file);
    base = (long)open->file->size;
    break;
  default:
    return labrys_fail(EINVAL);
  }
  /* No sum of a size and an offset that is a size overflows. */
  if (offset > LONG_MAX - base)
    return labrys_fail(EOVERFLOW);
  if (base + offset < 0)
    return labrys_fail(EINVAL);
  if (whence == SEEK_SET || offset != 0 || whence == SEEK_END)
    open->offset = (size_t)labrys_pin((unsigned long long)(base + offset));
  if ((open->file->mode & S_IFMT) == S_IFDIR)
    open->is_seen = (int)open->offset;
  return (long)open->offset;
}

/* ---- What the harness declares ---- */

/* "file NAME" and "file NAME.size"; stdin has no prefix. */
static const char *input_name(char *to, const char *prefix, const char *name,
                              const char *suffix) {
  char *start = to;
  for (; *prefix != 0; prefix++)
    *to++ = *prefix;
  for (; *name != 0; name++)
    *to++ = *name;
  for (; *suffix != 0; suffix++)
    *to++ = *suffix;
  *to = 0;
  return start;
}

static void make_input(struct File *file, const char *prefix, const char *name, size_t most) {
  char text[LABRYS_NAME + 16];
  file->most = most;
  file->is_declared = 1;
  if (most == 0)
    return;
  file->length = labrys_uint(input_name(text, prefix, name, ".size"));
  labrys_assume(file->length <= most);
  file->bytes = labrys_malloc(most);
  file->room = most;
  labrys_symbolic(file->bytes, most, input_name(text, prefix, name, ""));
  file->is_undecided = 1;
}

static void set_bytes(struct File *file, const void *bytes, size_t size) {
  file->is_declared = 1;
  file->bytes = labrys_malloc(size);
  file->size = file->room = size;
  if (size > 0)
    memcpy(file->bytes, bytes, size);
}

/* A new file at a path, with the directories that lead to it. */
static struct File *place_file(const char *path) {
  struct File *directory = &labrys_root, *file = labrys_new_file(S_IFREG | 0644);
  char name[LABRYS_NAME + 1];
  size_t size = 0;
  for (; *path != 0; path++) {
    struct Entry *entry;
    if (*path != '/') {
      name[size++] = *path;
      continue;
    }
    name[size] = 0;
    if (size > 0) {
      for (entry = directory->entries; entry != NULL; entry = entry->next)
        if (strcmp(entry->name, name) == 0)
          break;
      if (entry == NULL) {
        struct File *made = labrys_new_file(S_IFDIR | 0755);
        made->parent = directory;
        made->is_declared = 1;
        labrys_link(directory, name, made);
        directory = made;
      } else {
        directory = entry->file;
      }
    }
    size = 0;
  }
  name[size] = 0;
  labrys_link(directory, name, file);
  return file;
}

void labrys_stdin(size_t most) { make_input(&input_file, "", "stdin", most); }

void labrys_rest_of_stdin(size_t most) {
  input_file.limit = LIMIT_ARRAY_LEN;
  input_file.is_whole_first = 1;
  labrys_stdin(most);
}

void labrys_stdin_bytes(const void *bytes, size_t size) {
  set_bytes(&input_file, bytes, size);
  input_file.limit = NULL;
}

void labrys_file(const char *path, size_t most) {
  char text[LABRYS_NAME + 16];
  struct File *file = place_file(path);
  file->limit = LIMIT_SYM_FILE;
  file->is_missing = labrys_bool(input_name(text, "file ", path, ".missing"));
  make_input(file, "file ", path, most);
}

void labrys_file_bytes(const char *path, const void *bytes, size_t size) {
  set_bytes(place_file(path), bytes, size);
}

/* ---- What the program has made of its files ---- */

static void output_directory(struct File *directory, const char *path) {
  struct Entry *entry;
  for (entry = directory->entries; entry != NULL; entry = entry->next) {
    char text[LABRYS_PATH];
    struct File *file = entry->file;
    if ((file->mode & S_IFMT) == S_IFDIR) {
      output_directory(file, input_name(text, path, entry->name, "/"));
    } else if ((file->mode & S_IFMT) == S_IFREG && (file->is_changed || !file->is_declared)) {
      labrys_output(input_name(text, path, entry->name, ""), file->bytes, file->size);
    }
  }
}

void labrys_output_files(void) { output_directory(&labrys_root, "file "); }
