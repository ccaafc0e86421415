//! The nodes of the generalised control flow graph (Baluda, Denaro and Pezzè 2016, section 3) that have not
//! been reached: places in the code with the predicates from which targets follow. The states that were
//! reached are the samples; an edge between both is a node that waits.

use super::places::StatePlace;
use super::precondition::Predicate;
use super::predecessors::{Predecessor, ProgramPoint};
use labrys_expr::ExprId;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeState {
    /// Where control comes from has not been looked at.
    Waiting,
    /// All that leads to it is known.
    Expanded,
    /// A state was seen in which its predicate holds, or it holds where the program starts.
    Reached,
}

/// How much links may leave out of what is needed, for all nodes of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Boldness {
    /// Everything that no state that was seen needs; at a place that was not seen, that is everything.
    Bold,
    /// Only which way control goes.
    Careful,
    Exact,
}

impl Boldness {
    /// More nodes than this for one objective are not looked at.
    pub(super) fn most_nodes(self) -> usize {
        match self {
            Boldness::Bold => 150,
            Boldness::Careful => 300,
            Boldness::Exact => 500,
        }
    }

    pub(super) fn less(self) -> Option<Boldness> {
        match self {
            Boldness::Bold => Some(Boldness::Careful),
            Boldness::Careful => Some(Boldness::Exact),
            Boldness::Exact => None,
        }
    }
}

/// What a node was made for. Nodes of different events are shared only where they say the same, or where
/// what an event needs is enough for it: the way of control alone would lead to many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kin {
    pub(super) event: usize,
    pub(super) boldness: Boldness,
}

/// How much a link may leave out of what is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Care {
    /// What no state needs that was seen.
    Seen,
    /// What another node does without.
    Shared,
    Nothing,
}

impl Care {
    pub(super) fn more(self) -> Care {
        match self {
            Care::Seen => Care::Shared,
            Care::Shared | Care::Nothing => Care::Nothing,
        }
    }
}

/// A way on which control comes to a node.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) predecessor: Predecessor,
    /// None if the way is impossible.
    pub(super) from: Option<NodeId>,
    /// The node says less than what is needed for this way.
    pub(super) weakened: bool,
    pub(super) care: Care,
    pub(super) reason: LinkReason,
    pub(super) rests_on: BTreeSet<String>,
}

/// Why a way is impossible, or why the node behind it says no more than is needed for it.
#[derive(Clone, Debug)]
pub(super) enum LinkReason {
    /// Control does not get to the end of the piece.
    NoWay,
    /// Without a question: what the places of the predicate hold behind the piece, and the conditions of
    /// the way.
    AtSight {
        values: BTreeMap<StatePlace, ExprId>,
        way: Vec<ExprId>,
    },
    /// What the solver was asked: the predicate in terms of what holds in front of the piece, and the
    /// conditions of the way.
    Conditions {
        needed: Vec<ExprId>,
        way: Vec<ExprId>,
    },
}

#[derive(Debug)]
pub(super) struct PredicateNode {
    pub(super) place: ProgramPoint,
    pub(super) predicate: Predicate,
    pub(super) kin: Kin,
    pub(super) state: NodeState,
    pub(super) links: Vec<Link>,
    /// Its predicate contradicts what holds in all runs.
    pub(super) is_contradicted: bool,
}

#[derive(Debug, Default)]
pub(super) struct FrontierGraph {
    nodes: Vec<PredicateNode>,
    at: BTreeMap<ProgramPoint, Vec<NodeId>>,
}

/// How things stand with some nodes and all that leads to them.
pub(super) enum Closure {
    /// All is known, and nothing of it was reached: these nodes, which rest on these texts.
    Closed(Vec<NodeId>, BTreeSet<String>),
    /// The node that waits and was found first.
    Waits(NodeId),
    /// A node was reached; the link nearest to it that says less than it could, and the end of the link.
    Weak(NodeId, usize),
    /// A node was reached, and all links on the way from it say all that they can.
    Reached,
    /// More nodes than anybody wants to look at.
    TooLarge,
}

impl FrontierGraph {
    pub(super) fn get(&self, id: NodeId) -> &PredicateNode {
        &self.nodes[id.0 as usize]
    }

