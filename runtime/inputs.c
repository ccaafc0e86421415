/* inputs.c: hands the inputs of a test to the program in native replay: by name, or in the order
 * in which the program asks, from numbers or from plain bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "labrys.h"
#include "replay.h"

struct Inputs test_inputs;

/* The first input of this name and size that is left. Mostly it is simply the next one; where C
 * leaves an order of evaluation open, compilers ask in different orders. */
static struct Input *next_input(const char *name, size_t size) {
  static uint32_t first; /* all before it are taken */
  size_t name_size = strlen(name);
  struct Input *left = NULL;
  uint32_t n;
  while (first < test_inputs.count && test_inputs.list[first].taken)
    first++;
  for (n = first; n < test_inputs.count; n++) {
    struct Input *input = &test_inputs.list[n];
    if (input->taken)
      continue;
    if (input->size == size && input->name_size == name_size &&
        memcmp(name, input->name, name_size) == 0)
      return input;
    left = left ? left : input;
  }
  if (!left)
    finish_with(OUT_OF_INPUTS, "asked for %s (%zu bytes), the test has only %u inputs", name, size,
                test_inputs.count);
  finish_with(INPUT_MISMATCH, "asked for %s (%zu bytes), input %u of the test is %.*s (%u bytes)",
              name, size, (unsigned)(left - test_inputs.list) + 1, (int)left->name_size, left->name,
              left->size);
}

/* A number is what tells how it looks as a double, a float and, unless it has a fraction, as an
 * integer of 128 bits. Its name is its text. */
enum { AS_DOUBLE = 0, AS_FLOAT = 8, AS_INTEGER = 12, INTEGER_BYTES = 16 };
enum Kind { MEMORY, INTEGER, TRUTH, FLOATING };

static void take_number(void *ptr, size_t size, const char *name, enum Kind kind) {
  static const unsigned char zero[INTEGER_BYTES];
  const struct Input *input = &test_inputs.list[record->inputs_used];
  const unsigned char *integer;
  if (record->inputs_used >= test_inputs.count)
    finish_with(OUT_OF_INPUTS, "asked for %s (%zu bytes), the test has only %u inputs", name, size,
                test_inputs.count);
  if (kind == FLOATING) {
    memcpy(ptr, input->bytes + (size == sizeof(float) ? AS_FLOAT : AS_DOUBLE), size);
    return;
  }
  if (input->size < AS_INTEGER + INTEGER_BYTES)
    finish_with(INPUT_MISMATCH, "asked for the integer %s, input %u of the test is %.*s", name,
                record->inputs_used + 1, (int)input->name_size, input->name);
  integer = input->bytes + AS_INTEGER;
  memset(ptr, integer[INTEGER_BYTES - 1] & 0x80 ? 0xff : 0, size);
  memcpy(ptr, integer, size < INTEGER_BYTES ? size : INTEGER_BYTES);
  if (kind == TRUTH)
    *(unsigned char *)ptr = memcmp(integer, zero, INTEGER_BYTES) != 0;
}

static void take_bytes(void *ptr, size_t size) {
  static size_t at;
  size_t left = test_inputs.list[0].size - at, part = size < left ? size : left;
  memcpy(ptr, test_inputs.list[0].bytes + at, part);
  memset((unsigned char *)ptr + part, 0, size - part);
  at += part;
  if (part < size)
    record->flags |= INPUTS_PADDED;
}

static void fetch(void *ptr, size_t size, const char *name, enum Kind kind) {
  struct Input *input;
  switch (test_inputs.mode) {
  case NAMED:
    input = next_input(name, size);
    memcpy(ptr, input->bytes, size);
    input->taken = 1;
    break;
  case NUMBERS:
    take_number(ptr, size, name, kind);
    break;
  case STREAM:
    take_bytes(ptr, size);
    break;
  }
  record->inputs_used++;
}

/* With what was asked for, the test can be run by name. */
static void note_asked(const void *ptr, size_t size, const char *name) {
  if (test_inputs.mode != NAMED)
    record_value(record->asked, &record->asked_bytes, name, ptr, size);
}

static void ask(void *ptr, size_t size, const char *name, enum Kind kind) {
  if (!record) {
    memset(ptr, 0, size);
    return;
  }
  fetch(ptr, size, name, kind);
  note_asked(ptr, size, name);
}

void labrys_symbolic(void *ptr, size_t size, const char *name) { ask(ptr, size, name, MEMORY); }

