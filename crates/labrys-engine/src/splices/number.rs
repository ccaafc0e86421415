//! Numbers of an input that are changed a little, or taken from another run.

use super::example::Example;
use crate::exec::InputPosition;
use crate::inputs::InputValue;
use crate::random::Random;

/// Numbers have at most so many bytes.
const NUMBER: usize = 8;

/// By so much numbers are changed.
const STEPS: [i64; 12] = [1, -1, 1, -1, 2, -2, 4, -4, 8, 16, 32, 100];

/// Changes one of the numbers, if there is one: which.
pub(super) fn change(
    inputs: &mut [InputValue],
    donor: &Example,
    random: &mut Random,
) -> Option<InputPosition> {
    let is_number = |input: &InputValue| input.bytes.len() <= NUMBER;
    // Each name has the same chance: what is asked once, such as a setting, counts as much as what is asked
    // in each turn.
    let mut names: Vec<&str> = inputs.iter().filter(|i| is_number(i)).map(|i| &*i.name).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let name = names[random.below(names.len())].to_owned();
    let here: Vec<usize> = (0..inputs.len()).filter(|at| inputs[*at].name == name).collect();
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
    inputs[at].bytes.copy_from_slice(&changed.to_le_bytes()[..size]);
    Some(position)
}
