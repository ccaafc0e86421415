/* guarded.c: calls of the program that make something which cannot be kept apart when a test is
 * split (other processes, threads, shared memory), or that take over the signals by which a mutant
 * that faults is noticed. Then the test is not split. Linked with --wrap (compile.rs). */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <threads.h>

#include "replay.h"
#include "split.h"

static void must_not_split(void) {
  if (is_splitting)
    give_up_splitting();
}

pid_t __wrap_fork(void) {
  must_not_split();
  return __real_fork();
}

/* It returns twice, so it is left by a jump. */
__asm__(".text\n\t"
        ".globl __wrap_vfork\n"
        "__wrap_vfork:\n\t"
        "cmpl $0, labrys_replay_is_splitting(%rip)\n\t"
        "jne labrys_replay_give_up_splitting\n\t"
        "jmp __real_vfork@PLT\n");

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*what)(void *),
                          void *with) {
  must_not_split();
  return __real_pthread_create(thread, how, what, with);
}

int __real_thrd_create(thrd_t *, thrd_start_t, void *);
int __wrap_thrd_create(thrd_t *thread, thrd_start_t what, void *with) {
  must_not_split();
  return __real_thrd_create(thread, what, with);
}

void *__wrap_mmap(void *where, size_t size, int protection, int flags, int file, off_t at) {
  if (flags & MAP_SHARED)
    must_not_split();
  return __real_mmap(where, size, protection, flags, file, at);
}

/* ---- Signals of faults ---- */

static int is_fault(int number) {
  return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

int __real_sigaction(int, const struct sigaction *, struct sigaction *);
int __wrap_sigaction(int number, const struct sigaction *new, struct sigaction *old) {
  if (new && is_fault(number))
    must_not_split();
  return __real_sigaction(number, new, old);
}

void (*__wrap_signal(int number, void (*handler)(int)))(int) {
  if (is_fault(number))
    must_not_split();
  return __real_signal(number, handler);
}
