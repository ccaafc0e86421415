//! Inserts the annotations of the wanted criteria into the functions of a translation unit and
//! makes the objectives that they trigger.
//!
//! The annotated program behaves as the original: every expression is evaluated as often, in the
//! same order and with the same type as before. Only code that runs is annotated: constant
//! expressions and operands that are not evaluated stay as they are.

mod boundary;
mod call_mutants;
mod cast_mutants;
mod condition_mutants;
mod conditions;
mod decisions;
mod domain;
mod events;
mod formula;
mod label_places;
mod labels;
mod meta_mutant;
mod mutants;
mod mutation_operator;
mod no_mutants;
mod operators;
mod pairs;
mod points;
mod purity;
mod render;
mod rte;
mod statement_mutants;
mod statements;
mod switch_mutants;
mod switches;
mod value_mutants;
mod variables;

pub(crate) use label_places::Notation;
pub use label_places::tag;
pub use mutation_operator::MutationOperator;
pub(crate) use purity::{is_pure_builtin, pure_functions};
pub(crate) use render::flat;

use crate::align::{Excerpt, OriginalFiles};
use crate::ast::{AstKind, AstNode};
use crate::consteval::{ConstantEvaluator, Constants};
use crate::edits::TextEdits;
use crate::program::{FunctionNames, ParsedUnit};
use crate::source::PreprocessedText;
use crate::types::TypeTable;
use label_places::LabelPlace;
use labrys_ledger::{Criterion, Decision, Objective, Trigger};
use mutants::VisibleVariable;
use purity::Purity;
use std::collections::{BTreeMap, BTreeSet};
use switches::SwitchContext;

/// The criteria that are asked for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CriteriaSet(u32);

impl CriteriaSet {
    pub(crate) fn new(criteria: &[Criterion]) -> Self {
        CriteriaSet(criteria.iter().fold(0, |all, c| all | 1 << *c as u32))
    }

    fn has(self, criterion: Criterion) -> bool {
        self.0 >> criterion as u32 & 1 == 1
    }

    fn has_any(self, criteria: &[Criterion]) -> bool {
        criteria.iter().any(|c| self.has(*c))
    }

    /// Whether something is asked of conditions.
    fn conditions(self) -> bool {
        self.has(Criterion::Path)
            || self.has_any(&conditions::ON_CONDITIONS)
            || self.has_any(&pairs::ON_PAIRS)
    }

    /// Whether something is asked of decisions as a whole.
    fn decisions(self) -> bool {
        self.has_any(&[Criterion::Decision, Criterion::DecisionCondition])
    }

    fn switches(self) -> bool {
        self.decisions() || self.has_any(&[Criterion::Branch, Criterion::Path])
    }
}

/// What is to be annotated, and how.
#[derive(Clone, Copy)]
pub(crate) struct AnnotationPlan<'a> {
    pub wanted: CriteriaSet,
    pub notation: Notation,
    /// Mutation operators of `weak-mutation` and of the meta-mutant.
    pub operators: &'a [MutationOperator],
    /// Whether the program becomes one with all its mutants, of which one can be active.
    pub mutants: bool,
    /// `rte`: label that an error does not happen, too.
    pub both_sides: bool,
    /// Size of the combinations of `multiple-condition`; all conditions if absent.
    pub n: Option<u32>,
    /// Blocks of `input-domain`, if not by type.
    pub partitions: &'a [String],
    /// The functions under test.
    pub entries: &'a BTreeSet<String>,
    /// Only these functions are annotated.
    pub only: Option<&'a BTreeSet<String>>,
}

/// The next free number of each kind of annotation, over the whole program.
#[derive(Debug, Clone, Copy, Default)]
struct AnnotationNumbers {
    decision: u32,
    switch: u32,
    reach: u32,
    label: u32,
    /// The last mutation point; the first is 1.
    point: u32,
}

/// A note names at most 10 places.
const MAX_NAMED_IN_NOTE: usize = 10;

