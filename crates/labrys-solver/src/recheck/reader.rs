//! Reads the part of SMT-LIB 2 that [`labrys_expr::smtlib`] writes: declarations, definitions and
//! assertions over bit vectors, Booleans and floats. Sorts are checked, so that a damaged file is an error
//! and nothing worse.

use std::collections::BTreeMap;
use std::fmt;

/// Parentheses deeper than this are refused.
const MOST_LEVELS: usize = 20_000;

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TermSort {
    Bool,
    Bits(u8),
    /// Bits of the exponent and of the significand.
    Float(u8, u8),
    Rounding,
}

/// A term by its position among the nodes of a script.
pub(super) type TermId = usize;

/// What a term is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TermNode {
    Variable,
    Bits(u128),
    Bool(bool),
    /// `RNE` and the like.
    Rounding(String),
    Apply {
        operator: String,
        indices: Vec<u64>,
        arguments: Vec<TermId>,
    },
}

/// A script: terms, operands first, and those that are asserted.
#[derive(Clone, Debug, Default)]
pub(super) struct Script {
    pub(super) nodes: Vec<(TermNode, TermSort)>,
    pub(super) asserted: Vec<TermId>,
}

/// What is wrong with a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScriptError(pub(super) String);

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

type ScriptResult<T> = Result<T, ScriptError>;

fn wrong<T>(what: impl Into<String>) -> ScriptResult<T> {
    Err(ScriptError(what.into()))
}

/// An expression in parentheses, or a word.
#[derive(Debug)]
enum Item {
    Word(String),
    List(Vec<Item>),
}

/// Reads a script.
pub(super) fn read(text: &str) -> ScriptResult<Script> {
    let mut reader = ScriptReader::default();
    for item in items(text)? {
        reader.command(&item)?;
    }
    Ok(reader.script)
}

fn items(text: &str) -> ScriptResult<Vec<Item>> {
    let mut open: Vec<Vec<Item>> = vec![Vec::new()];
    for line in text.lines() {
        let line = line.split(';').next().unwrap_or("");
        let spaced = line.replace('(', " ( ").replace(')', " ) ");
        for word in spaced.split_whitespace() {
            match word {
                "(" if open.len() > MOST_LEVELS => return wrong("too many parentheses"),
                "(" => open.push(Vec::new()),
                ")" => {
                    let (Some(list), Some(around)) = (open.pop(), open.last_mut()) else {
                        return wrong("a parenthesis too much");
                    };
                    around.push(Item::List(list));
                }
                word => {
                    if let Some(list) = open.last_mut() {
                        list.push(Item::Word(word.to_owned()));
                    }
                }
            }
        }
    }
    match (open.pop(), open.is_empty()) {
        (Some(items), true) => Ok(items),
        _ => wrong("a parenthesis is missing"),
    }
}

#[derive(Default)]
struct ScriptReader {
    script: Script,
    names: BTreeMap<String, TermId>,
}

impl ScriptReader {
    fn command(&mut self, item: &Item) -> ScriptResult<()> {
        let Item::List(parts) = item else {
            return wrong("a word outside of a command");
        };
        let parts: Vec<&Item> = parts.iter().collect();
        match &parts[..] {
            [Item::Word(command), Item::Word(_)] if command == "set-logic" => Ok(()),
            [Item::Word(command), Item::Word(name), sort] if command == "declare-const" => {
                let sort = sort_of(sort)?;
                let term = self.add(TermNode::Variable, sort);
                self.define(name, term)
            }
            [
                Item::Word(command),
                Item::Word(name),
                Item::List(parameters),
                sort,
                body,
            ] if command == "define-fun" && parameters.is_empty() => {
                let term = self.term(body)?;
                match sort_of(sort)? == self.sort(term) {
                    true => self.define(name, term),
                    false => wrong(format!("{name} is of another sort")),
                }
            }
            [Item::Word(command), body] if command == "assert" => {
                let term = self.term(body)?;
                if self.sort(term) != TermSort::Bool {
                    return wrong("only truth values can be asserted");
                }
                self.script.asserted.push(term);
                Ok(())
            }
            _ => wrong("a command that is not known"),
        }
    }

