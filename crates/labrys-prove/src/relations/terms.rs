//! What relations are about: a number of the program, read with or without a sign.

use crate::value_set::ValueSet;
use labrys_ir::Reg;

/// Something that holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    /// The number 0, so that bounds of one number are relations, too.
    Zero,
    Reg(Reg),
    /// What is in memory at one of the places that the program compares, by number.
    Cell(u32),
    /// What a function gets, while it is being called.
    Param(u32),
    /// What a function returns.
    Result(u32),
}

/// A number or its negative, as `x` and `-y` in `x - y <= 3`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Literal {
    pub(crate) atom: Atom,
    /// Is the number read with its sign?
    pub(crate) signed: bool,
    pub(crate) negative: bool,
}

impl Literal {
    pub(crate) const ZERO: Literal = Literal {
        atom: Atom::Zero,
        signed: true,
        negative: false,
    };

    pub(crate) fn of(atom: Atom, signed: bool) -> Literal {
        match atom {
            Atom::Zero => Literal::ZERO,
            _ => Literal {
                atom,
                signed,
                negative: false,
            },
        }
    }

    pub(crate) fn negated(self) -> Literal {
        match self.atom {
            Atom::Zero => self,
            _ => Literal {
                negative: !self.negative,
                ..self
            },
        }
    }

    /// The same with the number read the other way.
    pub(crate) fn other_sign(self) -> Literal {
        Literal {
            signed: !self.signed,
            ..self
        }
    }

    pub(crate) fn with_atom(self, atom: Atom) -> Literal {
        Literal { atom, ..self }
    }

    /// The most that it can be if its atom is one of these values.
    pub(crate) fn upper(self, value: &ValueSet) -> Option<i128> {
        if self.atom == Atom::Zero {
            return Some(0);
        }
        value
            .is_tracked()
            .then(|| match (self.signed, self.negative) {
                (true, false) => i128::from(value.smax),
                (true, true) => -i128::from(value.smin),
                (false, false) => i128::from(value.umax),
                (false, true) => -i128::from(value.umin),
            })
    }
}
