/* heap.c: the allocation functions, on the engine's own objects. An allocation fails if it is
 * larger than all the memory that a native run may use, and only then. */
#include "engine.h"

/* The limit of the replay. */
static const size_t MOST = (size_t)1 << 30;

/* On a larger machine the allocation might succeed, up to what no machine has: nothing is proved
 * from its failure. */
static void *no_memory(size_t size) {
  if (size <= PTRDIFF_MAX)
    labrys_touch("environment: memory");
  *__errno_location() = ENOMEM;
  return NULL;
}

WEAK void *malloc(size_t size) {
  if (size > MOST)
    return no_memory(size);
  return labrys_malloc(size);
}

WEAK void free(void *ptr) { labrys_free(ptr); }

WEAK void *calloc(size_t count, size_t size) {
  size_t total;
  void *block;
  if (__builtin_mul_overflow(count, size, &total))
    return no_memory(SIZE_MAX);
  if (total > MOST)
    return no_memory(total);
  block = labrys_malloc(total);
  __builtin_memset(block, 0, total);
  return block;
}

WEAK void *realloc(void *ptr, size_t size) {
  size_t old_size;
  void *block;
  if (ptr == NULL)
    return malloc(size);
  if (size == 0) {
    labrys_free(ptr);
    return NULL;
  }
  if (size > MOST)
    return no_memory(size);
  old_size = labrys_object_size(ptr);
  block = labrys_malloc(size);
  __builtin_memcpy(block, ptr, old_size < size ? old_size : size);
  labrys_free(ptr);
  return block;
}

WEAK void *reallocarray(void *ptr, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total))
    return no_memory(SIZE_MAX);
  return realloc(ptr, total);
}

WEAK void *memalign(size_t alignment, size_t size) {
  if (size > MOST)
    return no_memory(size);
  return labrys_malloc_aligned(alignment, size);
}

WEAK void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

WEAK int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment % sizeof(void *) != 0)
    return EINVAL;
  if (size > MOST) {
    labrys_touch("environment: memory");
    return ENOMEM;
  }
  *place = labrys_malloc_aligned(alignment, size);
  return 0;
}

WEAK size_t malloc_usable_size(void *ptr) { return ptr ? labrys_object_size(ptr) : 0; }
