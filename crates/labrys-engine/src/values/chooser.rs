//! Tries values on one path: by evaluation, which costs little, and by the solver, which is asked a
//! bounded number of times. Whatever is tried, the model satisfies the path before and after.

use super::fields::{Field, KnownInput, Piece};
use super::limits::EffortSpent;
use super::mentions::Mentions;
use super::settled::SettledBytes;
use super::ties::Tie;
use super::verdicts::Verdicts;
use labrys_expr::{Arena, Evaluator, ExprId, Model, VarId};
use labrys_solver::{Answer, PathCondition, Solver};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Circuits are shared by tests until they have so many clauses.
const MOST_CLAUSES: u64 = 20_000;

/// The values of one test while they are chosen.
pub(crate) struct Chooser<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(super) solver: &'a mut Solver,
    /// The path, what must stay true, and the values that are settled.
    pub(super) path: PathCondition,
    pub(super) constraints: Vec<ExprId>,
    pub(super) mentions: Mentions,
    pub(crate) verdicts: &'a mut Verdicts,
    pub(super) settled: &'a mut SettledBytes,
    pub(crate) model: Model,
    pub(super) evaluator: &'a mut Evaluator,
    pub(super) spent: &'a mut EffortSpent,
    /// Fields that are settled, but not yet in the path: most tests ask nothing.
    pub(super) unwritten: Vec<Field>,
    pub(super) inputs: &'a [Rc<KnownInput>],
    /// The fields that are a variable, once somebody asked: input and field.
    pub(super) fields: Option<FxHashMap<VarId, (u32, u32)>>,
    /// Places of constraints, for a moment.
    pub(super) affected: Vec<u32>,
    pub(super) own: Vec<ExprId>,
    /// What was asked last is mostly asked again.
    pub(super) last_tie: (Option<Piece>, Tie),
}

/// What the choices of all tests share.
pub(crate) struct Tools<'a> {
    pub(crate) solver: &'a mut Solver,
    /// Its table is as large as the arena, so there is one for all.
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) verdicts: &'a mut Verdicts,
    pub(crate) settled: &'a mut SettledBytes,
    pub(crate) spent: &'a mut EffortSpent,
}

