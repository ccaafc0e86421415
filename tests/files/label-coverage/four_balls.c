// Four balls, of which one has another weight: two weighings find it.
#include "labrys.h"

enum odd { FIRST = 1, SECOND, THIRD, FOURTH, NOT_ONE };

/* Weighs the first two balls against each other, and then one of them against the third. */
enum odd odd_ball(int first, int second, int third, int fourth) {
    if (first == second) {
        if (first == third) {
            if (first == fourth)
                return NOT_ONE;
            return FOURTH;
        }
        if (first == fourth)
            return THIRD;
        return NOT_ONE;
    }
    if (first == third && first == fourth)
        return SECOND;
    if (second == third && second == fourth)
        return FIRST;
    return NOT_ONE;
}

int main(void) {
    int first = labrys_int("first"), second = labrys_int("second");
    int third = labrys_int("third"), fourth = labrys_int("fourth");
    return (int)odd_ball(first, second, third, fourth);
}
