// Labels without any head: nobody declares pc_label.
// run labels: --criterion labels
// run branch: --criterion branch
// run both: --criterion labels,branch

int bare(signed char x, signed char y) {
    pc_label(x > y);
    //~ labels both: x > y
    pc_label(x == y && x > 10, 2);
    //~ labels both: x == y && x > 10
    if (x < y) {
        //~ branch both: x < y is {true, false}
        pc_label(x >= y, 3, "never");
        //~ labels both: infeasible: x >= y [never]
        pc_label(y - x > 200, 4, "far");
        //~ labels both: y - x > 200 [far]
    }
    return x;
}
