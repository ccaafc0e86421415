//! MC/DC in the engine: which decisions have pairs as objectives, what runs have shown of them,
//! and what an evaluation that has begun can still add.
//!
//! Half a pair is a hidden objective: a number behind those of the ledger. So a test that brings a
//! new half is kept, and the labels of halves, which stand before pure decisions, are searched for
//! and closed like any other label.

use super::impossible_halves::{ImpossibleHalves, PassageId};
use crate::bitset::BitSet;
use labrys_ledger::decision::PartialEvaluation;
use labrys_ledger::{Decision, Formula, Objective, OutcomeVector, PairHalves, Relevance, Trigger};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A decision with pairs among the objectives.
#[derive(Debug)]
pub(crate) struct PairDecision {
    /// As in the annotated program.
    pub(crate) decision: u32,
    start: labrys_ledger::DecisionPairs,
    /// The objectives by condition: masking, unique-cause.
    objectives: [Vec<Option<u32>>; 2],
    /// The hidden objective of condition 0 being true; false, condition 1 and so on follow.
    first_half: usize,
    /// One condition: its outcome is the whole evaluation.
    pub(crate) single: bool,
    /// The condition with which every evaluation begins.
    first_condition: u32,
}

impl PairDecision {
    pub(crate) fn count(&self) -> usize {
        self.objectives[0].len()
    }

    /// All its pair objectives.
    fn all(&self) -> impl Iterator<Item = u32> {
        self.objectives.iter().flatten().copied().flatten()
    }

    /// The halves of the conditions whose pairs are wanted.
    pub(crate) fn halves(&self) -> Vec<(usize, bool)> {
        let [masking, unique] = &self.objectives;
        let wanted = |c: &usize| masking[*c].is_some() || unique[*c].is_some();
        let conditions = (0..self.count()).filter(wanted);
        conditions.flat_map(|c| [(c, true), (c, false)]).collect()
    }

    pub(crate) fn half(&self, condition: usize, value: bool) -> usize {
        self.first_half + 2 * condition + usize::from(!value)
    }

    /// The objectives of these conditions.
    fn covered(&self, masking: u64, unique: u64) -> impl Iterator<Item = usize> {
        let sets = [masking, unique];
        let lists = self.objectives.iter().zip(sets);
        lists.flat_map(|(list, set)| {
            let chosen = list
                .iter()
                .enumerate()
                .filter(move |(i, _)| set >> i & 1 == 1);
            chosen.filter_map(|(_, objective)| objective.map(|o| o as usize))
        })
    }
}

/// What the label of a half asks for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelHalf {
    pub(crate) goal: u32,
    pub(crate) condition: u8,
    pub(crate) value: bool,
    /// Its place among the labels of its decision.
    pub(crate) place: u32,
}

/// All decisions with pairs.
#[derive(Debug, Default)]
pub(crate) struct PairDecisions {
    pub(crate) list: Vec<PairDecision>,
    by_decision: FxHashMap<u32, u32>,
    by_label: FxHashMap<u32, LabelHalf>,
    /// Half objectives have numbers from here on.
    pub(crate) first_half: usize,
    halves: usize,
}

impl PairDecisions {
    /// `wanted` says which objectives count.
    pub(crate) fn new(
        objectives: &[Objective],
        decisions: &[Decision],
        wanted: impl Fn(usize, &Objective) -> bool,
    ) -> PairDecisions {
        let mut pair_decisions = PairDecisions {
            first_half: objectives.len(),
            ..PairDecisions::default()
        };
        let mut asked: FxHashMap<u32, Vec<(u32, u32, bool)>> = FxHashMap::default();
        for (index, objective) in objectives.iter().enumerate() {
            if let Trigger::Pair {
                decision,
                condition,
                unique,
            } = objective.trigger
                && wanted(index, objective)
            {
                let entry = (index as u32, condition, unique);
                asked.entry(decision).or_default().push(entry);
            }
        }
        for decision in decisions {
            if let Some(asked) = asked.get(&decision.number) {
                pair_decisions.add(decision, asked);
            }
        }
        pair_decisions
    }

