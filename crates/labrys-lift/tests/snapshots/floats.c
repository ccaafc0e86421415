#include <math.h>
double calc(double x, float y, long double z) {
  double a = fabs(x) + floor(y) * copysign(x, -0.0);
  a = fma(a, x, 1) + fmin(a, y) + sqrt(a) + rint(a);
  return isnan(a) ? (double)z : (unsigned)a - (long)y + sin(x);
}
int classify(double x) { return __builtin_isinf_sign(x) + __builtin_isnormal(x); }