/// What is shared by all translation units of a program.
#[derive(Default)]
pub(crate) struct ProgramAnnotations {
    numbers: AnnotationNumbers,
    pub originals: OriginalFiles,
    pub objectives: Vec<Objective>,
    pub mutants: Vec<labrys_ledger::Mutant>,
    pub nesting: labrys_ledger::PointNesting,
    /// Those whose pairs are objectives.
    pub decisions: Vec<Decision>,
    pub notes: BTreeSet<String>,
    /// Operations that are not mutated, or not checked, since an operand has side effects: file,
    /// line, column, text.
    impure: BTreeSet<NotedOperation>,
    unchecked: BTreeSet<NotedOperation>,
    /// Operations that are not mutated since their text can stand only once.
    uncopied: BTreeSet<NotedOperation>,
    /// Comments that take mutants out.
    comments: no_mutants::MutantComments,
    pub names: FunctionNames,
    /// The numbers with which a function of a header began in the unit that met it first: every
    /// unit that includes it gets the same annotations, and its objectives count once.
    headers: BTreeMap<(String, u32, String), AnnotationNumbers>,
}

/// File, line, column and text.
type NotedOperation = (String, u32, u32, String);

impl ProgramAnnotations {
    /// What was left out, in notes. Called once, after all units.
    pub(crate) fn note_left_out(&mut self) {
        let what = [
            (
                &self.impure,
                "weak-mutation: not mutated since an operand has side effects",
            ),
            (
                &self.unchecked,
                "rte: not checked since an operand has side effects",
            ),
            (
                &self.uncopied,
                "mutation: not mutated since it holds a label, assembly or setjmp",
            ),
        ];
        for (places, text) in what {
            let named = places.iter().take(MAX_NAMED_IN_NOTE);
            let mut names: Vec<String> = named
                .map(|(file, line, _, text)| format!("{file}:{line} '{text}'"))
                .collect();
            if places.len() > MAX_NAMED_IN_NOTE {
                names.push("…".to_owned());
            }
            if !places.is_empty() {
                let note = format!("{text} ({}): {}", places.len(), names.join(", "));
                self.notes.insert(note);
            }
        }
        self.notes.extend(self.comments.note());
    }

    /// Numbers the objectives within each criterion, and the mutants. Called once, after all units.
    pub(crate) fn name_objectives(&mut self) {
        let mut next: BTreeMap<Criterion, u32> = BTreeMap::new();
        for objective in &mut self.objectives {
            let number = next.entry(objective.criterion).or_insert(0);
            *number += 1;
            objective.id = format!("{}:{number}", objective.criterion);
        }
        for (number, mutant) in (1..).zip(&mut self.mutants) {
            mutant.id = format!("mutation:{number}");
        }
    }
}

/// What the annotator knows of a translation unit.
#[derive(Clone, Copy)]
pub(crate) struct UnitContext<'a> {
    pub source: &'a PreprocessedText,
    pub types: &'a TypeTable,
    pub constants: &'a Constants<'a>,
    pub purity: Purity<'a>,
    pub plan: AnnotationPlan<'a>,
}

impl<'a> UnitContext<'a> {
    /// `functions` are those that [`pure_functions`] has found.
    pub(crate) fn new(
        unit: &'a ParsedUnit,
        functions: &'a BTreeSet<String>,
        plan: AnnotationPlan<'a>,
    ) -> Self {
        UnitContext {
            source: &unit.parsed.source,
            types: &unit.types,
            constants: &unit.constants,
            purity: Purity {
                types: &unit.types,
                functions,
            },
            plan,
        }
    }
}

