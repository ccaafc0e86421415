/* signal.c: handlers, masks, and signals that a program sends to itself: a handler is called,
 * a fatal signal is the end of the run. Nobody else sends any. */
#include "engine.h"
#include "../machine.h"

int fprintf(FILE *restrict stream, const char *restrict format, ...);
int snprintf(char *restrict to, size_t room, const char *restrict format, ...);

enum {
  MOST = 64,
  KILL = 9,
  STOP = 19,
  NO_SUCH_PROCESS = 3,
  NOT_PERMITTED = 1,
  INTERRUPTED = 4,
  RESET_HANDLER = (int)0x80000000,
  NO_DEFER = 0x40000000,
  WITH_INFO = 4
};

typedef void Handler(int);

#define DEFAULT ((Handler *)0)
#define IGNORE ((Handler *)1)
#define FAILED ((Handler *)-1)

typedef struct {
  unsigned long bits[16];
} sigset_t;

/* As glibc lays it out. */
struct sigaction {
  Handler *handler;
  sigset_t mask;
  int flags;
  void (*restorer)(void);
};

static struct sigaction labrys_signal_actions[MOST + 1];
static unsigned long labrys_blocked_signals, pending;

static int fail(int error) {
  *__errno_location() = error;
  return -1;
}

static int is_signal(int number) { return (number >= 1) & (number <= MOST); }

static unsigned long bit(int number) { return 1ul << (number - 1); }

/* Signals that do nothing by themselves: SIGCHLD, SIGCONT, SIGURG, SIGWINCH. */
static int is_harmless(int number) {
  return (number == 17) | (number == 18) | (number == 23) | (number == 28);
}

/* SIGSTOP, SIGTSTP, SIGTTIN, SIGTTOU: nobody would let the program go on. */
static int is_stop(int number) { return (number >= 19) & (number <= 22); }

static void deliver(int number) {
  struct sigaction action = labrys_signal_actions[number];
  unsigned long before = labrys_blocked_signals;
  if (action.handler == IGNORE || (action.handler == DEFAULT && is_harmless(number)))
    return;
  if (action.handler == DEFAULT || number == KILL || is_stop(number))
    labrys_error("abort");
  if (action.flags & RESET_HANDLER)
    labrys_signal_actions[number].handler = DEFAULT;
  labrys_blocked_signals |= action.mask.bits[0];
  if (!(action.flags & NO_DEFER))
    labrys_blocked_signals |= bit(number);
  if (action.flags & WITH_INFO) {
    static int info[32];
    info[0] = number;
    info[2] = -6; /* SI_TKILL */
    info[4] = FIXED_PROCESS;
    ((void (*)(int, void *, void *))(uintptr_t)action.handler)(number, info, NULL);
  } else {
    action.handler(number);
  }
  labrys_blocked_signals = before;
}

static void deliver_pending(void) {
  int number;
  for (number = 1; number <= MOST; number++)
    if (pending & ~labrys_blocked_signals & bit(number)) {
      pending &= ~bit(number);
      deliver(number);
    }
}

/* A fault has raised a signal that has a handler. One that returns would come back to the fault. */
static void fault_signal(int number) {
  if (labrys_blocked_signals & bit(number))
    labrys_error("abort");
  deliver(number);
  labrys_unsupported("a handler of a fault that returns");
}

static int is_function(Handler *handler) {
  return handler != DEFAULT && handler != IGNORE && handler != FAILED;
}

/* SIGABRT, SIGFPE and SIGSEGV are raised by the program itself; the others may come at any time,
 * and these three as well. */
static void note_handlers(int number) {
  unsigned long handled = 0;
  if (is_function(labrys_signal_actions[number].handler)) {
    labrys_touch("environment: signals");
    /* Never here, but perhaps at any time from here on: so the flow of control says it, too. */
    if (number == 0)
      labrys_signal_actions[number].handler(number);
  }
  if (is_function(labrys_signal_actions[6].handler))
    handled |= 1ul << 6;
  if (is_function(labrys_signal_actions[8].handler))
    handled |= 1ul << 8;
  if (is_function(labrys_signal_actions[11].handler))
    handled |= 1ul << 11;
  labrys_handle_faults(handled, fault_signal);
}

