// C11 atomics, __atomic and __sync builtins, in one thread.
// expect: result 09000000000000000900000000000000050000000000000000000000000000004d00000000000000010000000000000009000000000000000000000000000000010000000000000002000000000000000f000000000000000f00000000000000f9fffffffffffffff9fffffffffffffff9fffffffffffffffbffffffffffffff01000000000000002100000000000000fa000000000000000400000000000000fb00000000000000ffffffffffffffff
#include "out.h"
#include <stdatomic.h>

static _Atomic int shared = 5;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static _Atomic(struct pair { int a, b; }) pair;

int main(void) {
    shared += 3;
    shared++;
    out((unsigned)shared);
    out((unsigned)atomic_fetch_sub(&shared, 4)), out((unsigned)atomic_exchange(&shared, 77));
    int expected = 1;
    out(atomic_compare_exchange_strong(&shared, &expected, 9)), out((unsigned)expected);
    out(atomic_compare_exchange_strong(&shared, &expected, 9)), out((unsigned)atomic_load(&shared));
    out(atomic_flag_test_and_set(&flag)), out(atomic_flag_test_and_set(&flag));
    atomic_flag_clear(&flag);
    pair = (struct pair){1, 2};
    struct pair copy = pair;
    out((unsigned)copy.b);
    long v = 10;
    out((unsigned long)__atomic_add_fetch(&v, 5, __ATOMIC_SEQ_CST)), out((unsigned long)__atomic_fetch_nand(&v, 6, __ATOMIC_RELAXED));
    out((unsigned long)__atomic_or_fetch(&v, 8, __ATOMIC_ACQ_REL)), out((unsigned long)v);
    out((unsigned long)__sync_fetch_and_add(&v, 2)), out((unsigned long)__sync_val_compare_and_swap(&v, 0, 1));
    out(__sync_bool_compare_and_swap(&v, v, 33)), out((unsigned long)v);
    unsigned char byte = 250;
    out(__atomic_fetch_add(&byte, 10, __ATOMIC_SEQ_CST)), out(byte), out(__sync_xor_and_fetch(&byte, 0xff));
    atomic_thread_fence(memory_order_seq_cst);
    long stored;
    __atomic_store_n(&v, -1, __ATOMIC_RELEASE);
    __atomic_load(&v, &stored, __ATOMIC_ACQUIRE);
    out((unsigned long)stored);
    return finish();
}