    fn define(&mut self, name: &str, term: TermId) -> ScriptResult<()> {
        match self.names.insert(name.to_owned(), term) {
            None => Ok(()),
            Some(_) => wrong(format!("{name} is defined twice")),
        }
    }

    fn add(&mut self, node: TermNode, sort: TermSort) -> TermId {
        self.script.nodes.push((node, sort));
        self.script.nodes.len() - 1
    }

    fn sort(&self, term: TermId) -> TermSort {
        self.script.nodes[term].1
    }

    /// Terms may be nested deeply (tables are), so their parts wait on a stack.
    fn term(&mut self, item: &Item) -> ScriptResult<TermId> {
        enum Task<'i> {
            Visit(&'i Item),
            Apply(&'i Item, usize),
        }
        let mut tasks = vec![Task::Visit(item)];
        let mut done: Vec<TermId> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(Item::Word(word)) => {
                    let term = self.word(word)?;
                    done.push(term);
                }
                Task::Visit(Item::List(parts)) => {
                    let Some((head, arguments)) = parts.split_first() else {
                        return wrong("an empty term");
                    };
                    tasks.push(Task::Apply(head, arguments.len()));
                    tasks.extend(arguments.iter().rev().map(Task::Visit));
                }
                Task::Apply(head, count) => {
                    let arguments = done.split_off(done.len() - count);
                    let term = self.apply(head, arguments)?;
                    done.push(term);
                }
            }
        }
        match done.pop() {
            Some(term) => Ok(term),
            None => wrong("a term is missing"),
        }
    }

    fn word(&mut self, word: &str) -> ScriptResult<TermId> {
        if let Some(bits) = word.strip_prefix("#b") {
            let value = u128::from_str_radix(bits, 2);
            return match (value, u8::try_from(bits.len())) {
                (Ok(value), Ok(width)) => {
                    Ok(self.add(TermNode::Bits(value), TermSort::Bits(width)))
                }
                _ => wrong(format!("{word} is no number")),
            };
        }
        match word {
            "true" => Ok(self.add(TermNode::Bool(true), TermSort::Bool)),
            "false" => Ok(self.add(TermNode::Bool(false), TermSort::Bool)),
            "RNE" | "RNA" | "RTP" | "RTN" | "RTZ" => {
                Ok(self.add(TermNode::Rounding(word.to_owned()), TermSort::Rounding))
            }
            name => match self.names.get(name) {
                Some(term) => Ok(*term),
                None => wrong(format!("{name} is not known")),
            },
        }
    }

    fn apply(&mut self, head: &Item, arguments: Vec<TermId>) -> ScriptResult<TermId> {
        let (operator, indices) = match head {
            Item::Word(word) => (word.clone(), Vec::new()),
            Item::List(parts) => match &parts[..] {
                [Item::Word(mark), Item::Word(operator), indices @ ..] if mark == "_" => {
                    let number = |item: &Item| match item {
                        Item::Word(word) => word.parse::<u64>().ok(),
                        Item::List(_) => None,
                    };
                    let numbers: Option<Vec<u64>> = indices.iter().map(number).collect();
                    match numbers {
                        Some(numbers) => (operator.clone(), numbers),
                        None => return wrong("an index is no number"),
                    }
                }
                _ => return wrong("an operator that is not known"),
            },
        };
        let sorts: Vec<TermSort> = arguments.iter().map(|a| self.sort(*a)).collect();
        let Some(sort) = result_sort(&operator, &indices, &sorts) else {
            return wrong(format!("{operator} is not known for these operands"));
        };
        let node = TermNode::Apply {
            operator,
            indices,
            arguments,
        };
        Ok(self.add(node, sort))
    }
}

