//! Why an event cannot happen: the kinds of reasons, and the sentence for each that reports show.

use crate::places::{Base, MemoryPlace};
use crate::value_set::ValueSet;
use labrys_ir::{CmpOp, Module, SourceLoc};
use labrys_ledger::Trigger;

/// A comparison whose operands alone decide it.
#[derive(Clone, Debug)]
pub struct DecidedComparison {
    pub op: CmpOp,
    pub left: ValueSet,
    pub right: ValueSet,
    /// What decides it, where the values of both do not.
    pub relation: Option<HeldRelation>,
    /// Its outcome.
    pub truth: bool,
}

/// A relation between the operands of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeldRelation {
    /// `left - right <= distance`, as whole numbers.
    AtMost { signed: bool, distance: i128 },
    /// `left - right >= distance`.
    AtLeast { signed: bool, distance: i128 },
    /// Each side is a rest and some multiple of a step; with step 0 it is the rest itself.
    Strides {
        left: (u64, i128),
        right: (u64, i128),
    },
}

/// A branch that always goes the same way, or does so on every way to a place.
#[derive(Clone, Debug)]
pub struct DecidedBranch {
    /// The condition or decision that it goes by.
    pub annotation: Option<Trigger>,
    pub loc: SourceLoc,
    pub value: bool,
}

#[derive(Clone, Debug)]
pub enum RefutationReason {
    /// No code stands for it.
    Absent,
    /// The function that holds it is not called.
    NotCalled { function: String },
    /// Control never gets there.
    Behind { gate: Option<DecidedBranch> },
    /// The case label is only fallen into: no value jumps to it.
    FallThrough,
    /// It happens in no case, if what these places hold is told apart.
    NoCase { kept: Vec<String> },
    /// It is reached, but never with the value asked for.
    Never {
        comparison: Option<Box<DecidedComparison>>,
        always: bool,
        /// Branches that every way to it takes like this, outermost first.
        known: Vec<DecidedBranch>,
    },
}

impl RefutationReason {
    /// The reason as a sentence. `source` is the source text that the event is about;
    /// `describe` gives the text of other conditions.
    pub fn text(
        &self,
        module: &Module,
        source: &str,
        describe: impl Fn(Trigger) -> Option<String>,
    ) -> String {
        match self {
            RefutationReason::Absent => "never reached: the compiler finds no way to it".to_owned(),
            RefutationReason::NotCalled { function } => {
                format!("never reached: {function} is never called")
            }
            RefutationReason::FallThrough => {
                "no value of the switch is that of this case: it is only fallen into".to_owned()
            }
            RefutationReason::NoCase { kept } if kept.is_empty() => {
                format!("`{source}`: never like this, as all values along the way show")
            }
            RefutationReason::NoCase { kept } => format!(
                "`{source}`: never like this in any case, told apart by {}",
                kept.join(", ")
            ),
            RefutationReason::Behind { gate: None } => {
                "never reached: no way leads to it".to_owned()
            }
            RefutationReason::Behind { gate: Some(gate) } => {
                let place = match gate.loc.line {
                    0 => String::new(),
                    line => format!(" at {}:{line}", short(module.file(gate.loc))),
                };
                let what = gate.annotation.and_then(describe);
                let what = what.map_or("a condition".to_owned(), |text| format!("`{text}`"));
                format!("never reached: {what}{place} is always {}", gate.value)
            }
            RefutationReason::Never {
                comparison: Some(comparison),
                always,
                ..
            } => compared(comparison, source, *always),
            RefutationReason::Never {
                comparison: None,
                always: true,
                ..
            } => format!("`{source}` always holds where it is evaluated"),
            RefutationReason::Never { .. } => {
                format!("`{source}` never holds: its parts and what holds here exclude each other")
            }
        }
    }
}

impl HeldRelation {
    /// The relation with the texts of both sides.
    fn text(&self, a: &str, b: &str) -> String {
        let stride = |name: &str, (step, rest): (u64, i128)| match step {
            0 => format!("{name} is {rest}"),
            1 => format!("{name} is any number"),
            _ => format!("{name} is {rest} and a multiple of {step}"),
        };
        let (sign, distance) = match *self {
            HeldRelation::AtMost { distance: -1, .. } => return format!("{a} < {b} holds"),
            HeldRelation::AtLeast { distance: 1, .. } => return format!("{a} > {b} holds"),
            HeldRelation::AtMost { distance, .. } => ("<=", distance),
            HeldRelation::AtLeast { distance, .. } => (">=", distance),
            HeldRelation::Strides { left, right } => {
                return format!("{} and {}", stride(a, left), stride(b, right));
            }
        };
        match distance {
            0 => format!("{a} {sign} {b} holds"),
            1.. => format!("{a} {sign} {b} + {distance} holds"),
            _ => format!("{a} {sign} {b} - {} holds", -distance),
        }
    }
}

