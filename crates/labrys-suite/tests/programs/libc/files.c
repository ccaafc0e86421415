/* files.c: random operations on files, by the models and by the host in an empty directory: each
 * must give the same result, the same error and the same bytes. */
#include "check.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

MODEL(open); MODEL(close); MODEL(read); MODEL(write); MODEL(pread); MODEL(pwrite); MODEL(lseek);
MODEL(dup); MODEL(dup2); MODEL(ftruncate); MODEL(fstat); MODEL(stat); MODEL(lstat);
MODEL(unlink); MODEL(rename); MODEL(mkdir); MODEL(rmdir); MODEL(access); MODEL(link);
MODEL(symlink); MODEL(readlink); MODEL(chdir); MODEL(remove); MODEL(isatty); MODEL(fcntl);
MODEL(pipe); MODEL(poll); MODEL(realpath); MODEL(opendir); MODEL(closedir); MODEL(mmap);
MODEL(fopen); MODEL(fclose); MODEL(fgetc); MODEL(ungetc); MODEL(fgets); MODEL(fread);
MODEL(fwrite); MODEL(fputs); MODEL(fputc); MODEL(fprintf); MODEL(fseek); MODEL(ftell);
MODEL(rewind); MODEL(feof); MODEL(ferror); MODEL(clearerr); MODEL(fflush); MODEL(getline);
MODEL(setvbuf); MODEL(fileno); MODEL(fdopen); MODEL(fmemopen); MODEL(open_memstream);
MODEL(free); MODEL(getcwd);
extern struct dirent *model_readdir(DIR *);

/* Random numbers of its own, so that the other checks see theirs. */
static uint64_t numbers = 88172645463325252u;
static size_t chosen(size_t n) {
  numbers ^= numbers << 13;
  numbers ^= numbers >> 7;
  numbers ^= numbers << 17;
  return (size_t)(numbers % n);
}

enum { SLOTS = 6, STREAMS = 4, MOST = 300 };

static int host_files[SLOTS], our_files[SLOTS];
static FILE *host_streams[STREAMS], *our_streams[STREAMS];
/* An update stream must be moved between reading and writing. */
static enum { MOVED, READ, WRITTEN } last[STREAMS];
static char plan[64]; /* what was done last, for messages */

static const char *name(void) {
  static const char *const names[] = {"a",   "b",    "d",  "d/x", "d/e",   "./a", "d/../b", "d//x",
                                      "d/.", "l",    "l/", "",    "a/x",   ".",   "d/..",   "d/e/y",
                                      "a/",  "none", "m",  "d/l", "d/e/../x"};
  return names[chosen(sizeof names / sizeof *names)];
}

static void same(long host, int host_error, long ours, int our_error) {
  int both_fail = host == -1 && ours == -1;
  CHECK(host == ours, "%s: host %ld (%s), model %ld (%s)", plan, host, strerror(host_error), ours,
        strerror(our_error));
  CHECK(!both_fail || host_error == our_error, "%s: host %s, model %s", plan,
        strerror(host_error), strerror(our_error));
}

#define DO(host, ours)                                                                         \
  do {                                                                                         \
    long host_result, our_result;                                                              \
    int host_error;                                                                            \
    errno = 0;                                                                                 \
    host_result = (host);                                                                      \
    host_error = errno;                                                                        \
    *model___errno_location() = 0;                                                             \
    our_result = (ours);                                                                       \
    same(host_result, host_error, our_result, *model___errno_location());                      \
  } while (0)

#define SAY(...) snprintf(plan, sizeof plan, __VA_ARGS__)

static void random_bytes(char *to, size_t size) {
  size_t i;
  for (i = 0; i < size; i++)
    to[i] = "ab\n\0c"[chosen(5)];
}

/* ---- Descriptors ---- */

static void open_one(int slot) {
  static const int flags[] = {O_RDONLY, O_RDWR, O_WRONLY, O_RDWR | O_CREAT, O_WRONLY | O_CREAT,
                              O_RDWR | O_CREAT | O_TRUNC, O_WRONLY | O_APPEND | O_CREAT,
                              O_RDWR | O_CREAT | O_EXCL, O_RDONLY | O_DIRECTORY,
                              O_RDONLY | O_NOFOLLOW};
  const char *path = name();
  int flag = flags[chosen(sizeof flags / sizeof *flags)];
  int host_error, our_error;
  if (host_files[slot] >= 0)
    return;
  errno = 0;
  host_files[slot] = open(path, flag, 0644);
  host_error = errno;
  *model___errno_location() = 0;
  our_files[slot] = model_open(path, flag, 0644);
  our_error = *model___errno_location();
  SAY("open %s %o", path, flag);
  same(host_files[slot] >= 0 ? 0 : -1, host_error, our_files[slot] >= 0 ? 0 : -1, our_error);
  if (host_files[slot] < 0 || our_files[slot] < 0)
    host_files[slot] = our_files[slot] = -1;
}

