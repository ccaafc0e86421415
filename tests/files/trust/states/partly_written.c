// arguments: --proof-rules states --paths 3000
// Values of which a part was never written: what was written there still tells states apart.
extern int labrys_int(const char *name);

struct two {
  char unused;
  char used;
  short rest;
};

struct bits {
  unsigned first : 1;
  unsigned second : 3;
  unsigned others : 28;
};

static struct two *where_two;
static struct bits *where_bits;

int main(void) {
  struct two two;
  struct bits bits;
  int i;
  where_two = &two;
  where_bits = &bits;
  where_two->used = 5;
  where_bits->second = 2;
  for (i = 0; i < 3; i++) {
    if (labrys_int("change") == 1) {
      two.used = 7;
      bits.second = 6;
    }
  }
  if (two.used == 7) { //@ true covered, false covered
    if (bits.second == 6) //@ true covered
      return 1;
  }
  if (two.used == 9) //@ true infeasible, false covered
    return 2;
  return 0;
}
