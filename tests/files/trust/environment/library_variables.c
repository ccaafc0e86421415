// Variables of the C library hold what the program has done with them before a function is called.
// arguments: --function variables
#define _GNU_SOURCE
#include <errno.h>
#include <error.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

int variables(int n) {
    switch (n) {
    case 0:
        return optarg ? 1 : 0; //@ true open
    case 1:
        return optopt == 'x' ? 1 : 0; //@ true open
    case 2:
        return environ == NULL ? 1 : 0; //@ true open
    case 3:
        return timezone == 3600 ? 1 : 0; //@ true open
    case 4:
        return daylight ? 1 : 0; //@ true open
    case 5:
        return error_message_count > 2 ? 1 : 0; //@ true open
    case 6:
        return program_invocation_short_name[0] == 'z' ? 1 : 0; //@ true open
    case 7:
        return stdout == stderr ? 1 : 0; //@ true open
    case 8:
        return stdin == NULL ? 1 : 0; //@ true open
    case 9:
        return uselocale((locale_t)0) != LC_GLOBAL_LOCALE ? 1 : 0; //@ true open
    case 10:
        optopt = 'y';
        return optopt == 'x' ? 1 : 0; //@ true infeasible
    case 11:
        clearenv();
        return environ == NULL ? 1 : 0; //@ false infeasible
    default:
        return n == 5 ? 1 : 0; //@ true infeasible
    }
}
