/* threads.c: one thread. Locks are always free; a second thread cannot be made here. But the caller of
 * a function may have others, which change what they share before this one has the lock. */
#include "files.h"

#define TAKEN(name)                                                                            \
  WEAK int name(void *object) {                                                                \
    (void)object;                                                                              \
    labrys_other_threads();                                                                    \
    return 0;                                                                                  \
  }
TAKEN(pthread_mutex_lock)
TAKEN(pthread_mutex_trylock)
TAKEN(pthread_rwlock_rdlock)
TAKEN(pthread_rwlock_wrlock)

#define FREE(name)                                                                             \
  WEAK int name(void *object) {                                                                \
    (void)object;                                                                              \
    return 0;                                                                                  \
  }
FREE(pthread_mutex_destroy)
FREE(pthread_mutex_unlock)
FREE(pthread_mutexattr_init)
FREE(pthread_mutexattr_destroy)
FREE(pthread_rwlock_destroy)
FREE(pthread_rwlock_unlock)
FREE(pthread_cond_destroy)
FREE(pthread_cond_signal)
FREE(pthread_cond_broadcast)
FREE(pthread_attr_init)
FREE(pthread_attr_destroy)

#define MADE(name)                                                                             \
  WEAK int name(void *object, const void *attributes) {                                        \
    (void)object, (void)attributes;                                                            \
    return 0;                                                                                  \
  }
MADE(pthread_mutex_init)
MADE(pthread_rwlock_init)
MADE(pthread_cond_init)

WEAK int pthread_mutexattr_settype(void *attributes, int type) {
  (void)attributes, (void)type;
  return 0;
}

WEAK int pthread_cond_wait(void *condition, void *mutex) {
  (void)condition, (void)mutex;
  labrys_unsupported("waiting for another thread");
}

WEAK int pthread_create(void *thread, const void *attributes, void *(*function)(void *),
                        void *argument) {
  (void)thread, (void)attributes, (void)function, (void)argument;
  labrys_unsupported("a second thread");
}

WEAK unsigned long pthread_self(void) { return 1; }

WEAK int pthread_equal(unsigned long left, unsigned long right) { return left == right; }

WEAK int pthread_once(int *control, void (*function)(void)) {
  labrys_other_threads();
  if ((*control & 2) == 0) { /* as glibc has it: 2 once it is done */
    *control = 2;
    function();
  }
  return 0;
}

/* ---- Values of the thread ---- */

enum { KEYS = 64, EAGAIN = 11 };

static const void *labrys_thread_values[KEYS];
static unsigned labrys_thread_keys;

WEAK int pthread_key_create(unsigned *key, void (*destroy)(void *)) {
  (void)destroy; /* the main thread's values are not destroyed */
  if (labrys_thread_keys == KEYS)
    return EAGAIN;
  *key = labrys_thread_keys++;
  return 0;
}

WEAK int pthread_key_delete(unsigned key) {
  (void)key;
  return 0;
}

WEAK void *pthread_getspecific(unsigned key) {
  return key < labrys_thread_keys ? (void *)labrys_thread_values[key] : NULL;
}

WEAK int pthread_setspecific(unsigned key, const void *value) {
  if (key >= labrys_thread_keys)
    return EINVAL;
  labrys_thread_values[key] = value;
  return 0;
}