void labrys_abort_signal(void) {
  labrys_blocked_signals &= ~bit(6);
  if (is_function(labrys_signal_actions[6].handler))
    deliver(6);
  labrys_signal_actions[6].handler = DEFAULT;
  note_handlers(6);
}

static int send(int number) {
  if (number == 0)
    return 0;
  if (!is_signal(number))
    return fail(EINVAL);
  if (labrys_blocked_signals & bit(number) && number != KILL && number != STOP)
    pending |= bit(number);
  else
    deliver(number);
  return 0;
}

WEAK int raise(int number) {
  return number == 0 ? fail(EINVAL) : send(number);
}

WEAK int gsignal(int number) { return raise(number); }

WEAK int kill(int process, int number) {
  if ((process == FIXED_PROCESS) | (process == 0) | (process == -FIXED_PROCESS))
    return send(number);
  return number < 0 || number > MOST ? fail(EINVAL) : fail(NO_SUCH_PROCESS);
}

WEAK int killpg(int group, int number) {
  return group < 0 ? fail(EINVAL) : kill(-group, number);
}

/* ---- Handlers ---- */

WEAK int sigaction(int number, const struct sigaction *restrict action,
                   struct sigaction *restrict old) {
  if (!is_signal(number) || number == 32 || number == 33)
    return fail(EINVAL);
  if (action != NULL && (number == KILL || number == STOP))
    return fail(EINVAL);
  if (old != NULL)
    *old = labrys_signal_actions[number];
  if (action != NULL) {
    labrys_signal_actions[number] = *action;
    note_handlers(number);
  }
  return 0;
}

static Handler *install(int number, Handler *handler, int flags, int keeps_mask) {
  struct sigaction action, old;
  __builtin_memset(&action, 0, sizeof action);
  action.handler = handler;
  action.flags = flags;
  if (keeps_mask && is_signal(number))
    action.mask.bits[0] = bit(number);
  if (handler == FAILED) {
    fail(EINVAL);
    return FAILED;
  }
  return sigaction(number, &action, &old) == 0 ? old.handler : FAILED;
}

WEAK Handler *signal(int number, Handler *handler) {
  return install(number, handler, 0x10000000, 1); /* SA_RESTART */
}

WEAK Handler *bsd_signal(int number, Handler *handler) { return signal(number, handler); }

WEAK Handler *ssignal(int number, Handler *handler) { return signal(number, handler); }

WEAK Handler *sysv_signal(int number, Handler *handler) {
  return install(number, handler, RESET_HANDLER | NO_DEFER, 0);
}

WEAK Handler *__sysv_signal(int number, Handler *handler) { return sysv_signal(number, handler); }

WEAK int siginterrupt(int number, int interrupts) {
  if (!is_signal(number))
    return fail(EINVAL);
  if (interrupts)
    labrys_signal_actions[number].flags &= ~0x10000000;
  else
    labrys_signal_actions[number].flags |= 0x10000000;
  return 0;
}

WEAK int sigaltstack(const void *stack, void *old) {
  (void)stack;
  if (old != NULL) {
    __builtin_memset(old, 0, 24);
    ((int *)old)[2] = 2; /* SS_DISABLE */
  }
  return 0;
}

/* ---- Sets ---- */

WEAK int sigemptyset(sigset_t *set) {
  __builtin_memset(set, 0, sizeof *set);
  return 0;
}

WEAK int sigfillset(sigset_t *set) {
  __builtin_memset(set, 0xff, sizeof *set);
  set->bits[0] &= ~(bit(32) | bit(33)); /* the C library's own */
  return 0;
}

WEAK int sigaddset(sigset_t *set, int number) {
  if (!is_signal(number) || number == 32 || number == 33)
    return fail(EINVAL);
  set->bits[0] |= bit(number);
  return 0;
}

WEAK int sigdelset(sigset_t *set, int number) {
  if (!is_signal(number) || number == 32 || number == 33)
    return fail(EINVAL);
  set->bits[0] &= ~bit(number);
  return 0;
}

WEAK int sigismember(const sigset_t *set, int number) {
  if (!is_signal(number))
    return fail(EINVAL);
  return (set->bits[0] & bit(number)) != 0;
}

WEAK int sigisemptyset(const sigset_t *set) {
  unsigned long all = 0;
  int i;
  for (i = 0; i < 16; i++)
    all |= set->bits[i];
  return all == 0;
}

/* ---- The mask ---- */

