/* The odometer: runs a program on every possible input, in one process.
 *
 * The program is compiled with -Dmain=program_main and linked with this file. Each input that it
 * asks for is a digit of a counter; a run that asked for k inputs is followed by the run in which
 * the k-th digit is one higher, so that input sequences which depend on the path are enumerated
 * depth first. A run that fails an assumption is undone completely. Between two runs the whole
 * data segment is put back, so globals and static locals start fresh.
 *
 * Events (clang's own profile counters, and basic blocks) are folded into a hash a run. The number
 * of distinct hashes is the number of traces. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int program_main(void);

extern char __data_start[], _end[];
uint64_t *__llvm_profile_begin_counters(void);
uint64_t *__llvm_profile_end_counters(void);
int __llvm_profile_write_file(void);
char *__llvm_profile_begin_bitmap(void);
char *__llvm_profile_end_bitmap(void);
void __llvm_profile_set_filename(const char *name);

enum { MAX_DIGITS = 64, MAX_DOMAINS = 16, MAX_LETTERS = 64 };

struct digit {
    uint64_t value, last;
};

struct domain {
    const char *name;
    int64_t low, high;
};

/* The values that stand for all values of an input's elements: given by the program's file. */
struct alphabet {
    const char *name;
    size_t size;
    uint64_t count;
    int64_t letters[MAX_LETTERS];
};

struct set {
    uint64_t *slots;
    uint64_t capacity, count;
};

/* Everything that must survive the reset of the data segment lives outside of it. */
struct oracle {
    struct digit digits[MAX_DIGITS];
    unsigned known, used;
    struct domain domains[MAX_DOMAINS];
    unsigned domain_count;
    struct alphabet alphabets[MAX_DOMAINS];
    unsigned alphabet_count;
    uint64_t counter_hash, block_hash, events;
    struct set counter_traces, both_traces;
    uint64_t runs, rejected, longest;
    uint64_t *counts;
    char *bits;
    char *saved;
    jmp_buf out;
    int probing;
    uint64_t probe_seed;
};

static struct oracle *oracle;

enum { FINISHED = 1, REJECTED = 2 };

static void fail(const char *what, const char *detail) {
    fprintf(stderr, "oracle: %s: %s\n", what, detail);
    _Exit(3);
}

static void *fresh(size_t size) {
    void *memory = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("out of memory", "mmap");
    return memory;
}

/* ---- The set of trace hashes: open addressing, zero is the free slot. ---- */

static void insert(struct set *set, uint64_t hash) {
    if (hash == 0) hash = 1;
    if (set->count * 2 >= set->capacity) {
        struct set bigger = {0, set->capacity ? set->capacity * 4 : 1024, 0};
        bigger.slots = fresh(bigger.capacity * sizeof *bigger.slots);
        for (uint64_t i = 0; i < set->capacity; i++)
            if (set->slots[i]) insert(&bigger, set->slots[i]);
        if (set->slots) munmap(set->slots, set->capacity * sizeof *set->slots);
        *set = bigger;
    }
    uint64_t at = (hash * 0x9e3779b97f4a7c15u) & (set->capacity - 1);
    while (set->slots[at] && set->slots[at] != hash) at = (at + 1) & (set->capacity - 1);
    if (!set->slots[at]) {
        set->slots[at] = hash;
        set->count++;
    }
}

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash ^= word + 0x9e3779b97f4a7c15u + (hash << 12) + (hash >> 4);
    hash *= 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 32);
}

/* ---- Events, called from the instrumented program. ---- */

void oracle_counter(uint32_t function, uint32_t index, uint64_t step) {
    uint64_t word = mix(function, (uint64_t)index * 2 + (step != 0));
    oracle->counter_hash = mix(oracle->counter_hash, word);
    oracle->block_hash = mix(oracle->block_hash, word);
    oracle->events++;
}

/* clang 19 also asks for the stack depth when it instruments IR; nobody reads it. */
__thread uintptr_t __sancov_lowest_stack;

