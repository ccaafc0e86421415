/* world.c: the world of a whole program in native replay: its files, standard input, environment
 * and name, in a directory of its own; and what it has produced there. The models of the engine
 * (libc/files.c, libc/process.c) make the same world. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "labrys.h"
#include "replay.h"

extern char **environ;

/* ---- In the child ---- */

void labrys_program(const char *name) {
  const char *slash = strrchr(name, '/');
  if (record)
    record->is_program = 1;
  program_invocation_name = (char *)name;
  program_invocation_short_name = (char *)(slash ? slash + 1 : name);
}

static void cannot(const char *what) {
  fprintf(stderr, "replay: cannot make %s: %s\n", what, strerror(errno));
  labrys_error("sandbox");
}

static void write_all(int file, const void *bytes, size_t size, const char *name) {
  if (file < 0 || write(file, bytes, size) != (ssize_t)size)
    cannot(name);
}

/* Times are no inputs: every declared file has the same. */
static void set_times(int file) {
  const struct timespec times[2] = {{0, 0}, {0, 0}};
  if (futimens(file, times) != 0)
    errno = 0;
}

static void set_stdin(const void *bytes, size_t size) {
  const char *name = ".labrys-stdin";
  int writer = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  int reader = open(name, O_RDONLY);
  write_all(writer, bytes, size, "standard input");
  set_times(writer);
  close(writer);
  unlink(name);
  if (reader < 0 || dup2(reader, 0) != 0)
    cannot("standard input");
  if (reader != 0)
    close(reader);
}

static void make_directories(const char *path) {
  char part[PATH_MAX];
  const char *slash = path;
  while ((slash = strchr(slash, '/')) != NULL && (size_t)(slash - path) < sizeof part) {
    memcpy(part, path, (size_t)(slash - path));
    part[slash - path] = 0;
    if (part[0] != 0 && mkdir(part, 0755) != 0 && errno != EEXIST)
      cannot(part);
    slash++;
  }
}

void labrys_file_bytes(const char *name, const void *bytes, size_t size) {
  int file;
  make_directories(name);
  file = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  write_all(file, bytes, size, name);
  set_times(file);
  close(file);
  if (record)
    record_value(record->originals, &record->original_bytes, name, bytes, size);
}

void labrys_stdin_bytes(const void *bytes, size_t size) { set_stdin(bytes, size); }

/* The size and the bytes of an input of at most so many bytes. */
static unsigned char *take(const char *name, size_t most, size_t *size) {
  char text[PATH_MAX];
  unsigned char *bytes = calloc(most + 1, 1);
  *size = 0;
  if (!bytes)
    cannot(name);
  if (most == 0)
    return bytes;
  snprintf(text, sizeof text, "%s.size", name);
  *size = labrys_uint(text);
  labrys_assume(*size <= most);
  labrys_symbolic(bytes, most, name);
  return bytes;
}

void labrys_stdin(size_t most) {
  size_t size;
  unsigned char *bytes = take("stdin", most, &size);
  set_stdin(bytes, size);
  free(bytes);
}

void labrys_rest_of_stdin(size_t most) { labrys_stdin(most); }

void labrys_file(const char *name, size_t most) {
  char text[PATH_MAX];
  unsigned char *bytes;
  size_t size;
  int is_missing;
  snprintf(text, sizeof text, "file %s.missing", name);
  is_missing = labrys_bool(text);
  snprintf(text, sizeof text, "file %s", name);
  bytes = take(text, most, &size);
  if (is_missing)
    make_directories(name);
  else
    labrys_file_bytes(name, bytes, size);
  free(bytes);
}

void labrys_environment(char **variables) { environ = variables; }

void labrys_end(int status) { exit(status); }

/* ---- In the parent ---- */

/* The bytes of a file from its start; NULL if it cannot be read. They are there until the next one is
 * read. */
