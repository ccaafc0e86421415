typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
v4 add(v4 a, v4 b) { return a + (a < b); }
int pick(v4 a, int i) { a[i] = 7; return a[i ^ 1]; }
f4 mix(f4 a, f4 b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7); }
int total(v4 *p) { return __builtin_reduce_add(*p); }
unsigned char mask(v4 a) {
  typedef _Bool b4 __attribute__((ext_vector_type(4)));
  return __builtin_bit_cast(unsigned char, __builtin_convertvector(a != 0, b4));
}
