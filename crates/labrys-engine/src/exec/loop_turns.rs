//! Several turns of a loop in a row (k-induction, Sheeran, Singh and Stalmarck 2000): a relation that does not
//! hold again behind one turn may hold behind two of which each began with it. The first turns from the
//! entry of the loop on are looked at in the same exploration: one variable says whether the turns begin
//! with what the places held there, or with any values.

use super::loop_cut::{LoopProof, strongest};
use super::{Machine, Step};
use crate::inputs::InputKind;
use crate::state::{LoopPlace, OpenLoop};
use labrys_expr::ExprId;
use std::rc::Rc;

impl Machine<'_> {
    /// Whether the turns begin with what the places hold now; none if one turn of the loop is enough.
    pub(super) fn first_turn(&mut self, proof: &LoopProof, number: u32) -> Option<ExprId> {
        let facts = proof.facts.borrow();
        let has_delayed = facts.beliefs.get(&number)?.turns > 1;
        drop(facts);
        has_delayed.then(|| {
            let name = format!("first turn of loop {number}");
            let id = self.request(&name, InputKind::Memory, 1, 8);
            let (var, _) = self.inputs.get(id).pieces[0];
            let value = self.arena.var_expr(var);
            self.arena.extract(value, 0, 1)
        })
    }

    /// What a place holds now if the first turn begins here, any value if another one does.
    pub(super) fn entered_or(
        &mut self,
        any: ExprId,
        place: LoopPlace,
        is_first: Option<ExprId>,
    ) -> Step<ExprId> {
        let Some(is_first) = is_first else {
            return Ok(any);
        };
        let held = self.place_value(place)?;
        // What was never written is anything.
        let held = held.and_then(|held| self.arena.defined(held));
        Ok(match held {
            Some(held) => self.arena.ite(is_first, held, any),
            None => any,
        })
    }

    /// Do relations of the loop need more turns than the path has gone through?
    pub(super) fn takes_another_turn(&self, proof: &LoopProof, open: &OpenLoop) -> bool {
        let facts = proof.facts.borrow();
        let belief = facts.beliefs.get(&open.number);
        open.is_first.is_some() && belief.is_some_and(|belief| open.turns + 1 < belief.turns)
    }

    /// Behind a turn that another one follows: relations that hold from turn to turn hold here, and those
    /// that need several turns do where these were the first ones. For all others that is taken for granted.
    pub(super) fn begin_next_turn(&mut self, proof: &LoopProof, at: usize) -> Step {
        let open = self.state.open_loops[at].clone();
        let number = open.number;
        let Some(is_first) = open.is_first else {
            return Ok(());
        };
        let facts = proof.facts.borrow();
        let delayed = facts
            .beliefs
            .get(&number)
            .map(|belief| belief.delayed.clone());
        let delayed = delayed.unwrap_or_default();
        drop(facts);
        let conditions = self.conditions(proof, number, &open.relations)?;
        let (late, soon): (Vec<_>, Vec<_>) =
            (conditions.into_iter()).partition(|(relation, _)| delayed.contains(relation));
        let mut holding = self.disprove(proof, number, soon, true);
        let is_later = self.arena.not(is_first);
        let from_entry: Vec<(usize, ExprId)> = (late.iter())
            .map(|(relation, condition)| (*relation, self.arena.or(is_later, *condition)))
            .collect();
        let from_entry = self.disprove(proof, number, from_entry, false);
        let is_kept = |relation: usize| from_entry.iter().any(|(known, _)| *known == relation);
        holding.extend(late.into_iter().filter(|(relation, _)| is_kept(*relation)));
        let open = &mut Rc::make_mut(&mut self.state.open_loops)[at];
        open.turns += 1;
        open.relations = holding.iter().map(|(relation, _)| *relation).collect();
        for (relation, condition) in strongest(proof, number, &holding) {
            self.note_relation(condition, number, relation);
            self.assume(condition)?;
        }
        Ok(())
    }
}