static const unsigned char *read_all(int file, size_t *size) {
  static unsigned char *bytes;
  struct stat state;
  if (file < 0 || fstat(file, &state) != 0 || state.st_size > OUTPUT_BYTES)
    return NULL;
  if (!bytes)
    bytes = take_memory(OUTPUT_BYTES);
  *size = 0;
  while (*size < (size_t)state.st_size) {
    ssize_t got = pread(file, bytes + *size, (size_t)state.st_size - *size, (off_t)*size);
    if (got <= 0)
      break;
    *size += (size_t)got;
  }
  return bytes;
}

static void record_file(const char *name, int file) {
  size_t size;
  const unsigned char *bytes = read_all(file, &size);
  if (bytes)
    labrys_output(name, bytes, size);
  else
    record->flags |= OUTPUTS_LOST;
}

/* Was the file there with these bytes when the test began? The child may have written anything
 * over the record. */
static int is_original(const char *name, const unsigned char *bytes, size_t size) {
  uint32_t end = record->original_bytes, at = 0, sizes[2];
  if (end > OUTPUT_BYTES)
    return 0;
  while (end - at >= sizeof sizes) {
    memcpy(sizes, record->originals + at, sizeof sizes);
    at += sizeof sizes;
    if (sizes[0] > end - at || sizes[1] > end - at - sizes[0])
      return 0;
    if (sizes[0] == strlen(name) && memcmp(record->originals + at, name, sizes[0]) == 0)
      return sizes[1] == size && memcmp(record->originals + at + sizes[0], bytes, size) == 0;
    at += sizes[0] + sizes[1];
  }
  return 0;
}

static void record_entry(const char *directory, const char *name, const char *entry);

static int compare_names(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Names in order, so that the outputs of a test are always the same. */
static void record_directory(const char *directory, const char *name) {
  struct Entries entries;
  size_t bytes = 0, count = 0, size, i;
  const char *entry;
  char **names, *text;
  int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (begin_entries(&entries, file); (entry = next_entry(&entries)) != NULL; count++)
    bytes += strlen(entry) + 1;
  if (count > 0) {
    size = count * sizeof *names + bytes;
    names = take_memory(size);
    text = (char *)(names + count);
    lseek(file, 0, SEEK_SET);
    /* Nobody adds to it: the test has ended. */
    begin_entries(&entries, file);
    for (i = 0; i < count && (entry = next_entry(&entries)) != NULL; i++) {
      names[i] = strcpy(text, entry);
      text += strlen(entry) + 1;
    }
    count = i;
    qsort(names, count, sizeof *names, compare_names);
    for (i = 0; i < count; i++)
      record_entry(directory, name, names[i]);
    munmap(names, size);
  }
  if (file >= 0)
    close(file);
}

static void record_entry(const char *directory, const char *name, const char *entry) {
  char path[PATH_MAX], inner[PATH_MAX], output[PATH_MAX + 8];
  const unsigned char *bytes;
  struct stat state;
  size_t size = 0;
  int file;
  if (snprintf(path, sizeof path, "%s/%s", directory, entry) >= (int)sizeof path ||
      snprintf(inner, sizeof inner, "%s%s%s", name, *name ? "/" : "", entry) >= (int)sizeof inner ||
      lstat(path, &state) != 0)
    return;
  if (S_ISDIR(state.st_mode)) {
    record_directory(path, inner);
  } else if (S_ISREG(state.st_mode)) {
    file = open(path, O_RDONLY);
    bytes = read_all(file, &size);
    snprintf(output, sizeof output, "file %s", inner);
    if (!bytes || !is_original(inner, bytes, size))
      record_file(output, file);
    if (file >= 0)
      close(file);
  }
}

void record_program(const char *directory, const int *streams, int status) {
  if (WIFEXITED(status) && (record->ending == RUNNING || record->ending > NO_HARNESS)) {
    int32_t code = WEXITSTATUS(status);
    labrys_output("exit", &code, sizeof code);
  }
  record_file("stdout", streams[1]);
  record_file("stderr", streams[2]);
  record_directory(directory, "");
}
