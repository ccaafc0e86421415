//! Tries values on one path: by evaluation, which costs little, and by the solver, which is asked a
//! bounded number of times. Whatever is tried, the model satisfies the path before and after.

use super::fields::Field;
use super::limits::EffortSpent;
use labrys_expr::{Arena, Evaluator, ExprId, Model, VarId};
use labrys_solver::{Answer, PathCondition, Solver};
use rustc_hash::FxHashMap;

/// A path whose variables mention each other more often than this is left alone.
const MOST_MENTIONS: usize = 1 << 20;

/// The values of one test while they are chosen.
pub(crate) struct Chooser<'a> {
    pub(crate) arena: &'a mut Arena,
    solver: &'a mut Solver,
    /// The path, what must stay true, and the values that are settled.
    path: PathCondition,
    constraints: Vec<ExprId>,
    /// For each variable the constraints that mention it.
    mentions: FxHashMap<VarId, Vec<u32>>,
    /// The bytes of variables that keep their value, as sets.
    settled: FxHashMap<VarId, u8>,
    /// How often constraints mention variables: the size of the path.
    size: usize,
    pub(crate) model: Model,
    evaluator: &'a mut Evaluator,
    spent: &'a mut EffortSpent,
    /// Fields that are settled, but not yet in the path: most tests ask nothing.
    unwritten: Vec<Field>,
    /// The solver holds nothing of other paths.
    fresh: bool,
}

/// What the choices of all tests share.
pub(crate) struct Tools<'a> {
    pub(crate) solver: &'a mut Solver,
    /// Its table is as large as the arena, so there is one for all.
    pub(crate) evaluator: &'a mut Evaluator,
    pub(crate) spent: &'a mut EffortSpent,
}

impl<'a> Chooser<'a> {
    /// `None` if the path is too large to be looked at, or if the model does not satisfy it.
    pub(crate) fn new(
        arena: &'a mut Arena,
        tools: Tools<'a>,
        (path, keep): (&PathCondition, &[ExprId]),
        model: &Model,
    ) -> Option<Self> {
        let mut path = path.clone();
        for condition in keep {
            path.push(arena, *condition);
        }
        let constraints = path.to_vec();
        let mut mentions: FxHashMap<VarId, Vec<u32>> = FxHashMap::default();
        let mut total = 0;
        for (i, constraint) in constraints.iter().enumerate() {
            let vars = arena.vars(*constraint);
            total += arena.vars_len(vars);
            if total > MOST_MENTIONS {
                return None;
            }
            for var in arena.vars_iter(vars) {
                mentions.entry(var).or_default().push(i as u32);
            }
        }
        let mut chooser = Chooser {
            arena,
            solver: tools.solver,
            path,
            constraints,
            mentions,
            settled: FxHashMap::default(),
            size: total,
            model: model.clone(),
            evaluator: tools.evaluator,
            spent: tools.spent,
            unwritten: Vec::new(),
            fresh: false,
        };
        let all = 0..chooser.constraints.len() as u32;
        chooser.hold(all).then_some(chooser)
    }

    fn hold(&mut self, constraints: impl Iterator<Item = u32>) -> bool {
        self.evaluator.reset();
        let before = self.evaluator.computed();
        let mut holds = true;
        for i in constraints {
            let constraint = self.constraints[i as usize];
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
            found.extend(self.mentions.get(&var).into_iter().flatten());
        }
        found.sort_unstable();
        found.dedup();
        found
            .iter()
            .map(|i| self.constraints[*i as usize])
            .collect()
    }

    /// Does the path say anything about it?
    pub(crate) fn is_constrained(&self, field: &Field) -> bool {
        field.vars().any(|var| self.mentions.contains_key(&var))
    }

    /// Are all others settled that the path relates it to? Then evaluation says everything.
    pub(crate) fn is_alone(&mut self, field: &Field) -> bool {
        let own: Vec<VarId> = field.vars().collect();
        let constraints = self.constraints_of(field);
        let mut looked = 0;
        let is_other = |var: VarId| {
            looked += 1;
            !own.contains(&var) && !self.is_settled(var)
        };
        let sets = constraints.iter().map(|c| self.arena.vars(*c));
        let mut related = sets.flat_map(|set| self.arena.vars_iter(set));
        let alone = !related.any(is_other);
        self.spent.evaluate(looked);
        alone
    }

    /// Is there nothing left to spend?
    pub(crate) fn is_over(&self) -> bool {
        self.spent.is_over()
    }

    /// The first field of these, not settled, that the path relates to `field`.
    pub(crate) fn partner<'f>(&self, field: &Field, others: &'f [Field]) -> Option<&'f Field> {
        let related = self.constraints_of(field);
        let mentioned = |var: VarId| {
            let vars = |c: &ExprId| self.arena.vars_iter(self.arena.vars(*c));
            !self.is_settled(var) && related.iter().any(|c| vars(c).any(|v| v == var))
        };
        others.iter().find(|other| other.vars().any(mentioned))
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
        let mut affected: Vec<u32> = Vec::new();
        for var in changes.iter().flat_map(|(field, _)| field.vars()) {
            affected.extend(self.mentions.get(&var).into_iter().flatten());
        }
        if changes.len() > 1 {
            affected.sort_unstable();
            affected.dedup();
        }
        self.spent.attempt();
        let before = self.replace(changes);
        let holds = self.hold(affected.into_iter());
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

    /// Can `goal` not hold? False also where that is not known.
    pub(crate) fn is_impossible(&mut self, goal: ExprId) -> bool {
        matches!(self.answer(goal), Some(Answer::Unsat))
    }

    fn answer(&mut self, goal: ExprId) -> Option<Answer> {
        if !self.spent.query(self.size) {
            return None;
        }
        if !self.fresh {
            // The circuits of other paths are a burden.
            self.solver.forget();
            self.fresh = true;
        }
        self.write_settled();
        let answer = self.solver.solve(self.arena, &self.path, goal, &self.model);
        if matches!(answer, Answer::Unknown(_)) {
            self.spent.unanswered();
        }
        Some(answer)
    }

    fn is_settled(&self, var: VarId) -> bool {
        let all = u8::MAX >> (8 - self.arena.var_width(var).div_ceil(8).min(8));
        self.settled.get(&var).is_some_and(|bytes| *bytes == all)
    }

    /// Is a part of the field settled?
    fn is_kept(&self, field: &Field) -> bool {
        let known = |var| self.settled.get(&var).copied().unwrap_or(0);
        let mut pieces = field.pieces.iter();
        pieces.any(|piece| known(piece.var) & piece.mask() != 0)
    }

    /// The field keeps its value from now on.
    pub(crate) fn settle(&mut self, field: &Field) {
        self.spent.field();
        if self.is_kept(field) {
            return;
        }
        for piece in &field.pieces {
            *self.settled.entry(piece.var).or_default() |= piece.mask();
        }
        if field.width() <= 64 && self.is_constrained(field) {
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