static void step_file(void) {
  char host_bytes[MOST], our_bytes[MOST];
  int slot = (int)chosen(SLOTS), file = host_files[slot], ours = our_files[slot];
  size_t size = chosen(MOST), place = chosen(400);
  struct stat host_state, our_state;
  int other;
  if (file < 0) {
    open_one(slot);
    return;
  }
  switch (chosen(10)) {
  case 0:
  case 1:
    SAY("read %zu", size);
    memset(host_bytes, '?', MOST);
    memset(our_bytes, '?', MOST);
    DO(read(file, host_bytes, size), model_read(ours, our_bytes, size));
    CHECK(memcmp(host_bytes, our_bytes, MOST) == 0, "%s: other bytes", plan);
    break;
  case 2:
  case 3:
    SAY("write %zu", size);
    random_bytes(host_bytes, size);
    DO(write(file, host_bytes, size), model_write(ours, host_bytes, size));
    break;
  case 4:
    other = (int)chosen(4);
    SAY("lseek %d %d", (int)place - 100, other);
    if (fstat(file, &host_state) == 0 && S_ISDIR(host_state.st_mode))
      break;
    if (other == 3)
      other = 99;
    DO(lseek(file, (off_t)place - 100, other), model_lseek(ours, (off_t)place - 100, other));
    break;
  case 5:
    SAY("pread %zu", place);
    DO(pread(file, host_bytes, size, (off_t)place), model_pread(ours, our_bytes, size, (off_t)place));
    random_bytes(host_bytes, size);
    SAY("pwrite %zu", place);
    DO(pwrite(file, host_bytes, size, (off_t)place),
       model_pwrite(ours, host_bytes, size, (off_t)place));
    break;
  case 6:
    SAY("ftruncate %zu", size);
    DO(ftruncate(file, (off_t)size), model_ftruncate(ours, (off_t)size));
    break;
  case 7:
    SAY("fstat");
    DO(fstat(file, &host_state), model_fstat(ours, &our_state));
    CHECK(host_state.st_mode == our_state.st_mode, "mode %o %o", host_state.st_mode,
          our_state.st_mode);
    CHECK(S_ISDIR(host_state.st_mode) || host_state.st_size == our_state.st_size, "size %ld %ld",
          (long)host_state.st_size, (long)our_state.st_size);
    CHECK(S_ISDIR(host_state.st_mode) || host_state.st_nlink == our_state.st_nlink, "links");
    SAY("flags");
    CHECK(fcntl(file, F_GETFL) == model_fcntl(ours, F_GETFL), "flags %o %o",
          fcntl(file, F_GETFL), model_fcntl(ours, F_GETFL));
    SAY("isatty");
    DO(isatty(file), model_isatty(ours));
    break;
  case 8:
    other = (int)chosen(SLOTS);
    SAY("dup");
    if (host_files[other] < 0) {
      host_files[other] = dup(file);
      our_files[other] = model_dup(ours);
    } else {
      CHECK(dup2(file, host_files[other]) == host_files[other], "host dup2");
      CHECK(model_dup2(ours, our_files[other]) == our_files[other], "model dup2");
    }
    break;
  default:
    SAY("close");
    DO(close(file), model_close(ours));
    host_files[slot] = our_files[slot] = -1;
    SAY("close twice");
    DO(close(-1), model_close(-1));
  }
}

/* ---- Names ---- */

static int compare_names(const void *left, const void *right) {
  return strcmp(*(char *const *)left, *(char *const *)right);
}

static void list(const char *path, int is_ours, char *to) {
  char *names[64];
  int count = 0, i;
  DIR *directory = is_ours ? model_opendir(path) : opendir(path);
  struct dirent *entry;
  *to = 0;
  if (directory == NULL) {
    sprintf(to, "error %d", is_ours ? *model___errno_location() : errno);
    return;
  }
  while ((entry = is_ours ? model_readdir(directory) : readdir(directory)) != NULL)
    names[count++] = strdup(entry->d_name);
  is_ours ? model_closedir(directory) : closedir(directory);
  qsort(names, (size_t)count, sizeof *names, compare_names);
  for (i = 0; i < count; i++) {
    sprintf(to + strlen(to), "%s ", names[i]);
    free(names[i]);
  }
}

