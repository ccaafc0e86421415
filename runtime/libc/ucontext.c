/* ucontext.c: contexts, which go on elsewhere: the models do not know them. */
#include "engine.h"

WEAK int getcontext(void *context) {
  (void)context;
  labrys_unsupported("getcontext");
}

WEAK int setcontext(const void *context) {
  (void)context;
  labrys_unsupported("setcontext");
}

WEAK void makecontext(void *context, void (*function)(void), int count, ...) {
  (void)context, (void)function, (void)count;
  labrys_unsupported("makecontext");
}

WEAK int swapcontext(void *from, const void *to) {
  (void)from, (void)to;
  labrys_unsupported("swapcontext");
}
