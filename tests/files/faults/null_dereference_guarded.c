// The same lookup with the check: no fault.
// expect: no fault
#include "labrys.h"
#include <stddef.h>

struct entry { int key, value; };
static struct entry table[3] = {{3, 30}, {77, 70}, {200, 20}};

static struct entry *find(int key) {
    for (int i = 0; i < 3; i++)
        if (table[i].key <= key && key < table[i].key + 60)
            return &table[i];
    return NULL;
}

int main(void) {
    unsigned char key = labrys_uchar("key");
    struct entry *e = find(key);
    int *field = e ? &e->value : NULL;
    return field != NULL && *field == 30;
}
