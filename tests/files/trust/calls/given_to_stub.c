// A static variable whose address a function without a body gets is changed by it in an earlier call.
// arguments: --function poll --calls 1
static int flag;
void arm(int *where);

int poll(void) {
    if (flag == 3) //@ true open, false covered
        return 1;
    arm(&flag);
    return 0;
}
