#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
static jmp_buf where;
int computed(int n) { static void *const table[] = {&&a, &&b, &&c}; goto *table[n % 3]; a: n++; b: n += 2; c: return n; }
int local_labels(int n) { __label__ done; int i; for (i = 0; i < n; i++) if (i == 3) goto done; i = -1; done: return i; }
int jumping(int n) { int r = setjmp(where); if (r) return r; if (n > 2) longjmp(where, n); return 0; }
int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n-- > 0) s += va_arg(ap, int) > 1 && 1; va_end(ap); return s; }
int arrays(int n) { int v[n + 1]; for (int i = 0; i <= n; i++) v[i] = i && i % 2; return v[n] + (int)(sizeof v / sizeof *v); }
int inner(int n) { struct pair { int x, y; } p = {n, n > 1 && n < 4}; typedef int number; number k = p.x ? p.y : 3; extern int shared; return k + shared; }
int shared = 4;
int attributes(int n) { switch (n) { case 1: n++; __attribute__((fallthrough)); case 2: n++; } return n; }
int assembly(int n) { int r; __asm__("movl %1, %0" : "=r"(r) : "r"(n)); return r || n; }
int ranges(int n) { int t[6] = {[0 ... 2] = n && 1, [4] = n || 2}; return t[1] + t[4]; }
void nothing(int n) { if (n) return; ; }
_Noreturn static void stop(void) { longjmp(where, 77); }
int caught(int n) { if (setjmp(where) == 77) return 77; if (n & 1) stop(); return n; }
int main(int argc, char **argv) {
  (void)argv;
  for (int n = 0; n < 6; n++)
    printf("%d %d %d %d %d %d %d %d %d %d\n", computed(n), local_labels(n), jumping(n), sum(3, n, 1, 2), arrays(n), inner(n), attributes(n), assembly(n), ranges(n), caught(n));
  nothing(argc);
}
