/* The operations of the calculator, one switch. */
#include "calculator.h"

static enum status fit(long long value, int *result) {
    if (value < -1000000 || value > 1000000)
        return OUT_OF_RANGE;
    *result = (int)value;
    return OK;
}

enum status apply(char operation, int left, int right, int *result) {
    switch (operation) {
    case '+':
        return fit((long long)left + right, result);
    case '-':
        return fit((long long)left - right, result);
    case 'x':
    case '*':
        return fit((long long)left * right, result);
    case '/':
    case '%':
        if (right == 0)
            return DIVISION_BY_ZERO;
        return fit(operation == '/' ? (long long)left / right : (long long)left % right, result);
    default:
        return UNKNOWN_OPERATION;
    }
}
