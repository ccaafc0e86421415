/* result.c: writes what a run did, in the format of crates/labrys-suite/src/wire.rs: to the result
 * file, or to memory that the processes of one test share. */
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "replay.h"

void put(struct Sink *to, const void *bytes, size_t size) {
  if (to->file) {
    if (size && fwrite(bytes, size, 1, to->file) != 1)
      die("cannot write the result");
  } else if (size > to->room - to->used) {
    to->is_full = 1;
  } else {
    memcpy(to->memory + to->used, bytes, size);
    to->used += size;
  }
}

void put32(struct Sink *to, uint32_t value) { put(to, &value, sizeof value); }

static void put_stream(struct Sink *to, int file, uint64_t most) {
  static char buffer[1 << 16];
  struct stat state;
  uint64_t size = fstat(file, &state) == 0 ? (uint64_t)state.st_size : 0;
  uint64_t at = 0;
  if (size > most)
    size = most;
  put32(to, (uint32_t)size);
  while (at < size) {
    size_t part = size - at < sizeof buffer ? (size_t)(size - at) : sizeof buffer;
    ssize_t got = pread(file, buffer, part, (off_t)at);
    if (got <= 0) {
      memset(buffer, 0, part);
      got = (ssize_t)part;
    }
    put(to, buffer, (size_t)got);
    at += (uint64_t)got;
  }
}

uint32_t ending_of(int status, int killed, uint32_t *code) {
  uint32_t ending = record->ending;
  *code = 0;
  if (killed)
    return TIMED_OUT;
  if (WIFSIGNALED(status)) {
    *code = (uint32_t)WTERMSIG(status);
    return *code == SIGXFSZ ? OUTPUT_LIMIT : *code == SIGXCPU ? TIMED_OUT : SIGNALLED;
  }
  if (ending == RUNNING || (ending > NO_HARNESS && ending != TIMED_OUT)) {
    *code = (uint32_t)WEXITSTATUS(status);
    return EXITED;
  }
  return ending;
}

/* The child may have scribbled over the record: nothing in it is trusted to be in range. */
void put_result(struct Sink *to, int status, int killed, const int *streams, uint64_t file_bytes,
                int with_triggers) {
  uint32_t code, ending = ending_of(status, killed, &code);
  uint32_t triggers = with_triggers ? record->trigger_count : 0, outputs = record->output_bytes;
  uint32_t vectors = with_triggers ? record->vector_count : 0;
  uint32_t asked = record->asked_bytes < OUTPUT_BYTES ? record->asked_bytes : OUTPUT_BYTES;
  size_t detail = strnlen(record->detail, sizeof record->detail);
  put32(to, ending);
  put32(to, code);
  put32(to, record->flags);
  put32(to, record->missing);
  put32(to, record->inputs_used);
  put(to, &record->trace, sizeof record->trace);
  put(to, &record->steps, sizeof record->steps);
  put32(to, (uint32_t)detail);
  put(to, record->detail, detail);
  triggers = triggers < MAX_TRIGGERS ? triggers : MAX_TRIGGERS;
  put32(to, triggers);
  put(to, record->triggers, triggers * sizeof *record->triggers);
  outputs = outputs < OUTPUT_BYTES ? outputs : OUTPUT_BYTES;
  put32(to, record->output_count);
  put32(to, outputs);
  put(to, record->outputs, outputs);
  put_stream(to, streams[1], file_bytes);
  put_stream(to, streams[2], file_bytes);
  put32(to, asked);
  put(to, record->asked, asked);
  vectors = vectors < MAX_VECTORS ? vectors : MAX_VECTORS;
  put32(to, vectors);
  put(to, record->vectors, vectors * sizeof *record->vectors);
}