    pub(super) fn get_mut(&mut self, id: NodeId) -> &mut PredicateNode {
        &mut self.nodes[id.0 as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes of a place, oldest first.
    pub(super) fn at(&self, place: ProgramPoint) -> &[NodeId] {
        self.at.get(&place).map_or(&[], Vec::as_slice)
    }

    pub(super) fn places(&self) -> impl Iterator<Item = ProgramPoint> + '_ {
        self.at.keys().copied()
    }

    /// The node of a place with exactly this predicate.
    pub(super) fn node(&mut self, place: ProgramPoint, predicate: Predicate, kin: Kin) -> NodeId {
        let mut known = self.at(place).iter();
        let is_same = |id: &&NodeId| {
            let node = self.get(**id);
            node.predicate == predicate && node.kin.boldness == kin.boldness
        };
        if let Some(id) = known.find(is_same) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(PredicateNode {
            place,
            predicate,
            kin,
            state: NodeState::Waiting,
            links: Vec::new(),
            is_contradicted: false,
        });
        self.at.entry(place).or_default().push(id);
        id
    }

    /// Removes all nodes that lead to none of these (algorithm 3 of the paper), and says what became of the
    /// numbers of the others.
    pub(super) fn coarsen(&mut self, targets: &[NodeId]) -> BTreeMap<NodeId, NodeId> {
        let mut kept: BTreeSet<NodeId> = BTreeSet::new();
        let mut open = targets.to_vec();
        while let Some(id) = open.pop() {
            if kept.insert(id) {
                open.extend(self.get(id).links.iter().filter_map(|link| link.from));
            }
        }
        let numbers = kept.iter().zip((0..).map(NodeId));
        let numbers: BTreeMap<NodeId, NodeId> = numbers.map(|(old, new)| (*old, new)).collect();
        let nodes = std::mem::take(&mut self.nodes);
        self.at.clear();
        for (old, mut node) in (0..).map(NodeId).zip(nodes) {
            let Some(new) = numbers.get(&old) else {
                continue;
            };
            for link in &mut node.links {
                link.from = link.from.and_then(|from| numbers.get(&from).copied());
            }
            self.at.entry(node.place).or_default().push(*new);
            self.nodes.push(node);
        }
        numbers
    }

    /// Follows all links backward from some nodes, nearest first.
    pub(super) fn closure(&self, targets: &[NodeId], most: usize) -> Closure {
        let mut came_by: BTreeMap<NodeId, Option<(NodeId, usize)>> = BTreeMap::new();
        let mut open: VecDeque<NodeId> = VecDeque::new();
        for target in targets {
            if came_by.insert(*target, None).is_none() {
                open.push_back(*target);
            }
        }
        let mut rests_on = BTreeSet::new();
        let mut waiting = None;
        let mut reached = false;
        while let Some(id) = open.pop_front() {
            if came_by.len() > most {
                return Closure::TooLarge;
            }
            let node = self.get(id);
            match node.state {
                NodeState::Waiting => {
                    waiting.get_or_insert(id);
                    continue;
                }
                NodeState::Reached => {
                    if let Some((end, link)) = self.weak_link(&came_by, id) {
                        return Closure::Weak(end, link);
                    }
                    reached = true;
                    continue;
                }
                NodeState::Expanded => {}
            }
            for (number, link) in node.links.iter().enumerate() {
                rests_on.extend(link.rests_on.iter().cloned());
                if let Some(from) = link.from
                    && !came_by.contains_key(&from)
                {
                    came_by.insert(from, Some((id, number)));
                    open.push_back(from);
                }
            }
        }
        match (reached, waiting) {
            (true, _) => Closure::Reached,
            (false, Some(id)) => Closure::Waits(id),
            (false, None) => Closure::Closed(came_by.into_keys().collect(), rests_on),
        }
    }

    fn weak_link(
        &self,
        came_by: &BTreeMap<NodeId, Option<(NodeId, usize)>>,
        reached: NodeId,
    ) -> Option<(NodeId, usize)> {
        let mut id = reached;
        while let Some(Some((end, number))) = came_by.get(&id) {
            if self.get(*end).links[*number].weakened {
                return Some((*end, *number));
            }
            id = *end;
        }
        None
    }
}