static void step_name(void) {
  const char *path = name(), *other = name();
  struct stat host_state, our_state;
  char host_text[4096], our_text[4096];
  memset(host_text, 0, sizeof host_text);
  memset(our_text, 0, sizeof our_text);
  switch (chosen(12)) {
  case 0:
    SAY("unlink %s", path);
    DO(unlink(path), model_unlink(path));
    break;
  case 1:
    SAY("rename %s %s", path, other);
    /* The host has several errors to choose from where both names are odd. */
    if (strcmp(path, "") != 0 && strchr(path, '.') == NULL && strchr(other, '.') == NULL &&
        strchr(path, '/') == NULL && strchr(other, '/') == NULL)
      DO(rename(path, other), model_rename(path, other));
    break;
  case 2:
    SAY("mkdir %s", path);
    if (strchr(path, '.') == NULL)
      DO(mkdir(path, 0755), model_mkdir(path, 0755));
    break;
  case 3:
    SAY("rmdir %s", path);
    if (strchr(path, '.') == NULL)
      DO(rmdir(path), model_rmdir(path));
    break;
  case 4:
    SAY("access %s", path);
    DO(access(path, F_OK), model_access(path, F_OK));
    DO(access(path, R_OK | W_OK), model_access(path, R_OK | W_OK));
    break;
  case 5:
    SAY("link %s %s", path, other);
    if (strchr(path, '.') == NULL && strchr(other, '.') == NULL && strchr(other, '/') == NULL &&
        strchr(path, '/') == NULL)
      DO(link(path, other), model_link(path, other));
    break;
  case 6:
    SAY("symlink %s %s", path, other);
    if (strchr(path, '.') == NULL && strchr(other, '.') == NULL && strchr(other, '/') == NULL)
      DO(symlink(path, other), model_symlink(path, other));
    break;
  case 7:
    SAY("readlink %s", path);
    DO(readlink(path, host_text, 100), model_readlink(path, our_text, 100));
    CHECK(strcmp(host_text, our_text) == 0, "%s: %s and %s", plan, host_text, our_text);
    break;
  case 8:
    SAY("stat %s", path);
    DO(stat(path, &host_state), model_stat(path, &our_state));
    SAY("lstat %s", path);
    DO(lstat(path, &host_state), model_lstat(path, &our_state));
    break;
  case 9:
    SAY("remove %s", path);
    if (strchr(path, '.') == NULL)
      DO(remove(path), model_remove(path));
    break;
  case 10:
    SAY("list %s", path);
    if (*path != '.') {
      list(path, 0, host_text);
      list(path, 1, our_text);
      CHECK(strcmp(host_text, our_text) == 0, "%s: '%s' and '%s'", plan, host_text, our_text);
    }
    break;
  default:
    SAY("open %s", path);
    step_file();
  }
}

/* ---- Streams ---- */

static void open_stream(int slot) {
  static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+", "rb", "wx", "q"};
  static const char *const files[] = {"a", "b", "m", "none"}; /* one for each, so that no buffer
                                                              is behind the times */
  const char *path = files[slot], *mode = modes[chosen(9)];
  int host_error, our_error;
  struct stat state;
  errno = 0;
  host_streams[slot] = fopen(path, mode);
  host_error = errno;
  *model___errno_location() = 0;
  our_streams[slot] = model_fopen(path, mode);
  our_error = *model___errno_location();
  SAY("fopen %s %s", path, mode);
  same(host_streams[slot] ? 0 : -1, host_error, our_streams[slot] ? 0 : -1, our_error);
  if (!host_streams[slot] || !our_streams[slot]) {
    host_streams[slot] = our_streams[slot] = NULL;
  } else if (fstat(fileno(host_streams[slot]), &state) == 0 && S_ISDIR(state.st_mode)) {
    /* Where a directory ends is the file system's own affair. */
    fclose(host_streams[slot]);
    model_fclose(our_streams[slot]);
    host_streams[slot] = our_streams[slot] = NULL;
  }
  last[slot] = MOVED;
}

