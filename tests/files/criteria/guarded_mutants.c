// Mutants that only an input tells apart for which C skips the right side: it must not be
// evaluated there, let alone fault.
// run COR: --criterion weak-mutation --operators COR
// run ROR: --criterion weak-mutation --operators ROR

// `*p >= 0` always holds: the whole is `p != 0`.
int guarded(unsigned *p) {
    if (p != 0 && *p >= 0)
        //~ COR: COR: p != 0 && *p >= 0 → true ¦ COR: p != 0 && *p >= 0 → false ¦ infeasible: COR: p != 0 && *p >= 0 → {p != 0 || *p >= 0, p != 0, *p >= 0}
        //~ ROR: ROR: p != 0 → {p == 0, false} ¦ infeasible: ROR: p != 0 → true
        //~ ROR: ROR: *p >= 0 → *p {<, <=, >, ==, !=} 0 ¦ ROR: *p >= 0 → false ¦ infeasible: ROR: *p >= 0 → true
        return 1;
    return 0;
}
