/* random_inputs.c: runs a subject natively with many inputs, to see which branches are feasible.
 *
 * It is linked with a subject whose main is called subject_main and that is compiled with clang's source
 * coverage and with calls at its comparisons. Inputs are those of a file, written by hand, and random
 * changes of them; an input that counts something new is kept and changed further. What an input is
 * compared with is tried in its place. Every run is a process of its own; the counters of all runs are
 * added up and written as one profile, for llvm-cov. It uses nothing of Labrys.
 *
 *     random_inputs RUNS SEED INPUTS DICTIONARY [FOUND]
 *
 * INPUTS has one input a line: numbers, or a text after a quotation mark, with \n for the end of a line.
 * DICTIONARY has numbers. Both may be empty. Inputs that reach something for the first time are added to
 * the file FOUND. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

extern int subject_main(void);
extern uint64_t *__llvm_profile_begin_counters(void);
extern uint64_t *__llvm_profile_end_counters(void);

enum { MOST_VALUES = 600, MOST_KEPT = 4000, MOST_WORDS = 512, MOST_CALLS = 3000, MOST_PAIRS = 512, ROUND = 24 };

struct input {
    int count;
    int32_t value[MOST_VALUES];
};

/* A value that was compared with another one. */
struct pair {
    int32_t value;
    int32_t wanted;
};

/* What a run tells the process that has started it. */
struct shared {
    int is_new;   /* something was counted more often than before */
    int is_first; /* something was reached for the first time */
    int is_crash;
    int pair_count;
    struct pair pairs[MOST_PAIRS];
    uint64_t sum[];
};

static struct input current;
static int used;
static int calls;
static struct shared *shared;
static unsigned char *levels; /* of each counter, the highest level that a run has seen */
static size_t counters;
static struct input *kept;
static int kept_count;
static int32_t words[MOST_WORDS];
static int word_count;
static struct pair pairs[MOST_PAIRS]; /* of the input that is being changed */
static int pair_count;
static FILE *found;
static uint64_t random_state;

