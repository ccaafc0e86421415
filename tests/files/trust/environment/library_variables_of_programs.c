// A program begins with what the C library begins with.
// arguments: --main
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char text[16];
    if (optarg) //@ true infeasible
        return 1;
    if (stdout == stderr) //@ true infeasible
        return 2;
    snprintf(text, sizeof text, "%.1f", 1.5);
    if (text[1] == ',') //@ true infeasible
        return 3;
    return 0;
}
