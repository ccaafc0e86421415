/* A header of the user's: measured too. */
#include <stdlib.h>
static int sign(int x) { return x < 0 ? -1 : 1; }
