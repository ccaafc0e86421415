/* stdio_ext.c: what <stdio_ext.h> tells about the buffers of a stream. */
#include "stream.h"

WEAK size_t __fbufsize(FILE *stream) {
  return (stream->_flags & STREAM_UNBUFFERED) != 0
             ? 1
             : (size_t)(stream->_IO_buf_end - stream->_IO_buf_base);
}

WEAK size_t __fpending(FILE *stream) {
  return (size_t)(stream->_IO_write_ptr - stream->_IO_write_base);
}

WEAK int __freadable(FILE *stream) { return (stream->_flags & STREAM_NO_READS) == 0; }

WEAK int __fwritable(FILE *stream) { return (stream->_flags & STREAM_NO_WRITES) == 0; }

WEAK int __freading(FILE *stream) {
  return (stream->_flags & STREAM_NO_WRITES) != 0 ||
         ((stream->_flags & (STREAM_PUTTING | STREAM_NO_READS)) == 0 &&
          stream->_IO_read_base != NULL);
}

WEAK int __fwriting(FILE *stream) {
  return (stream->_flags & (STREAM_NO_READS | STREAM_PUTTING)) != 0;
}

WEAK int __flbf(FILE *stream) { return (stream->_flags & STREAM_LINES) != 0; }

WEAK void __fpurge(FILE *stream) {
  stream->_IO_read_ptr = stream->_IO_read_end;
  stream->_IO_write_ptr = stream->_IO_write_base;
}

WEAK void __fseterr(FILE *stream) { stream->_flags |= STREAM_FAILED; }

WEAK void _flushlbf(void) {}

WEAK int __fsetlocking(FILE *stream, int type) {
  static int now = 1; /* FSETLOCKING_INTERNAL */
  int before = now;
  (void)stream;
  if (type != 0)
    now = type;
  return before;
}
