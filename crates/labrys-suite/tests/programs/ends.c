/* A hand-annotated program with one harness for each way in which a run can end. */
#include <assert.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "labrys.h"

static int classify(int x, char c) {
  labrys_reach(1);
  if (labrys_decision(7, labrys_cond(7, 0, x > 3) && labrys_cond(7, 1, c == 'a')))
    return 1;
  switch (labrys_switch(2, (unsigned long long)x)) {
  case 0:
    labrys_case(2, 0);
  case 1:
    labrys_case(2, 1);
    return 2;
  default:
    labrys_case(2, 2);
    return 3;
  }
}

void labrys_harness_classify(void) {
  int x = labrys_int("x");
  char c = labrys_char("c");
  int result = classify(x, c);
  labrys_output("return", &result, sizeof result);
}

void labrys_harness_crash(void) {
  labrys_reach(100);
  printf("before");
  *(volatile int *)labrys_ulong("p") = 1;
  labrys_reach(101);
}

void labrys_harness_overflow_stack(void);
static volatile int sink;
static int deeper(int n) {
  volatile char frame[4096];
  frame[0] = (char)n;
  sink = frame[0];
  return deeper(n + 1) + frame[0];
}
void labrys_harness_overflow_stack(void) {
  labrys_reach(110);
  sink = deeper(0);
}

void labrys_harness_divide(void) {
  int d = labrys_int("d");
  labrys_reach(120);
  sink = 7 / d;
  labrys_reach(121);
}

void labrys_harness_hang(void) {
  labrys_reach(200);
  for (;;)
    sink++;
}

void labrys_harness_hang_in_grandchild(void) {
  if (fork() == 0) {
    setsid();
    for (;;)
      pause();
  }
}

void labrys_harness_flood(void) {
  labrys_reach(300);
  for (;;)
    puts("again and again and again and again");
}

void labrys_harness_assume(void) {
  int x = labrys_int("x");
  labrys_assume(x > 0);
  labrys_reach(400);
}

void labrys_harness_exit(void) {
  labrys_reach(500);
  printf("bye");
  exit(labrys_int("code"));
}

void labrys_harness_abort(void) {
  labrys_reach(600);
  abort();
}

void labrys_harness_assert(void) { assert(labrys_int("x") == 1); }

void labrys_harness_error(void) { labrys_error("reach-error"); }

void labrys_harness_pick(void) {
  static int a = 10, b = 20;
  void *const choices[] = {NULL, &a, &b};
  int *p = labrys_pick("p", 3, choices);
  int value = p ? *p : -1;
  labrys_output("value", &value, sizeof value);
}

void labrys_harness_labels(void) {
  int *p = NULL, zero = labrys_int("zero"), i;
  for (i = 0; i < 3; i++) {
    LABRYS_LABEL(900, *p == 3);
    LABRYS_LABEL(901, 10 / zero == 2);
    LABRYS_LABEL(902, i == 2);
    LABRYS_LABEL(903, classify(9, 'a') == 1);
  }
  labrys_reach(904);
}

void labrys_harness_many(void) {
  unsigned i;
  for (i = 0; i < 300000; i++)
    labrys_cond(i, i % 3, (int)(i & 1));
}

void labrys_harness_environment(void) {
  char directory[1024], byte;
  struct stat state;
  int facts[6], is_confined;
  FILE *file = fopen("left-behind", "w");
  facts[0] = file != NULL;
  /* Confined where the system allows it, else in a directory of its own. */
  is_confined = getcwd(directory, sizeof directory) != NULL && strcmp(directory, "/") == 0;
  facts[1] = is_confined || strstr(directory, "labrys-replay-") != NULL;
  facts[2] = read(0, &byte, 1) == 0;
  facts[3] = getenv("PATH") == NULL;
  facts[4] = malloc((size_t)3 << 30) == NULL;
  facts[5] = is_confined ? stat("/etc/passwd", &state) != 0 : stat("../job", &state) == 0;
  labrys_output("facts", facts, sizeof facts);
}

void labrys_harness_mutant_loop(void) {
  int i;
  for (i = 0; i < 1000; i++)
    labrys_mutant(4);
}

void labrys_harness_mutant(void) {
  unsigned active = labrys_mutant(3);
  labrys_output("active", &active, sizeof active);
}

void labrys_harness_scribble(void) {
  labrys_reach(700);
  for (;;) {
    int file = open("fill", O_RDWR | O_CREAT | O_APPEND, 0600);
    if (file < 0 || write(file, "x", 1) != 1)
      raise(SIGKILL);
  }
}