    fn add(&mut self, decision: &Decision, asked: &[(u32, u32, bool)]) {
        let count = decision.conditions.len();
        let mut objectives = [vec![None; count], vec![None; count]];
        let mut open = [0u64; 2];
        for (index, condition, unique) in asked {
            let kind = usize::from(*unique);
            if let Some(place) = objectives[kind].get_mut(*condition as usize) {
                *place = Some(*index);
                open[kind] |= 1 << condition;
            }
        }
        let is_open = |c: &labrys_ledger::decision::Condition| c.constant.is_none();
        let first = decision.conditions.iter().position(is_open).unwrap_or(0);
        let goal = self.list.len() as u32;
        self.by_decision.insert(decision.number, goal);
        let mut place = 0;
        for (condition, labels) in decision.conditions.iter().map(|c| c.labels).enumerate() {
            for (label, value) in labels.into_iter().flatten().zip([true, false]) {
                let half = LabelHalf {
                    goal,
                    condition: condition as u8,
                    value,
                    place,
                };
                self.by_label.insert(label, half);
                place += 1;
            }
        }
        self.list.push(PairDecision {
            decision: decision.number,
            start: labrys_ledger::DecisionPairs::new(decision.formula.clone(), open[0], open[1]),
            objectives,
            first_half: self.first_half + self.halves,
            single: decision.is_single(),
            first_condition: first as u32,
        });
        self.halves += 2 * count;
    }

    pub(crate) fn of(&self, decision: u32) -> Option<u32> {
        self.by_decision.get(&decision).copied()
    }

    pub(crate) fn formula(&self, goal: u32) -> &Formula {
        self.list[goal as usize].start.formula()
    }

    pub(crate) fn half_of_label(&self, label: u32) -> Option<LabelHalf> {
        self.by_label.get(&label).copied()
    }

    /// Is every condition of the decision to be noted while it is evaluated?
    pub(crate) fn is_followed(&self, decision: u32) -> bool {
        let goal = self.of(decision);
        goal.is_some_and(|goal| !self.list[goal as usize].single)
    }

    /// The pair objectives that an evaluation of a decision may cover, at the condition with which
    /// it begins.
    pub(crate) fn begun_by(&self, trigger: Trigger) -> Vec<u32> {
        let Trigger::Condition {
            decision, index, ..
        } = trigger
        else {
            return Vec::new();
        };
        let goal = self.of(decision).map(|goal| &self.list[goal as usize]);
        let Some(goal) = goal.filter(|goal| goal.first_condition == index) else {
            return Vec::new();
        };
        goal.all().collect()
    }

    /// The pair objectives of a decision.
    pub(crate) fn objectives_of(&self, decision: u32) -> impl Iterator<Item = u32> {
        let goal = self.of(decision).map(|goal| &self.list[goal as usize]);
        goal.into_iter().flat_map(PairDecision::all)
    }

    /// The evaluation of a decision with one condition, if a hidden objective is its half.
    pub(crate) fn single(&self, half: usize) -> Option<(u32, OutcomeVector)> {
        if half < self.first_half {
            return None;
        }
        let at = self.list.partition_point(|goal| goal.first_half <= half);
        let number = at.checked_sub(1)?;
        let goal = &self.list[number];
        let vector = OutcomeVector::default().with(0, half == goal.first_half);
        goal.single.then_some((number as u32, vector))
    }
}

/// What runs have shown of all decisions with pairs.
#[derive(Debug, Default)]
pub(crate) struct Pairs {
    list: Vec<labrys_ledger::DecisionPairs>,
    pub(crate) passes: ImpossibleHalves,
}

/// What vectors have brought.
#[derive(Debug, Default)]
pub(crate) struct NewPairs {
    pub(crate) covered: Vec<usize>,
    pub(crate) useful: bool,
    /// Decisions of which evaluations that have begun may have become more or less relevant.
    pub(crate) changed: Vec<u32>,
}

impl Pairs {
    pub(crate) fn new(pair_decisions: &PairDecisions) -> Pairs {
        Pairs {
            list: pair_decisions
                .list
                .iter()
                .map(|goal| goal.start.clone())
                .collect(),
            passes: ImpossibleHalves::default(),
        }
    }

