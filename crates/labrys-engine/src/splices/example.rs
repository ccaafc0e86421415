//! A known run: its input, and the places from which it has read it.

use crate::exec::{Comparison, InputPosition, Reading, Readings, WordWrite};
use crate::inputs::InputValue;
use crate::random::Random;

#[derive(Debug)]
pub(crate) struct Example {
    pub(super) inputs: Vec<InputValue>,
    pub(super) readings: Box<[Reading]>,
    /// After so many readings it had covered something that was new then.
    pub(super) news: Box<[u32]>,
    pub(super) comparisons: Box<[Comparison]>,
    pub(super) writes: Box<[WordWrite]>,
    /// Places with the numbers of their readings, in order; the same for turns.
    by_place: Box<[(u64, u32)]>,
    by_turn: Box<[(u64, u32)]>,
}

/// What two readings have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Likeness {
    Place,
    Turn,
}

impl Likeness {
    pub(super) fn of(self, reading: &Reading) -> u64 {
        match self {
            Likeness::Place => reading.place,
            Likeness::Turn => reading.turn,
        }
    }
}

impl Example {
    pub(crate) fn new(inputs: Vec<InputValue>, readings: Readings) -> Self {
        let sorted = |likeness: Likeness| {
            let keys = readings.all.iter().map(|reading| likeness.of(reading));
            let mut all: Vec<(u64, u32)> = keys.zip(0..).collect();
            all.sort_unstable();
            all.into_boxed_slice()
        };
        Example {
            by_place: sorted(Likeness::Place),
            by_turn: sorted(Likeness::Turn),
            inputs,
            readings: readings.all.into(),
            news: readings.news.into(),
            comparisons: readings.comparisons.into(),
            writes: readings.writes.into(),
        }
    }

    /// The readings that are like one of this or another run, in order, from one of them on.
    pub(super) fn readings_like(
        &self,
        reading: &Reading,
        likeness: Likeness,
        first: u32,
    ) -> &[(u64, u32)] {
        let sorted = match likeness {
            Likeness::Place => &self.by_place,
            Likeness::Turn => &self.by_turn,
        };
        let key = likeness.of(reading);
        let start = sorted.partition_point(|entry| *entry < (key, first));
        let rest = &sorted[start..];
        &rest[..rest.partition_point(|(other, _)| *other == key)]
    }

    /// The readings with which the calls began that were active after so many readings, innermost first.
    pub(super) fn readings_around(&self, readings: u32) -> Vec<u32> {
        let mut found = Vec::new();
        let mut depth = u32::MAX;
        for at in (0..readings.min(self.readings.len() as u32)).rev() {
            let here = self.readings[at as usize].depth;
            if here < depth {
                depth = here;
                found.push(at);
            }
        }
        found
    }

    /// Where the input is read on behind the call that began with a reading, not before another reading.
    pub(super) fn end_of_call(&self, start: u32, least: u32) -> Option<InputPosition> {
        let depth = self.readings.get(start as usize)?.depth;
        let behind = self.readings.get(least as usize..)?;
        let next = behind.iter().find(|reading| reading.depth <= depth);
        next.map(|reading| reading.position)
    }

    pub(super) fn position(&self, reading: u32) -> Option<InputPosition> {
        let reading = self.readings.get(reading as usize);
        reading.map(|reading| reading.position)
    }

    /// After how many readings it had done something that was new when it ran.
    pub(super) fn any_news(&self, random: &mut Random) -> Option<u32> {
        match (self.news.len(), self.readings.len()) {
            (0, 0) => None,
            (0, all) => Some(random.below(all) as u32),
            (number, _) => Some(self.news[random.below(number)]),
        }
    }

    /// The fork points before anything is read from this position on.
    pub(super) fn forks_before(&self, position: InputPosition) -> u32 {
        let mut readings = self.readings.iter();
        let first = readings.find(|reading| reading.position >= position);
        first.map_or(0, |reading| reading.forks)
    }
}