/* ---- What stubs write and return ---- */

void *labrys_fresh(size_t size) {
  void *object = calloc(size ? size : 1, 1);
  if (!object)
    abort();
  return object;
}

/* The first input that is left and that says what a stub wrote: its bytes, or that there was no
 * room. */
static struct Input *next_written(size_t most, const char *name) {
  static const char no_room[] = " (no room)";
  size_t name_size = strlen(name);
  uint32_t n;
  for (n = 0; n < test_inputs.count; n++) {
    struct Input *input = &test_inputs.list[n];
    if (input->taken || input->name_size < name_size || memcmp(name, input->name, name_size) != 0)
      continue;
    if (input->name_size == name_size && input->size <= most)
      return input;
    if (input->name_size == name_size + sizeof no_room - 1 &&
        memcmp(no_room, input->name + name_size, sizeof no_room - 1) == 0)
      return input;
  }
  finish_with(OUT_OF_INPUTS, "asked for %s (at most %zu bytes), the test does not have it", name,
              most);
}

void labrys_havoc(void *ptr, size_t most, const char *name, const char *end) {
  struct Input *input;
  if (!record)
    return;
  if (test_inputs.mode != NAMED) {
    /* Nobody knows how much room there is: a text of one character has room everywhere. */
    ask(ptr, *end ? 1 : most, name, MEMORY);
    return;
  }
  input = next_written(most, name);
  if (input->name_size == strlen(name))
    memcpy(ptr, input->bytes, input->size);
  input->taken = 1;
  record->inputs_used++;
}

void labrys_assign(void *place, const char *name, unsigned count, void *const *choices) {
  void *numbers[16];
  unsigned n;
  void *chosen;
  for (n = 0; n <= count && n < 16; n++)
    numbers[n] = (void *)(choices + n);
  chosen = labrys_pick(name, n, numbers);
  if (chosen && chosen != numbers[0])
    memcpy(place, (char *)chosen - sizeof(void *), sizeof(void *));
}

void *labrys_interior(void *ptr, const char *name) {
  long distance;
  ask(&distance, sizeof distance, name, INTEGER);
  return (char *)ptr + distance;
}

#define SCALAR(type, function, kind)                                                           \
  type function(const char *name) {                                                            \
    type value;                                                                                \
    ask(&value, sizeof value, name, kind);                                                     \
    return value;                                                                              \
  }
SCALAR(char, labrys_char, INTEGER)
SCALAR(signed char, labrys_schar, INTEGER)
SCALAR(unsigned char, labrys_uchar, INTEGER)
SCALAR(short, labrys_short, INTEGER)
SCALAR(unsigned short, labrys_ushort, INTEGER)
SCALAR(int, labrys_int, INTEGER)
SCALAR(unsigned, labrys_uint, INTEGER)
SCALAR(long, labrys_long, INTEGER)
SCALAR(unsigned long, labrys_ulong, INTEGER)
SCALAR(long long, labrys_llong, INTEGER)
SCALAR(unsigned long long, labrys_ullong, INTEGER)
SCALAR(float, labrys_float, FLOATING)
SCALAR(double, labrys_double, FLOATING)

int labrys_has_input(const char *name) {
  size_t length = strlen(name);
  uint32_t n;
  if (test_inputs.mode != NAMED)
    return record->inputs_used < test_inputs.count;
  for (n = 0; n < test_inputs.count; n++) {
    const struct Input *input = &test_inputs.list[n];
    if (!input->taken && input->name_size == length && memcmp(name, input->name, length) == 0)
      return 1;
  }
  return 0;
}

_Bool labrys_bool(const char *name) {
  unsigned char value;
  ask(&value, sizeof value, name, TRUTH);
  return value & 1;
}

void labrys_choose(void *ptr, const void *chosen, size_t size) {
  if (chosen)
    memcpy(ptr, chosen, size);
}

void *labrys_pick(const char *name, unsigned count, void *const *choices) {
  unsigned choice = 0;
  if (record) {
    fetch(&choice, sizeof choice, name, INTEGER);
    if (test_inputs.mode == STREAM && count) /* every file is a test */
      choice %= count;
    note_asked(&choice, sizeof choice, name);
  }
  if (choice >= count) {
    if (record)
      finish_with(INPUT_MISMATCH, "%s picks number %u of %u choices", name, choice, count);
    return NULL;
  }
  return choices[choice];
}
