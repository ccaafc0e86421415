/* A whole program natively, once for each sequence of its inputs: TORTURE_SEQUENCE has two bits for
 * each of them. */
#include <stdlib.h>
static unsigned long sequence;
unsigned char labrys_uchar(const char *name) {
  static int is_read;
  (void)name;
  if (!is_read) {
    const char *text = getenv("TORTURE_SEQUENCE");
    sequence = text ? strtoul(text, 0, 10) : 0;
    is_read = 1;
  }
  unsigned char event = sequence & 3;
  sequence >>= 2;
  return event;
}