/// Annotates all functions of the user in a translation unit.
pub(crate) fn annotate(
    root: &AstNode,
    context: UnitContext,
    session: &mut ProgramAnnotations,
    edits: &mut TextEdits,
) {
    for function in root
        .inner
        .iter()
        .filter(|n| n.kind == AstKind::FunctionDecl)
    {
        let (Some(body), Some((offset, _))) = (function.body(), function.loc.0) else {
            continue;
        };
        let place = context.source.place(offset);
        if place.system {
            continue;
        }
        let name = session.names.of(&place.file, function.name());
        if context.plan.only.is_some_and(|only| !only.contains(&name)) {
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
                != (session.numbers.reach, session.numbers.label)
            || first_meeting.point != session.numbers.point;
        let (objectives, numbers) = (session.objectives.len(), session.numbers);
        let mutants = session.mutants.len();
        let decisions = session.decisions.len();
        session.numbers = first_meeting;
        let mut annotator = Annotator {
            context,
            program: session,
            edits,
            function,
            name,
            visited: BTreeSet::new(),
            switch: None,
            inside_mutated: false,
            walk: meta_mutant::MutationWalk::default(),
            statements: statement_mutants::StatementWalk::default(),
            values: value_mutants::ValueWalk::default(),
            stops: BTreeMap::new(),
            variables: Vec::new(),
            globals: variables::globals_of(root, function),
            registers: BTreeSet::new(),
            waiting: BTreeMap::new(),
            ahead: BTreeMap::new(),
            behind: BTreeMap::new(),
            temporaries: String::new(),
            temporary_number: 0,
            first_objective: objectives,
            first_expression: None,
        };
        annotator.function_body(body);
        if repeated {
            session.objectives.truncate(objectives);
            session.mutants.truncate(mutants);
            session.decisions.truncate(decisions);
            session.numbers = numbers;
        }
    }
}

fn text_of(source: &PreprocessedText, node: &AstNode) -> String {
    node.span()
        .map_or(String::new(), |span| source.slice(span).to_owned())
}

struct Annotator<'a> {
    context: UnitContext<'a>,
    program: &'a mut ProgramAnnotations,
    edits: &'a mut TextEdits,
    function: &'a AstNode,
    /// What it is called in objectives.
    name: String,
    /// Expressions that clang lists several times although they are written once.
    visited: BTreeSet<u64>,
    /// The innermost switch statement, if it is annotated.
    switch: Option<SwitchContext>,
    /// An expression around the current one is mutated as a whole.
    inside_mutated: bool,
    walk: meta_mutant::MutationWalk,
    statements: statement_mutants::StatementWalk,
    values: value_mutants::ValueWalk,
    /// Cases into which control falls, and where a `break` could stop it.
    stops: BTreeMap<u64, u32>,
    /// The variables that are visible, innermost last, and globals that the function mentions.
    variables: Vec<VisibleVariable>,
    globals: Vec<&'a AstNode>,
    /// Variables without an address.
    registers: BTreeSet<u64>,
    /// By expression: labels that wait for it, and text to put before and behind it.
    waiting: BTreeMap<u64, LabelPlace>,
    ahead: BTreeMap<u64, String>,
    behind: BTreeMap<u64, String>,
    /// Declarations for the beginning of the body.
    temporaries: String,
    temporary_number: u32,
    /// The first objective of the function.
    first_objective: usize,
    /// In LTest's notation: the expression with which a statement of a block begins, and where
    /// that statement begins.
    first_expression: Option<(u64, u32)>,
}

impl Annotator<'_> {
    fn excerpt(&mut self, span: (u32, u32)) -> Excerpt {
        self.program.originals.excerpt(self.context.source, span)
    }

    fn objective(&mut self, criterion: Criterion, at: &Excerpt, text: String, trigger: Trigger) {
        self.program.objectives.push(Objective {
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

    fn is_pure(&self, node: &AstNode) -> bool {
        let known = node
            .span()
            .is_none_or(|span| self.context.source.is_exact(span));
        known && self.context.purity.is_pure(node)
    }

    fn constant(&self, node: &AstNode) -> Option<i128> {
        let UnitContext {
            types, constants, ..
        } = self.context;
        ConstantEvaluator { types, constants }.value(node)
    }
}

/// Hands out the next number of a counter.
fn next_number(counter: &mut u32) -> u32 {
    let number = *counter;
    *counter += 1;
    number
}
