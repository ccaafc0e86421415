// A function that takes locks or has atomic objects may be called in a program with other threads.
// arguments: --function threads
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int shared, guarded, initialised;
static _Atomic int number;
static atomic_flag taken = ATOMIC_FLAG_INIT;
struct item { int value; struct item *next; _Atomic int users; };
static struct item item = {3, NULL, 1}, *list = &item;

static void set_up(void) { initialised = 1; }

int threads(int n, int *given, _Atomic int *atomic, struct item *own) {
    int a, b, expected = 0;
    _Atomic int local = 3;
    struct item *made;
    switch (n) {
    case 0:
        a = number;
        return number != a ? 1 : 0; //@ true unknown threads
    case 1:
        a = *atomic;
        return *atomic != a ? 1 : 0; //@ true unknown threads
    case 2:
        a = __atomic_load_n(given, __ATOMIC_RELAXED);
        return __atomic_load_n(given, __ATOMIC_RELAXED) != a ? 1 : 0; //@ true unknown threads
    case 3:
        number = 3;
        return number != 3 ? 1 : 0; //@ true unknown threads
    case 4:
        pthread_mutex_lock(&mutex);
        shared = 3;
        pthread_mutex_unlock(&mutex);
        pthread_mutex_lock(&mutex);
        b = shared;
        pthread_mutex_unlock(&mutex);
        return b != 3 ? 1 : 0; //@ true unknown threads
    case 5:
        pthread_rwlock_wrlock(&rwlock);
        *given = 3;
        pthread_rwlock_unlock(&rwlock);
        pthread_rwlock_rdlock(&rwlock);
        b = *given;
        pthread_rwlock_unlock(&rwlock);
        return b != 3 ? 1 : 0; //@ true unknown threads
    case 6:
        guarded = 0;
        atomic_store_explicit(&number, 1, memory_order_release);
        while (!atomic_load_explicit(&number, memory_order_acquire))
            ;
        return guarded == 7 ? 1 : 0; //@ true unknown threads
    case 7:
        number = 0;
        return !atomic_compare_exchange_strong(&number, &expected, 1) ? 1 : 0; //@ true open
    case 8:
        number = 2;
        return atomic_fetch_sub(&number, 1) == 1 ? 1 : 0; //@ true unknown threads
    case 9:
        atomic_flag_clear(&taken);
        return atomic_flag_test_and_set(&taken) ? 1 : 0; //@ true unknown threads
    case 10:
        own->value = 3;
        atomic_fetch_add(&own->users, 1);
        return own->value != 3 ? 1 : 0; //@ true unknown threads
    case 11:
        list->value = 4;
        pthread_mutex_lock(&mutex);
        b = list->value;
        pthread_mutex_unlock(&mutex);
        return b == 5 ? 1 : 0; //@ true unknown threads
    case 12:
        pthread_once(&once, set_up);
        return initialised == 0 ? 1 : 0; //@ true open
    case 13:
        return pthread_getspecific(key) != NULL ? 1 : 0; //@ true unknown the values of the thread
    case 14:
        guarded = 3;
        atomic_thread_fence(memory_order_acquire);
        return guarded != 3 ? 1 : 0; //@ true unknown threads
    case 15: // Nobody else has it.
        return local != 3 ? 1 : 0; //@ true infeasible
    case 16: // Without a lock or an atomic object it would be a data race.
        shared = 3;
        *given = 4;
        return shared == 5 ? 1 : 0; //@ true infeasible
    case 17: // With the lock in hand.
        pthread_mutex_lock(&mutex);
        shared = 3;
        a = shared;
        pthread_mutex_unlock(&mutex);
        return a != 3 ? 1 : 0; //@ true infeasible
    case 18: // What it has read is its own.
        a = number & 3;
        return a > 3 ? 1 : 0; //@ true infeasible
    case 19: // Nobody else knows it yet.
        made = calloc(1, sizeof *made);
        if (made) {
            made->value = 3;
            pthread_mutex_lock(&mutex);
            pthread_mutex_unlock(&mutex);
            if (made->value != 3) //@ true infeasible
                return 1;
        }
        free(made);
        return 0;
    }
    return 0;
}
