/* threads.c: locks of a program with one thread, which are always free. */
#include "engine.h"

#define ALWAYS(name)                                                                           \
  WEAK int name(void *object) {                                                                \
    (void)object;                                                                              \
    return 0;                                                                                  \
  }
ALWAYS(pthread_mutex_lock)
ALWAYS(pthread_mutex_trylock)
ALWAYS(pthread_mutex_unlock)
ALWAYS(pthread_mutex_destroy)
ALWAYS(pthread_rwlock_rdlock)
ALWAYS(pthread_rwlock_wrlock)
ALWAYS(pthread_rwlock_unlock)
ALWAYS(pthread_rwlock_destroy)
ALWAYS(pthread_cond_signal)
ALWAYS(pthread_cond_broadcast)
ALWAYS(pthread_cond_destroy)
ALWAYS(pthread_mutexattr_init)
ALWAYS(pthread_mutexattr_destroy)

#define ALWAYS_WITH(name)                                                                      \
  WEAK int name(void *object, const void *attributes) {                                        \
    (void)object, (void)attributes;                                                            \
    return 0;                                                                                  \
  }
ALWAYS_WITH(pthread_mutex_init)
ALWAYS_WITH(pthread_rwlock_init)
ALWAYS_WITH(pthread_cond_init)

WEAK int pthread_mutexattr_settype(void *attributes, int type) {
  (void)attributes, (void)type;
  return 0;
}

WEAK unsigned long pthread_self(void) { return 1; }

WEAK int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

WEAK int pthread_once(int *once, void (*function)(void)) {
  if (*once == 0) {
    *once = 2;
    function();
  }
  return 0;
}
