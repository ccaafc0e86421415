//! Gates: literals for Boolean functions of literals. Constants are folded, equal gates are made
//! once, and each new gate adds its Tseitin clauses in both directions.

use super::sat::{Lit, Sat};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    /// `if .0 { .1 } else { .2 }`
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

/// The gates made so far and the solver that has their clauses.
pub(crate) struct Gates {
    pub(crate) sat: Sat,
    known: FxHashMap<Gate, Lit>,
    decide: bool,
}

impl Gates {
    /// Inputs determine the gates by propagation. To decide only on inputs makes easy queries
    /// twice as fast; to `decide` on gates too makes hard ones feasible.
    pub(crate) fn new(decide: bool) -> Self {
        Gates {
            sat: Sat::new(),
            known: FxHashMap::default(),
            decide,
        }
    }

    /// An input bit.
    pub(crate) fn input(&mut self) -> Lit {
        self.sat.fresh(true)
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => return Lit::FALSE,
            (Lit::TRUE, x) | (x, Lit::TRUE) => return x,
            _ if a == b => return a,
            _ if a == !b => return Lit::FALSE,
            _ => {}
        }
        let (a, b) = (a.min(b), a.max(b));
        self.gate(Gate::And(a, b), |sat, out| {
            sat.add(&[!out, a]);
            sat.add(&[!out, b]);
            sat.add(&[out, !a, !b]);
        })
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (a.as_constant(), b.as_constant()) {
            (Some(x), _) => return if x { !b } else { b },
            (_, Some(y)) => return if y { !a } else { a },
            _ => {}
        }
        // Signs are pulled out, so that x ^ y and x ^ !y share one gate.
        let (x, flip_x) = positive(a);
        let (y, flip_y) = positive(b);
        let flip = flip_x != flip_y;
        if x == y {
            return Lit::constant(flip);
        }
        let (x, y) = (x.min(y), x.max(y));
        let out = self.gate(Gate::Xor(x, y), |sat, out| {
            sat.add(&[!out, x, y]);
            sat.add(&[!out, !x, !y]);
            sat.add(&[out, !x, y]);
            sat.add(&[out, x, !y]);
        });
        if flip { !out } else { out }
    }

    /// `if c { a } else { b }`
    pub(crate) fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        match c.as_constant() {
            Some(true) => return a,
            Some(false) => return b,
            None => {}
        }
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        match (a.as_constant(), b.as_constant()) {
            (Some(true), _) => return self.or(c, b),
            (Some(false), _) => return self.and(!c, b),
            (_, Some(true)) => return self.or(!c, a),
            (_, Some(false)) => return self.and(c, a),
            _ => {}
        }
        if c == a || c == !a {
            return if c == a {
                self.or(c, b)
            } else {
                self.and(!c, b)
            };
        }
        if c == b || c == !b {
            return if c == b {
                self.and(c, a)
            } else {
                self.or(!c, a)
            };
        }
        let (c, negated) = positive(c);
        let (a, b) = if negated { (b, a) } else { (a, b) };
        self.gate(Gate::Mux(c, a, b), |sat, out| {
            sat.add(&[!c, !a, out]);
            sat.add(&[!c, a, !out]);
            sat.add(&[c, !b, out]);
            sat.add(&[c, b, !out]);
            // Redundant, but lets the output propagate before the condition is known.
            sat.add(&[!a, !b, out]);
            sat.add(&[a, b, !out]);
        })
    }

    /// At least two of three: the carry of an adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        // Constants are the smallest literals, and complements are neighbours.
        match a.as_constant() {
            Some(true) => return self.or(b, c),
            Some(false) => return self.and(b, c),
            None => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        self.gate(Gate::Majority(a, b, c), |sat, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                sat.add(&[!x, !y, out]);
                sat.add(&[x, y, !out]);
            }
        })
    }

    /// True if all are.
    pub(crate) fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut used: Vec<Lit> = lits.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        used.sort_unstable();
        used.dedup();
        if used.first() == Some(&Lit::FALSE) || used.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        match used[..] {
            [] => Lit::TRUE,
            [a] => a,
            [a, b] => self.and(a, b),
            _ => {
                let out = self.sat.fresh(self.decide);
                for &l in &used {
                    self.sat.add(&[!out, l]);
                }
                let mut clause: Vec<Lit> = used.iter().map(|&l| !l).collect();
                clause.push(out);
                self.sat.add(&clause);
                out
            }
        }
    }

    /// True if any is.
    pub(crate) fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.all(&negated)
    }

    fn gate(&mut self, gate: Gate, define: impl FnOnce(&mut Sat, Lit)) -> Lit {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let out = self.sat.fresh(self.decide);
        define(&mut self.sat, out);
        self.known.insert(gate, out);
        out
    }
}

/// The literal without its sign, and whether it had one.
fn positive(lit: Lit) -> (Lit, bool) {
    let plain = lit.min(!lit);
    (plain, plain != lit)
}
