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
    places: Vec<Mention>,
    /// Places of the constraints that speak of several variables, or of none.
    joint: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Mention {
    place: u32,
    /// The constraint mentions another variable, too.
    joint: bool,
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
        let mut joint = Vec::new();
        for (i, constraint) in constraints.iter().enumerate() {
            let vars = arena.vars(*constraint);
            let count = arena.vars_len(vars);
            if pairs.len() + count > MOST_MENTIONS {
                return None;
            }
            if count != 1 {
                joint.push(i as u32);
            }
            pairs.extend((arena.vars_iter(vars)).map(|var| (var, i as u32, count > 1)));
        }
        pairs.sort_unstable();
        let mut vars: Vec<MentionedVar> = Vec::with_capacity(pairs.len().min(64));
        let mut places = Vec::with_capacity(pairs.len());
        for (from, (var, place, joint)) in pairs.into_iter().enumerate() {
            places.push(Mention { place, joint });
            match vars.last_mut() {
                Some(last) if last.var == var => last.tied |= joint,
                _ => vars.push(MentionedVar {
                    var,
                    from: from as u32,
                    tied: joint,
                    set: None,
                }),
            }
        }
        Some(Mentions {
            vars,
            places,
            joint,
        })
    }

    /// How often constraints mention variables: the size of the path.
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// How many variables are mentioned. They are numbered from zero.
    pub(crate) fn vars(&self) -> usize {
        self.vars.len()
    }

    /// The number of a variable here, if it is mentioned.
    pub(crate) fn find(&self, var: VarId) -> Option<usize> {
        self.vars.binary_search_by_key(&var, |known| known.var).ok()
    }

    pub(crate) fn has(&self, var: VarId) -> bool {
        self.find(var).is_some()
    }

    pub(crate) fn var(&self, number: usize) -> VarId {
        self.vars[number].var
    }

    /// Does a constraint tie this variable to another one?
    pub(crate) fn is_tied(&self, number: usize) -> bool {
        self.vars[number].tied
    }

    pub(crate) fn set(&self, number: usize) -> Option<SetId> {
        self.vars[number].set
    }

    pub(crate) fn note_set(&mut self, number: usize, set: SetId) {
        self.vars[number].set = Some(set);
    }

    fn of_var(&self, number: usize) -> &[Mention] {
        let next = self.vars.get(number + 1).map(|next| next.from as usize);
        let from = self.vars[number].from as usize;
        &self.places[from..next.unwrap_or(self.places.len())]
    }

    /// The places of the constraints that mention this variable, in order.
    pub(crate) fn places_at(&self, number: usize) -> impl Iterator<Item = u32> + '_ {
        self.of_var(number).iter().map(|mention| mention.place)
    }

    /// The places of the constraints that mention the variable, in order.
    pub(crate) fn places(&self, var: VarId) -> impl Iterator<Item = u32> + '_ {
        let number = self.find(var);
        number.into_iter().flat_map(|number| self.places_at(number))
    }

    /// The places of the constraints that mention this variable alone.
    pub(crate) fn own_places(&self, number: usize) -> impl Iterator<Item = u32> + '_ {
        let own = self.of_var(number).iter().filter(|mention| !mention.joint);
        own.map(|mention| mention.place)
    }

    /// The places of the constraints that do not speak of a single variable.
    pub(crate) fn joint(&self) -> &[u32] {
        &self.joint
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
        let places = |var| mentions.places(var).collect::<Vec<_>>();
        assert_eq!(vars.map(places), [vec![0, 1, 2], vec![1, 3], vec![]]);
        let numbers = vars.map(|var| mentions.find(var));
        assert_eq!(numbers, [Some(0), Some(1), None]);
        assert!(mentions.is_tied(0) && mentions.is_tied(1));
        assert_eq!(mentions.own_places(0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!((mentions.joint(), mentions.len()), (&[1][..], 5));
        let mentions = Mentions::of(&arena, &constraints[2..]).unwrap();
        assert!(!mentions.is_tied(0) && !mentions.is_tied(1) && mentions.joint().is_empty());
    }
}
