//! A recorded stream of queries, to be asked again of other solvers. Its expressions are copied
//! into an arena of its own, so it outlives the run that it was recorded from.

use crate::path::PathCondition;
use labrys_expr::{Arena, ExprId, ExprKind, Model, VarId};
use rustc_hash::FxHashMap;
use std::fmt;

/// All queries of a run in their order; see [`crate::SolverOptions::recording`].
#[derive(Default)]
pub struct Recording {
    /// Where the recorded expressions live.
    pub arena: Arena,
    pub queries: Vec<RecordedQuery>,
    /// From expressions of the run to their copies.
    copies: FxHashMap<ExprId, ExprId>,
}

/// One question: can the goal hold on the path?
#[derive(Clone, Debug)]
pub struct RecordedQuery {
    /// The path, oldest constraint first.
    pub path: Vec<ExprId>,
    pub goal: ExprId,
    /// Satisfies the path.
    pub hint: Model,
}

impl fmt::Debug for Recording {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} recorded queries", self.queries.len())
    }
}

impl Recording {
    pub(crate) fn add(&mut self, arena: &Arena, path: &PathCondition, goal: ExprId, hint: &Model) {
        // The same numbers for the same variables, so that models can be used as they are.
        for v in self.arena.var_count()..arena.var_count() {
            let var = VarId(v as u32);
            self.arena
                .new_var(arena.var_name(var), arena.var_width(var));
        }
        let path = path.to_vec();
        let path = path.into_iter().map(|c| self.copy(arena, c)).collect();
        let goal = self.copy(arena, goal);
        self.queries.push(RecordedQuery {
            path,
            goal,
            hint: hint.clone(),
        });
    }

    /// The numbers of the run's expressions are about to mean something else.
    pub(crate) fn forget(&mut self) {
        self.copies.clear();
    }

    fn copy(&mut self, from: &Arena, root: ExprId) -> ExprId {
        let mut open = vec![root];
        while let Some(&e) = open.last() {
            let before = open.len();
            if !self.copies.contains_key(&e) {
                from.for_each_operand(e, |operand| {
                    if !self.copies.contains_key(&operand) {
                        open.push(operand);
                    }
                });
            }
            if open.len() == before {
                open.pop();
                if !self.copies.contains_key(&e) {
                    let copy = self.copy_node(from, e);
                    self.copies.insert(e, copy);
                }
            }
        }
        self.copied(root)
    }

    /// Copies a node whose operands have been copied.
    fn copy_node(&mut self, from: &Arena, e: ExprId) -> ExprId {
        let width = from.width(e);
        match from.kind(e) {
            ExprKind::Const(value) => self.arena.constant(width, value),
            ExprKind::Var(var) => self.arena.var_expr(var),
            ExprKind::Uninit => self.arena.uninit(width),
            ExprKind::Assumed(_) => self.arena.constant(width, 0),
            ExprKind::Unary(op, a) => self.arena.unary(op, self.copies[&a]),
            ExprKind::Binary(op, a, b) => self.arena.binary(op, self.copies[&a], self.copies[&b]),
            ExprKind::Ite(c, a, b) => {
                let (c, a, b) = (self.copied(c), self.copied(a), self.copied(b));
                self.arena.ite(c, a, b)
            }
            ExprKind::Extract(a, low) => self.arena.extract(self.copies[&a], low, width),
            ExprKind::Convert(op, a) => self.arena.convert(op, self.copies[&a], width),
            ExprKind::Table(table, index) => {
                let entries = from.table_entries(table).iter();
                let entries: Vec<ExprId> = entries.map(|entry| self.copied(*entry)).collect();
                let table = self.arena.table(&entries);
                self.arena.select(table, self.copies[&index])
            }
            ExprKind::Fma(a, b, c) => {
                let (a, b, c) = (self.copied(a), self.copied(b), self.copied(c));
                self.arena.ffma(a, b, c)
            }
            ExprKind::Round(mode, a) => self.arena.fround(mode, self.copies[&a]),
        }
    }

    fn copied(&self, e: ExprId) -> ExprId {
        self.copies[&e]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Answer, Solver, SolverOptions};
    use std::sync::{Arc, Mutex};

    /// The same query asked of the copy has the same answer, and a model of one is one of the
    /// other.
    #[test]
    fn a_recorded_query_means_the_same() {
        let recording = Arc::new(Mutex::new(Recording::default()));
        let options = SolverOptions {
            recording: Some(recording.clone()),
            ..SolverOptions::default()
        };
        let mut arena = Arena::new();
        let x = arena.new_var("x", 32);
        let y = arena.new_var("y", 32);
        let (x, y) = (arena.var_expr(x), arena.var_expr(y));
        // Something that is in the run but not in the query shifts the numbers.
        arena.mul(x, y);
        let (five, seven) = (arena.constant(32, 5), arena.constant(32, 7));
        let sum = arena.add(x, y);
        let entries = [five, sum, seven];
        let table = arena.table(&entries);
        let chosen = arena.select(table, x);
        let mut path = PathCondition::new();
        let below = arena.ult(y, five);
        path.push(&mut arena, below);
        let goals = [arena.eq(chosen, five), arena.ult(seven, y)];
        let mut solver = Solver::new(options).unwrap();
        let hint = Model::new();
        let first = goals.map(|goal| solver.solve(&mut arena, &path, goal, &hint));
        let mut recording = recording.lock().unwrap();
        let Recording { arena, queries, .. } = &mut *recording;
        assert_eq!(queries.len(), 2);
        let mut again = Solver::new(SolverOptions::default()).unwrap();
        for (query, first) in queries.iter().zip(first) {
            let mut path = PathCondition::new();
            for &c in &query.path {
                path.push(arena, c);
            }
            let answer = again.solve(arena, &path, query.goal, &query.hint);
            assert_eq!(answer.is_sat(), first.is_sat());
            assert_eq!(answer.is_unsat(), first.is_unsat());
            if let Answer::Sat(model) = first {
                let mut evaluator = labrys_expr::Evaluator::new();
                let holds = |c: &ExprId| evaluator.eval(arena, &model, *c) == 1;
                assert!(query.path.iter().chain([&query.goal]).all(holds));
            }
        }
    }
}
