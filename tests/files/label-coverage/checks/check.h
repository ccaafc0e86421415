/* What the checks of the subjects share: the driver is compiled under another name and never run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define main driver

static int checked;

#define CHECK(condition)                                                                       \
  do {                                                                                         \
    checked++;                                                                                 \
    if (!(condition)) {                                                                        \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                          \
      exit(1);                                                                                 \
    }                                                                                          \
  } while (0)

int labrys_int(const char *name) { return name[0]; }
void labrys_assume(int condition) { (void)condition; }
void labrys_symbolic(void *ptr, size_t size, const char *name) { memset(ptr, name[0], size); }
