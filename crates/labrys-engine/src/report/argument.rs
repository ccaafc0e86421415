//! What an argument that nothing covers an objective consists of, for people and for other solvers: what
//! always holds at a place, and the questions that have no solution.

use labrys_ir::SourceLoc;
use labrys_ledger::Trigger;
use std::collections::BTreeSet;
use std::fmt;

/// The claims of one exploration are cut off behind these.
const MOST_CLAIMS: usize = 2_000;
const MOST_BYTES: usize = 4_000_000;

/// Of the ways to an objective so many are described.
const MOST_WAYS: usize = 4;

/// Something that holds whenever a turn of a loop begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopInvariant {
    /// The loop and the relation, by their numbers.
    pub number: u32,
    pub relation: usize,
    /// The head of the loop.
    pub loc: SourceLoc,
    /// In the words of the source.
    pub text: String,
    /// Is the text an expression of C?
    pub is_c: bool,
    /// It follows if it held for so many turns in a row.
    pub turns: u32,
}

impl LoopInvariant {
    fn said(&self) -> String {
        let text = &self.text;
        match self.turns {
            0 | 1 => format!("whenever a turn of this loop begins: {text}"),
            turns => format!(
                "whenever a turn of this loop begins, by what held for {turns} turns in a row: {text}"
            ),
        }
    }
}

/// What a claim is good for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ClaimTopic {
    /// A relation holds where its loop is entered.
    Entered { number: u32, relation: usize },
    /// And again behind a turn.
    Kept { number: u32, relation: usize },
    /// A way that no run can take, with the events that it would begin with.
    Way { triggers: Vec<Trigger> },
    /// What a path from one set of states to another one holds in a place is in the set of that place.
    Joined,
    /// What must hold for an objective, seen backward, leads to nothing new here.
    Backward,
}

/// Conditions that contradict each other.
#[derive(Clone, Debug)]
pub struct Claim {
    pub topic: ClaimTopic,
    pub loc: SourceLoc,
    /// In words; the last one is what was asked for.
    pub conditions: Vec<ClaimedCondition>,
    /// In SMT-LIB text without `check-sat`.
    pub script: String,
    /// The relations of loops among the conditions.
    pub uses: Vec<(u32, usize)>,
    /// The conditions that the user has said among them, by the number of the option.
    pub said: Vec<u32>,
}

/// A condition of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedCondition {
    /// Where it has joined the path; not known if its line is 0.
    pub loc: SourceLoc,
    /// In words.
    pub text: String,
}

/// The claims that an exploration rests on.
#[derive(Clone, Debug, Default)]
pub struct ClaimList {
    pub list: Vec<Claim>,
    /// So many further answers of the solver are not listed.
    pub left_out: u64,
    /// Of the scripts.
    bytes: usize,
}

/// One step of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentStep {
    pub loc: SourceLoc,
    /// The event that it is about, whose place in the source is better known than the location.
    pub trigger: Option<Trigger>,
    pub text: String,
    /// Positions in the list of claims.
    pub claims: Vec<usize>,
    /// Positions of the steps of the argument, one of which must have held before this one.
    pub before: Vec<usize>,
}

impl ClaimList {
    /// At most so many claims, and so many bytes of them, are kept of one exploration.
    pub(crate) fn is_full(&self) -> bool {
        self.list.len() >= MOST_CLAIMS || self.bytes >= MOST_BYTES
    }

    pub(crate) fn push(&mut self, claim: Claim) {
        self.bytes += claim.script.len();
        self.list.push(claim);
    }

    /// The claims about ways that begin with this event.
    fn ways(&self, trigger: Trigger) -> Vec<usize> {
        let is_way = |claim: &Claim| matches!(&claim.topic, ClaimTopic::Way { triggers } if triggers.contains(&trigger));
        let list = self.list.iter().enumerate();
        list.filter(|(_, claim)| is_way(claim))
            .map(|(at, _)| at)
            .collect()
    }

    /// The ways to an event that contradict themselves, as the end of an argument.
    pub fn contradictions(&self, trigger: Trigger) -> Vec<ArgumentStep> {
        let ways = self.ways(trigger);
        let mut steps: Vec<ArgumentStep> = Vec::new();
        let mut others: Vec<usize> = Vec::new();
        for at in ways {
            let claim = &self.list[at];
            let text = contradiction(&claim.conditions);
            if let Some(known) = steps.iter_mut().find(|step| step.text == text) {
                known.claims.push(at);
            } else if steps.len() < MOST_WAYS {
                steps.push(ArgumentStep {
                    loc: claim.loc,
                    trigger: Some(trigger),
                    text,
                    claims: vec![at],
                    before: Vec::new(),
                });
            } else {
                others.push(at);
            }
        }
        if !others.is_empty() {
            steps.push(ArgumentStep {
                loc: SourceLoc::default(),
                trigger: Some(trigger),
                text: format!("{} further ways contradict themselves, too", others.len()),
                claims: others,
                before: Vec::new(),
            });
        }
        steps
    }

