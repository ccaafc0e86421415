//! What a certificate may state at a place, as a formula over the registers and places of a piece of code.

use super::code::CertifiedCode;
use super::meaning::{WIDEST, comparison};
use super::piece::CodePiece;
use super::script::{SmtFormula, SmtTerm};
use crate::places::{Base, MemoryPlace};
use labrys_ir::{FactPlace, FactTerm, FuncId, Inst, KnownFact, NumberSet, Reg};

/// Something that holds whenever control comes to a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum StatedFact {
    Known(KnownFact),
    /// A place still holds what this register holds.
    Held(MemoryPlace, Reg),
}

/// PlaceValues of registers and places, at the start of a piece or at its end.
pub(super) trait PlaceValues {
    fn register(&mut self, reg: Reg) -> Option<SmtTerm>;
    fn cell(&mut self, place: MemoryPlace) -> Option<SmtTerm>;
}

/// Those at the start, as far as somebody has asked for them.
pub(super) struct AtStart<'p, 'a>(pub(super) &'p mut CodePiece<'a>);

/// Those at the end, which is in front of an instruction.
pub(super) struct AtEnd<'p, 'a>(pub(super) &'p mut CodePiece<'a>, pub(super) u32);

impl PlaceValues for AtStart<'_, '_> {
    fn register(&mut self, reg: Reg) -> Option<SmtTerm> {
        match self.0.code.constant(self.0.id, reg) {
            Some(_) => Some(self.0.value(reg, self.0.start.at)),
            None => self.0.before.get(&reg).cloned(),
        }
    }

    fn cell(&mut self, place: MemoryPlace) -> Option<SmtTerm> {
        self.0.cells.get(&place).cloned()
    }
}

impl PlaceValues for AtEnd<'_, '_> {
    fn register(&mut self, reg: Reg) -> Option<SmtTerm> {
        Some(self.0.value(reg, self.1))
    }

    fn cell(&mut self, place: MemoryPlace) -> Option<SmtTerm> {
        Some(self.0.cell(place))
    }
}

impl StatedFact {
    pub(super) fn registers(&self) -> Vec<Reg> {
        match self {
            StatedFact::Held(place, reg) => match place.base {
                Base::Pointer(base) => vec![*reg, base],
                _ => vec![*reg],
            },
            StatedFact::Known(fact) => {
                let places = fact.places().into_iter().flatten();
                let registers = places.filter_map(|place| match place {
                    FactPlace::Register(reg) => Some(reg),
                    _ => None,
                });
                registers.collect()
            }
        }
    }

    /// The places in memory that it is about.
    pub(super) fn cells(&self, code: &CertifiedCode<'_>, id: FuncId) -> Vec<MemoryPlace> {
        match self {
            StatedFact::Held(place, _) => vec![*place],
            StatedFact::Known(fact) => {
                let places = fact.places().into_iter().flatten();
                places.filter_map(|place| memory(code, id, place)).collect()
            }
        }
    }

    /// None where a value of it is not known there.
    pub(super) fn formula(
        &self,
        code: &CertifiedCode<'_>,
        id: FuncId,
        values: &mut dyn PlaceValues,
    ) -> Option<SmtFormula> {
        let mut term = |place: FactPlace| match place {
            FactPlace::Register(reg) => values.register(reg),
            other => values.cell(memory(code, id, other)?),
        };
        match self {
            StatedFact::Held(place, reg) => {
                let (held, value) = (values.cell(*place)?, values.register(*reg)?);
                (held.width == value.width).then(|| SmtFormula::of("=", &[&held, &value]))
            }
            StatedFact::Known(KnownFact::In(place, set)) => Some(within(&term(*place)?, set)),
            StatedFact::Known(KnownFact::Compared { op, a, b }) => {
                let a = term(FactPlace::Register(*a))?;
                let b = term(FactPlace::Register(*b))?;
                (a.width == b.width).then(|| comparison(*op, &a, &b))
            }
            StatedFact::Known(KnownFact::Stride { place, step, rest }) => {
                stride(&term(*place)?, *step, *rest)
            }
            StatedFact::Known(KnownFact::AtMost {
                first,
                second,
                bound,
            }) => {
                let mut terms = vec![(term(first.place)?, *first)];
                if let Some(second) = second {
                    terms.push((term(second.place)?, *second));
                }
                at_most(&terms, *bound)
            }
        }
    }
}

