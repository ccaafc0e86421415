#include <stdatomic.h>
int update(_Atomic int *p, int v) {
  int expected = v;
  atomic_fetch_add(p, 3);
  atomic_exchange(p, v);
  __atomic_fetch_nand((int *)p, v, __ATOMIC_SEQ_CST);
  __atomic_fetch_max((unsigned *)p, 9u, __ATOMIC_RELAXED);
  atomic_thread_fence(memory_order_seq_cst);
  return atomic_compare_exchange_strong(p, &expected, 5) + expected;
}