fn compared(comparison: &DecidedComparison, source: &str, always: bool) -> String {
    let DecidedComparison {
        op, left, right, ..
    } = comparison;
    let (a, b) = sides(source).unwrap_or(("its left side", "its right side"));
    let verdict = if always { "always" } else { "never" };
    if let Some(relation) = &comparison.relation {
        let held = relation.text(a, b);
        return format!("{held} here, so `{source}` {verdict} holds");
    }
    let mut known = vec![format!("{a} is {}", range(*op, left))];
    // A constant operand is not described.
    if right.as_constant().is_none()
        || !b.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'')
    {
        known.push(format!("{b} is {}", range(*op, right)));
    }
    format!(
        "{} here, so `{source}` {verdict} holds",
        known.join(" and ")
    )
}

/// What a value can be, with the sign that the comparison looks at.
fn range(op: CmpOp, value: &ValueSet) -> String {
    let shorter = (value.smax as i128 - value.smin as i128) < i128::from(value.umax - value.umin);
    let both = value.smin >= 0;
    let signed = match op {
        CmpOp::Slt | CmpOp::Sle | CmpOp::Sgt | CmpOp::Sge => true,
        CmpOp::Ult | CmpOp::Ule | CmpOp::Ugt | CmpOp::Uge => false,
        CmpOp::Eq | CmpOp::Ne => shorter || both,
    };
    let (low, high) = match signed {
        true => (i128::from(value.smin), i128::from(value.smax)),
        false => (i128::from(value.umin), i128::from(value.umax)),
    };
    if let Some(named) = one_by_one(value, signed) {
        return named;
    }
    let not_zero = ValueSet::not_zero(value.width);
    match low == high {
        _ if *value == not_zero => "not 0".to_owned(),
        true => format!("{low}"),
        false => format!("in {low}..{high}"),
    }
}

/// Few numbers that are no interval.
fn one_by_one(value: &ValueSet, signed: bool) -> Option<String> {
    const MOST: usize = 6;
    let all = value.members.get()?;
    let is_interval = value.umax - value.umin < all.len() as u64
        || value.smax.abs_diff(value.smin) < all.len() as u64;
    if is_interval || all.len() > MOST {
        return None;
    }
    let mut numbers: Vec<i128> = all
        .iter()
        .map(|n| match signed {
            true => crate::value_set::signed(value.width, *n).into(),
            false => (*n).into(),
        })
        .collect();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    Some(format!("one of {}", numbers.join(", ")))
}

/// The two sides of a source text that is one comparison and nothing else.
fn sides(source: &str) -> Option<(&str, &str)> {
    let bytes = source.as_bytes();
    let mut depth = 0;
    let mut found: Option<(usize, usize)> = None;
    let mut i = 0;
    while i < bytes.len() {
        let two = bytes.get(i..i + 2).unwrap_or(b"");
        match bytes[i] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'"' | b'\'' | b'?' | b';' => return None,
            _ if depth > 0 => {}
            _ if two == b"&&" || two == b"||" => return None,
            _ if two == b"<<" || two == b">>" || two == b"->" => i += 1,
            _ => {
                let length = match two {
                    b"<=" | b">=" | b"==" | b"!=" => 2,
                    _ if bytes[i] == b'<' || bytes[i] == b'>' => 1,
                    _ if bytes[i] == b'=' || bytes[i] == b'!' => return None,
                    _ => 0,
                };
                if length > 0 {
                    if found.is_some() {
                        return None;
                    }
                    found = Some((i, length));
                    i += length - 1;
                }
            }
        }
        i += 1;
    }
    let (at, length) = found?;
    let (left, right) = (source[..at].trim(), source[at + length..].trim());
    (!left.is_empty() && !right.is_empty()).then_some((left, right))
}

fn short(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What a place is called in the source.
pub(crate) fn place_name(module: &Module, place: MemoryPlace) -> String {
    let Base::Global(id) = place.base else {
        return "a local".to_owned();
    };
    let global = &module.globals[id.index()];
    let starts = |part: &&labrys_ir::GlobalPart| i64::try_from(part.offset) == Ok(place.offset);
    let part = global.parts.iter().find(starts);
    let path = part.map_or("", |part| part.path.as_str());
    format!("{}{path}", global.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_cut_at_their_operator() {
        assert_eq!(sides("x > 10"), Some(("x", "10")));
        assert_eq!(sides("a[i] == f(x, y > 2)"), Some(("a[i]", "f(x, y > 2)")));
        assert_eq!(sides("p->n >> 2 <= 4"), Some(("p->n >> 2", "4")));
        for other in [
            "!(x > 5)",
            "x",
            "a < b && c",
            "a < b < c",
            "c ? a < b : d",
            "!x == 2",
        ] {
            assert_eq!(sides(other), None, "{other}");
        }
    }
}
