//! Inserts the annotations of the wanted criteria into the functions of a translation unit and
//! makes the objectives that they trigger.
//!
//! The annotated program behaves as the original: every expression is evaluated as often, in the
//! same order and with the same type as before. Only code that runs is annotated: constant
//! expressions and operands that are not evaluated stay as they are.

mod conditions;
mod labels;
mod statements;
mod switches;

use crate::align::{Excerpt, Originals};
use crate::ast::{Kind, Node};
use crate::consteval::{Constants, Evaluator};
use crate::edits::Edits;
use crate::program::Names;
use crate::source::Source;
use crate::types::Types;
use labrys_ledger::{Criterion, Objective, Trigger};
use std::collections::{BTreeMap, BTreeSet};
use switches::Switch;

/// Which annotations the criteria need.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub branch: bool,
    pub decision: bool,
    pub statement: bool,
    pub function: bool,
    pub labels: bool,
    pub path: bool,
}

impl Wanted {
    pub(crate) fn new(criteria: &[Criterion]) -> Self {
        let has = |c| criteria.contains(&c);
        Wanted {
            branch: has(Criterion::Branch),
            decision: has(Criterion::Decision),
            statement: has(Criterion::Statement),
            function: has(Criterion::Function),
            labels: has(Criterion::Labels),
            path: has(Criterion::Path),
        }
    }

    fn conditions(self) -> bool {
        self.branch || self.path
    }

    fn switches(self) -> bool {
        self.branch || self.decision || self.path
    }
}

/// The next free number of each kind of annotation, over the whole program.
#[derive(Debug, Clone, Copy, Default)]
struct Numbers {
    decision: u32,
    switch: u32,
    reach: u32,
    label: u32,
}

/// What is shared by all translation units of a program.
#[derive(Default)]
pub(crate) struct Session {
    numbers: Numbers,
    pub originals: Originals,
    pub objectives: Vec<Objective>,
    pub notes: BTreeSet<String>,
    pub names: Names,
    /// The numbers with which a function of a header began in the unit that met it first: every
    /// unit that includes it gets the same annotations, and its objectives count once.
    headers: BTreeMap<(String, u32, String), Numbers>,
}

impl Session {
    /// Numbers the objectives within each criterion. Called once, after all units.
    pub(crate) fn name_objectives(&mut self) {
        let mut next: BTreeMap<Criterion, u32> = BTreeMap::new();
        for objective in &mut self.objectives {
            let number = next.entry(objective.criterion).or_insert(0);
            *number += 1;
            objective.id = format!("{}:{number}", objective.criterion);
        }
    }
}

/// What the annotator knows of a translation unit.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub source: &'a Source,
    pub types: &'a Types,
    pub constants: &'a Constants<'a>,
    pub wanted: Wanted,
}

/// Annotates all functions of the user in a translation unit.
pub(crate) fn annotate(root: &Node, context: Context, session: &mut Session, edits: &mut Edits) {
    for function in root.inner.iter().filter(|n| n.kind == Kind::FunctionDecl) {
        let (Some(body), Some((offset, _))) = (function.body(), function.loc.0) else {
            continue;
        };
        let place = context.source.place(offset);
        if place.system {
            continue;
        }
        let key = (
            place.file.to_string(),
            place.line,
            text_of(context.source, function),
        );
        let first_meeting = *session.headers.entry(key).or_insert(session.numbers);
        let repeated = (first_meeting.decision, first_meeting.switch)
            != (session.numbers.decision, session.numbers.switch)
            || (first_meeting.reach, first_meeting.label)
                != (session.numbers.reach, session.numbers.label);
        let (objectives, numbers) = (session.objectives.len(), session.numbers);
        session.numbers = first_meeting;
        let name = session.names.of(&place.file, function.name());
        let mut annotator = Annotator {
            context,
            session,
            edits,
            function,
            name,
            visited: BTreeSet::new(),
            switch: None,
        };
        annotator.function_body(body);
        if repeated {
            session.objectives.truncate(objectives);
            session.numbers = numbers;
        }
    }
}

fn text_of(source: &Source, node: &Node) -> String {
    node.span()
        .map_or(String::new(), |span| source.slice(span).to_owned())
}

struct Annotator<'a> {
    context: Context<'a>,
    session: &'a mut Session,
    edits: &'a mut Edits,
    function: &'a Node,
    /// What it is called in objectives.
    name: String,
    /// Expressions that clang lists several times although they are written once.
    visited: BTreeSet<u64>,
    /// The innermost switch statement, if it is annotated.
    switch: Option<Switch>,
}

impl Annotator<'_> {
    fn excerpt(&mut self, span: (u32, u32)) -> Excerpt {
        self.session.originals.excerpt(self.context.source, span)
    }

    fn objective(&mut self, criterion: Criterion, at: &Excerpt, text: String, trigger: Trigger) {
        self.session.objectives.push(Objective {
            id: String::new(),
            criterion,
            function: self.name.clone(),
            file: at.file.to_string(),
            line: at.line,
            column: at.column,
            text,
            trigger,
        });
    }

    fn constant(&self, node: &Node) -> Option<i128> {
        let Context {
            types, constants, ..
        } = self.context;
        Evaluator { types, constants }.value(node)
    }
}

/// Hands out the next number of a counter.
fn take(counter: &mut u32) -> u32 {
    let number = *counter;
    *counter += 1;
    number
}