/// The bytes of a variable or local.
pub(super) fn memory(
    code: &CertifiedCode<'_>,
    id: FuncId,
    place: FactPlace,
) -> Option<MemoryPlace> {
    let (base, offset, width) = match place {
        FactPlace::Register(_) => return None,
        FactPlace::Global {
            global,
            offset,
            width,
        } => (Base::Global(global), offset, width),
        FactPlace::Local {
            made_by,
            offset,
            width,
        } => match code.function(id).code[made_by as usize] {
            Inst::Alloca { dst, .. } => (Base::Local(dst), offset, width),
            _ => return None,
        },
    };
    let offset = i64::try_from(offset).ok()?;
    Some(MemoryPlace {
        base,
        offset,
        width,
    })
}

/// The number is one of the set.
pub(super) fn within(value: &SmtTerm, set: &NumberSet) -> SmtFormula {
    let width = value.width;
    let number = |bits: u64| SmtTerm::number(width, bits.into());
    if width != set.width || width > WIDEST {
        return SmtFormula::constant(true);
    }
    if !set.members.is_empty() {
        let members = set.members.iter();
        let members: Vec<SmtFormula> = members.map(|n| value.is((*n).into())).collect();
        return SmtFormula::any(&members);
    }
    if set.umin == set.umax {
        return value.is(set.umin.into());
    }
    let mask = u64::MAX >> (64 - u32::from(width));
    let (least, most) = (-1i64 << (width - 1), (mask >> 1) as i64);
    let mut parts = Vec::new();
    let not_below =
        |low: &SmtTerm, high: &SmtTerm, name: &str| SmtFormula::of(name, &[high, low]).not();
    // Bounds with a sign say the same as those without where no number has its highest bit.
    let is_half = set.umax <= mask >> 1;
    let says_more = !is_half || (set.smin > set.umin as i64 || set.smax < set.umax as i64);
    if set.umin > 0 {
        parts.push(not_below(&number(set.umin), value, "bvult"));
    }
    if set.umax < mask {
        parts.push(not_below(value, &number(set.umax), "bvult"));
    }
    if set.smin > least && says_more {
        parts.push(not_below(&number(set.smin as u64), value, "bvslt"));
    }
    if set.smax < most && says_more {
        parts.push(not_below(value, &number(set.smax as u64), "bvslt"));
    }
    // So are bits that are 0 since the number is small.
    let implied = match set.umax {
        0 => mask,
        most => mask & !(u64::MAX >> most.leading_zeros()),
    };
    let known = (set.zeros & !implied | set.ones) & mask;
    if known != 0 {
        let masked = SmtTerm::of(width, "bvand", &[value, &number(known)]);
        parts.push(masked.is((set.ones & mask).into()));
    }
    SmtFormula::all(&parts)
}

/// The number with its sign is `rest` and some multiple of `step`.
fn stride(value: &SmtTerm, step: u64, rest: i64) -> Option<SmtFormula> {
    let wide = value.width.max(62).checked_add(4)?;
    if value.width > WIDEST || step >= 1 << 62 || rest.unsigned_abs() >= 1 << 62 {
        return None;
    }
    let number = |n: i128| SmtTerm::number(wide, n as u128);
    let value = value.extended(true, wide);
    let distance = SmtTerm::of(wide, "bvsub", &[&value, &number(rest.into())]);
    Some(match step {
        0 => distance.is(0),
        _ => SmtTerm::of(wide, "bvsrem", &[&distance, &number(step.into())]).is(0),
    })
}

/// The sum of these whole numbers is at most `bound`.
fn at_most(terms: &[(SmtTerm, FactTerm)], bound: i64) -> Option<SmtFormula> {
    let width = terms.iter().map(|(term, _)| term.width).max()?;
    if width > WIDEST {
        return None;
    }
    // Bits enough for both numbers with a sign, their sum, and the bound.
    let bits = 64 - bound.unsigned_abs().leading_zeros() as u8;
    let wide = width.max(bits) + 3;
    let mut sum = SmtTerm::number(wide, 0);
    for (term, literal) in terms {
        let value = term.extended(literal.signed, wide);
        let name = if literal.negative { "bvsub" } else { "bvadd" };
        sum = SmtTerm::of(wide, name, &[&sum, &value]);
    }
    let bound = SmtTerm::number(wide, i128::from(bound) as u128);
    Some(SmtFormula::of("bvslt", &[&bound, &sum]).not())
}
