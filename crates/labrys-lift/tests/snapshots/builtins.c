#include <setjmp.h>
jmp_buf there;
int bits(unsigned x, unsigned long y, short z) {
  int r;
  if (__builtin_mul_overflow(x, y, &r)) __builtin_trap();
  r += __builtin_popcount(x) + __builtin_clzl(y) + __builtin_ctz(x) + __builtin_bswap16(z);
  r += __builtin_rotateleft32(x, 7) + __builtin_bitreverse8(z);
  r += __builtin_elementwise_max(r, 3) + __builtin_abs(r);
  __asm__ volatile("" ::: "memory");
  __asm__("" : "+r"(r));
  return __builtin_expect(r, 1) + (int)__builtin_object_size(&r, 0);
}
int jump(int v) {
  int kept = 1;
  int code = setjmp(there);
  if (code) return kept;
  kept = 2;
  longjmp(there, v);
}
int assembly(int x) { __asm__("bsf %1, %0" : "=r"(x) : "r"(x)); return x; }
