/* Behind the functions that call the subjects: each of them runs in a few processes, so that there
 * are several first calls, each with other random numbers. */
int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = t_fault;
  action.sa_flags = SA_NODEFER | SA_ONSTACK;
  static char stack[1 << 16];
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  for (size_t k = 0; k < sizeof drives / sizeof *drives; k++) {
    for (int turn = 0; turn < (stateful[k] ? 12 : 1); turn++) {
      pid_t child = fork();
      if (child < 0) return 1;
      if (child == 0) {
        sigaltstack(&other, 0);
        sigaction(SIGSEGV, &action, 0);
        sigaction(SIGBUS, &action, 0);
        sigaction(SIGFPE, &action, 0);
        sigaction(SIGILL, &action, 0); /* what a check of the compiler raises */
        alarm(20);
        t_random += (uint64_t)turn * 0x9e3779b97f4a7c15u + k;
        drives[k]();
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (!WIFEXITED(status)) return 2 + (int)k;
    }
  }
  return 0;
}
