//! A known run: its input, and the places from which it has read it.

use crate::exec::{Comparison, InputPosition, Reading, Readings};
use crate::inputs::InputValue;

#[derive(Debug)]
pub(crate) struct Example {
    pub(super) inputs: Vec<InputValue>,
    pub(super) readings: Box<[Reading]>,
    /// After so many readings it had covered something that was new then.
    pub(super) news: Box<[u32]>,
    pub(super) comparisons: Box<[Comparison]>,
    /// Places with the numbers of their readings, in order.
    by_place: Box<[(u64, u32)]>,
}

impl Example {
    pub(crate) fn new(inputs: Vec<InputValue>, readings: Readings) -> Self {
        let places = readings.all.iter().map(|reading| reading.place);
        let mut by_place: Vec<(u64, u32)> = places.zip(0..).collect();
        by_place.sort_unstable();
        Example {
            inputs,
            readings: readings.all.into(),
            news: readings.news.into(),
            comparisons: readings.comparisons.into(),
            by_place: by_place.into(),
        }
    }

    /// The readings from a place, in order, from one of them on.
    pub(super) fn readings_from(&self, place: u64, first: u32) -> &[(u64, u32)] {
        let start = (self.by_place).partition_point(|entry| *entry < (place, first));
        let rest = &self.by_place[start..];
        &rest[..rest.partition_point(|(other, _)| *other == place)]
    }

    pub(super) fn position(&self, reading: u32) -> Option<InputPosition> {
        let reading = self.readings.get(reading as usize);
        reading.map(|reading| reading.position)
    }

    /// The fork points before anything is read from this position on.
    pub(super) fn forks_before(&self, position: InputPosition) -> u32 {
        let mut readings = self.readings.iter();
        let first = readings.find(|reading| reading.position >= position);
        first.map_or(0, |reading| reading.forks)
    }
}