impl<'a> Chooser<'a> {
    /// `None` if the path is too large to be looked at, or if the model does not satisfy it.
    pub(crate) fn new(
        arena: &'a mut Arena,
        tools: Tools<'a>,
        (path, keep): (&PathCondition, &[ExprId]),
        (model, inputs): (&Model, &'a [Rc<KnownInput>]),
    ) -> Option<Self> {
        let mut path = path.clone();
        for condition in keep {
            path.push(arena, *condition);
        }
        let constraints = path.to_vec();
        let mentions = Mentions::of(arena, &constraints)?;
        tools.spent.mention(mentions.len());
        tools.verdicts.begin();
        tools.settled.begin();
        let mut chooser = Chooser {
            arena,
            solver: tools.solver,
            path,
            constraints,
            mentions,
            verdicts: tools.verdicts,
            settled: tools.settled,
            model: model.clone(),
            evaluator: tools.evaluator,
            spent: tools.spent,
            unwritten: Vec::new(),
            inputs,
            fields: None,
            affected: Vec::new(),
            own: Vec::new(),
            last_tie: (None, Tie::Free),
        };
        chooser.is_satisfied().then_some(chooser)
    }

    /// Does the model satisfy the path? What it says of single variables is known from other tests.
    fn is_satisfied(&mut self) -> bool {
        self.affected.extend(self.mentions.joint());
        for i in 0..self.mentions.vars() {
            if self.mentions.is_tied(i) {
                self.affected.extend(self.mentions.own_places(i));
                continue;
            }
            let (set, var) = (self.set_of(i), self.mentions.var(i));
            if !self.allows(set, var, self.model.get(var)) {
                return false;
            }
        }
        self.affected_hold()
    }

    pub(super) fn affected_hold(&mut self) -> bool {
        self.evaluator.reset();
        let before = self.evaluator.computed();
        let mut holds = true;
        for i in &self.affected {
            let constraint = self.constraints[*i as usize];
            if self.evaluator.eval(self.arena, &self.model, constraint) != 1 {
                holds = false;
                break;
            }
        }
        self.spent.evaluate(self.evaluator.computed() - before);
        holds
    }

    /// The constraints that mention a field.
    pub(crate) fn constraints_of(&self, field: &Field) -> Vec<ExprId> {
        let mut found: Vec<u32> = Vec::new();
        for var in field.vars() {
            found.extend(self.mentions.places(var));
        }
        if field.pieces.len() > 1 {
            found.sort_unstable();
            found.dedup();
        }
        found
            .iter()
            .map(|i| self.constraints[*i as usize])
            .collect()
    }

    /// Does the path say anything about it?
    pub(crate) fn is_constrained(&self, field: &Field) -> bool {
        field.vars().any(|var| self.mentions.has(var))
    }

    /// Is there nothing left to spend?
    pub(crate) fn is_over(&self) -> bool {
        self.spent.is_over()
    }

    /// Whether one constraint holds if the field has this value.
    pub(crate) fn satisfies(&mut self, constraint: ExprId, field: &Field, value: u64) -> bool {
        let before = self.replace(&[(field, value)]);
        self.evaluator.reset();
        let computed = self.evaluator.computed();
        let holds = self.evaluator.eval(self.arena, &self.model, constraint) == 1;
        self.spent.evaluate(self.evaluator.computed() - computed);
        self.restore(before);
        holds
    }

    /// Takes these values, all others unchanged, if the path allows them.
    pub(crate) fn attempt(&mut self, changes: &[(&Field, u64)]) -> bool {
        if changes
            .iter()
            .all(|(f, value)| f.value(&self.model) == *value)
        {
            return true;
        }
        let is_kept = |(field, _): &(&Field, u64)| self.is_kept(field);
        if self.spent.is_over() || changes.iter().any(is_kept) {
            return false;
        }
        self.spent.attempt(changes.len());
        self.affected.clear();
        for (field, value) in changes {
            match self.tie(field) {
                Tie::Free => {}
                Tie::Alone(set) => {
                    if !self.allows(set, field.pieces[0].var, *value) {
                        return false;
                    }
                }
                Tie::Tied => {
                    for var in field.vars() {
                        self.affected.extend(self.mentions.places(var));
                    }
                }
            }
        }
        if self.affected.is_empty() {
            for (field, value) in changes {
                field.assign(&mut self.model, *value);
            }
            return true;
        }
        if changes.len() > 1 {
            self.affected.sort_unstable();
            self.affected.dedup();
        }
        let before = self.replace(changes);
        let holds = self.affected_hold();
        if !holds {
            self.restore(before);
        }
        holds
    }

    fn replace(&mut self, changes: &[(&Field, u64)]) -> Vec<(VarId, u64)> {
        let vars = changes.iter().flat_map(|(field, _)| field.vars());
        let before = vars.map(|var| (var, self.model.get(var))).collect();
        for (field, value) in changes {
            field.assign(&mut self.model, *value);
        }
        before
    }

    fn restore(&mut self, before: Vec<(VarId, u64)>) {
        for (var, part) in before {
            self.model.set(var, part);
        }
    }

    /// Looks for a model with `goal`, in which all that is settled is the same, and takes it.
    pub(crate) fn ask(&mut self, goal: ExprId) -> bool {
        match self.answer(goal) {
            Some(Answer::Sat(model)) => {
                self.model = model;
                true
            }
            _ => false,
        }
    }

    fn answer(&mut self, goal: ExprId) -> Option<Answer> {
        if !self.spent.query(self.mentions.len()) {
            return None;
        }
        if self.solver.stats().sat_clauses > MOST_CLAUSES {
            // The circuits of other paths are a burden.
            self.solver.forget();
        }
        self.write_settled();
        let before = self.solver.stats().blast.asked;
        let answer = self.solver.solve(self.arena, &self.path, goal, &self.model);
        let stats = self.solver.stats();
        if stats.blast.asked > before {
            self.spent.solved(stats.sat_clauses);
        }
        if matches!(answer, Answer::Unknown(_)) {
            self.spent.unanswered();
        }
        Some(answer)
    }

    pub(crate) fn is_settled(&self, var: VarId) -> bool {
        let all = u8::MAX >> (8 - self.arena.var_width(var).div_ceil(8).min(8));
        self.settled.get(var) == all
    }

    /// Is a part of the field settled?
    fn is_kept(&self, field: &Field) -> bool {
        let mut pieces = field.pieces.iter();
        pieces.any(|piece| self.settled.get(piece.var) & piece.mask() != 0)
    }

    /// The field keeps its value from now on.
    pub(crate) fn settle(&mut self, field: &Field) {
        self.spent.field();
        if self.is_kept(field) {
            return;
        }
        for piece in &field.pieces {
            self.settled.add(piece.var, piece.mask());
        }
        if field.width() <= 64 && self.tie(field) == Tie::Tied {
            self.unwritten.push(field.clone());
        }
    }

    /// Adds to the path that what is settled stays.
    fn write_settled(&mut self) {
        for field in std::mem::take(&mut self.unwritten) {
            if let Some(term) = field.term(self.arena) {
                let value = field.value(&self.model);
                let value = self.arena.constant(field.width(), value.into());
                let same = self.arena.eq(term, value);
                self.path.push(self.arena, same);
            }
        }
    }
}