void __sanitizer_cov_trace_pc_guard_init(uint32_t *start, uint32_t *stop) {
    uint32_t id = 0;
    while (start < stop) *start++ = ++id;
}

void __sanitizer_cov_trace_pc_guard(uint32_t *guard) {
    if (oracle) oracle->block_hash = mix(oracle->block_hash, *guard);
}

/* ---- Inputs. ---- */

static uint64_t next_digit(size_t size, const char *name, uint64_t values) {
    int64_t low = 0;
    uint64_t last = values - 1;
    for (unsigned i = 0; i < oracle->domain_count; i++)
        if (strcmp(oracle->domains[i].name, name) == 0) {
            low = oracle->domains[i].low;
            last = (uint64_t)(oracle->domains[i].high - low);
        }
    if (oracle->probing) { /* a random value, used to probe outside the declared domains */
        oracle->probe_seed = oracle->probe_seed * 6364136223846793005u + 1442695040888963407u;
        uint64_t random = oracle->probe_seed >> 8;
        return size >= 8 ? random * 257 : random & ((1ull << (8 * size)) - 1);
    }
    if (last == UINT64_MAX || last > (1u << 24)) fail("input too large to enumerate", name);
    if (oracle->used == MAX_DIGITS) fail("too many inputs", name);
    struct digit *digit = &oracle->digits[oracle->used];
    if (oracle->used == oracle->known) {
        *digit = (struct digit){0, last};
        oracle->known++;
    } else if (digit->last != last) {
        fail("the program is not deterministic", name);
    }
    oracle->used++;
    return digit->value + (uint64_t)low;
}

void labrys_symbolic(void *ptr, size_t size, const char *name) {
    uint64_t value;
    for (unsigned i = 0; i < oracle->alphabet_count; i++) {
        struct alphabet *a = &oracle->alphabets[i];
        if (strcmp(a->name, name) != 0) continue;
        for (size_t at = 0; at + a->size <= size; at += a->size)
            memcpy((char *)ptr + at, &a->letters[next_digit(a->size, "", a->count)], a->size);
        return;
    }
    if (size <= 8) {
        value = next_digit(size, name, size == 8 ? 0 : 1ull << (8 * size));
        memcpy(ptr, &value, size);
        return;
    }
    for (size_t i = 0; i < size; i++) labrys_symbolic((char *)ptr + i, 1, name);
}

void labrys_assume(int condition) {
    if (!condition) longjmp(oracle->out, REJECTED);
}

_Bool labrys_bool(const char *name) { return next_digit(1, name, 2) & 1; }

#define INPUT(type, suffix)                       \
    type labrys_##suffix(const char *name) {      \
        type value;                               \
        labrys_symbolic(&value, sizeof value, name); \
        return value;                             \
    }
INPUT(char, char)
INPUT(signed char, schar)
INPUT(unsigned char, uchar)
INPUT(short, short)
INPUT(unsigned short, ushort)
INPUT(int, int)
INPUT(unsigned, uint)
INPUT(long, long)
INPUT(unsigned long, ulong)
INPUT(long long, llong)
INPUT(unsigned long long, ullong)

void labrys_output(const char *name, const void *ptr, size_t size) {
    (void)name, (void)ptr, (void)size;
}

void __wrap_exit(int status) {
    (void)status;
    longjmp(oracle->out, FINISHED);
}

/* ---- The runs. ---- */

static int run_once(void) {
    oracle->used = 0;
    oracle->counter_hash = oracle->block_hash = 1;
    oracle->events = 0;
    int end = setjmp(oracle->out);
    if (end == 0) {
        program_main();
        end = FINISHED;
    }
    return end;
}

static void restore(void) {
    struct oracle *keep = oracle;
    memcpy(__data_start, keep->saved, (size_t)(_end - __data_start));
}

