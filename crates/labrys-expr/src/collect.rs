//! Collection of dead expressions. The owner marks what it still needs; all other nodes are given
//! back and their ids used again. Ids of live expressions do not change.

use crate::node::{ExprNode, ExprOp};
use crate::{Arena, ExprId};

/// The expressions that are still needed, with everything below them.
#[derive(Debug)]
pub struct LiveMarks {
    live: Vec<u64>,
    open: Vec<ExprId>,
    count: usize,
}

impl LiveMarks {
    /// Nothing is marked but what the arena itself needs.
    pub fn new(arena: &Arena) -> Self {
        let mut marks = LiveMarks {
            live: vec![0; arena.nodes.len().div_ceil(64)],
            open: Vec::new(),
            count: 0,
        };
        for e in arena.permanent() {
            marks.mark(arena, e);
        }
        marks
    }

    /// Marks an expression and everything below it.
    pub fn mark(&mut self, arena: &Arena, e: ExprId) {
        self.visit(e);
        while let Some(e) = self.open.pop() {
            let (live, open, count) = (&mut self.live, &mut self.open, &mut self.count);
            arena.for_each_operand(e, |operand| visit(live, open, count, operand));
        }
    }

    fn visit(&mut self, e: ExprId) {
        visit(&mut self.live, &mut self.open, &mut self.count, e);
    }

    fn is_live(&self, index: usize) -> bool {
        self.live[index / 64] >> (index % 64) & 1 == 1
    }

    /// Number of live expressions.
    pub fn count(&self) -> usize {
        self.count
    }
}

fn visit(live: &mut [u64], open: &mut Vec<ExprId>, count: &mut usize, e: ExprId) {
    let (word, bit) = (e.index() / 64, e.index() % 64);
    if live[word] >> bit & 1 == 0 {
        live[word] |= 1 << bit;
        *count += 1;
        open.push(e);
    }
}

impl Arena {
    /// Gives all expressions back that are not marked. Whoever keeps ids of such expressions
    /// (caches, evaluators) must forget them.
    pub fn collect(&mut self, marks: &LiveMarks) {
        for index in 1..self.nodes.len() {
            if !marks.is_live(index) && !self.is_free(index) {
                self.remove(index as u32);
            }
        }
        self.collect_tables();
        self.assumptions.forget();
    }

    fn is_free(&self, index: usize) -> bool {
        self.nodes[index].width == 0
    }

    fn remove(&mut self, index: u32) {
        self.forget_index(index);
        self.nodes[index as usize] = ExprNode {
            op: ExprOp::Uninit,
            width: 0,
            flags: 0,
            a: 0,
            b: 0,
            c: 0,
        };
        self.free.push(index);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Evaluator, Model};

    #[test]
    fn tables_that_nothing_indexes_are_given_back() {
        let mut arena = Arena::new();
        let var = arena.new_var("i", 8);
        let index = arena.var_expr(var);
        let mut kept = None;
        for i in 0..10u128 {
            let entries: Vec<_> = (0..256).map(|k| arena.constant(32, k * 3 + i)).collect();
            let table = arena.table(&entries);
            let chosen = arena.select(table, index);
            if i == 7 {
                kept = Some(chosen);
            }
        }
        let before = arena.collectable_size();
        let mut marks = LiveMarks::new(&arena);
        marks.mark(&arena, kept.unwrap());
        arena.collect(&marks);
        assert!(arena.collectable_size() < before / 4);
        let entries: Vec<_> = (0..256).map(|k| arena.constant(32, k * 5)).collect();
        let table = arena.table(&entries);
        let other = arena.select(table, index);
        let mut model = Model::new();
        model.set(var, 20);
        let mut evaluator = Evaluator::new();
        assert_eq!(evaluator.eval(&arena, &model, kept.unwrap()), 67);
        assert_eq!(evaluator.eval(&arena, &model, other), 100);
    }

    #[test]
    fn live_expressions_stay_and_dead_ids_are_used_again() {
        let mut arena = Arena::new();
        let var = arena.new_var("x", 32);
        let x = arena.var_expr(var);
        let mut keep = Vec::new();
        for i in 0..1000u128 {
            let c = arena.constant(32, 1000 + i);
            let e = arena.mul(x, x);
            let e = arena.add(e, c);
            if i % 10 == 0 {
                keep.push((e, 1000 + i));
            }
        }
        let before = arena.len();
        let mut marks = LiveMarks::new(&arena);
        for (e, _) in &keep {
            marks.mark(&arena, *e);
        }
        arena.collect(&marks);
        assert_eq!(arena.live(), marks.count());
        assert!(arena.live() < before / 4);
        for i in 0..1000u128 {
            let c = arena.constant(32, 5000 + i);
            arena.sub(c, x);
        }
        assert!(arena.len() <= before + 400, "freed ids were not used again");
        let mut model = Model::new();
        model.set(var, 3);
        let mut evaluator = Evaluator::new();
        for (e, c) in keep {
            assert_eq!(evaluator.eval(&arena, &model, e), 9 + c);
            let square = arena.mul(x, x);
            let c = arena.constant(32, c);
            assert_eq!(arena.add(square, c), e, "equal expressions have equal ids");
        }
    }
}