    /// The relations that the ways to an event need, and those that these need to hold in all turns. If no
    /// way comes near the event, those of all ways.
    fn needed(&self, trigger: Trigger) -> BTreeSet<(u32, usize)> {
        let ways = self.ways(trigger);
        let mut open: Vec<(u32, usize)> = match ways.is_empty() {
            true => self.list.iter().flat_map(|c| c.uses.clone()).collect(),
            false => ways
                .iter()
                .flat_map(|at| self.list[*at].uses.clone())
                .collect(),
        };
        let mut needed = BTreeSet::new();
        while let Some(relation) = open.pop() {
            if needed.insert(relation) {
                let about = self.about(relation);
                open.extend(about.iter().flat_map(|at| self.list[*at].uses.clone()));
            }
        }
        needed
    }

    /// The claims by which a relation holds in all turns.
    fn about(&self, wanted: (u32, usize)) -> Vec<usize> {
        let is_about = |claim: &Claim| match claim.topic {
            ClaimTopic::Entered { number, relation } | ClaimTopic::Kept { number, relation } => {
                (number, relation) == wanted
            }
            ClaimTopic::Way { .. } | ClaimTopic::Joined | ClaimTopic::Backward => false,
        };
        let list = self.list.iter().enumerate();
        list.filter(|(_, claim)| is_about(claim))
            .map(|(at, _)| at)
            .collect()
    }

    /// The argument from sets of states: what is known where paths begin that come near, that no path leaves
    /// the sets, and how the ways to the event contradict themselves.
    pub fn from_states(
        &self,
        known: &[(SourceLoc, String)],
        trigger: Trigger,
    ) -> Vec<ArgumentStep> {
        let step = |loc: SourceLoc, text: String, claims: Vec<usize>| ArgumentStep {
            loc,
            trigger: None,
            text,
            claims,
            before: Vec::new(),
        };
        let mut steps: Vec<ArgumentStep> = (known.iter())
            .map(|(loc, text)| step(*loc, text.clone(), Vec::new()))
            .collect();
        let list = self.list.iter().enumerate();
        let joined = list.filter(|(_, claim)| claim.topic == ClaimTopic::Joined);
        let joined: Vec<usize> = joined.map(|(at, _)| at).collect();
        if !joined.is_empty() {
            let text = "what a path holds where it joins a set of states is in that set";
            steps.push(step(SourceLoc::default(), text.to_owned(), joined));
        }
        let mut ends = self.contradictions(trigger);
        if ends.is_empty() {
            let text = "no way that is left leads here".to_owned();
            ends.push(step(SourceLoc::default(), text, Vec::new()));
            ends[0].trigger = Some(trigger);
        }
        steps.extend(ends);
        steps
    }

    /// The argument from relations of loops: those that are needed, and how the ways to the event
    /// contradict them.
    pub fn from_invariants(
        &self,
        invariants: &[LoopInvariant],
        trigger: Trigger,
    ) -> Vec<ArgumentStep> {
        let needed = self.needed(trigger);
        let is_needed = |i: &&LoopInvariant| needed.contains(&(i.number, i.relation));
        let mut steps: Vec<ArgumentStep> = (invariants.iter().filter(is_needed))
            .map(|invariant| ArgumentStep {
                loc: invariant.loc,
                trigger: None,
                text: invariant.said(),
                claims: self.about((invariant.number, invariant.relation)),
                before: Vec::new(),
            })
            .collect();
        let ends = self.contradictions(trigger);
        if ends.is_empty() {
            steps.push(ArgumentStep {
                loc: SourceLoc::default(),
                trigger: Some(trigger),
                text: "no way that is left leads here".to_owned(),
                claims: Vec::new(),
                before: Vec::new(),
            });
        }
        steps.extend(ends);
        steps
    }
}

/// What must hold, and what holds, as a sentence.
pub(crate) struct ContradictionText {
    pub(crate) needed: Vec<String>,
    pub(crate) given: Vec<String>,
}

impl fmt::Display for ContradictionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (needed, given) = (self.needed.join(" and "), self.given.join(" and "));
        match (self.needed.len(), self.given.len()) {
            (0, 0) => Ok(()),
            (1, 0) => write!(f, "{needed} never holds"),
            (0, 1) => write!(f, "{given} never holds"),
            (_, 0) => write!(f, "{needed} contradict each other"),
            (0, _) => write!(f, "{given} contradict each other"),
            (1, _) => write!(f, "{needed} contradicts {given}"),
            (_, _) => write!(f, "{needed} contradict {given}"),
        }
    }
}

/// Conditions that contradict each other, as a sentence.
fn contradiction(conditions: &[ClaimedCondition]) -> String {
    let known = |condition: &ClaimedCondition| match condition.loc.line {
        0 => condition.text.clone(),
        line => format!("{} (line {line})", condition.text),
    };
    match conditions {
        [] => "this is never so".to_owned(),
        [only] => format!("never holds: {}", only.text),
        [others @ .., goal] => {
            let others: Vec<String> = others.iter().map(known).collect();
            format!("{} contradicts {}", goal.text, others.join(" and "))
        }
    }
}
