// arguments: --function run --criterion mcdc --proof-rules frontier --paths 600
// Pairs of conditions behind a loop: one half of some cannot be, and each of the others has a near miss.
int run(const int *in, int n) {
  int armed = 0, fired = 0;
  for (int i = 0; i < n; i++) {
    if (in[i] == 1)
      armed = 1;
    if (armed &&       //@ all covered
        in[i] == 2)    //@ all covered
      fired = 1;
    if (fired &&       //@ all covered
        armed)         //@ all infeasible
      return 1;
    if (in[i] == 7 &&  //@ all covered
        (armed ||      //@ all covered
         fired))       //@ all infeasible
      return 2;
    if (in[i] > 4 &&   //@ all covered
        in[i] > 8)     //@ all covered
      return 3;
  }
  return 0;
}
