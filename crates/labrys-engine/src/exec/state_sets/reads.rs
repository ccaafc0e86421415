//! What is read from a large array at an unknown place, in a proof over sets of states.

use crate::exec::Machine;
use crate::inputs::InputKind;
use crate::states::GrowingSet;
use labrys_expr::{ExprId, ExprKind};
use std::rc::Rc;

/// An element of a larger array is a value of its own. The choice between all elements would be in each
/// question from there on.
const MOST_ELEMENTS: usize = 16;

impl Machine<'_> {
    /// A variable for an element of an array whose elements can have any values; the same one for the
    /// same element of the same array.
    pub(in crate::exec) fn any_element(
        &mut self,
        elements: &[ExprId],
        value: ExprId,
    ) -> Option<ExprId> {
        let graph = self.states.clone()?;
        let width = self.arena.width(value);
        if elements.len() <= MOST_ELEMENTS || !width.is_multiple_of(8) || width > 64 {
            return None;
        }
        {
            let graph = graph.borrow();
            let node = &graph.nodes[graph.current?];
            let is_any = |e: &ExprId| match self.arena.kind(*e) {
                _ if self.arena.as_const(*e).is_some() => false,
                ExprKind::Var(var) => (node.open.iter())
                    .find(|place| place.var == var)
                    .is_none_or(|place| place.values == GrowingSet::Any),
                _ => true,
            };
            let any = elements.iter().filter(|e| is_any(e)).count();
            if any * 2 < elements.len() {
                return None;
            }
        }
        let number = {
            let elements = &mut graph.borrow_mut().elements;
            let next = elements.len();
            *elements.entry(value).or_insert(next)
        };
        let name = format!("\0element {number}");
        let (kind, bytes) = (InputKind::Memory, u64::from(width / 8));
        let id = (self.inputs).request(&mut self.arena, 0, &name, kind, bytes, 8);
        let (var, _) = self.inputs.get(id).pieces[0];
        // Read before, it is what it was.
        if !self.state.path.mentions(var) {
            let now = self.current.value(&self.arena, value) as u64;
            let mut model = (*self.current.model).clone();
            model.set(var, now);
            self.current.set(Rc::new(model));
        }
        Some(self.arena.var_expr(var))
    }
}
