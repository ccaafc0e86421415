//! What a path says of one field: nothing, something of the field alone, or that it depends on
//! others. In comes a field, out come its tie, the values that the path allows it alone, and the
//! variables that it is tied to.

use super::chooser::Chooser;
use super::fields::Field;
use super::verdicts::SetId;
use labrys_expr::{ExprId, VarId};
use rustc_hash::FxHashMap;

/// What a path says of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tie {
    /// Nothing.
    Free,
    /// Only something of itself.
    Alone(SetId),
    /// It depends on others.
    Tied,
}

impl<'a> Chooser<'a> {
    /// The constraints of a mentioned variable that is not tied, as a set that tests share.
    pub(super) fn set_of(&mut self, number: usize) -> SetId {
        if let Some(set) = self.mentions.set(number) {
            return set;
        }
        let places = self.mentions.places_at(number);
        self.own.clear();
        self.own
            .extend(places.map(|i| self.constraints[i as usize]));
        let set = self.verdicts.intern(&self.own);
        self.mentions.note_set(number, set);
        set
    }

    /// What does the path say of it?
    pub(crate) fn tie(&mut self, field: &Field) -> Tie {
        match field.pieces[..] {
            [piece] if self.last_tie.0 == Some(piece) => self.last_tie.1,
            [piece] if u32::from(self.arena.var_width(piece.var)) == 8 * piece.bytes() => {
                let tie = match self.mentions.find(piece.var) {
                    None => Tie::Free,
                    Some(number) if self.mentions.is_tied(number) => Tie::Tied,
                    Some(number) => Tie::Alone(self.set_of(number)),
                };
                self.last_tie = (Some(piece), tie);
                tie
            }
            _ if self.is_constrained(field) => Tie::Tied,
            _ => Tie::Free,
        }
    }

    /// Does a value satisfy what the path says of the field alone?
    pub(crate) fn is_allowed(&mut self, field: &Field, set: SetId, value: u64) -> bool {
        self.spent.attempt(1);
        self.allows(set, field.pieces[0].var, value)
    }

    /// Whether the constraints of a variable, which speak of no other, hold for a value.
    pub(super) fn allows(&mut self, set: SetId, var: VarId, value: u64) -> bool {
        if let Some(known) = self.verdicts.get(set).verdict(value) {
            return known;
        }
        let before = self.model.get(var);
        self.model.set(var, value);
        let others = std::mem::take(&mut self.affected);
        self.affected.extend(self.mentions.places(var));
        let holds = self.affected_hold();
        self.affected = others;
        self.model.set(var, before);
        self.verdicts.get_mut(set).learn(value, holds);
        holds
    }

    /// Are all others settled that the path relates it to? Then evaluation says everything.
    pub(crate) fn is_alone(&mut self, field: &Field) -> bool {
        if self.tie(field) != Tie::Tied {
            return true;
        }
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

    /// The first field of these, not settled, that the path relates to `field`.
    pub(crate) fn partner<'f>(&self, field: &Field, others: &'f [Field]) -> Option<&'f Field> {
        let related = self.constraints_of(field);
        let mentioned = |var: VarId| {
            let vars = |c: &ExprId| self.arena.vars_iter(self.arena.vars(*c));
            !self.is_settled(var) && related.iter().any(|c| vars(c).any(|v| v == var))
        };
        others.iter().find(|other| other.vars().any(mentioned))
    }

    /// The variables that the path ties to this field, itself among them, by number; `None` if there
    /// are more than `most`.
    pub(crate) fn tied_to(&mut self, field: &Field, most: usize) -> Option<Vec<VarId>> {
        let mut found: Vec<VarId> = field.vars().collect();
        let mut seen: Vec<VarId> = found.clone();
        let mut looked = 0;
        while let Some(var) = found.pop() {
            for i in self.mentions.places(var) {
                let vars = self.arena.vars(self.constraints[i as usize]);
                for other in self.arena.vars_iter(vars) {
                    looked += 1;
                    if !seen.contains(&other) {
                        seen.push(other);
                        found.push(other);
                    }
                }
                if seen.len() > most {
                    return None;
                }
            }
        }
        self.spent.evaluate(looked);
        seen.sort_unstable();
        Some(seen)
    }

    /// The field that is this variable, and no more.
    pub(crate) fn field_of(&mut self, var: VarId) -> Option<&'a Field> {
        let (arena, inputs) = (&*self.arena, self.inputs);
        let fields = self.fields.get_or_insert_with(|| {
            let mut fields = FxHashMap::default();
            for (i, input) in inputs.iter().enumerate() {
                for (k, field) in input.fields.iter().enumerate() {
                    if let [piece] = field.pieces[..]
                        && u32::from(arena.var_width(piece.var)) == 8 * piece.bytes()
                    {
                        fields.insert(piece.var, (i as u32, k as u32));
                    }
                }
            }
            fields
        });
        let (i, k) = fields.get(&var)?;
        inputs[*i as usize].fields.get(*k as usize)
    }

    /// Could the field have one of these values if only it was there? Constraints that tie it to
    /// others are not looked at.
    pub(crate) fn allows_any(&mut self, field: &Field, values: &[u64]) -> bool {
        let own = |chooser: &Self, constraint: &ExprId| {
            let vars = chooser.arena.vars(*constraint);
            chooser.arena.vars_len(vars) == 1
        };
        let mut constraints = self.constraints_of(field);
        constraints.retain(|constraint| own(self, constraint));
        let fits = |value: &u64| {
            let mut all = constraints.iter();
            all.all(|constraint| self.satisfies(*constraint, field, *value))
        };
        values.iter().any(fits)
    }
}