fn sort_of(item: &Item) -> ScriptResult<TermSort> {
    let Item::List(parts) = item else {
        return match item {
            Item::Word(word) if word == "Bool" => Ok(TermSort::Bool),
            _ => wrong("a sort that is not known"),
        };
    };
    match &parts[..] {
        [Item::Word(mark), Item::Word(sort), Item::Word(width)]
            if mark == "_" && sort == "BitVec" =>
        {
            match width.parse() {
                Ok(width) if width > 0 => Ok(TermSort::Bits(width)),
                _ => wrong("a width that is not known"),
            }
        }
        _ => wrong("a sort that is not known"),
    }
}

/// The sort of an operation; none if it has no meaning.
fn result_sort(operator: &str, indices: &[u64], sorts: &[TermSort]) -> Option<TermSort> {
    use TermSort::{Bits, Bool, Float, Rounding};
    let width = |value: u64| u8::try_from(value).ok();
    Some(match (operator, indices, sorts) {
        ("=", [], [a, b]) if a == b => Bool,
        ("ite", [], [Bool, a, b]) if a == b => *a,
        ("not", [], [Bool]) | ("and" | "or", [], [Bool, Bool]) => Bool,
        ("and", [], sorts) if sorts.len() > 1 && sorts.iter().all(|s| *s == Bool) => Bool,
        ("bvnot" | "bvneg", [], [Bits(a)]) => Bits(*a),
        (
            "bvadd" | "bvsub" | "bvmul" | "bvudiv" | "bvsdiv" | "bvurem" | "bvsrem" | "bvand"
            | "bvor" | "bvxor" | "bvshl" | "bvlshr" | "bvashr",
            [],
            [Bits(a), Bits(b)],
        ) if a == b => Bits(*a),
        ("bvult" | "bvslt", [], [Bits(a), Bits(b)]) if a == b => Bool,
        ("concat", [], [Bits(a), Bits(b)]) => Bits(a.checked_add(*b)?),
        ("extract", [high, low], [Bits(a)]) if low <= high && *high < u64::from(*a) => {
            Bits(width(high - low + 1)?)
        }
        ("zero_extend" | "sign_extend", [more], [Bits(a)]) => Bits(a.checked_add(width(*more)?)?),
        ("to_fp", [e, s], [Bits(a)]) if e + s == u64::from(*a) => Float(width(*e)?, width(*s)?),
        ("to_fp", [e, s], [Rounding, Float(..) | Bits(_)])
        | ("to_fp_unsigned", [e, s], [Rounding, Bits(_)]) => Float(width(*e)?, width(*s)?),
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div", [], [Rounding, a @ Float(..), b]) if a == b => {
            *a
        }
        ("fp.fma", [], [Rounding, a @ Float(..), b, c]) if a == b && b == c => *a,
        ("fp.sqrt" | "fp.roundToIntegral", [], [Rounding, a @ Float(..)]) => *a,
        ("fp.eq" | "fp.lt" | "fp.leq" | "fp.geq", [], [a @ Float(..), b]) if a == b => Bool,
        ("fp.isNaN" | "fp.isInfinite", [], [Float(..)]) => Bool,
        ("fp.to_sbv", [bits], [Rounding, Float(..)]) => Bits(width(*bits)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read() {
        let text = "(set-logic QF_BV)\n(declare-const v1 (_ BitVec 8)) ; x )(\n\
            (define-fun e2 () (_ BitVec 1) (ite (bvult v1 #b00000011) #b1 #b0))\n\
            (assert (= e2 #b1))\n";
        let script = read(text).unwrap();
        assert_eq!(script.asserted.len(), 1);
    }

    #[test]
    fn what_has_no_meaning_is_refused() {
        let bad = [
            "(assert v1)",
            "(declare-const v1 (_ BitVec 8)) (assert v1)",
            "(declare-const v1 (_ BitVec 0))",
            "(declare-const v1 (_ BitVec 8)) (assert (= v1 #b1))",
            "(declare-const v1 (_ BitVec 8)) (assert (= ((_ extract 9 0) v1) #b1))",
            "(assert true",
            "(exit)",
            "(assert ())",
            "(assert (= #b1 #b1)))",
        ];
        for text in bad {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
