//! The relations of loops in the words of C, at the heads of their loops.

use super::loop_counts::CountedElements;
use super::loop_facts::{LoopFacts, LoopRelation, LoopTerm};
use super::loop_questions::without_indices;
use super::place_names::PlaceName;
use crate::memory::{ObjectId, split};
use crate::program::MarkedLoop;
use crate::report::LoopInvariant;
use crate::state::LoopPlace;
use labrys_expr::signed;

/// Of more values only the first ones are named.
const MOST_NAMED_VALUES: usize = 8;

impl LoopFacts {
    /// The relations that are believed, with the heads of their loops.
    pub(crate) fn texts(&self, loops: &[MarkedLoop]) -> Vec<LoopInvariant> {
        let mut texts = Vec::new();
        for (number, belief) in &self.beliefs {
            let head = loops.get(*number as usize).map(|marked| marked.loc);
            for (index, relation) in belief.relations.iter().enumerate() {
                let Some(relation) = relation else { continue };
                let words = RelationWords {
                    facts: self,
                    number: *number,
                };
                let (text, is_c) = words.relation(relation);
                texts.push(LoopInvariant {
                    number: *number,
                    relation: index,
                    loc: head.unwrap_or_default(),
                    text,
                    is_c,
                    turns: match belief.delayed.contains(&index) {
                        true => belief.turns,
                        false => 1,
                    },
                });
            }
        }
        texts
    }
}

struct RelationWords<'a> {
    facts: &'a LoopFacts,
    number: u32,
}

/// A term in words, with what is needed to compare it.
struct TermWords {
    name: PlaceName,
    /// The object whose start it is counted from.
    base: Option<String>,
    /// What is taken away besides.
    rest: u64,
}

