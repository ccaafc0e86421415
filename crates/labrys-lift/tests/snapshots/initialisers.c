extern int outside[];
static int numbers[3] = {1, -2, 3};
int zeros[100];
const char *words[] = {"ab", "cde" + 1, 0};
int *middle = &numbers[1];
long gap = (long)&outside[2];
struct mixed { char c; double d; union { int i; char b[8]; } u; int (*f)(void); } m = {'x', 1.5, {.b = "hi"}, 0};
int answer(void) { return 42; }
int (*pointer)(void) = answer;
__int128 wide = -((__int128)1 << 100);
long double extended = 1.0L;
_Bool flag = 1;
int where(int i) {
  static const int distance[] = {&&a - &&a, &&b - &&a};
  static void *const place[] = {&&a, &&b};
  goto *(i > 1 ? place[0] : &&a + distance[i]);
a:
  return 1;
b:
  return 2;
}
__attribute__((constructor(200))) static void late(void) { zeros[0] = 2; }
__attribute__((constructor(101))) static void early(void) { zeros[0] = 1; }
