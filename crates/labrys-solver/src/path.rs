//! The path condition: a persistent list of constraints, partitioned into groups that share no
//! variable. Cloning is a few reference counts; a push touches only the groups that the new
//! constraint joins. A slice is then a look-up by variable, not a scan.

use crate::domain::DomainFacts;
use crate::persistent_vec::PersistentVec;
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, VarId, VarSetId};
use std::cell::OnceCell;
use std::rc::Rc;

/// The constraints of a path, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    order: ConstraintList,
    /// From a variable to the representative variable of its group.
    leader: PersistentVec<u32>,
    /// From a representative to its group.
    groups: PersistentVec<ConstraintGroup>,
    /// From a variable that shares its group with others to the constraints on it alone.
    own: PersistentVec<ConstraintList>,
}

/// Constraints that are connected through shared variables.
#[derive(Clone, Debug)]
pub(crate) struct ConstraintGroup {
    pub(crate) vars: VarSetId,
    pub(crate) constraints: ConstraintList,
}

/// A persistent list that grows at its head.
#[derive(Clone, Debug, Default)]
pub(crate) struct ConstraintList(pub(crate) Option<Rc<ConstraintLink>>);

#[derive(Debug)]
pub(crate) struct ConstraintLink {
    pub(crate) constraint: ExprId,
    pub(crate) previous: ConstraintList,
    pub(crate) len: u32,
    /// What this constraint and all previous ones say of a single variable, once somebody asked.
    pub(crate) facts: OnceCell<DomainFacts>,
}

impl ConstraintList {
    fn push(&mut self, constraint: ExprId) {
        let previous = std::mem::take(self);
        let len = previous.len() as u32 + 1;
        let facts = OnceCell::new();
        self.0 = Some(Rc::new(ConstraintLink {
            constraint,
            previous,
            len,
            facts,
        }));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.len as usize)
    }

    /// Newest first.
    pub(crate) fn iter(&self) -> impl Iterator<Item = ExprId> + '_ {
        std::iter::successors(self.0.as_deref(), |link| link.previous.0.as_deref())
            .map(|link| link.constraint)
    }
}

impl Drop for ConstraintList {
    /// Long lists are taken apart in a loop: the derived drop would recurse once a link.
    fn drop(&mut self) {
        let mut next = self.0.take();
        while let Some(link) = next {
            match Rc::try_unwrap(link) {
                Ok(mut link) => next = link.previous.0.take(),
                Err(_) => break,
            }
        }
    }
}

impl PathCondition {
    pub fn new() -> Self {
        PathCondition::default()
    }

    /// Number of constraints; a conjunction counts as its parts.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The constraints in the order in which they were added.
    pub fn to_vec(&self) -> Vec<ExprId> {
        let mut all: Vec<ExprId> = Vec::with_capacity(self.len());
        all.extend(self.order.iter());
        all.reverse();
        all
    }

