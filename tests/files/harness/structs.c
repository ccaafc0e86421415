// Structures field by field: nested, an array, a union, a bit-field, an enum, a pointer inside.
// arguments: --function judge --assume "r != 0"
// expect: branches 16 feasible 16
// expect: return 7
enum mode { OFF, ON = 4 };
struct record {
    struct { short x, y; } at;
    unsigned char bytes[3];
    union { int i; float f; } value;
    unsigned flag : 1, level : 5;
    enum mode mode;
    const char *name;
};

int judge(struct record *r) {
    if (r->at.x + r->at.y == 1000)
        return 1;
    if (r->bytes[1] == 200)
        return 2;
    if (r->value.f == 1.5f)
        return 3;
    if (r->flag)
        return 4;
    if (r->level == 17)
        return 5;
    if (r->mode == ON)
        return 6;
    if (r->name && r->name[0] == 'L')
        return 7;
    return 0;
}
