/* apart.c: zeros between the variables of the program and those of the runtime, behind which it is
 * linked. A mutant that reads too far finds the same whatever the runtime is doing. */
#include "replay.h"

enum { BYTES = 1 << 16 };

char zeros_behind_variables[BYTES];
__attribute__((section(".data"))) char zeros_behind_values[BYTES / 16];