    /// The constraints, newest first.
    pub fn iter(&self) -> impl Iterator<Item = ExprId> + '_ {
        self.order.iter()
    }

    /// Newest first, up to where `first` has seen the rest before: paths share what they have in common.
    pub fn for_each_new(
        &self,
        first: &mut impl FnMut(*const u8) -> bool,
        visit: &mut impl FnMut(ExprId),
    ) {
        let mut link = self.order.0.as_ref();
        while let Some(here) = link.filter(|link| first(Rc::as_ptr(link).cast())) {
            visit(here.constraint);
            link = here.previous.0.as_ref();
        }
    }

    /// Does it say anything of a variable?
    pub fn mentions(&self, var: VarId) -> bool {
        self.leader.get(var.index()).is_some()
    }

    /// Adds a constraint, a width-1 expression. Conjunctions are taken apart, for their parts
    /// may belong to different groups.
    pub fn push(&mut self, arena: &mut Arena, constraint: ExprId) {
        match arena.kind(constraint) {
            ExprKind::Binary(ExprOp::And, ..) | ExprKind::Unary(ExprOp::Not, _) => {
                for_each_conjunct(arena, constraint, &mut |arena, c| self.push_one(arena, c));
            }
            _ => self.push_one(arena, constraint),
        }
    }

    fn push_one(&mut self, arena: &mut Arena, constraint: ExprId) {
        if constraint == arena.yes() {
            return;
        }
        self.order.push(constraint);
        let vars = arena.vars(constraint);
        let Some(first) = arena.vars_iter(vars).next().map(|v| v.0) else {
            // False, or indeterminate: no variable to file it under; the order list has it.
            return;
        };
        let home = self.leader.get(first as usize).copied();
        if let Some(group) = home.and_then(|leader| self.groups.get(leader as usize))
            && group.vars == vars
        {
            let leader = home.unwrap_or(first);
            let mut group = group.clone();
            group.constraints.push(constraint);
            self.groups.set(leader as usize, Some(group));
            return;
        }
        self.merge(arena, constraint, vars);
    }

    /// Joins the groups that the constraint touches, the smaller ones into the largest.
    fn merge(&mut self, arena: &mut Arena, constraint: ExprId, vars: VarSetId) {
        let mut leaders: Vec<u32> = Vec::new();
        let mut fresh: Vec<u32> = Vec::new();
        for v in arena.vars_iter(vars) {
            match self.leader.get(v.index()) {
                Some(leader) if !leaders.contains(leader) => leaders.push(*leader),
                Some(_) => {}
                None => fresh.push(v.0),
            }
        }
        let groups = leaders
            .iter()
            .filter_map(|&l| Some((l, self.groups.get(l as usize)?.clone())));
        let mut groups: Vec<(u32, ConstraintGroup)> = groups.collect();
        groups.sort_by_key(|(leader, group)| (std::cmp::Reverse(group.constraints.len()), *leader));
        for (_, group) in &groups {
            if let Some(var) = only_variable(arena, group.vars) {
                self.own.set(var, Some(group.constraints.clone()));
            }
        }
        let mut groups = groups.into_iter();
        let (leader, mut group) = groups.next().unwrap_or_else(|| {
            let leader = fresh.first().copied().unwrap_or(0);
            (
                leader,
                ConstraintGroup {
                    vars,
                    constraints: ConstraintList::default(),
                },
            )
        });
        for (old, other) in groups {
            for v in arena.vars_iter(other.vars) {
                self.leader.set(v.index(), Some(leader));
            }
            self.groups.set(old as usize, None);
            let mut parts: Vec<ExprId> = other.constraints.iter().collect();
            parts.reverse();
            parts.into_iter().for_each(|c| group.constraints.push(c));
            group.vars = arena.vars_union(group.vars, other.vars);
        }
        for v in fresh {
            self.leader.set(v as usize, Some(leader));
        }
        group.vars = arena.vars_union(group.vars, vars);
        group.constraints.push(constraint);
        self.groups.set(leader as usize, Some(group));
        if let Some(var) = only_variable(arena, vars) {
            let mut own = self.own.get(var).cloned().unwrap_or_default();
            own.push(constraint);
            self.own.set(var, Some(own));
        }
    }

    /// The constraints on a variable alone, if it shares its group with others.
    pub(crate) fn own(&self, var: usize) -> Option<&ConstraintList> {
        self.own.get(var)
    }

    /// The group of a variable, if any constraint mentions it.
    #[inline]
    pub(crate) fn group_of(&self, var: usize) -> Option<(u32, &ConstraintGroup)> {
        let leader = *self.leader.get(var)?;
        Some((leader, self.groups.get(leader as usize)?))
    }
}

fn only_variable(arena: &Arena, vars: VarSetId) -> Option<usize> {
    let mut vars = arena.vars_iter(vars);
    match (vars.next(), vars.next()) {
        (Some(var), None) => Some(var.index()),
        _ => None,
    }
}

