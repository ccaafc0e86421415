//! Certificates in words: what values are called in the source, and what is stated of them.

use super::code::CertifiedCode;
use super::facts::{StatedFact, memory};
use crate::definitions::Definition;
use crate::places::{Base, MemoryPlace};
use crate::reason::place_name;
use labrys_ir::{
    CastOp, CmpOp, Const, FactPlace, FactTerm, FuncId, Inst, KnownFact, NumberSet, Reg, SourceLoc,
};

/// Copies and conversions of a variable have its name; so many are followed.
const MOST_STEPS: usize = 6;
/// Numbers are listed one by one up to so many.
const MOST_LISTED: usize = 8;

impl CertifiedCode<'_> {
    pub(super) fn loc(&self, id: FuncId, at: u32) -> SourceLoc {
        let function = self.function(id);
        let locs = function.locs.get(at as usize..).unwrap_or_default();
        let known = locs.iter().find(|loc| loc.line > 0);
        known.copied().unwrap_or(function.loc)
    }

    /// `file:line: `, or nothing.
    pub(super) fn place(&self, id: FuncId, at: u32) -> String {
        let loc = self.function(id).locs.get(at as usize);
        match loc.filter(|loc| loc.line > 0) {
            Some(loc) => format!("{}:{}: ", short(self.module.file(*loc)), loc.line),
            None => String::new(),
        }
    }

    /// What a register holds, in the words of the source.
    pub(super) fn register_name(&self, id: FuncId, reg: Reg) -> String {
        let function = self.function(id);
        let mut of = reg;
        for _ in 0..MOST_STEPS {
            if let Some(name) = function.names.get(&of) {
                return self.module.text(name.text).to_owned();
            }
            match self.constant(id, of) {
                Some(Const::Int(number)) => return signed(function.width(of), number),
                Some(_) => return "an address".to_owned(),
                None => {}
            }
            let facts = self.program.facts(id);
            let Some(Definition::Inst(at)) = facts.map(|facts| facts.definitions.def(of)) else {
                break;
            };
            match function.code[at as usize] {
                Inst::Cast {
                    op: CastOp::SExt | CastOp::ZExt | CastOp::Trunc,
                    src,
                    ..
                }
                | Inst::Copy { src, .. } => of = src,
                Inst::Load { addr, width, .. } => {
                    let place = self.exact_place(id, addr, width);
                    if let Some(place) = place {
                        return self.cell_name(id, place);
                    }
                    return format!("what line {} reads", self.loc(id, at).line);
                }
                Inst::Call { callee, .. } => {
                    let name = &self.function(callee).name;
                    let line = self.loc(id, at).line;
                    return match name.starts_with("labrys_") {
                        true => format!("a value of line {line}"),
                        false => format!("what {name} returns to line {line}"),
                    };
                }
                _ => return format!("a value of line {}", self.loc(id, at).line),
            }
        }
        format!("a value of {}", function.name)
    }

    /// The place of a variable that an address is.
    fn exact_place(&self, id: FuncId, addr: Reg, width: u8) -> Option<MemoryPlace> {
        let facts = self.program.facts(id)?;
        let function = self.function(id);
        let found = crate::places::address(function, &facts.definitions, &facts.symbols, addr)?;
        found.place(width)
    }

    pub(super) fn cell_name(&self, id: FuncId, place: MemoryPlace) -> String {
        match place.base {
            Base::Global(_) => place_name(self.module, place),
            Base::Local(reg) | Base::Pointer(reg) => {
                let name = self.function(id).names.get(&reg);
                let name = name.map_or("memory", |name| self.module.text(name.text));
                match (place.base, place.offset) {
                    (Base::Local(_), 0) => name.to_owned(),
                    (Base::Pointer(_), 0) => format!("*{name}"),
                    (_, offset) => format!("byte {offset} of {name}"),
                }
            }
        }
    }

    pub(super) fn fact_words(&self, id: FuncId, fact: &StatedFact) -> String {
        let name = |place: FactPlace| match (place, memory(self, id, place)) {
            (FactPlace::Register(reg), _) => self.register_name(id, reg),
            (_, Some(place)) => self.cell_name(id, place),
            (_, None) => "memory".to_owned(),
        };
        match fact {
            StatedFact::Held(place, reg) => {
                let (place, value) = (self.cell_name(id, *place), self.register_name(id, *reg));
                match place == value {
                    true => format!("{place} is still what was read before"),
                    false => format!("{place} is still {value}"),
                }
            }
            StatedFact::Known(KnownFact::In(place, set)) => {
                format!("{} is {}", name(*place), numbers(set))
            }
            StatedFact::Known(KnownFact::Compared { op, a, b }) => {
                let (a, b) = (self.register_name(id, *a), self.register_name(id, *b));
                format!("{a} {} {b}", symbol(*op))
            }
            StatedFact::Known(KnownFact::Stride { place, step, rest }) => match step {
                0 => format!("{} is {rest}", name(*place)),
                _ => format!("{} is {rest} and a multiple of {step}", name(*place)),
            },
            StatedFact::Known(KnownFact::AtMost {
                first,
                second,
                bound,
            }) => at_most(name, *first, *second, *bound),
        }
    }
}

