/* The memory of the calculator. */
#include "calculator.h"

enum status calculate(int *memory, char operation, int operand) {
    int result = 0;
    if (operation == 'c') {
        *memory = 0;
        return OK;
    }
    if (operation == '=') {
        *memory = operand;
        return OK;
    }
    enum status status = apply(operation, *memory, operand, &result);
    if (status == OK)
        *memory = result;
    return status;
}