/// Calls `visit` with the conjuncts of a condition, left to right.
pub fn for_each_conjunct(
    arena: &mut Arena,
    condition: ExprId,
    visit: &mut dyn FnMut(&mut Arena, ExprId),
) {
    let mut stack = vec![condition];
    while let Some(c) = stack.pop() {
        match arena.kind(c) {
            ExprKind::Binary(ExprOp::And, a, b) => stack.extend([b, a]),
            ExprKind::Unary(ExprOp::Not, inner) => match arena.kind(inner) {
                ExprKind::Binary(ExprOp::Or, a, b) => {
                    let (a, b) = (arena.not(a), arena.not(b));
                    stack.extend([b, a]);
                }
                _ => visit(arena, c),
            },
            _ => visit(arena, c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_expr::VarId;
    use proptest::prelude::*;

    /// A constraint over the given variables.
    fn over(arena: &mut Arena, vars: &[VarId], value: u128) -> ExprId {
        let mut sum = arena.constant(16, 0);
        for &v in vars {
            let e = arena.var_expr(v);
            sum = arena.add(sum, e);
        }
        let limit = arena.constant(16, value);
        arena.ult(sum, limit)
    }

    /// The constraints connected with `start`, found the slow way.
    fn connected(arena: &Arena, all: &[ExprId], start: VarId) -> Vec<ExprId> {
        let mut vars = vec![start];
        loop {
            let touches = |c: &ExprId| arena.vars_iter(arena.vars(*c)).any(|v| vars.contains(&v));
            let found: Vec<ExprId> = all.iter().copied().filter(touches).collect();
            let mut next: Vec<VarId> = found
                .iter()
                .flat_map(|&c| arena.vars_iter(arena.vars(c)))
                .collect();
            next.push(start);
            next.sort_unstable();
            next.dedup();
            if next.len() == vars.len() {
                return found;
            }
            vars = next;
        }
    }

    proptest! {
        #[test]
        fn groups_are_the_connected_parts(
            pushes in proptest::collection::vec(proptest::collection::vec(0..40usize, 1..4), 1..30),
        ) {
            let mut arena = Arena::new();
            let vars: Vec<VarId> = (0..40).map(|_| arena.new_var("v", 16)).collect();
            let mut path = PathCondition::new();
            let mut all = Vec::new();
            let mut older = Vec::new();
            for (i, set) in pushes.iter().enumerate() {
                let mut chosen: Vec<VarId> = set.iter().map(|&i| vars[i]).collect();
                chosen.sort_unstable();
                chosen.dedup();
                let c = over(&mut arena, &chosen, i as u128 + 1);
                older.push((path.clone(), all.len()));
                path.push(&mut arena, c);
                all.push(c);
            }
            older.push((path, all.len()));
            // Every clone still sees exactly what was pushed before it was made.
            for (path, len) in &older {
                prop_assert_eq!(path.to_vec(), &all[..*len]);
                for &v in &vars {
                    let mut expected = connected(&arena, &all[..*len], v);
                    let group = path.group_of(v.index());
                    let mut found: Vec<ExprId> =
                        group.map_or(Vec::new(), |(_, group)| group.constraints.iter().collect());
                    expected.sort_unstable();
                    found.sort_unstable();
                    prop_assert_eq!(found, expected);
                }
            }
        }
    }

    #[test]
    fn conjunctions_are_taken_apart() {
        let mut arena = Arena::new();
        let (x, y) = (arena.new_var("x", 16), arena.new_var("y", 16));
        let (a, b) = (over(&mut arena, &[x], 5), over(&mut arena, &[y], 7));
        let (not_a, not_b) = (arena.not(a), arena.not(b));
        let either = arena.or(not_a, not_b);
        let both = arena.not(either);
        let mut path = PathCondition::new();
        path.push(&mut arena, both);
        let mut parts = path.to_vec();
        parts.sort_unstable();
        let mut expected = vec![a, b];
        expected.sort_unstable();
        assert_eq!(parts, expected);
        assert_ne!(path.group_of(0).unwrap().0, path.group_of(1).unwrap().0);
    }

    #[test]
    fn what_is_said_of_a_variable_alone_stays_apart_when_its_group_is_joined() {
        let mut arena = Arena::new();
        let (x, y) = (arena.new_var("x", 16), arena.new_var("y", 16));
        let first = over(&mut arena, &[x], 9);
        let both = over(&mut arena, &[x, y], 20);
        let second = over(&mut arena, &[x], 5);
        let mut path = PathCondition::new();
        path.push(&mut arena, first);
        path.push(&mut arena, both);
        path.push(&mut arena, second);
        let own: Vec<ExprId> = path.own(x.index()).unwrap().iter().collect();
        assert_eq!(own, [second, first]);
        assert!(path.own(y.index()).is_none());
    }

    #[test]
    fn a_long_path_is_dropped_without_recursion() {
        let mut arena = Arena::new();
        let x = arena.new_var("x", 64);
        let mut path = PathCondition::new();
        let e = arena.var_expr(x);
        for i in 1..300_000u128 {
            let limit = arena.constant(64, i << 20);
            let c = arena.ult(e, limit);
            path.push(&mut arena, c);
        }
        assert_eq!(path.len(), 299_999);
        drop(path);
    }
}
