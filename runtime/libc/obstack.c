/* obstack.c: the functions behind the macros of glibc's <obstack.h>: stacks of objects in large
 * chunks of memory. */
#include "engine.h"

int fprintf(FILE *restrict stream, const char *restrict format, ...);
int vsnprintf(char *restrict to, size_t room, const char *restrict format, va_list arguments);
void exit(int status) __attribute__((noreturn));

/* The layouts that the macros know. */
struct _obstack_chunk {
  char *limit;
  struct _obstack_chunk *prev;
  char contents[4];
};

struct obstack {
  long chunk_size;
  struct _obstack_chunk *chunk;
  char *object_base, *next_free, *chunk_limit;
  void *temp;
  int alignment_mask;
  struct _obstack_chunk *(*chunkfun)(void *, long);
  void (*freefun)(void *, struct _obstack_chunk *);
  void *extra_arg;
  unsigned use_extra_arg : 1, maybe_empty_object : 1, alloc_failed : 1;
};

enum { ALIGNMENT = 16, CHUNK = 4096 - 32 };

WEAK int obstack_exit_failure = 1;

static void out_of_memory(void) {
  fprintf(stderr, "memory exhausted\n");
  exit(obstack_exit_failure);
}

WEAK void (*obstack_alloc_failed_handler)(void) = out_of_memory;

static struct _obstack_chunk *take(struct obstack *stack, long size) {
  struct _obstack_chunk *chunk =
      stack->use_extra_arg ? stack->chunkfun(stack->extra_arg, size)
                           : ((struct _obstack_chunk * (*)(long))(uintptr_t)stack->chunkfun)(size);
  if (chunk == NULL)
    obstack_alloc_failed_handler();
  return chunk;
}

static void give(struct obstack *stack, struct _obstack_chunk *chunk) {
  if (stack->use_extra_arg)
    stack->freefun(stack->extra_arg, chunk);
  else
    ((void (*)(struct _obstack_chunk *))(uintptr_t)stack->freefun)(chunk);
}

static char *aligned(char *base, char *place, int mask) {
  return base + ((place - base + mask) & ~(long)mask);
}

static int begin(struct obstack *stack, long size, int alignment) {
  struct _obstack_chunk *chunk;
  stack->chunk_size = size != 0 ? size : CHUNK;
  stack->alignment_mask = (alignment != 0 ? alignment : ALIGNMENT) - 1;
  chunk = stack->chunk = take(stack, stack->chunk_size);
  stack->next_free = stack->object_base =
      aligned((char *)chunk, chunk->contents, stack->alignment_mask);
  stack->chunk_limit = chunk->limit = (char *)chunk + stack->chunk_size;
  chunk->prev = NULL;
  stack->maybe_empty_object = 0;
  stack->alloc_failed = 0;
  return 1;
}

WEAK int _obstack_begin(struct obstack *stack, int size, int alignment, void *(*allocate)(long),
                        void (*release)(void *)) {
  stack->chunkfun = (struct _obstack_chunk * (*)(void *, long))(uintptr_t)allocate;
  stack->freefun = (void (*)(void *, struct _obstack_chunk *))(uintptr_t)release;
  stack->use_extra_arg = 0;
  return begin(stack, size, alignment);
}

WEAK int _obstack_begin_1(struct obstack *stack, int size, int alignment,
                          void *(*allocate)(void *, long), void (*release)(void *, void *),
                          void *argument) {
  stack->chunkfun = (struct _obstack_chunk * (*)(void *, long))(uintptr_t)allocate;
  stack->freefun = (void (*)(void *, struct _obstack_chunk *))(uintptr_t)release;
  stack->extra_arg = argument;
  stack->use_extra_arg = 1;
  return begin(stack, size, alignment);
}

/* The object at hand moves to a new chunk with room for more. */
WEAK void _obstack_newchunk(struct obstack *stack, int more) {
  struct _obstack_chunk *old = stack->chunk, *fresh;
  long size = stack->next_free - stack->object_base;
  long room = size + more + (size >> 3) + stack->alignment_mask + 100;
  char *base;
  if (room < stack->chunk_size)
    room = stack->chunk_size;
  fresh = take(stack, room);
  stack->chunk = fresh;
  fresh->prev = old;
  fresh->limit = stack->chunk_limit = (char *)fresh + room;
  base = aligned((char *)fresh, fresh->contents, stack->alignment_mask);
  __builtin_memcpy(base, stack->object_base, (size_t)size);
  /* The old chunk goes if this was its only object. */
  if (!stack->maybe_empty_object &&
      stack->object_base == aligned((char *)old, old->contents, stack->alignment_mask)) {
    fresh->prev = old->prev;
    give(stack, old);
  }
  stack->object_base = base;
  stack->next_free = base + size;
  stack->maybe_empty_object = 0;
}

static int holds(const struct _obstack_chunk *chunk, const void *object) {
  return (uintptr_t)object > (uintptr_t)chunk && (uintptr_t)object <= (uintptr_t)chunk->limit;
}

WEAK int _obstack_allocated_p(struct obstack *stack, void *object) {
  struct _obstack_chunk *chunk = stack->chunk;
  while (chunk != NULL && !holds(chunk, object))
    chunk = chunk->prev;
  return chunk != NULL;
}

/* Frees the object and everything that came after it; all if it is null. */
WEAK void obstack_free(struct obstack *stack, void *object) {
  struct _obstack_chunk *chunk = stack->chunk;
  while (chunk != NULL && !holds(chunk, object)) {
    struct _obstack_chunk *before = chunk->prev;
    give(stack, chunk);
    chunk = before;
    stack->maybe_empty_object = 1;
  }
  if (chunk != NULL) {
    stack->object_base = stack->next_free = object;
    stack->chunk_limit = chunk->limit;
    stack->chunk = chunk;
  } else if (object != NULL) {
    labrys_error("abort");
  }
}

WEAK void _obstack_free(struct obstack *stack, void *object) { obstack_free(stack, object); }

WEAK int _obstack_memory_used(struct obstack *stack) {
  struct _obstack_chunk *chunk;
  int size = 0;
  for (chunk = stack->chunk; chunk != NULL; chunk = chunk->prev)
    size += (int)(chunk->limit - (char *)chunk);
  return size;
}

WEAK int obstack_vprintf(struct obstack *restrict stack, const char *restrict format,
                         va_list arguments) {
  va_list again;
  char *text;
  int size;
  va_copy(again, arguments);
  size = vsnprintf(NULL, 0, format, arguments);
  if (size > 0) {
    text = labrys_malloc((size_t)size + 1);
    vsnprintf(text, (size_t)size + 1, format, again);
    if (stack->chunk_limit - stack->next_free < size)
      _obstack_newchunk(stack, size);
    __builtin_memcpy(stack->next_free, text, (size_t)size);
    stack->next_free += size;
    labrys_free(text);
  }
  va_end(again);
  return size;
}

WEAK int obstack_printf(struct obstack *restrict stack, const char *restrict format, ...) {
  va_list arguments;
  int size;
  va_start(arguments, format);
  size = obstack_vprintf(stack, format, arguments);
  va_end(arguments);
  return size;
}
