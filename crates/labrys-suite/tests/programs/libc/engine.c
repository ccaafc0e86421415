/* engine.c: those primitives of the engine that only whole programs need. */
#include "check.h"

char unsupported[256];
int touched;

void labrys_write(int descriptor, const void *bytes, size_t size);

void labrys_write_text(int descriptor, const char *text, size_t most) {
  labrys_write(descriptor, text, strnlen(text, most));
}
void labrys_exact(void) {}
void *labrys_plain_pointer(void *pointer) { return pointer; }

void labrys_other_threads(void) {}

void labrys_touch(const char *flag) {
  (void)flag;
  touched++;
}
void labrys_unsupported(const char *what) {
  snprintf(unsupported, sizeof unsupported, "%s", what);
  longjmp(ended, 2000);
}
void labrys_symbolic(void *ptr, size_t size, const char *name) {
  size_t i;
  (void)name;
  for (i = 0; i < size; i++)
    ((char *)ptr)[i] = (char)any();
}
unsigned labrys_uint(const char *name) {
  (void)name;
  return 0;
}
_Bool labrys_bool(const char *name) {
  (void)name;
  return 0;
}
void labrys_assume(int condition) { (void)condition; }
void labrys_output(const char *name, const void *bytes, size_t size) {
  (void)name, (void)bytes, (void)size;
}