WEAK int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  unsigned long before = labrys_blocked_signals;
  if (set != NULL) {
    unsigned long bits = set->bits[0] & ~(bit(KILL) | bit(STOP));
    if (how == 0)
      labrys_blocked_signals |= bits;
    else if (how == 1)
      labrys_blocked_signals &= ~bits;
    else if (how == 2)
      labrys_blocked_signals = bits;
    else
      return fail(EINVAL);
  }
  if (old != NULL) {
    __builtin_memset(old, 0, sizeof *old);
    old->bits[0] = before;
  }
  deliver_pending();
  return 0;
}

WEAK int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  return sigprocmask(how, set, old) == 0 ? 0 : EINVAL;
}

WEAK int sigpending(sigset_t *set) {
  __builtin_memset(set, 0, sizeof *set);
  set->bits[0] = pending;
  labrys_assumed_bytes(set, sizeof *set, "environment: signals");
  return 0;
}

/* Waits for a signal that only a pending one can be: otherwise it would wait for ever. */
WEAK int sigsuspend(const sigset_t *set) {
  unsigned long before = labrys_blocked_signals;
  labrys_blocked_signals = set->bits[0];
  if (!(pending & ~labrys_blocked_signals))
    labrys_error("abort");
  deliver_pending();
  labrys_blocked_signals = before;
  return fail(INTERRUPTED);
}

/* ---- Names ---- */

static const char *const names[] = {
    [1] = "HUP",   [2] = "INT",    [3] = "QUIT",  [4] = "ILL",   [5] = "TRAP",  [6] = "ABRT",
    [7] = "BUS",   [8] = "FPE",    [9] = "KILL",  [10] = "USR1", [11] = "SEGV", [12] = "USR2",
    [13] = "PIPE", [14] = "ALRM",  [15] = "TERM", [16] = "STKFLT", [17] = "CHLD", [18] = "CONT",
    [19] = "STOP", [20] = "TSTP",  [21] = "TTIN", [22] = "TTOU", [23] = "URG",  [24] = "XCPU",
    [25] = "XFSZ", [26] = "VTALRM", [27] = "PROF", [28] = "WINCH", [29] = "POLL", [30] = "PWR",
    [31] = "SYS"};

static const char *const texts[] = {
    [1] = "Hangup",
    [2] = "Interrupt",
    [3] = "Quit",
    [4] = "Illegal instruction",
    [5] = "Trace/breakpoint trap",
    [6] = "Aborted",
    [7] = "Bus error",
    [8] = "Floating point exception",
    [9] = "Killed",
    [10] = "User defined signal 1",
    [11] = "Segmentation fault",
    [12] = "User defined signal 2",
    [13] = "Broken pipe",
    [14] = "Alarm clock",
    [15] = "Terminated",
    [16] = "Stack fault",
    [17] = "Child exited",
    [18] = "Continued",
    [19] = "Stopped (signal)",
    [20] = "Stopped",
    [21] = "Stopped (tty input)",
    [22] = "Stopped (tty output)",
    [23] = "Urgent I/O condition",
    [24] = "CPU time limit exceeded",
    [25] = "File size limit exceeded",
    [26] = "Virtual timer expired",
    [27] = "Profiling timer expired",
    [28] = "Window changed",
    [29] = "I/O possible",
    [30] = "Power failure",
    [31] = "Bad system call",
};

WEAK const char *sigabbrev_np(int number) {
  return number >= 0 && number < 32 ? names[number] : NULL;
}

WEAK const char *sigdescr_np(int number) {
  return number >= 0 && number < 32 ? texts[number] : NULL;
}

WEAK int __libc_current_sigrtmin(void) { return 34; }

WEAK int __libc_current_sigrtmax(void) { return MOST; }

WEAK char *strsignal(int number) {
  static char unknown[40];
  const char *known = sigdescr_np(number);
  if (known != NULL)
    return (char *)known;
  if (number >= 34 && number <= MOST)
    snprintf(unknown, sizeof unknown, "Real-time signal %d", number - 34);
  else
    snprintf(unknown, sizeof unknown, "Unknown signal %d", number);
  return unknown;
}

WEAK void psignal(int number, const char *text) {
  if (text != NULL && *text != 0)
    fprintf(stderr, "%s: %s\n", text, strsignal(number));
  else
    fprintf(stderr, "%s\n", strsignal(number));
}
