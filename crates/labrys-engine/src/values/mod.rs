//! Values that people can relate to.
//!
//! A solver gives any input that takes a path. Here the inputs of a test are chosen anew among all
//! that take the same path, with what must stay true besides it: constants of the program first,
//! then small numbers, printable text, and values that differ from each other
//! (`docs/design/082-values.md`). In come a path condition, conditions to keep and a model; out
//! comes a model of the same.

mod boundary;
mod chooser;
mod fields;
mod floats;
mod limits;
mod mentions;
mod nearest;
mod numbers;
mod ranks;
mod settled;
mod test_path;
#[cfg(test)]
mod tests;
mod text;
mod ties;
mod verdicts;
mod words;

pub(crate) use limits::steps_of;
pub(crate) use test_path::TestPath;

use crate::config::Config;
use crate::inputs::{InputId, Inputs};
use crate::program::Program;
use crate::report::Work;
use chooser::{Chooser, Tools};
use fields::{Field, KnownInput, Sort, fields_of};
use labrys_expr::{Arena, Evaluator, ExprId, Model, VarId, VarSetId};
use labrys_ledger::InputType;
use labrys_solver::{PathCondition, Solver, SolverError, SolverOptions, SolverStats};
use limits::EffortSpent;
use rustc_hash::{FxHashMap, FxHashSet};
use settled::SettledBytes;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use text::End;
use ties::Tie;
use verdicts::Verdicts;

/// Conflicts of the SAT solver in one query: harder questions are left unanswered.
const CONFLICTS: u64 = 300;

/// The work is counted, but it also ends after this part of the time of a search.
const PART: u32 = 4;
const LEAST: Duration = Duration::from_secs(1);

/// What the values of a test must do.
pub(crate) struct TestConstraints<'a> {
    pub(crate) path: &'a PathCondition,
    /// Conditions besides the path.
    pub(crate) keep: &'a [ExprId],
    /// The inputs that the path asks for, in order.
    pub(crate) inputs: &'a [InputId],
    /// Variables on which something depends that the test shows.
    pub(crate) shown: VarSetId,
}

/// Chooses values, for all tests of a run.
pub(crate) struct Values {
    /// The types of the inputs by their names.
    types: Arc<BTreeMap<String, InputType>>,
    words: Vec<Vec<u8>>,
    /// It answers little, but never needs long.
    solver: Solver,
    evaluator: Evaluator,
    /// What was found out about constraints on single inputs.
    verdicts: Verdicts,
    settled: SettledBytes,
    /// The fields of inputs that were looked at before.
    fields: FxHashMap<InputId, Rc<KnownInput>>,
    spent: EffortSpent,
}

impl Values {
    pub(crate) fn new(program: &Program<'_>, config: &Config) -> Result<Self, SolverError> {
        let deadline = match config.deadline.total() {
            Some(time) => config.end.within((time / PART).max(LEAST)),
            None => config.end.clone(),
        };
        let options = SolverOptions {
            bitwuzla: false,
            conflicts: CONFLICTS,
            external: None,
            deadline: deadline.clone(),
            log_queries: None,
            recording: None,
            ..config.solver.clone()
        };
        Ok(Values {
            types: config.types.clone(),
            words: words::words(program),
            solver: Solver::new(options)?,
            evaluator: Evaluator::new(),
            verdicts: Verdicts::default(),
            settled: SettledBytes::default(),
            fields: FxHashMap::default(),
            spent: EffortSpent::until(deadline),
        })
    }

    /// From now on, the choice may cost about as much as this work of a search, for so many tests.
    pub(crate) fn cost_at_most(&mut self, search: &Work, solver: &SolverStats, tests: usize) {
        let steps = limits::steps_of(search, solver);
        self.spent.allow(steps, tests as u64);
    }

