//! Why a way through sets of states may be none: where the first state of a set could not have gone on as
//! the way does, and which of its places would have to be kept to see that.

use crate::exec::Machine;
use crate::states::{KeptPlace, StateGraph, WayToSet};
use labrys_expr::{ExprId, VarId};
use labrys_solver::{Answer, WatchedGoals};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

impl Machine<'_> {
    /// These objectives were reached from a set of states for the first time.
    pub(crate) fn note_reached(&mut self, objectives: &[usize]) {
        let Some(graph) = self.states.clone() else {
            return;
        };
        if objectives.is_empty() {
            return;
        }
        let way = WayToSet {
            from: graph.borrow().current,
            path: self.state.path.clone(),
            model: self.current.model.clone(),
        };
        // Whether a way is none is no question of the way itself.
        let watched = self.solver.watch_elsewhere(WatchedGoals::default());
        let obstacles = self.nearest_obstacles(&graph, way);
        self.solver.watch_elsewhere(watched);
        let mut graph = graph.borrow_mut();
        for objective in objectives {
            graph.reached.insert(*objective, obstacles.clone());
            graph.wanted.remove(objective);
        }
    }

    /// The obstacles on the last step of a way that has some, from the start of the program to here.
    fn nearest_obstacles(&mut self, graph: &RefCell<StateGraph>, way: WayToSet) -> Rc<[KeptPlace]> {
        let obstacles = self.obstacles(graph, &way);
        if !obstacles.is_empty() {
            return obstacles.into();
        }
        let mut from = way.from;
        while let Some(node) = from {
            let (known, way) = {
                let graph = graph.borrow();
                let node = &graph.nodes[node];
                (node.obstacles.clone(), node.way.clone())
            };
            let obstacles = match known {
                Some(obstacles) => obstacles,
                None => {
                    let obstacles: Rc<[KeptPlace]> = self.obstacles(graph, &way).into();
                    graph.borrow_mut().nodes[node].obstacles = Some(obstacles.clone());
                    obstacles
                }
            };
            if !obstacles.is_empty() {
                return obstacles;
            }
            from = way.from;
        }
        Rc::default()
    }

    /// The places of a node that the first of its states has numbers in with which the way cannot be gone.
    fn obstacles(&mut self, graph: &RefCell<StateGraph>, way: &WayToSet) -> Vec<KeptPlace> {
        let Some(node) = way.from else {
            return Vec::new();
        };
        let mut mentioned = BTreeSet::new();
        for condition in way.path.iter() {
            let vars = self.arena.vars(condition);
            mentioned.extend(self.arena.vars_iter(vars));
        }
        let mut fixed: Vec<(VarId, ExprId)> = Vec::new();
        let open = graph.borrow().nodes[node].open.clone();
        for place in open.iter().filter(|place| mentioned.contains(&place.var)) {
            let Some(first) = place.first else {
                continue;
            };
            let value = self.arena.var_expr(place.var);
            let value = self.arena.extract(value, 0, place.width);
            let first = self.arena.constant(place.width, first.into());
            fixed.push((place.var, self.arena.eq(value, first)));
        }
        if fixed.is_empty() || self.can_go(way, &fixed) {
            return Vec::new();
        }
        // Without those that make no difference.
        let mut at = 0;
        while at < fixed.len() {
            let left_out = fixed.remove(at);
            if self.can_go(way, &fixed) {
                fixed.insert(at, left_out);
                at += 1;
            }
        }
        let places = &graph.borrow().places;
        fixed
            .iter()
            .filter_map(|(var, _)| places.get(var).copied())
            .collect()
    }

    fn can_go(&mut self, way: &WayToSet, fixed: &[(VarId, ExprId)]) -> bool {
        let mut all = self.arena.yes();
        for (_, equal) in fixed {
            all = self.arena.and(all, *equal);
        }
        let answer = (self.solver).solve(&mut self.arena, &way.path, all, &way.model);
        !matches!(answer, Answer::Unsat)
    }
}
