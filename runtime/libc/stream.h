/* stream.h: FILE as the models have it. The first part has glibc's layout, since code such as
 * gnulib's looks into it; the rest is ours. */
#ifndef LABRYS_LIBC_STREAM_H
#define LABRYS_LIBC_STREAM_H

#include "files.h"

enum { END_OF_FILE = -1, UNGET_ROOM = 16, BUFFER = 4096 };

/* Flags as in glibc. */
enum {
  STREAM_MAGIC = (int)0xFBAD0000,
  STREAM_UNBUFFERED = 0x2,
  STREAM_NO_READS = 0x4,
  STREAM_NO_WRITES = 0x8,
  STREAM_ENDED = 0x10,
  STREAM_FAILED = 0x20,
  STREAM_LINES = 0x200,
  STREAM_PUTTING = 0x800,
  STREAM_APPENDS = 0x1000
};

struct _IO_FILE {
  int _flags;
  unsigned char *_IO_read_ptr, *_IO_read_end, *_IO_read_base;
  unsigned char *_IO_write_base, *_IO_write_ptr, *_IO_write_end;
  unsigned char *_IO_buf_base, *_IO_buf_end;
  char *_IO_save_base, *_IO_backup_base, *_IO_save_end;
  void *_markers;
  struct _IO_FILE *_chain;
  int _fileno, _flags2;
  long _old_offset;
  unsigned short _cur_column;
  signed char _vtable_offset;
  char _shortbuf[1];
  void *_lock;
  long _offset;
  void *_codecvt, *_wide_data;
  struct _IO_FILE *_freeres_list;
  void *_freeres_buf;
  size_t _pad5;
  int _mode;
  char _unused2[20];
  /* Ours. */
  struct Open *open;           /* a stream in memory has no descriptor */
  char **place;                /* open_memstream: where the program wants the text */
  size_t *place_size;
  void *user_buffer;           /* fmemopen: the program's own */
  size_t user_size;
  unsigned char *buffer;
  int is_static;
};

/* A stream is at its end, or reading has failed: a program cannot tell before it asks. */
#define STREAM_ERRORS "environment: errors of streams"

_Static_assert(offsetof(struct _IO_FILE, open) == 216, "glibc's layout");

extern FILE *labrys_streams; /* all open ones, the newest first */

FILE *labrys_new_stream(int descriptor, struct Open *open, int flags);
/* The open file behind a stream, NULL with errno if it was closed. */
struct Open *labrys_stream_open(FILE *stream);
/* Reads more; -1 at the end or on an error. */
int labrys_fill(FILE *stream);
/* Writes out what is buffered; gives back what was read too much. */
int labrys_flush(FILE *stream);
/* Prepares for writing: 0, or -1 if it is not allowed. */
int labrys_start_writing(FILE *stream);
long labrys_tell(FILE *stream);
int labrys_seek_stream(FILE *stream, long offset, int whence);
/* Writes exact bytes; how many went out. */
size_t labrys_put_bytes(FILE *stream, const void *bytes, size_t size);

#endif