static size_t counters_size(void) {
    return (size_t)((char *)__llvm_profile_end_counters() - (char *)__llvm_profile_begin_counters());
}

static size_t bitmap_size(void) {
    return (size_t)(__llvm_profile_end_bitmap() - __llvm_profile_begin_bitmap());
}

/* Adds the counters and MC/DC vectors of the run that has just ended to the totals. */
static void commit(void) {
    uint64_t *from = __llvm_profile_begin_counters();
    size_t count = (size_t)(__llvm_profile_end_counters() - from);
    for (size_t i = 0; i < count; i++) oracle->counts[i] += from[i];
    for (size_t i = 0; i < bitmap_size(); i++) oracle->bits[i] |= __llvm_profile_begin_bitmap()[i];
    insert(&oracle->counter_traces, oracle->counter_hash);
    insert(&oracle->both_traces, oracle->block_hash);
    if (oracle->events > oracle->longest) oracle->longest = oracle->events;
}

static int advance(void) {
    oracle->known = oracle->used;
    while (oracle->known > 0) {
        struct digit *digit = &oracle->digits[oracle->known - 1];
        if (digit->value < digit->last) {
            digit->value++;
            return 1;
        }
        oracle->known--;
    }
    return 0;
}

/* Runs on random inputs that ignore the domains, and returns how many traces are new: with
 * correct domains there are none. */
static uint64_t probe(void) {
    uint64_t before = oracle->both_traces.count;
    oracle->probing = 1;
    for (int i = 0; i < 200000; i++) {
        if (run_once() == FINISHED) insert(&oracle->both_traces, oracle->block_hash);
        restore();
    }
    return oracle->both_traces.count - before;
}

/* Reads NAME LOW HIGH, or NAME SIZE LETTERS where the letters are joined by commas. */
static void read_arguments(int argc, char **argv) {
    for (int i = 2; i + 2 < argc; i += 3) {
        if (!strchr(argv[i + 2], ',')) {
            oracle->domains[oracle->domain_count++] =
                (struct domain){argv[i], atoll(argv[i + 1]), atoll(argv[i + 2])};
            continue;
        }
        struct alphabet *a = &oracle->alphabets[oracle->alphabet_count++];
        a->name = argv[i];
        a->size = (size_t)atoi(argv[i + 1]);
        for (char *word = strtok(argv[i + 2], ","); word && a->count < MAX_LETTERS; word = strtok(0, ","))
            a->letters[a->count++] = atoll(word);
    }
}

/* usage: PROGRAM PROFRAW [NAME LOW HIGH | NAME SIZE LETTER,LETTER…]… */
int main(int argc, char **argv) {
    oracle = fresh(sizeof *oracle);
    oracle->probe_seed = 12345;
    read_arguments(argc, argv);
    size_t size = (size_t)(_end - __data_start);
    oracle->counts = fresh(counters_size() + 8);
    oracle->bits = fresh(bitmap_size() + 8);
    oracle->saved = fresh(size);
    memcpy(oracle->saved, __data_start, size);
    do {
        int end = run_once();
        oracle->runs++;
        if (end == FINISHED)
            commit();
        else
            oracle->rejected++;
        restore();
    } while (advance());
    uint64_t traces = oracle->counter_traces.count, both = oracle->both_traces.count;
    uint64_t outside = oracle->domain_count ? probe() : 0;
    memcpy(__llvm_profile_begin_counters(), oracle->counts, counters_size());
    memcpy(__llvm_profile_begin_bitmap(), oracle->bits, bitmap_size());
    __llvm_profile_set_filename(argv[1]);
    __llvm_profile_write_file();
    fprintf(stderr, "runs %llu rejected %llu traces %llu both %llu outside %llu longest %llu\n",
            (unsigned long long)oracle->runs, (unsigned long long)oracle->rejected,
            (unsigned long long)traces, (unsigned long long)both, (unsigned long long)outside,
            (unsigned long long)oracle->longest);
    _Exit(0);
}