static void read_stream(int slot, FILE *file, FILE *ours) {
  char host_bytes[MOST], our_bytes[MOST], *host_line = NULL, *our_line = NULL;
  size_t size = chosen(MOST - 1) + 1, host_room = 0, our_room = 0;
  int c;
  memset(host_bytes, '?', MOST);
  memset(our_bytes, '?', MOST);
  switch (chosen(5)) {
  case 0:
    SAY("fgetc");
    DO(fgetc(file), model_fgetc(ours));
    break;
  case 1:
    SAY("fgets %zu", size);
    DO(fgets(host_bytes, (int)size, file) != NULL, model_fgets(our_bytes, (int)size, ours) != NULL);
    break;
  case 2:
    SAY("fread %zu", size);
    DO(fread(host_bytes, 3, size / 3, file), model_fread(our_bytes, 3, size / 3, ours));
    break;
  case 3:
    SAY("ungetc");
    c = fgetc(file);
    CHECK(c == model_fgetc(ours), "fgetc before ungetc");
    if (c != EOF)
      DO(ungetc('u', file), model_ungetc('u', ours));
    break;
  default:
    SAY("getline");
    if (ferror(file))
      break;
    DO(getline(&host_line, &host_room, file), model_getline(&our_line, &our_room, ours));
    if (host_room > 0 && our_room > 0 && !feof(file) && !ferror(file))
      CHECK(strcmp(host_line, our_line) == 0, "%s: %s and %s", plan, host_line, our_line);
    free(host_line);
    model_free(our_line);
  }
  CHECK(memcmp(host_bytes, our_bytes, MOST) == 0, "%s: other bytes", plan);
  last[slot] = READ;
}

static void write_stream(int slot, FILE *file, FILE *ours) {
  char bytes[MOST];
  size_t size = chosen(MOST);
  random_bytes(bytes, size);
  switch (chosen(4)) {
  case 0:
    SAY("fputc");
    DO(fputc('p', file), model_fputc('p', ours));
    break;
  case 1:
    SAY("fwrite %zu", size);
    DO(fwrite(bytes, 1, size, file), model_fwrite(bytes, 1, size, ours));
    break;
  case 2:
    SAY("fputs");
    bytes[MOST - 1] = 0;
    DO(fputs("some text\n", file) >= 0, model_fputs("some text\n", ours) >= 0);
    break;
  default:
    SAY("fprintf");
    DO(fprintf(file, "%d-%s.", (int)size, "x"), model_fprintf(ours, "%d-%s.", (int)size, "x"));
  }
  last[slot] = WRITTEN;
}

static void step_stream(void) {
  int slot = (int)chosen(STREAMS);
  FILE *file = host_streams[slot], *ours = our_streams[slot];
  if (file == NULL) {
    open_stream(slot);
    return;
  }
  switch (chosen(10)) {
  case 0:
  case 1:
  case 2:
    if (last[slot] != WRITTEN)
      read_stream(slot, file, ours);
    break;
  case 3:
  case 4:
    if (last[slot] != READ)
      write_stream(slot, file, ours);
    break;
  case 5:
    {
      long place = (long)chosen(300) - 50;
      int whence = (int)chosen(3);
      SAY("fseek %ld %d", place, whence);
      DO(fseek(file, place, whence), model_fseek(ours, place, whence));
      /* A place before the start leaves the host's buffer in a state of its own. */
      if (ftell(file) != model_ftell(ours)) {
        rewind(file);
        model_rewind(ours);
      }
    }
    last[slot] = MOVED;
    break;
  case 6:
    SAY("ftell");
    DO(ftell(file), model_ftell(ours));
    SAY("feof");
    DO(feof(file), model_feof(ours));
    SAY("ferror");
    DO(ferror(file) != 0, model_ferror(ours) != 0);
    break;
  case 7:
    SAY("fflush");
    if (last[slot] == WRITTEN) {
      DO(fflush(file), model_fflush(ours));
      last[slot] = MOVED;
    }
    break;
  case 8:
    SAY("rewind");
    rewind(file);
    model_rewind(ours);
    last[slot] = MOVED;
    break;
  default:
    SAY("fclose");
    DO(fclose(file), model_fclose(ours));
    host_streams[slot] = our_streams[slot] = NULL;
  }
}

/* ---- All of it ---- */

static void close_all(void) {
  int i;
  for (i = 0; i < SLOTS; i++) {
    if (host_files[i] >= 0) {
      close(host_files[i]);
      model_close(our_files[i]);
    }
    host_files[i] = our_files[i] = -1;
  }
  for (i = 0; i < STREAMS; i++) {
    if (host_streams[i] != NULL) {
      fclose(host_streams[i]);
      model_fclose(our_streams[i]);
    }
    host_streams[i] = our_streams[i] = NULL;
  }
}

/* The bytes of both files of a name. */
static void compare_file(const char *path) {
  static char host_bytes[1 << 16], our_bytes[1 << 16];
  int host = open(path, O_RDONLY), ours = model_open(path, O_RDONLY);
  CHECK((host >= 0) == (ours >= 0), "%s: one can be opened", path);
  if (host >= 0 && ours >= 0) {
    long size = read(host, host_bytes, sizeof host_bytes);
    CHECK(size == model_read(ours, our_bytes, sizeof our_bytes), "%s: other size", path);
    CHECK(size <= 0 || memcmp(host_bytes, our_bytes, (size_t)size) == 0, "%s: other bytes", path);
  }
  close(host);
  model_close(ours);
}