    pub(crate) fn add(
        &mut self,
        pair_decisions: &PairDecisions,
        goal: u32,
        vector: OutcomeVector,
        to: &mut NewPairs,
    ) {
        let news = self.list[goal as usize].add(vector);
        to.useful |= news.useful;
        if news.changed && !to.changed.contains(&goal) {
            to.changed.push(goal);
        }
        to.covered
            .extend(pair_decisions.list[goal as usize].covered(news.masking, news.unique));
    }

    /// The halves that a whole evaluation has.
    pub(crate) fn halves(&self, goal: u32, vector: OutcomeVector) -> PairHalves {
        self.list[goal as usize].formula().halves(vector)
    }

    /// An evaluation of a decision that has begun like this, to be looked at.
    pub(crate) fn begin(&self, goal: u32, prefix: OutcomeVector) -> PartialEvaluation {
        self.list[goal as usize].start_evaluation(prefix)
    }

    /// What it can still do.
    pub(crate) fn look(
        &self,
        goal: u32,
        begun: &mut PartialEvaluation,
        pass: PassageId,
    ) -> Relevance {
        self.list[goal as usize].relevance_of(begun, self.passes.impossible(pass))
    }
}

/// An evaluation of a decision that has begun: inside it functions may be called that decide
/// again.
#[derive(Debug)]
pub(crate) struct BegunEvaluation {
    pub(crate) goal: u32,
    /// The conditions that were evaluated so far.
    pub(crate) prefix: OutcomeVector,
    /// The call in which it happens.
    pub(crate) depth: u32,
    /// The passage of the labels before it.
    pub(crate) pass: PassageId,
    pub(crate) before: Option<Rc<BegunEvaluation>>,
}

impl BegunEvaluation {
    /// The evaluations that have begun, after one more condition.
    pub(crate) fn with(
        evaluation: Option<&Rc<BegunEvaluation>>,
        goal: u32,
        depth: u32,
        condition: u32,
        value: bool,
        pass: PassageId,
    ) -> Rc<BegunEvaluation> {
        let around = BegunEvaluation::find(evaluation, goal, depth);
        let begun = around.map(|a| a.prefix).unwrap_or_default();
        // Conditions are evaluated from left to right: an earlier one begins anew, after the
        // decision was left half-way.
        let (prefix, pass) = match around {
            Some(around) if begun.seen >> condition == 0 => (begun, around.pass),
            _ => (OutcomeVector::default(), pass),
        };
        let before = match around {
            Some(around) => around.before.clone(),
            None => evaluation.cloned(),
        };
        Rc::new(BegunEvaluation {
            goal,
            prefix: prefix.with(condition as usize, value),
            depth,
            pass,
            before,
        })
    }

    /// The evaluation of this decision in this call, below others that are part of it or were left
    /// half-way by a jump.
    pub(crate) fn find(
        evaluation: Option<&Rc<BegunEvaluation>>,
        goal: u32,
        depth: u32,
    ) -> Option<&Rc<BegunEvaluation>> {
        let mut next = evaluation;
        while let Some(top) = next.filter(|top| top.depth == depth) {
            if top.goal == goal {
                return Some(top);
            }
            next = top.before.as_ref();
        }
        None
    }
}

/// The different vectors that a thread has seen, numbered.
#[derive(Debug, Default)]
pub(crate) struct SeenVectors {
    numbers: FxHashMap<(u32, OutcomeVector), u32>,
    list: Vec<(u32, OutcomeVector)>,
    /// Those that were taken in.
    known: BitSet,
}

impl SeenVectors {
    pub(crate) fn number(&mut self, goal: u32, vector: OutcomeVector) -> usize {
        let next = self.list.len() as u32;
        let number = *self.numbers.entry((goal, vector)).or_insert(next);
        if number == next {
            self.list.push((goal, vector));
        }
        number as usize
    }

    pub(crate) fn get(&self, number: usize) -> (u32, OutcomeVector) {
        self.list[number]
    }

    /// Was an evaluation taken in?
    pub(crate) fn is_known(&self, number: usize) -> bool {
        self.known.contains(number)
    }

    /// Those of a path that no path of the thread before it had.
    pub(crate) fn unseen(&mut self, seen: &BitSet) -> Vec<(u32, OutcomeVector)> {
        let mut unseen = Vec::new();
        for number in seen.iter() {
            if !self.known.contains(number) {
                self.known.insert(number);
                unseen.push(self.list[number]);
            }
        }
        unseen
    }
}
