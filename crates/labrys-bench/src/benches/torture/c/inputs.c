/* The inputs of a csmith program natively: random bytes by the seed TORTURE_SEED, small numbers
 * often. */
#include <stdlib.h>
void labrys_symbolic(void *object, unsigned long size, const char *name) {
  static unsigned long state;
  const char *seed = getenv("TORTURE_SEED");
  if (state == 0) state = 88172645463325252u + 2654435761u * (seed ? strtoul(seed, 0, 10) : 0);
  (void)name;
  int is_small = 0;
  for (unsigned long k = 0; k < size; k++) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    if (k == 0) is_small = (state >> 40) % 2;
    ((unsigned char *)object)[k] = is_small && k > 0 ? 0 : (unsigned char)(state >> 24);
    if (is_small && k == 0) ((unsigned char *)object)[0] %= 8;
  }
}
