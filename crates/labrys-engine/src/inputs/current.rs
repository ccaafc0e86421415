//! The current model: the concrete input of the run, under which expressions have values.

use labrys_expr::{Arena, Evaluator, ExprId, Model};

/// Expressions under the current model.
pub(crate) struct CurrentModel {
    pub(crate) model: std::rc::Rc<Model>,
    evaluator: Evaluator,
}

impl CurrentModel {
    pub(crate) fn new() -> Self {
        CurrentModel {
            model: std::rc::Rc::new(Model::new()),
            evaluator: Evaluator::new(),
        }
    }

    pub(crate) fn set(&mut self, model: std::rc::Rc<Model>) {
        self.model = model;
        self.evaluator.reset();
    }

    /// Forgets the values of all expressions.
    pub(crate) fn forget(&mut self) {
        self.evaluator.reset();
    }

    #[inline]
    pub(crate) fn value(&mut self, arena: &Arena, e: ExprId) -> u128 {
        self.evaluator.eval(arena, &self.model, e)
    }
}
