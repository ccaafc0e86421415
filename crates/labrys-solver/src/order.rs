//! Stage: contradictions in the order. Comparisons between terms are edges of a graph whose nodes
//! are the terms, taken as they are; a cycle with a strict edge refutes the query. Sorting
//! programs ask such questions, and they are hard for a SAT solver that sees only bits. It never
//! says sat.

use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, ExprId, ExprKind, ExprOp, signed};
use rustc_hash::FxHashMap;

/// Queries of more constraints are left to other stages, to bound the search for cycles.
const MAX_CONSTRAINTS: usize = 512;

#[derive(Default)]
pub(crate) struct OrderStage {
    signed: OrderGraph,
    unsigned: OrderGraph,
}

/// One of the two orders.
#[derive(Default)]
struct OrderGraph {
    nodes: FxHashMap<ExprId, usize>,
    edges: Vec<Vec<OrderEdge>>,
    constants: Vec<(i128, usize)>,
}

/// To a node that is at least as large, or larger.
#[derive(Clone, Copy)]
struct OrderEdge {
    to: usize,
    strict: bool,
    /// The constraint that says so; none between constants.
    from: Option<ExprId>,
}

/// A comparison: the first is below the second, or equal to it unless strict.
#[derive(Clone, Copy)]
enum OrderFact {
    Below {
        signed: bool,
        a: ExprId,
        b: ExprId,
        strict: bool,
    },
    Equal(ExprId, ExprId),
    Different(ExprId, ExprId),
}

fn fact(arena: &Arena, c: ExprId) -> Option<OrderFact> {
    let (inner, negated) = match arena.kind(c) {
        ExprKind::Unary(ExprOp::Not, inner) => (inner, true),
        _ => (c, false),
    };
    let ExprKind::Binary(op, a, b) = arena.kind(inner) else {
        return None;
    };
    match (op, negated) {
        (ExprOp::Ult | ExprOp::Slt, false) => Some(OrderFact::Below {
            signed: op == ExprOp::Slt,
            a,
            b,
            strict: true,
        }),
        (ExprOp::Ult | ExprOp::Slt, true) => Some(OrderFact::Below {
            signed: op == ExprOp::Slt,
            a: b,
            b: a,
            strict: false,
        }),
        (ExprOp::Eq, false) => Some(OrderFact::Equal(a, b)),
        (ExprOp::Eq, true) => Some(OrderFact::Different(a, b)),
        _ => None,
    }
}

impl OrderGraph {
    fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
        self.constants.clear();
    }

    fn node(&mut self, arena: &Arena, e: ExprId, is_signed: bool) -> usize {
        let next = self.edges.len();
        let node = *self.nodes.entry(e).or_insert(next);
        if node == next {
            self.edges.push(Vec::new());
            if let Some(value) = arena.as_const(e) {
                let width = arena.width(e);
                // Unsigned values of the full width do not fit; they are just not compared.
                let value = if is_signed {
                    Some(signed(value, width))
                } else {
                    value.try_into().ok()
                };
                self.constants.extend(value.map(|v| (v, node)));
            }
        }
        node
    }

    fn link(&mut self, a: usize, b: usize, strict: bool, from: Option<ExprId>) {
        self.edges[a].push(OrderEdge {
            to: b,
            strict,
            from,
        });
    }

    /// Edges between the constants, smaller to larger.
    fn link_constants(&mut self) {
        let mut constants = std::mem::take(&mut self.constants);
        constants.sort_unstable();
        for pair in constants.windows(2) {
            self.link(pair[0].1, pair[1].1, pair[0].0 < pair[1].0, None);
        }
        self.constants = constants;
    }

    /// A way from `a` to `b`, with a strict edge on it if asked for: its constraints.
    fn path_between(&self, a: usize, b: usize, strict: bool) -> Option<Vec<ExprId>> {
        // A place is a node and whether a strict edge was passed.
        let mut came: Vec<Option<(usize, Option<ExprId>)>> = vec![None; self.edges.len() * 2];
        let goal = |place: usize| place / 2 == b && (!strict || place % 2 == 1);
        let start = a * 2;
        let mut queue = std::collections::VecDeque::from([start]);
        let mut end = goal(start).then_some(start);
        while let (None, Some(place)) = (end, queue.pop_front()) {
            for edge in &self.edges[place / 2] {
                let next = edge.to * 2 + usize::from(edge.strict || place % 2 == 1);
                if next == start || came[next].is_some() {
                    continue;
                }
                came[next] = Some((place, edge.from));
                if goal(next) {
                    end = Some(next);
                    break;
                }
                queue.push_back(next);
            }
        }
        let mut place = end?;
        let mut used = Vec::new();
        while let Some((before, from)) = came[place] {
            used.extend(from);
            place = before;
        }
        Some(used)
    }
}

impl OrderStage {
    fn fill(&mut self, arena: &Arena, query: &Query<'_>) {
        self.signed.clear();
        self.unsigned.clear();
        for &c in &query.constraints {
            match fact(arena, c) {
                Some(OrderFact::Below {
                    signed,
                    a,
                    b,
                    strict,
                }) => {
                    let graph = if signed {
                        &mut self.signed
                    } else {
                        &mut self.unsigned
                    };
                    let (a, b) = (graph.node(arena, a, signed), graph.node(arena, b, signed));
                    graph.link(a, b, strict, Some(c));
                }
                Some(OrderFact::Equal(a, b)) => {
                    for (graph, signed) in [(&mut self.signed, true), (&mut self.unsigned, false)] {
                        let (a, b) = (graph.node(arena, a, signed), graph.node(arena, b, signed));
                        graph.link(a, b, false, Some(c));
                        graph.link(b, a, false, Some(c));
                    }
                }
                _ => {}
            }
        }
    }

    /// What contradicts the goal.
    fn refute(&mut self, arena: &Arena, goal: OrderFact) -> Option<Vec<ExprId>> {
        let (a, b) = match goal {
            OrderFact::Below { a, b, .. } | OrderFact::Equal(a, b) | OrderFact::Different(a, b) => {
                (a, b)
            }
        };
        for (graph, is_signed) in [(&mut self.signed, true), (&mut self.unsigned, false)] {
            if matches!(goal, OrderFact::Below { signed, .. } if signed != is_signed) {
                continue;
            }
            let (a, b) = (
                graph.node(arena, a, is_signed),
                graph.node(arena, b, is_signed),
            );
            graph.link_constants();
            let found = match goal {
                OrderFact::Below { strict, .. } => graph.path_between(b, a, !strict),
                OrderFact::Equal(..) => graph
                    .path_between(a, b, true)
                    .or_else(|| graph.path_between(b, a, true)),
                OrderFact::Different(..) => graph
                    .path_between(a, b, false)
                    .and_then(|there| Some([there, graph.path_between(b, a, false)?].concat())),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

impl Stage for OrderStage {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome {
        if query.constraints.len() > MAX_CONSTRAINTS {
            return StageOutcome::Pass(None);
        }
        let Some(goal) = fact(arena, query.goal) else {
            return StageOutcome::Pass(None);
        };
        self.fill(arena, query);
        match self.refute(arena, goal) {
            Some(mut core) => {
                core.push(query.goal);
                StageOutcome::Unsat(Some(core))
            }
            None => StageOutcome::Pass(None),
        }
    }
}