    /// Is nothing left for another test?
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.is_spent()
    }

    /// What the solver did.
    pub(crate) fn stats(&self) -> &SolverStats {
        self.solver.stats()
    }

    pub(crate) fn queries(&self) -> u64 {
        self.spent.queries()
    }

    /// The work that was done, in counted steps.
    pub(crate) fn steps(&self) -> u64 {
        self.spent.steps()
    }

    /// Expressions were renumbered.
    pub(crate) fn forget(&mut self) {
        self.solver.forget();
        self.evaluator.reset();
        self.verdicts.forget();
    }

    /// A model of the same path that is easier to read; `None` if there is none to be had.
    pub(crate) fn nicer(
        &mut self,
        arena: &mut Arena,
        inputs: &Inputs,
        scene: &TestConstraints<'_>,
        model: &Model,
    ) -> Option<Model> {
        if !self.spent.begin() {
            return None;
        }
        let known = |id: &InputId| {
            let entry = self.fields.entry(*id).or_insert_with(|| {
                let input = inputs.get(*id);
                Rc::new(KnownInput {
                    name: input.name.clone(),
                    fields: fields_of(input, self.types.get(&input.name)),
                })
            });
            entry.clone()
        };
        let all: Vec<Rc<KnownInput>> = scene.inputs.iter().map(known).collect();
        let condition = (scene.path, scene.keep);
        let shown = arena.vars_iter(scene.shown).collect();
        let tools = Tools {
            solver: &mut self.solver,
            evaluator: &mut self.evaluator,
            verdicts: &mut self.verdicts,
            settled: &mut self.settled,
            spent: &mut self.spent,
        };
        let chooser = Chooser::new(arena, tools, condition, (model, &all))?;
        let mut choice = ValueChoice {
            chooser,
            shown,
            words: &self.words,
        };
        choice.choose(&all);
        let chosen = choice.chooser.model;
        (chosen != *model).then_some(chosen)
    }
}

/// The choice for one test.
struct ValueChoice<'a> {
    chooser: Chooser<'a>,
    shown: FxHashSet<VarId>,
    words: &'a [Vec<u8>],
}

impl ValueChoice<'_> {
    fn choose(&mut self, all: &[Rc<KnownInput>]) {
        let fields = || all.iter().flat_map(|input| &input.fields);
        fields()
            .filter(|field| field.sort == Sort::Fixed)
            .for_each(|field| self.chooser.settle(field));
        let floats: Vec<Field> = fields()
            .filter(|f| f.sort == Sort::Float)
            .cloned()
            .collect();
        // The single values of a test are to be told apart, and those of all arrays.
        let (mut single, mut elements) = (Vec::new(), Vec::with_capacity(fields().count()));
        let (mut characters, mut next_float) = (0, 0);
        for input in all {
            let KnownInput { name, fields } = &**input;
            let is_size = is_size(name, all);
            let used = if fields.len() == 1 {
                &mut single
            } else {
                &mut elements
            };
            for field in fields {
                next_float += usize::from(field.sort == Sort::Float);
                if matches!(field.sort, Sort::Fixed) || field.sort == Sort::Char && fields.len() > 1
                {
                    continue;
                }
                if self.chooser.is_over() {
                    return;
                }
                if self.is_quiet(field) {
                    self.chooser.settle(field);
                    continue;
                }
                match field.sort {
                    Sort::Float => {
                        let others = floats.get(next_float..).unwrap_or_default();
                        floats::choose(&mut self.chooser, field, others, used);
                    }
                    Sort::Char => {
                        text::character(&mut self.chooser, field, characters);
                        characters += 1;
                    }
                    _ if is_size => numbers::choose_least(&mut self.chooser, field),
                    _ => numbers::choose(&mut self.chooser, field, used),
                }
                self.chooser.settle(field);
            }
        }
        for input in all.iter().filter(|input| input.fields.len() > 1) {
            self.text(&input.name, &input.fields, all);
        }
    }

    /// Its value has no effect that a reader would see: zero will do.
    fn is_quiet(&mut self, field: &Field) -> bool {
        let shown = field.vars().any(|var| self.shown.contains(&var));
        let idle = !shown && self.chooser.tie(field) == Tie::Free;
        idle && self.chooser.attempt(&[(field, 0)])
    }

    /// The runs of characters in an input.
    fn text(&mut self, name: &str, fields: &[Field], all: &[Rc<KnownInput>]) {
        let size = format!("{name}.size");
        let size = all.iter().find(|other| other.name == size);
        let size = size.and_then(|input| match &input.fields[..] {
            [field] => Some(field.value(&self.chooser.model) as usize),
            _ => None,
        });
        let end = size.map_or(End::Zero, End::Size);
        for run in fields.chunk_by(|a, b| (a.sort == Sort::Char) == (b.sort == Sort::Char)) {
            if run[0].sort != Sort::Char {
                continue;
            }
            text::choose(&mut self.chooser, run, end, self.words);
            run.iter().for_each(|byte| self.chooser.settle(byte));
        }
    }
}

/// Is it the size of a file, the number of arguments, or a place in an object?
fn is_size(name: &str, all: &[Rc<KnownInput>]) -> bool {
    let sized = |base: &str| all.iter().any(|other| other.name == base);
    let of_file = name.strip_suffix(".size").is_some_and(sized);
    let of_arguments = name.starts_with("args") && name.ends_with(".count");
    of_file || of_arguments || name.contains(" (place of ")
}
