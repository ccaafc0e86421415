// expect: flags --sym-stdin 4 --trust environment --proof-rules exhausted
// expect: branches 6 covered 5 infeasible 1
// expect: stop exhausted
// A program that never sees the end of what it may read leaves proofs.
#include <unistd.h>

int main(void) {
  unsigned char byte;
  if (read(0, &byte, 1) != 1)
    return 1;
  if (byte > 200 && byte < 100)
    return 2;
  return byte / 2 == 200;
}