static uint32_t random_number(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static int below(int n) { return n > 0 ? (int)(random_number() % (uint32_t)n) : 0; }

/* ---- What the subject calls. ---- */

static int level_of(uint64_t count)
{
    int level = 0;
    while (count > 0) {
        count >>= 1;
        level++;
    }
    return level;
}

static void report(void)
{
    uint64_t *begin = __llvm_profile_begin_counters();
    for (size_t i = 0; i < counters; i++) {
        int level = level_of(begin[i]);
        shared->sum[i] += begin[i];
        if (level > levels[i]) {
            if (levels[i] == 0)
                shared->is_first = 1;
            levels[i] = (unsigned char)level;
            shared->is_new = 1;
        }
    }
    shared->is_crash = 0;
}

/* ---- What the compiler calls at comparisons. ---- */

static void note_pair(int64_t value, int64_t wanted)
{
    struct pair *pair;
    if (value == wanted || !shared)
        return;
    pair = &shared->pairs[shared->pair_count++ % MOST_PAIRS];
    pair->value = (int32_t)value;
    pair->wanted = (int32_t)wanted;
}

void __sanitizer_cov_trace_pc(void) {}

static void note_both(int64_t left, int64_t right)
{
    note_pair(left, right);
    note_pair(right, left);
}

void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { note_both(a, b); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { note_both(a, b); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { note_both(a, b); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { note_both((int64_t)a, (int64_t)b); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { note_pair(b, a); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { note_pair(b, a); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { note_pair(b, a); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { note_pair((int64_t)b, (int64_t)a); }
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases)
{
    for (uint64_t i = 0; i < cases[0]; i++)
        note_pair((int64_t)value, (int64_t)cases[2 + i]);
}

static void end_run(void)
{
    report();
    _exit(0);
}

static int32_t next_value(void)
{
    if (++calls > MOST_CALLS)
        end_run();
    if (used < current.count)
        return current.value[used++];
    return 0;
}

int __VERIFIER_nondet_int(void) { return next_value(); }
int labrys_int(const char *name)
{
    (void)name;
    return next_value();
}
unsigned char labrys_uchar(const char *name)
{
    (void)name;
    return (unsigned char)next_value();
}
void labrys_symbolic(void *ptr, size_t size, const char *name)
{
    (void)name;
    for (size_t i = 0; i < size; i++)
        ((unsigned char *)ptr)[i] = used < current.count ? (unsigned char)current.value[used++] : 0;
}
void reach_error(void) { end_run(); }

/* ---- Inputs. ---- */

static int32_t random_value(void)
{
    switch (below(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
        return below(6);
    case 4:
        return below(130) - 2;
    case 5:
        return (int32_t)random_number();
    case 6:
        return -1 - below(3);
    default:
        return word_count ? words[below(word_count)] + (below(8) == 0 ? below(3) - 1 : 0) : below(20);
    }
}

static void remove_values(struct input *in, int at, int count)
{
    if (at + count > in->count)
        count = in->count - at;
    memmove(in->value + at, in->value + at + count, (size_t)(in->count - at - count) * sizeof in->value[0]);
    in->count -= count;
}

static void insert_values(struct input *in, int at, const int32_t *values, int count)
{
    if (in->count + count > MOST_VALUES)
        count = MOST_VALUES - in->count;
    memmove(in->value + at + count, in->value + at, (size_t)(in->count - at) * sizeof in->value[0]);
    memmove(in->value + at, values, (size_t)count * sizeof in->value[0]);
    in->count += count;
}

/* Puts what a value was compared with in its place, or something near it. */
static void meet_comparison(struct input *in)
{
    struct pair pair = pairs[below(pair_count)];
    int start = below(in->count);
    for (int i = 0; i < in->count; i++) {
        int at = (start + i) % in->count;
        if (in->value[at] == pair.value) {
            in->value[at] = pair.wanted + (below(3) ? 0 : below(3) - 1);
            return;
        }
    }
}

static void change(struct input *in)
{
    static struct input other;
    int at = below(in->count + 1);
    int32_t value = random_value();
    if (pair_count > 0 && in->count > 0 && below(2)) {
        meet_comparison(in);
        return;
    }
    switch (below(8)) {
    case 0:
        remove_values(in, at, 1 + below(8));
        break;
    case 1:
        insert_values(in, at, &value, 1);
        break;
    case 2: { /* a piece of another one */
        int from;
        other = kept[below(kept_count)];
        from = below(other.count);
        insert_values(in, at, other.value + from, 1 + below(other.count - from));
        break;
    }
    case 3: { /* the end of another one */
        other = kept[below(kept_count)];
        in->count = at;
        if (at < other.count)
            insert_values(in, at, other.value + at, other.count - at);
        break;
    }
    case 4:
        if (at < in->count)
            in->value[at] += below(5) - 2;
        break;
    default:
        if (at < in->count)
            in->value[at] = value;
        else
            insert_values(in, at, &value, 1);
        break;
    }
}

/* An input to change: one that was kept, or a random one. */
static void choose_base(void)
{
    if (kept_count == 0 || below(12) == 0) {
        int few = 1 + below(6);
        int32_t favourites[6];
        for (int i = 0; i < few; i++)
            favourites[i] = random_value();
        current.count = 1 + below(MOST_VALUES / 4);
        for (int i = 0; i < current.count; i++)
            current.value[i] = below(3) ? favourites[below(few)] : random_value();
        return;
    }
    current = kept[below(2) ? below(kept_count) : kept_count - 1 - below(kept_count < 20 ? kept_count : 20)];
}

static void change_base(const struct input *base)
{
    current = *base;
    for (int changes = 1 + below(below(4) ? 3 : 12); changes > 0; changes--)
        change(&current);
}

static void keep(void)
{
    if (found && shared->is_first) {
        int count = current.count;
        while (count > 0 && current.value[count - 1] == 0)
            count--;
        for (int i = 0; i < count; i++)
            fprintf(found, "%s%d", i ? " " : "", current.value[i]);
        fprintf(found, "\n");
    }
    if (kept_count < MOST_KEPT)
        kept[kept_count++] = current;
    else
        kept[below(MOST_KEPT)] = current;
}

static int read_line(FILE *file, struct input *in)
{
    static char line[1 << 15];
    char *at = line;
    if (!fgets(line, sizeof line, file))
        return 0;
    line[strcspn(line, "\n")] = 0;
    in->count = 0;
    if (*at == '"') {
        for (at++; *at && in->count < MOST_VALUES; at++) {
            int c = *at;
            if (c == '\\' && at[1] == 'n') {
                c = '\n';
                at++;
            }
            in->value[in->count++] = c;
        }
        return 1;
    }
    for (;;) {
        char *end;
        long long value = strtoll(at, &end, 0);
        if (end == at || in->count == MOST_VALUES)
            return 1;
        in->value[in->count++] = (int32_t)value;
        at = end;
    }
}

/* ---- Runs. ---- */

static int run(void)
{
    int status;
    pid_t child;
    shared->is_new = 0;
    shared->is_first = 0;
    shared->pair_count = 0;
    shared->is_crash = 1;
    child = fork();
    if (child < 0)
        exit(3);
    if (child == 0) {
        alarm(5);
        subject_main();
        end_run();
    }
    if (waitpid(child, &status, 0) < 0)
        exit(3);
    return shared->is_crash;
}

static void *shared_memory(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        exit(3);
    return memory;
}

int main(int argc, char **argv)
{
    long runs;
    int crashes = 0;
    FILE *file;
    if (argc != 5 && argc != 6)
        return 2;
    runs = atol(argv[1]);
    random_state = (uint64_t)atol(argv[2]) * 2654435761u + 88172645463325252u;
    counters = (size_t)(__llvm_profile_end_counters() - __llvm_profile_begin_counters());
    shared = shared_memory(sizeof *shared + counters * sizeof shared->sum[0]);
    levels = shared_memory(counters);
    kept = calloc(MOST_KEPT, sizeof *kept);
    if (!kept)
        return 3;
    file = fopen(argv[4], "r");
    if (file) {
        long long value;
        while (word_count < MOST_WORDS && fscanf(file, "%lld", &value) == 1)
            words[word_count++] = (int32_t)value;
        fclose(file);
    }
    file = fopen(argv[3], "r");
    if (file) {
        while (read_line(file, &current)) {
            crashes += run();
            keep();
        }
        fclose(file);
    }
    if (argc == 6)
        found = fopen(argv[5], "a");
    while (runs > 0) {
        static struct input base;
        choose_base();
        base = current;
        crashes += run();
        if (shared->is_new || kept_count == 0)
            keep();
        pair_count = shared->pair_count < MOST_PAIRS ? shared->pair_count : MOST_PAIRS;
        memcpy(pairs, shared->pairs, sizeof pairs);
        for (int i = 0; i < ROUND; i++) {
            change_base(&base);
            crashes += run();
            if (shared->is_new)
                keep();
        }
        runs -= ROUND + 1;
    }
    if (found)
        fclose(found);
    memcpy(__llvm_profile_begin_counters(), shared->sum, counters * sizeof shared->sum[0]);
    printf("%d kept, %d crashes\n", kept_count, crashes);
    return crashes > 0;
}