impl RelationWords<'_> {
    /// The text, and whether it is an expression of C.
    fn relation(&self, relation: &LoopRelation) -> (String, bool) {
        match relation {
            LoopRelation::AtLeast {
                term,
                bound,
                signed,
            } => self.bound(term, ">=", *bound, *signed),
            LoopRelation::AtMost {
                term,
                bound,
                signed,
            } => self.bound(term, "<=", *bound, *signed),
            LoopRelation::OneOf { term, values } => {
                let words = self.term(term);
                let signed = !words.name.unsigned;
                let name = words.compared(signed);
                let equal = |value: &u64| format!("{name} == {}", words.number(*value, signed));
                let equal: Vec<String> = values.iter().take(MOST_NAMED_VALUES).map(equal).collect();
                let is_cut = values.len() > MOST_NAMED_VALUES;
                let text = equal.join(" || ");
                match is_cut {
                    true => (format!("{text} || … ({} values)", values.len()), false),
                    false => (text, words.name.is_c),
                }
            }
            LoopRelation::IsNot { term, value } => {
                let words = self.term(term);
                let signed = !words.name.unsigned;
                let (name, value) = (words.compared(signed), words.number(*value, signed));
                (format!("{name} != {value}"), words.name.is_c)
            }
            LoopRelation::Count { term, of, below } => {
                let number = self.term(term).compared(true);
                let mut text = format!("{number} is how many {} are not 0", self.elements(of));
                if let Some(below) = below {
                    let below = self.place(*below);
                    text = format!("{text}, of the first {below}");
                }
                (text, false)
            }
            LoopRelation::ZeroFrom { of, from } => {
                let (from, elements) = (self.place(*from), self.elements(of));
                (format!("{elements} are 0 from number {from} on"), false)
            }
            LoopRelation::When { term, value, then } => {
                let words = self.term(term);
                let signed = !words.name.unsigned;
                let (name, value) = (words.compared(signed), words.number(*value, signed));
                let (then, is_c) = self.relation(then);
                (
                    format!("{name} != {value} || {then}"),
                    is_c && words.name.is_c,
                )
            }
            LoopRelation::Multiple { term, bits } => {
                let words = self.term(term);
                let multiple = 1u64 << bits;
                let text = match (words.rest, &words.base) {
                    (0, None) => format!("{} % {multiple} == 0", words.name.text),
                    (0, Some(_)) => format!("({}) % {multiple} == 0", words.compared(true)),
                    (rest, None) => format!("{} % {multiple} == {rest}", words.compared(false)),
                    (rest, Some(_)) => {
                        format!("({}) % {multiple} == {rest}", words.compared(true))
                    }
                };
                (text, words.name.is_c)
            }
            LoopRelation::NotAbove { low, high, signed } => self.order(low, "<=", high, *signed),
            LoopRelation::Below { low, high, signed } => self.order(low, "<", high, *signed),
            LoopRelation::Times { term, of, factor } => {
                let (a, b) = (self.term(term), self.term(of));
                let is_c = a.name.is_c && b.name.is_c;
                let (a, b) = (a.compared(true), b.compared(true));
                match factor {
                    1 => (format!("{a} == {b}"), is_c),
                    _ => (format!("{a} == {factor} * {b}"), is_c),
                }
            }
        }
    }

    fn place(&self, place: LoopPlace) -> String {
        let minus = 0;
        self.term(&LoopTerm { place, minus }).name.text
    }

    /// What counted elements are called, such as `banks[*].valve[*].broken`.
    fn elements(&self, of: &CountedElements) -> String {
        let first = of.rows.first().and_then(|row| row.first());
        let name = first.map_or_else(String::new, |place| self.place(*place));
        match of.row {
            Some(row) => format!("{name} (of number {})", self.place(row)),
            None => name,
        }
    }

    fn bound(&self, term: &LoopTerm, sign: &str, bound: u64, signed: bool) -> (String, bool) {
        let words = self.term(term);
        let text = format!(
            "{} {sign} {}",
            words.compared(signed),
            words.number(bound, signed)
        );
        (text, words.name.is_c)
    }

    fn order(&self, low: &LoopTerm, sign: &str, high: &LoopTerm, signed: bool) -> (String, bool) {
        let (low, high) = (self.term(low), self.term(high));
        let text = format!("{} {sign} {}", low.compared(signed), high.compared(signed));
        (text, low.name.is_c && high.name.is_c)
    }

    fn term(&self, term: &LoopTerm) -> TermWords {
        let known = self.facts.names.get(&(self.number, term.place));
        let name = known.cloned().unwrap_or_else(|| PlaceName {
            text: "a value".to_owned(),
            is_c: false,
            unsigned: false,
            width: 64,
        });
        let name = match self.facts.families.get(&term.place) {
            // It is said of all elements.
            Some(family) if family.len() > 1 => PlaceName {
                text: without_indices(&name.text).replace('[', "[*"),
                is_c: false,
                ..name
            },
            _ => name,
        };
        let (object, rest) = split(term.minus);
        if object == ObjectId::NULL {
            let rest = term.minus;
            let base = None;
            return TermWords { name, base, rest };
        }
        let base = self.facts.objects.get(&object);
        let is_c = name.is_c && base.is_some();
        let base = base.cloned().unwrap_or_else(|| "its object".to_owned());
        TermWords {
            name: PlaceName { is_c, ..name },
            base: Some(base),
            rest,
        }
    }
}

impl TermWords {
    /// The term in a comparison of signed or unsigned numbers.
    fn compared(&self, signed: bool) -> String {
        let name = &self.name.text;
        if let Some(base) = &self.base {
            return format!("(char *){name} - (char *)&{base}");
        }
        match (signed, self.name.unsigned) {
            (true, true) => format!("({}){name}", type_name(self.name.width, true)),
            (false, false) => format!("({}){name}", type_name(self.name.width, false)),
            _ => name.clone(),
        }
    }

    fn number(&self, value: u64, is_signed: bool) -> String {
        let width = self.name.width.clamp(1, 64);
        match is_signed {
            true => signed(u128::from(value) & labrys_expr::mask(width), width).to_string(),
            false if value > i64::MAX as u64 => format!("{value}u"),
            false => value.to_string(),
        }
    }
}

fn type_name(width: u8, signed: bool) -> &'static str {
    match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned",
        (_, true) => "long",
        (_, false) => "unsigned long",
    }
}
