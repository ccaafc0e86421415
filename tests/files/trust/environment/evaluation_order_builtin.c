// Functions of the compiler are declared by their first call, and can only be named in a call.
// arguments: --function twice
static int width[4] = {1, 2, 3, 4};
static char text[20];

int twice(unsigned size, int form) {
    int w = 0;
    if (form > 3) //@ true covered, false covered
        __builtin___sprintf_chk(text, 1, __builtin_object_size(text, 1), "%d", form);
    else
        __builtin___sprintf_chk(text, 1, __builtin_object_size(text, 1), "%d", (w = width[size & 3]));
    return w;
}
