/* Calls that do not know the function's type. */
int later();
int none();
int call(short s) { return later(s, 2) + later() + none(1); }
int later(a, b) int a; char b; { return a - b; }
int through(int (*f)()) { return f(1, 2L); }
