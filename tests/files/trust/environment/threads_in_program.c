// A program that makes no thread has one.
// arguments: --main
#include "labrys.h"
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static _Atomic int number;
static int shared;

int main(void) {
    int x = labrys_int("x");
    number = x & 3;
    pthread_mutex_lock(&mutex);
    shared = x & 7;
    pthread_mutex_unlock(&mutex);
    if (number > 3) //@ true infeasible
        return 1;
    pthread_mutex_lock(&mutex);
    if (shared > 7) //@ true infeasible
        x = 0;
    pthread_mutex_unlock(&mutex);
    return x == 5 ? 1 : 0; //@ true covered
}
