/* getopt.c: getopt and its long forms on random command lines: results, globals, order of arguments
 * and messages. */
#include "check.h"
#include <getopt.h>
#include <unistd.h>

MODEL(getopt); MODEL(getopt_long); MODEL(getopt_long_only); MODEL(optarg); MODEL(optind); MODEL(opterr);
MODEL(optopt); MODEL(getsubopt);

static int flag_left, flag_right;

static const char *const words[] = {"-a", "-b", "-bx", "-ab", "-c", "-cx", "--", "-", "x", "y", "--alpha", "--al",
                                    "--beta=1", "--beta", "--bet", "--be", "--gamma=", "--alpha=3", "--zeta", "-z",
                                    "-abz", "-W", "alpha", "-Wbeta=2", "-beta", "-alp", "--bex", "-:", "", "--g"};

static void one(int kind, const char *letters, int count, char *const *original) {
  static struct option names[2][8];
  struct option list[] = {{"alpha", 0, NULL, 'A'}, {"beta", 1, NULL, 'B'}, {"bex", 1, NULL, 'X'},
                          {"gamma", 2, NULL, 'G'}, {"delta", 0, NULL, 7}, {"galaxy", 2, NULL, 'G'}, {NULL, 0, NULL, 0}};
  char *left[12], *right[12], messages[1 << 12];
  int step, i, pipes[2], saved = dup(2), index_left = -1, index_right = -1;
  size_t size;
  memcpy(left, original, sizeof left);
  memcpy(right, original, sizeof right);
  memcpy(names[0], list, sizeof list);
  memcpy(names[1], list, sizeof list);
  names[0][4].flag = &flag_left;
  names[1][4].flag = &flag_right;
  model_optind = optind = 0;
  captured_size[2] = 0;
  fflush(stderr);
  if (pipe(pipes) != 0)
    abort();
  dup2(pipes[1], 2);
  for (step = 0; step < 20; step++) {
    int x, y;
    if (kind == 0) {
      x = model_getopt(count, left, letters);
      y = getopt(count, right, letters);
    } else if (kind == 1) {
      x = model_getopt_long(count, left, letters, names[0], &index_left);
      y = getopt_long(count, right, letters, names[1], &index_right);
    } else {
      x = model_getopt_long_only(count, left, letters, names[0], &index_left);
      y = getopt_long_only(count, right, letters, names[1], &index_right);
    }
    CHECK(x == y && model_optind == optind && model_optarg == optarg && model_optopt == optopt &&
              index_left == index_right && flag_left == flag_right,
          "getopt %d '%s' step %d: %d %d, optind %d %d, optarg %s %s, optopt %d %d", kind, letters, step, x, y,
          model_optind, optind, model_optarg, optarg, model_optopt, optopt);
    if (x == -1 || x != y)
      break;
  }
  for (i = 0; i < count; i++)
    CHECK(left[i] == right[i], "the order of arguments");
  fflush(stderr);
  dup2(saved, 2);
  close(saved);
  close(pipes[1]);
  size = (size_t)read(pipes[0], messages, sizeof messages);
  close(pipes[0]);
  CHECK(size == captured_size[2] && memcmp(messages, captured[2], size) == 0, "messages: %.*s\n%.*s", (int)size,
        messages, (int)captured_size[2], captured[2]);
}

static void suboptions(void) {
  static char *const tokens[] = {"ro", "rw", "name", NULL};
  static const char *const lists[] = {"ro,name=x,rw", "name", "zz=1,ro", "", "ro=,,name=a=b", "rox"};
  char left[40], right[40], *a = left, *b = right, *value_a = NULL, *value_b = NULL;
  const char *list = lists[below(6)];
  strcpy(left, list);
  strcpy(right, list);
  while (*b != 0) {
    int x = model_getsubopt(&a, tokens, &value_a), y = getsubopt(&b, tokens, &value_b);
    CHECK(x == y && a - left == b - right && (value_a == NULL) == (value_b == NULL) &&
              (value_a == NULL || strcmp(value_a, value_b) == 0), "getsubopt %s", list);
    if (a - left != b - right)
      break;
  }
}

void check_getopt(void) {
  static const char *const letters[] = {"ab:c::", "+ab:c::", "-ab:c::", ":ab:c::", "ab:c::W;", "+:ab:", ""};
  int round, i;
  for (round = 0; round < 3000; round++) {
    char *arguments[12] = {"program"};
    int count = 1 + (int)below(7);
    for (i = 1; i < count; i++)
      arguments[i] = (char *)words[below(sizeof words / sizeof *words)];
    model_opterr = opterr = below(8) != 0;
    one((int)below(3), letters[below(7)], count, arguments);
    suboptions();
  }
}
