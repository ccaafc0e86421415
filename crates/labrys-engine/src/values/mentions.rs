//! Which constraints of a path mention which variable. In come the constraints, out come those of a
//! variable, and whether they tie it to others.

use super::verdicts::SetId;
use labrys_expr::{Arena, ExprId, VarId};

/// A path whose variables mention each other more often than this is left alone.
const MOST_MENTIONS: usize = 1 << 20;

/// The constraints of a path by variable.
pub(crate) struct Mentions {
    /// By number of the variable.
    vars: Vec<MentionedVar>,
    /// Places of constraints, those of a variable side by side.
    places: Vec<u32>,
}

struct MentionedVar {
    var: VarId,
    from: u32,
    /// A constraint mentions another variable, too.
    tied: bool,
    /// The constraints as a set that tests share, once somebody asked.
    set: Option<SetId>,
}

impl Mentions {
    /// `None` if there are too many.
    pub(crate) fn of(arena: &Arena, constraints: &[ExprId]) -> Option<Self> {
        let mut pairs: Vec<(VarId, u32, bool)> = Vec::with_capacity(constraints.len());
        for (i, constraint) in constraints.iter().enumerate() {
            let vars = arena.vars(*constraint);
            let count = arena.vars_len(vars);
            if pairs.len() + count > MOST_MENTIONS {
                return None;
            }
            pairs.extend((arena.vars_iter(vars)).map(|var| (var, i as u32, count > 1)));
        }
        pairs.sort_unstable();
        let mut vars: Vec<MentionedVar> = Vec::with_capacity(pairs.len().min(64));
        for (from, (var, _, tied)) in pairs.iter().enumerate() {
            match vars.last_mut() {
                Some(last) if last.var == *var => last.tied |= tied,
                _ => vars.push(MentionedVar {
                    var: *var,
                    from: from as u32,
                    tied: *tied,
                    set: None,
                }),
            }
        }
        let places = pairs.into_iter().map(|(_, place, _)| place).collect();
        Some(Mentions { vars, places })
    }

    /// How often constraints mention variables: the size of the path.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many variables are mentioned.
    pub(crate) fn vars(&self) -> usize {
        self.vars.len()
    }

    fn find(&self, var: VarId) -> Option<usize> {
        self.vars.binary_search_by_key(&var, |known| known.var).ok()
    }

    pub(crate) fn has(&self, var: VarId) -> bool {
        self.find(var).is_some()
    }

    /// Does a constraint tie the variable to another one?
    pub(crate) fn is_tied(&self, var: VarId) -> bool {
        self.find(var).is_some_and(|i| self.vars[i].tied)
    }

    /// The places of the constraints that mention the variable, in order.
    pub(crate) fn places(&self, var: VarId) -> &[u32] {
        let Some(i) = self.find(var) else {
            return &[];
        };
        let next = self.vars.get(i + 1).map(|next| next.from as usize);
        &self.places[self.vars[i].from as usize..next.unwrap_or(self.places.len())]
    }

    pub(crate) fn set(&self, var: VarId) -> Option<SetId> {
        self.vars[self.find(var)?].set
    }

    pub(crate) fn note_set(&mut self, var: VarId, set: SetId) {
        if let Some(i) = self.find(var) {
            self.vars[i].set = Some(set);
        }
    }

    /// The variables that are mentioned.
    pub(crate) fn all(&self) -> impl Iterator<Item = VarId> + '_ {
        self.vars.iter().map(|known| known.var)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constraints_are_found_by_variable() {
        let mut arena = Arena::new();
        let vars = ["x", "y", "z"].map(|name| arena.new_var(name, 32));
        let [x, y, _] = vars.map(|var| arena.var_expr(var));
        let five = arena.constant(32, 5);
        let constraints = [
            arena.ult(x, five),
            arena.ult(y, x),
            arena.ne(x, five),
            arena.ult(five, y),
        ];
        let mentions = Mentions::of(&arena, &constraints).unwrap();
        assert_eq!(mentions.places(vars[0]), [0, 1, 2]);
        assert_eq!(mentions.places(vars[1]), [1, 3]);
        assert!(mentions.places(vars[2]).is_empty() && !mentions.has(vars[2]));
        assert!(mentions.is_tied(vars[0]) && mentions.is_tied(vars[1]));
        assert_eq!(mentions.len(), 5);
        let mentions = Mentions::of(&arena, &constraints[2..]).unwrap();
        assert!(!mentions.is_tied(vars[0]) && !mentions.is_tied(vars[1]));
    }
}
