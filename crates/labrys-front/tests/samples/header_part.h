static inline int clamp(int x, int lo, int hi) { if (x < lo) return lo; return x > hi ? hi : x; }
#define BOTH(a, b) ((a) && (b))
