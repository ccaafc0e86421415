// Constant initialisers of every kind.
// expect: result 05000000000000000300000000000000630000000000000007000000000000007a00000000000000680000000000000001000000000000007200000000000000f9ffffff000000007a000000000000006900000000000000000000000000f83f6d0000000000000009000000000000006100000000000000000000000000044001000000000000000400000000000000020000000000000001000000000000000100000000000000050000000000000024000000000000003a26000000000000000000000000f03f00000000000004400000000000405840b76ddbb66ddb6140000000000000008001000000000000002b01000000000000010000000000000002000000000000000c00000000000000200000000000000009000000000000007200000000000000
#include "out.h"
#include <stddef.h>
#include <stdint.h>

struct inner { short a; char b[3]; };
struct outer { int x; struct inner in[2]; union { float f; int i; } u; const char *name; };

static int base[5] = {1, 2, [4] = 5};
static int *into = &base[3] + 1;
static ptrdiff_t distance = &base[4] - &base[1];
static const char text[] = "abc" "def", *tail = &text[3] - 1, fixed[3] = "xyz";
static const char *const words[] = {"one", [2] = "three", "four"};
static struct outer o = {.in[1] = {.b = {[2] = 'z'}, .a = -7}, .in[0].b = "hi", .u.i = 0x3fc00000, .name = "n" "m"};
static struct outer list[2] = {[1] = {9, {{1, "a"}}, {2.5f}, text}, [0].x = 4};
static uintptr_t address = (uintptr_t)(base + 2);
static int (*function)(void) = finish;
static void *self = &self;
static const int matrix[][3] = {{1}, {2, 3}, 4, 5, 6};
static const wchar_t wide[] = L"w\x263a";
static double numbers[] = {1, 2.5f, 'a', 1e3 / 7, -0.0};
static _Bool flag = &base[0] != 0;
static long cast = (long)(char)300 + (unsigned char)-1;
static struct { struct inner *p; int *q; } links = {&list[1].in[0], 1 ? &base[1] : 0};
static size_t offset = offsetof(struct outer, in[1].b), size = sizeof(struct outer);
static int *literal = (int[]){7, 8, 9};
static struct inner *made = &(struct inner){3, "qr"};

int main(void) {
    out((unsigned)*into), out((size_t)distance), out((unsigned)*tail), out(sizeof text), out((unsigned)fixed[2]);
    out((unsigned)words[2][1]), out(!words[1]), out((unsigned)words[3][3]);
    out((unsigned)o.in[1].a), out((unsigned)o.in[1].b[2]), out((unsigned)o.in[0].b[1]), out_double(o.u.f), out((unsigned)o.name[1]);
    out((unsigned)list[1].x), out((unsigned)list[1].in[0].b[0]), out_double(list[1].u.f), out(list[1].name == text), out((unsigned)list[0].x);
    out((unsigned)*(int *)(address - sizeof(int))), out(function == finish), out(self == (void *)&self);
    out((unsigned)matrix[2][1]), out(sizeof matrix), out((unsigned)wide[1]);
    for (int i = 0; i < 5; i++)
        out_double(numbers[i]);
    out(flag), out((unsigned long)cast), out((unsigned)links.p->a), out((unsigned)*links.q), out(offset), out(size);
    out((unsigned)literal[2]), out((unsigned)made->b[1]);
    return finish();
}
