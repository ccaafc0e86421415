/* system.c: signals, messages, obstacks, and answers that do not depend on the machine. */
#include "check.h"
#include <err.h>
#include <error.h>
#include <obstack.h>
#include <signal.h>
#include <unistd.h>

MODEL(signal); MODEL(sigaction); MODEL(raise); MODEL(kill); MODEL(sigemptyset); MODEL(sigfillset); MODEL(sigaddset);
MODEL(sigdelset); MODEL(sigismember); MODEL(sigprocmask); MODEL(sigpending); MODEL(strsignal); MODEL(getpid);
MODEL(sysconf); MODEL(err); MODEL(warnx); MODEL(error); MODEL(error_at_line); MODEL(error_message_count);
MODEL(malloc); MODEL(free);
extern int model__obstack_begin(struct obstack *, int, int, void *(*)(long), void (*)(void *));
extern void model__obstack_newchunk(struct obstack *, int), model_obstack_free(struct obstack *, void *);
extern int model_obstack_printf(struct obstack *, const char *, ...);
extern int model__obstack_allocated_p(struct obstack *, void *);

static int caught[4], catches;
static void catch(int number) {
  if (catches < 4)
    caught[catches++] = number;
}

void check_signals(void) {
  sigset_t left, right, old;
  struct sigaction action = {0};
  int i, status;
  for (i = -2; i < 70; i++)
    CHECK(strcmp(model_strsignal(i), strsignal(i)) == 0, "strsignal %d: %s %s", i, model_strsignal(i), strsignal(i));
  model_sigfillset(&left), sigfillset(&right);
  for (i = -1; i < 67; i++) {
    CHECK(model_sigismember(&left, i) == sigismember(&right, i), "sigfillset %d", i);
    if (i % 3 == 0)
      CHECK(model_sigdelset(&left, i) == sigdelset(&right, i), "sigdelset %d", i);
  }
  model_sigemptyset(&left), sigemptyset(&right);
  for (i = -1; i < 67; i += 5)
    CHECK(model_sigaddset(&left, i) == sigaddset(&right, i), "sigaddset %d", i);
  for (i = -1; i < 67; i++)
    CHECK(model_sigismember(&left, i) == sigismember(&right, i), "sigaddset %d", i);
  CHECK(model_signal(SIGUSR1, catch) == SIG_DFL && model_signal(SIGUSR1, catch) == catch, "signal");
  CHECK(model_raise(SIGUSR1) == 0 && catches == 1 && caught[0] == SIGUSR1, "raise");
  CHECK(model_signal(SIGKILL, catch) == SIG_ERR && model_signal(99, catch) == SIG_ERR, "signal");
  CHECK(model_kill(model_getpid(), 0) == 0 && model_kill(77777, SIGTERM) == -1, "kill");
  model_sigemptyset(&left);
  model_sigaddset(&left, SIGUSR1);
  model_sigprocmask(SIG_BLOCK, &left, NULL);
  model_kill(model_getpid(), SIGUSR1);
  CHECK(catches == 1 && model_sigpending(&old) == 0 && model_sigismember(&old, SIGUSR1) == 1, "blocked");
  model_sigprocmask(SIG_UNBLOCK, &left, &old);
  CHECK(catches == 2 && model_sigismember(&old, SIGUSR1) == 1, "unblocked");
  action.sa_handler = catch;
  action.sa_flags = SA_RESETHAND;
  CHECK(model_sigaction(SIGUSR2, &action, NULL) == 0 && model_raise(SIGUSR2) == 0 && catches == 3, "sigaction");
  status = setjmp(ended);
  if (status == 0)
    model_raise(SIGUSR2);
  CHECK(status == 1000 && strcmp(error_kind, "abort") == 0, "a fatal signal");
  CHECK(model_raise(SIGCHLD) == 0, "a harmless signal");
  for (i = 0; i < 250; i++)
    if (i != _SC_ARG_MAX && i != _SC_CHILD_MAX && i != _SC_OPEN_MAX && (i < _SC_NPROCESSORS_CONF || i > _SC_AVPHYS_PAGES) &&
        model_sysconf(i) != -1)
      CHECK(model_sysconf(i) == sysconf(i), "sysconf %d: %ld %ld", i, model_sysconf(i), sysconf(i));
}

void check_messages(void) {
  static const char expected[] = "program: text 1\nprogram: no: No such file or directory\nprogram: bad: Invalid argument\n"
                                 "program:f.c:7: here\n";
  int status;
  captured_size[2] = 0;
  model_warnx("text %d", 1);
  *model___errno_location() = ENOENT;
  status = setjmp(ended);
  if (status == 0)
    model_err(4, "%s", "no");
  CHECK(status == 5, "err's status %d", status);
  status = setjmp(ended);
  if (status == 0)
    model_error(2, EINVAL, "bad");
  CHECK(status == 3, "error's status %d", status);
  model_error_at_line(0, 0, "f.c", 7, "here");
  CHECK(model_error_message_count == 2, "error_message_count");
  CHECK(captured_size[2] == sizeof expected - 1 && memcmp(captured[2], expected, sizeof expected - 1) == 0,
        "messages: %.*s", (int)captured_size[2], captured[2]);
}

#define obstack_chunk_alloc model_malloc
#define obstack_chunk_free model_free
#define _obstack_begin model__obstack_begin
#define _obstack_newchunk model__obstack_newchunk
#undef obstack_free

void check_obstacks(void) {
  struct obstack stack;
  char *words[200], *early;
  int i;
  obstack_init(&stack);
  early = obstack_copy0(&stack, "early", 5);
  for (i = 0; i < 200; i++) {
    int k;
    for (k = 0; k < i; k++)
      obstack_1grow(&stack, (char)('a' + i % 26));
    model_obstack_printf(&stack, "%d", i);
    obstack_1grow(&stack, 0);
    words[i] = obstack_finish(&stack);
    CHECK(((uintptr_t)words[i] & 15) == 0, "alignment");
  }
  for (i = 0; i < 200; i++) {
    char end[8];
    sprintf(end, "%d", i);
    CHECK(strlen(words[i]) == (size_t)i + strlen(end) && strcmp(words[i] + i, end) == 0, "word %d", i);
    CHECK(i == 0 || words[i][0] == 'a' + i % 26, "word %d", i);
  }
  CHECK(model__obstack_allocated_p(&stack, words[150]) && !model__obstack_allocated_p(&stack, &stack), "allocated");
  model_obstack_free(&stack, words[3]);
  CHECK(strcmp(early, "early") == 0 && strcmp(words[2], "cc2") == 0, "what is left");
  CHECK(obstack_alloc(&stack, 10) == words[3], "the place is used again");
  model_obstack_free(&stack, NULL);
}
