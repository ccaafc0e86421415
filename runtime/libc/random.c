/* random.c: random numbers, the very sequences of glibc. */
#include "engine.h"

/* ---- Random numbers: glibc's additive feedback generator ---- */

enum { DEGREE = 31, SEPARATION = 3 };
static int32_t labrys_random_state[DEGREE];
static unsigned random_at;
static int labrys_random_ready;
static int random_is_assumed; /* the seed is not a fact */

WEAK long random(void);

WEAK void srandom(unsigned given) {
  unsigned seed = (unsigned)labrys_plain(given);
  int32_t word = seed == 0 ? 1 : (int32_t)seed;
  unsigned i;
  labrys_random_state[0] = word;
  for (i = 1; i < DEGREE; i++) {
    long next = 16807 * (long)(word % 127773) - 2836 * (long)(word / 127773);
    long long is_negative = next < 0;
    word = (int32_t)(next + 2147483647 * is_negative);
    labrys_random_state[i] = word;
  }
  random_at = 0;
  labrys_random_ready = 1;
  random_is_assumed = 0;
  /* Each number costs a turn; ten turns of the wheel are thrown away. */
  for (i = 0; i < DEGREE * 10; i++)
    random();
  random_is_assumed = labrys_is_assumed(given);
}

WEAK long random(void) {
  uint32_t sum;
  if (!labrys_random_ready)
    srandom(1);
  sum = (uint32_t)labrys_random_state[(random_at + SEPARATION) % DEGREE] +
        (uint32_t)labrys_random_state[random_at];
  labrys_random_state[(random_at + SEPARATION) % DEGREE] = (int32_t)sum;
  random_at = (random_at + 1) % DEGREE;
  return random_is_assumed ? labrys_assumed((long)(sum >> 1), "environment: random seed")
                           : (long)(sum >> 1);
}

WEAK int rand(void) { return (int)random(); }

WEAK void srand(unsigned seed) { srandom(seed); }

WEAK int rand_r(unsigned *seed) {
  unsigned next = *seed, result;
  next = next * 1103515245 + 12345;
  result = next / 65536 % 2048;
  next = next * 1103515245 + 12345;
  result = (result << 10) ^ (next / 65536 % 1024);
  next = next * 1103515245 + 12345;
  result = (result << 10) ^ (next / 65536 % 1024);
  *seed = next;
  return (int)result;
}

/* ---- Those of 48 bits ---- */

static uint64_t labrys_random48_state, factor48 = 0x5deece66d;
static unsigned short add48 = 0xb;

static uint64_t join(const unsigned short words[3]) {
  return (uint64_t)words[2] << 32 | (uint64_t)words[1] << 16 | words[0];
}

static void split(uint64_t value, unsigned short words[3]) {
  words[0] = (unsigned short)value;
  words[1] = (unsigned short)(value >> 16);
  words[2] = (unsigned short)(value >> 32);
}

static uint64_t step(uint64_t value) { return (value * factor48 + add48) & 0xffffffffffff; }

static uint64_t step_words(unsigned short words[3]) {
  uint64_t value = step(join(words));
  split(value, words);
  return value;
}

static uint64_t step_own(void) { return labrys_random48_state = step(labrys_random48_state); }

static double as_fraction(uint64_t value) { return (double)value * 0x1p-48; }

WEAK double drand48(void) { return as_fraction(step_own()); }
WEAK long lrand48(void) { return (long)(step_own() >> 17); }
WEAK long mrand48(void) { return (int32_t)(step_own() >> 16); }
WEAK double erand48(unsigned short words[3]) { return as_fraction(step_words(words)); }
WEAK long nrand48(unsigned short words[3]) { return (long)(step_words(words) >> 17); }
WEAK long jrand48(unsigned short words[3]) { return (int32_t)(step_words(words) >> 16); }

WEAK void srand48(long seed) {
  labrys_random48_state = (uint64_t)(uint32_t)seed << 16 | 0x330e;
  factor48 = 0x5deece66d;
  add48 = 0xb;
}

WEAK unsigned short *seed48(unsigned short words[3]) {
  static unsigned short old[3];
  split(labrys_random48_state, old);
  labrys_random48_state = join(words);
  factor48 = 0x5deece66d;
  add48 = 0xb;
  return old;
}

WEAK void lcong48(unsigned short words[7]) {
  labrys_random48_state = join(words);
  factor48 = join(words + 3);
  add48 = words[6];
}
