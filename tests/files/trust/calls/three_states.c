// A machine of three states: two calls reach the second one, further ones the third.
// arguments: --function advance
int advance(int input) {
    static int state;
    switch (state) {
    case 0:
        if (input == 4)
            state = 1;
        return 0;
    case 1: //@ all covered
        if (input == 5)
            state = 2;
        return 1;
    case 2: //@ all open
        return 2;
    default: //@ all open
        return 3;
    }
}
