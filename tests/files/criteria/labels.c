// Labels where LTest puts them, below the head of its annotated files.
// run labels: --criterion labels

#ifndef pc_label
#define pc_label(...) do{}while(0)
#endif
#ifndef pc_label_bindings
#define pc_label_bindings(...) do{}while(0)
#endif
#ifndef pc_label_sequence
#define pc_label_sequence(...) do{}while(0)
#endif
#ifndef pc_label_sequence_condition
#define pc_label_sequence_condition(...) do{}while(0)
#endif

int outside(signed char x, signed char low)
 {
   int __retres;
   pc_label(x < low && ! (x > 100),1,"GACC");
   //~ labels: x < low && ! (x > 100) [GACC]
   pc_label(! (x < low) && ! (x > 100),2,"GACC");
   //~ labels: ! (x < low) && ! (x > 100) [GACC]
   pc_label(x > 100 && ! (x < low),3,"GACC");
   //~ labels: x > 100 && ! (x < low) [GACC]
   pc_label(x < low && ! (low > x),4,"GACC");
   //~ labels: infeasible: x < low && ! (low > x) [GACC]
   if (x < low || x > 100) {
     pc_label(x == low,5,"");
     //~ labels: x == low
     pc_label((x >= 100) != (x > 100),6,"WM ROR");
     //~ labels: (x >= 100) != (x > 100) [WM ROR]
     __retres = 1;
     goto return_label;
   }
   pc_label(x == 101,7,"WM ROR");
   //~ labels: infeasible: x == 101 [WM ROR]
   __retres = 0;
   return_label: return __retres;
 }

/* Labels as the only statement of a branch, after labels and cases. */
int statements(signed char c)
{
  int a = 0;
  int i = 0;
  test: pc_label(1,1,"STMT");
  //~ labels: 1 [STMT]
        ;
  while (1) {
    pc_label(i == 2,2,"STMT");
    //~ labels: i == 2 [STMT]
    if (i < 3) pc_label(c > i,3,"STMT");
    //~ labels: c > i [STMT]
    else {
      pc_label(i != 3,4,"STMT");
      //~ labels: infeasible: i != 3 [STMT]
      break;
    }
    i ++;
  }
  switch (c) {
    test5: case 1: case 14: pc_label(1,14,"STMT");
    //~ labels: 1 [STMT]
    ;
    a ++;
    case 12: case 13: pc_label(a == 1,16,"STMT");
    //~ labels: a == 1 [STMT]
    break;
    case 300: pc_label(1,17,"STMT");
    //~ labels: infeasible: 1 [STMT]
    default: pc_label(c > 13 && c < 15,18,"STMT");
    //~ labels: infeasible: c > 13 && c < 15 [STMT]
  }
  if (c == 77 && a < 2) goto test5;
  return a;
}

/* A predicate that faults is false, and the run goes on. */
int faults(signed char a, signed char b, char *line)
{
   pc_label(a % b == 3,1,"WM AOR");
   //~ labels: a % b == 3 [WM AOR]
   pc_label(a / b != 42 && b == 0,2,"WM AOR");
   //~ labels: infeasible: a / b != 42 && b == 0 [WM AOR]
   pc_label(b == 0 || a / b == 1,3,"WM COR");
   //~ labels: b == 0 || a / b == 1 [WM COR]
   pc_label((int)*(line + 0) != '\000',4,"DC");
   //~ labels: (int)*(line + 0) != '\000' [DC]
   pc_label(! ((int)*(line + 0) != '\000'),5,"DC");
   //~ labels: ! ((int)*(line + 0) != '\000') [DC]
   if (! line) return (int)b;
   pc_label(a == 4 && (b == 5 && (! ((int)*line == 'x') && ! (a > 9))),12,
   //~ labels: a == 4 && (b == 5 && (! ((int)*line == 'x') && ! (a > 9))) [MCC]
            "MCC");
   return 0;
}

static int twice(int v)
{
  return v > 50 ? v : 2 * v;
}

/* Of bindings and sequences the first predicate is measured; conditions of sequences are no
   labels. */
int bindings(signed char a, signed char b)
{
   int v;
   pc_label_bindings(a == b,1,"CACC",1,1,"pa",a == b);
   //~ labels: a == b [CACC]
   pc_label_bindings(a > b && b > a,2,"CACC",1,1,"pb",a > b);
   //~ labels: infeasible: a > b && b > a [CACC]
   pc_label_sequence_condition(0,"877");
   v = a;
   pc_label_sequence(1,1UL,1,2,"877",0);
   //~ labels: 1 [877]
   pc_label(twice(v) == 8 && twice(b) == 51,3,"FC");
   //~ labels: twice(v) == 8 && twice(b) == 51 [FC]
   pc_label(twice(v) == 101 && v < 51,4,"FC");
   //~ labels: infeasible: twice(v) == 101 && v < 51 [FC]
   return v;
}

#define LIMIT(v) pc_label((v) == 9,9,"LIMIT")

/* `&&` and `||` are those of C: what the left side decides does not fault. */
int guarded(const unsigned char *p, signed char a, signed char b)
{
  pc_label(! p || *p > 300,1,"COR");
  //~ labels: ! p || *p > 300 [COR]
  pc_label(p && *p == 7 || ! p && a == 9,2,"COR");
  //~ labels: p && *p == 7 || ! p && a == 9 [COR]
  pc_label(b == 0 && (b == 0 || a / b > 100) && a > 3,3,"COR");
  //~ labels: b == 0 && (b == 0 || a / b > 100) && a > 3 [COR]
  pc_label(! p && *p == 3,4,"COR");
  //~ labels: infeasible: ! p && *p == 3 [COR]
  return b;
}

/* In a loop, in a macro, and with other types. */
int loops(unsigned char n, double d, const int *p)
{
  int i;
  for (i = 0; i < n; i ++) {
    LIMIT(i);
    //~ labels: (i) == 9 [LIMIT]
    if (i == 9) break;
  }
  pc_label(i == 10,2,"LIMIT");
  //~ labels: infeasible: i == 10 [LIMIT]
  pc_label(d != d,3,"IDP");
  //~ labels: d != d [IDP]
  pc_label(d * d < 0,4,"IDP");
  //~ labels: infeasible: d * d < 0 [IDP]
  pc_label(p ? *p == 3 : n == 7,5,"IDP");
  //~ labels: p ? *p == 3 : n == 7 [IDP]
  return i;
}