fn at_most(
    name: impl Fn(FactPlace) -> String,
    first: FactTerm,
    second: Option<FactTerm>,
    bound: i64,
) -> String {
    let named = |term: FactTerm| name(term.place);
    match (first.negative, second) {
        (false, None) => format!("{} <= {bound}", named(first)),
        (true, None) => format!("{} >= {}", named(first), -i128::from(bound)),
        (false, Some(second)) if second.negative => less(&named(first), &named(second), bound),
        (true, Some(second)) if !second.negative => less(&named(second), &named(first), bound),
        (false, Some(second)) => format!("{} + {} <= {bound}", named(first), named(second)),
        (true, Some(second)) => {
            let bound = -i128::from(bound);
            format!("{} + {} >= {bound}", named(first), named(second))
        }
    }
}

/// `a - b <= bound` as it would be written.
fn less(a: &str, b: &str, bound: i64) -> String {
    match bound {
        0 => format!("{a} <= {b}"),
        -1 => format!("{a} < {b}"),
        1.. => format!("{a} <= {b} + {bound}"),
        _ => format!("{a} <= {b} - {}", -i128::from(bound)),
    }
}

/// The numbers of a set.
pub(super) fn numbers(set: &NumberSet) -> String {
    let signed_shorter = (set.smax as i128 - set.smin as i128) <= i128::from(set.umax - set.umin);
    if !set.members.is_empty() && set.members.len() <= MOST_LISTED {
        let list = set.members.iter().map(|n| signed(set.width, (*n).into()));
        let list: Vec<String> = list.collect();
        return match &list[..] {
            [only] => only.clone(),
            _ => format!("one of {}", list.join(", ")),
        };
    }
    let (low, high) = match signed_shorter {
        true => (i128::from(set.smin), i128::from(set.smax)),
        false => (i128::from(set.umin), i128::from(set.umax)),
    };
    let mask = u64::MAX >> (64 - u32::from(set.width.clamp(1, 64)));
    let is_all = set.umin == 0 && set.umax == mask;
    let known_bits = (set.zeros | set.ones) & mask;
    match (low == high, set.umin == 1 && set.umax == mask) {
        (true, _) => low.to_string(),
        (_, true) => "not 0".to_owned(),
        _ if is_all
            && known_bits != 0
            && i128::from(set.smax) - i128::from(set.smin) >= i128::from(mask) =>
        {
            format!(
                "a number whose bits {known_bits:#x} are {:#x}",
                set.ones & mask
            )
        }
        _ => format!("in {low}..{high}"),
    }
}

fn signed(width: u8, number: u128) -> String {
    match width {
        1..=64 => crate::value_set::signed(width, number as u64).to_string(),
        _ => number.to_string(),
    }
}

fn symbol(op: CmpOp) -> &'static str {
    match op {
        CmpOp::Eq => "==",
        CmpOp::Ne => "!=",
        CmpOp::Ult | CmpOp::Slt => "<",
        CmpOp::Ule | CmpOp::Sle => "<=",
        CmpOp::Ugt | CmpOp::Sgt => ">",
        CmpOp::Uge | CmpOp::Sge => ">=",
    }
}

fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