static int remove_entry(const char *path, const struct stat *state, int type, struct FTW *at) {
  (void)state, (void)type;
  return at->level == 0 ? 0 : remove(path);
}

static void empty_ours(const char *path) {
  DIR *directory = model_opendir(path);
  struct dirent *entry;
  char names[64][PATH_MAX];
  int count = 0;
  while ((entry = model_readdir(directory)) != NULL)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      sprintf(names[count++], "%s/%s", path, entry->d_name);
  model_closedir(directory);
  while (count-- > 0) {
    struct stat state;
    if (model_lstat(names[count], &state) == 0 && S_ISDIR(state.st_mode))
      empty_ours(names[count]);
    CHECK(model_remove(names[count]) == 0, "remove %s", names[count]);
  }
}

static void empty(void) {
  nftw(".", remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  empty_ours(".");
}

static void check_pipes(void) {
  int ends[2];
  char bytes[8];
  struct pollfd ready = {0, POLLIN, 0};
  CHECK(model_pipe(ends) == 0, "pipe");
  ready.fd = ends[0];
  CHECK(model_poll(&ready, 1, 0) == 0, "an empty pipe");
  CHECK(model_write(ends[1], "hello", 5) == 5 && model_poll(&ready, 1, 0) == 1, "a full pipe");
  CHECK(model_read(ends[0], bytes, 3) == 3 && memcmp(bytes, "hel", 3) == 0, "read a pipe");
  CHECK(model_lseek(ends[0], 0, SEEK_CUR) == -1, "seek a pipe");
  model_close(ends[1]);
  CHECK(model_read(ends[0], bytes, 8) == 2 && model_read(ends[0], bytes, 8) == 0, "end of a pipe");
  model_close(ends[0]);
}

static void check_memory_streams(void) {
  char buffer[16], *host_text, *our_text;
  size_t host_size, our_size;
  FILE *host = open_memstream(&host_text, &host_size);
  FILE *ours = model_open_memstream(&our_text, &our_size);
  fputs("some", host);
  model_fputs("some", ours);
  fflush(host);
  model_fflush(ours);
  CHECK(host_size == our_size && strcmp(host_text, our_text) == 0, "open_memstream");
  fprintf(host, "%d", 77);
  model_fprintf(ours, "%d", 77);
  fclose(host);
  model_fclose(ours);
  CHECK(host_size == our_size && strcmp(host_text, our_text) == 0, "open_memstream at its end");
  free(host_text);
  model_free(our_text);
  strcpy(buffer, "one\ntwo");
  ours = model_fmemopen(buffer, 7, "r");
  CHECK(model_fgetc(ours) == 'o' && model_fseek(ours, 4, SEEK_SET) == 0, "fmemopen");
  CHECK(model_fgetc(ours) == 't', "fmemopen after a move");
  model_fclose(ours);
}

void check_files(void) {
  char directory[] = "/tmp/labrys-files-XXXXXX", real[4096];
  int round, step, i;
  char *before = getcwd(NULL, 0);
  umask(022);
  if (mkdtemp(directory) == NULL || chmod(directory, 0755) != 0 || chdir(directory) != 0)
    abort();
  for (i = 0; i < SLOTS; i++)
    host_files[i] = our_files[i] = -1;
  for (round = 0; round < 1500; round++) {
    pretend = round & 1;
    for (step = 0; step < 60; step++)
      if (round % 3 == 0)
        step_stream();
      else if (round % 3 == 1)
        step_file();
      else
        step_name();
    close_all();
    compare_file("a");
    compare_file("b");
    compare_file("m");
    compare_file("d/x");
    if (round % 10 == 9)
      empty();
  }
  empty();
  pretend = 0;
  CHECK(strcmp(model_getcwd(real, sizeof real), "/") == 0, "getcwd");
  CHECK(model_mkdir("d", 0755) == 0 && model_chdir("d") == 0, "chdir");
  CHECK(strcmp(model_getcwd(real, sizeof real), "/d") == 0, "getcwd in a directory");
  CHECK(strcmp(model_realpath("../d/.", real), "/d") == 0, "realpath: %s", real);
  CHECK(model_chdir("/") == 0, "chdir to the root");
  check_pipes();
  check_memory_streams();
  if (chdir(before) != 0 || rmdir(directory) != 0)
    abort();
  free(before);
}
