//! Where inputs are cut and how their parts are joined.

use super::example::{Example, Likeness};
use crate::exec::InputPosition;
use crate::inputs::InputValue;
use crate::random::Random;

/// A part may be repeated so many times.
const TIMES: [usize; 8] = [1, 1, 1, 2, 2, 3, 4, 8];

/// A part begins and ends up to 2 to this power readings away from what is new in it, near places more
/// often.
const FARTHEST: usize = 7;

/// So many readings are looked at for a place that both runs know.
const LOOK_AT: u32 = 64;

/// From one position to another of the recipient comes, so many times, a part of the donor. Without an
/// end a part goes to the end of the input.
#[derive(Debug)]
pub(super) struct Cut {
    pub(super) from: InputPosition,
    to: Option<InputPosition>,
    part: (InputPosition, Option<InputPosition>),
    times: usize,
}

impl Cut {
    /// A part between two readings from one place comes several times.
    pub(super) fn repeating(example: &Example, random: &mut Random) -> Option<Cut> {
        let (start, end) = turn(example, random)?;
        Some(Cut {
            from: start,
            to: Some(start),
            part: (start, Some(end)),
            times: TIMES[random.below(TIMES.len())],
        })
    }

    /// A part between two readings from one place is left out.
    pub(super) fn leaving_out(example: &Example, random: &mut Random) -> Option<Cut> {
        let (start, end) = turn(example, random)?;
        Some(Cut {
            from: start,
            to: Some(end),
            part: (start, Some(start)),
            times: 1,
        })
    }

    /// A part of the donor, around what it did after so many readings, comes into the recipient between
    /// readings that are like those at its ends.
    pub(super) fn inserting(
        recipient: &Example,
        donor: &Example,
        new: u32,
        random: &mut Random,
    ) -> Option<Cut> {
        let away = |random: &mut Random| {
            let most = 1 << random.below(FARTHEST);
            random.below(most) as u32
        };
        let start = new.saturating_sub(1 + away(random));
        let likeness = [Likeness::Place, Likeness::Turn][random.coin()];
        let like = |reading: u32, first: u32| {
            let reading = donor.readings.get(reading as usize)?;
            let visits = recipient.readings_like(reading, likeness, first);
            (!visits.is_empty()).then_some(visits)
        };
        let mut starts = (start.saturating_sub(LOOK_AT)..=start).rev();
        let (start, visits) = starts.find_map(|reading| Some((reading, like(reading, 0)?)))?;
        let (_, from) = visits[random.below(visits.len())];
        let end = new + away(random);
        let back = |reading: u32| Some((reading, like(reading, from)?));
        let found = (end..end.saturating_add(LOOK_AT)).find_map(back);
        let (end, to) = match found {
            Some((end, visits)) => {
                // Mostly the next one.
                let visit = random.below(visits.len()) * usize::from(random.below(4) == 0);
                (donor.position(end), recipient.position(visits[visit].1))
            }
            None => (None, None),
        };
        Some(Cut {
            from: recipient.position(from)?,
            to,
            part: (donor.position(start)?, end),
            times: 1,
        })
    }
}

impl Cut {
    /// What the donor read in a call, one of those around what it did after so many readings, comes in the
    /// place of what the recipient read in the same call, or in front of it.
    pub(super) fn replacing_call(
        recipient: &Example,
        donor: &Example,
        new: u32,
        random: &mut Random,
    ) -> Option<Cut> {
        let calls = donor.readings_around(new);
        let start = *calls.get(random.below(calls.len().max(1)))?;
        let reading = donor.readings.get(start as usize)?;
        let visits = recipient.readings_like(reading, Likeness::Place, 0);
        let (_, from) = *visits.get(random.below(visits.len().max(1)))?;
        let position = recipient.position(from)?;
        let to = match random.below(3) {
            0 => Some(position),
            _ => recipient.end_of_call(from, from + 1),
        };
        Some(Cut {
            from: position,
            to,
            part: (reading.position, donor.end_of_call(start, new)),
            times: 1,
        })
    }
}

/// Two readings of a run from the same place.
fn turn(example: &Example, random: &mut Random) -> Option<(InputPosition, InputPosition)> {
    if example.readings.is_empty() {
        return None;
    }
    let first = random.below(example.readings.len());
    let reading = &example.readings[first];
    let likeness = [Likeness::Place, Likeness::Turn][random.coin()];
    let later = example.readings_like(reading, likeness, first as u32 + 1);
    // Mostly the next one.
    let further = later.len().min(1 << random.below(4));
    let (_, second) = *later.get(random.below(further.max(1)))?;
    let (start, end) = (reading.position, example.position(second)?);
    (start < end).then_some((start, end))
}

/// The input of the recipient with what a cut says.
pub(super) fn joined(recipient: &Example, donor: &Example, cut: &Cut) -> Option<Vec<InputValue>> {
    let (start, end) = cut.part;
    if cut.to.is_some_and(|to| to < cut.from) || end.is_some_and(|end| end < start) {
        return None;
    }
    let in_text = |position: InputPosition, of: &Example| {
        let next = of.inputs.len() == position.input as usize + 1;
        position.byte > 0 || next && of.inputs[position.input as usize].bytes.len() > 8
    };
    match in_text(cut.from, recipient) || in_text(start, donor) {
        true => joined_texts(recipient, donor, cut),
        false => joined_inputs(recipient, donor, cut),
    }
}

/// The cut lies within one input.
fn joined_texts(recipient: &Example, donor: &Example, cut: &Cut) -> Option<Vec<InputValue>> {
    let (start, end) = cut.part;
    let is_within = |first: InputPosition, last: Option<InputPosition>| {
        last.is_none_or(|last| last.input == first.input)
    };
    let old = recipient.inputs.get(cut.from.input as usize)?;
    let other = donor.inputs.get(start.input as usize)?;
    let fits = is_within(cut.from, cut.to)
        && is_within(start, end)
        && old.name == other.name
        && old.bytes.len() == other.bytes.len();
    if !fits {
        return None;
    }
    let size = old.bytes.len();
    let byte = |position: Option<InputPosition>| position.map_or(size, |p| p.byte as usize);
    let part = other.bytes.get(start.byte as usize..byte(end))?;
    let mut bytes = old.bytes.get(..cut.from.byte as usize)?.to_vec();
    for _ in 0..cut.times {
        bytes.extend_from_slice(part);
    }
    bytes.extend_from_slice(old.bytes.get(byte(cut.to)..)?);
    bytes.resize(size, 0);
    if bytes == old.bytes {
        return None;
    }
    let mut inputs = recipient.inputs.clone();
    inputs[cut.from.input as usize].bytes = bytes;
    Some(inputs)
}

/// The cut lies between inputs.
fn joined_inputs(recipient: &Example, donor: &Example, cut: &Cut) -> Option<Vec<InputValue>> {
    let (start, end) = cut.part;
    let number = |position: Option<InputPosition>, of: &Example| match position {
        Some(position) if position.byte == 0 => Some(position.input as usize),
        Some(_) => None,
        None => Some(of.inputs.len()),
    };
    let part = donor
        .inputs
        .get(start.input as usize..number(end, donor)?)?;
    let mut inputs = recipient.inputs.get(..cut.from.input as usize)?.to_vec();
    for _ in 0..cut.times {
        inputs.extend_from_slice(part);
    }
    let rest = recipient.inputs.get(number(cut.to, recipient)?..)?;
    if inputs.len() == cut.from.input as usize && cut.to == Some(cut.from) {
        return None;
    }
    inputs.extend_from_slice(rest);
    Some(inputs)
}
