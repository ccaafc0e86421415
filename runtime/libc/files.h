/* files.h: the files of a program under test: what files.c keeps and posix.c and stdio.c use.
 *
 * There are the files that the harness declares, what the program makes of them and what it
 * creates, and nothing else. The native replay gives the program the same world. */
#ifndef LABRYS_LIBC_FILES_H
#define LABRYS_LIBC_FILES_H

#include "engine.h"

#define ENOENT 2
#define EBADF 9
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ESPIPE 29
#define EPIPE 32
#define ENAMETOOLONG 36
#define ENOSYS 38
#define ENOTEMPTY 39
#define ELOOP 40
#define EOVERFLOW 75

#define S_IFMT 0170000
#define S_IFIFO 0010000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IFLNK 0120000

#define O_ACCMODE 3
#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 0100
#define O_EXCL 0200
#define O_TRUNC 01000
#define O_APPEND 02000
#define O_DIRECTORY 0200000
#define O_NOFOLLOW 0400000
#define O_CLOEXEC 02000000
#define O_PATH 010000000
#define O_TMPFILE 020000000

#define AT_FDCWD (-100)
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2

enum {
  LABRYS_DESCRIPTORS = 64, /* as many as the native replay allows */
  LABRYS_NAME = 255,       /* the longest name in a directory */
  LABRYS_PATH = 4096,
  LABRYS_FILE = 1 << 20 /* the largest file that the native replay allows */
};

/* A name in a directory. */
struct Entry {
  char *name;
  struct File *file;
  struct Entry *next;
};

/* A file, directory, link or pipe, whatever its names are. */
struct File {
  unsigned mode; /* type and permissions, as in st_mode */
  unsigned long number;
  unsigned links, opens;
  unsigned char *bytes;
  size_t size, room;
  long times[2][2]; /* accessed and modified: seconds and nanoseconds */
  /* A declared file: how large it is and whether it is there is an input, which is looked at
   * when the program looks at the file first. */
  int is_undecided, is_declared, is_whole_first;
  unsigned length;
  _Bool is_missing;
  size_t most;       /* the bound of length */
  const char *limit; /* the option that raises it */
  int is_changed;
  int captured; /* standard output or error: its descriptor */
  struct Entry *entries;
  struct File *parent; /* of a directory */
  unsigned readers, writers; /* of a pipe */
};

/* An open file: descriptors made by dup share it. */
struct Open {
  struct File *file;
  size_t offset;
  int flags;
  unsigned references;
  int is_seen; /* of a directory: how many entries were read */
};

/* Where a path leads: to a file, or to a name that is free in a directory. The name is the
 * path itself or in text. */
struct Place {
  struct File *directory, *file;
  const char *name;
  char text[LABRYS_NAME + 1];
};

extern struct File labrys_root;
extern struct File *labrys_directory; /* the current one */

/* Returns value after setting errno. */
int labrys_fail(int error);

/* Looks at a declared file for the first time: fixes its size. */
void labrys_decide(struct File *file);

struct File *labrys_new_file(unsigned mode);
void labrys_drop_file(struct File *file);

/* How to find a path: whether a link at its end is followed; whether a file may be made there,
 * which needs a name that does not end in a slash; whether a directory is made there, so that
 * the name may end in one whatever it is; whether the name is removed, so that not even a slash
 * makes a link followed. */
enum { LABRYS_FOLLOWS = 1, LABRYS_CREATES = 2, LABRYS_MAKES_DIRECTORY = 4, LABRYS_REMOVES = 8 };

/* Finds a path; 0, or -1 with errno. A last component that does not exist is no failure: then
 * file is null. */
int labrys_find(int directory, const char *path, int how, struct Place *place);
/* As labrys_find, but the file must be there. */
struct File *labrys_look_up(int directory, const char *path, int follows);
/* The entries of the directory, without declared files that turn out to be missing. */
struct Entry *labrys_entries(struct File *directory);
void labrys_link(struct File *directory, const char *name, struct File *file);
void labrys_unlink(struct File *directory, struct File *file, const char *name);

/* An open file without a descriptor, the descriptor of one (-1 if all are taken), and back. */
struct Open *labrys_open_file(struct File *file, int flags);
int labrys_descriptor(struct Open *open, int least);
struct Open *labrys_opened(int descriptor);
int labrys_opens_on_exec(int descriptor);
void labrys_set_close_on_exec(int descriptor, int closes);
void labrys_close_open(struct Open *open);
int labrys_close(int descriptor);

/* The mode bits that new files do not get. */
unsigned labrys_creation_mask(void);

/* Reads and writes at a place. Reading says by *ended that nothing follows. */
long labrys_read_at(struct Open *open, void *to, size_t count, size_t offset);
long labrys_write_at(struct Open *open, const void *from, size_t count, size_t offset);
/* The same at the offset, which moves. */
long labrys_read(struct Open *open, void *to, size_t count);
long labrys_write_file(struct Open *open, const void *from, size_t count);
/* The program has seen the end of the file: it may be there only because of a bound. */
void labrys_end_seen(struct File *file);
long labrys_seek(struct Open *open, long offset, int whence);
int labrys_resize(struct File *file, size_t size);
unsigned umask(unsigned mask);

/* The outputs of a program: what it has made of its files. */
void labrys_output_files(void);

char *strcpy(char *to, const char *from);
int strcmp(const char *left, const char *right);
void *memcpy(void *to, const void *from, size_t size);
void *memset(void *to, int byte, size_t size);

#endif
