/* A calculator with a memory, in two files that Labrys links: calculator.c and operations.c. */
#ifndef CALCULATOR_H
#define CALCULATOR_H

enum status { OK, UNKNOWN_OPERATION, DIVISION_BY_ZERO, OUT_OF_RANGE };

/* Applies one operation; defined in operations.c. */
enum status apply(char operation, int left, int right, int *result);

/* Applies the operation to the memory and stores the result there; defined in calculator.c. */
enum status calculate(int *memory, char operation, int operand);

#endif
