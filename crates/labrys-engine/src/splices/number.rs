//! Numbers of an input that are changed a little, or taken from another run.

use super::example::Example;
use crate::exec::InputPosition;
use crate::inputs::InputValue;
use crate::random::Random;

/// Numbers have at most so many bytes.
const NUMBER: usize = 8;

/// By so much numbers are changed.
const STEPS: [i64; 12] = [1, -1, 1, -1, 2, -2, 4, -4, 8, 16, 32, 100];

/// Changes one of the numbers, those in texts included, if there is one: which.
pub(super) fn change(
    inputs: &mut [InputValue],
    donor: &Example,
    random: &mut Random,
) -> Option<InputPosition> {
    let is_number = |input: &InputValue| input.bytes.len() <= NUMBER;
    // Each name has the same chance: what is asked once, such as a setting, counts as much as what is asked
    // in each turn.
    let mut names: Vec<&str> = inputs
        .iter()
        .filter(|i| is_number(i))
        .map(|i| &*i.name)
        .collect();
    names.sort_unstable();
    names.dedup();
    let texts: Vec<usize> = (0..inputs.len())
        .filter(|at| !is_number(&inputs[*at]))
        .collect();
    let chosen = random.below((names.len() + texts.len()).max(1));
    if chosen >= names.len() {
        let at = *texts.get(chosen - names.len())?;
        return change_in_text(inputs, at, donor, random);
    }
    let name = names[chosen].to_owned();
    let here: Vec<usize> = (0..inputs.len())
        .filter(|at| inputs[*at].name == name)
        .collect();
    let at = here[random.below(here.len())];
    let position = InputPosition {
        input: at as u32,
        byte: 0,
    };
    let there: Vec<&InputValue> = donor.inputs.iter().filter(|i| i.name == name).collect();
    if !there.is_empty() && random.coin() == 0 {
        let other = there[random.below(there.len())];
        if other.bytes.len() == inputs[at].bytes.len() && other.bytes != inputs[at].bytes {
            inputs[at].bytes.clone_from(&other.bytes);
            return Some(position);
        }
    }
    let size = inputs[at].bytes.len();
    let mut bytes = [0; NUMBER];
    bytes[..size].copy_from_slice(&inputs[at].bytes);
    let step = STEPS[random.below(STEPS.len())];
    let changed = i64::from_le_bytes(bytes).wrapping_add(step);
    inputs[at]
        .bytes
        .copy_from_slice(&changed.to_le_bytes()[..size]);
    Some(position)
}

/// Changes a number that is written in a text.
fn change_in_text(
    inputs: &mut [InputValue],
    at: usize,
    donor: &Example,
    random: &mut Random,
) -> Option<InputPosition> {
    let bytes = &inputs[at].bytes;
    let all = numbers_in(bytes);
    let (start, end) = *all.get(random.below(all.len().max(1)))?;
    let others = donor.inputs.get(at).map_or(&[][..], |input| &input.bytes);
    let known = numbers_in(others);
    let new: Vec<u8> = match random.below(4) {
        0 if !known.is_empty() => {
            let (first, last) = known[random.below(known.len())];
            others[first..last].to_vec()
        }
        1 => {
            let digit = b'0' + random.below(10) as u8;
            [&bytes[start..end], &[digit]].concat()
        }
        2 => vec![b'0' + random.below(10) as u8],
        _ => {
            let text = std::str::from_utf8(&bytes[start..end]).ok()?;
            let number: i64 = text.parse().ok()?;
            let step = STEPS[random.below(STEPS.len())];
            number.saturating_add(step).max(0).to_string().into_bytes()
        }
    };
    let size = bytes.len();
    let mut changed = [&bytes[..start], &new, &bytes[end..]].concat();
    changed.resize(size, 0);
    inputs[at].bytes = changed;
    Some(InputPosition {
        input: at as u32,
        byte: start as u32,
    })
}

/// Where numbers are written in a text.
fn numbers_in(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, byte) in bytes.iter().enumerate() {
        match found.last_mut() {
            _ if !byte.is_ascii_digit() => {}
            Some((_, end)) if *end == at => *end += 1,
            _ => found.push((at, at + 1)),
        }
    }
    found
}
