//! Inputs from nowhere in particular, to find out which mutants can be killed at all: small
//! numbers, constants of the source with their neighbours, powers of two, extreme and random
//! values, put into the inputs of existing tests. The same seed gives the same inputs.

use labrys_suite::SuiteTest;
use std::collections::BTreeSet;

/// Where a test has a number that can be replaced.
#[derive(Clone, Copy, Debug)]
struct InputSlot {
    input: usize,
    offset: usize,
    width: usize,
    float: bool,
}

/// All values from here to there, where a test has one number only.
const SMALL: std::ops::RangeInclusive<i128> = -64..=1100;

/// Makes so many different tests at most.
pub fn inputs(templates: &[SuiteTest], source: &str, most: usize, seed: u64) -> Vec<SuiteTest> {
    let constants = constants(source);
    let mut random = InputGenerator(seed);
    let mut made: Vec<SuiteTest> = Vec::new();
    let mut seen: BTreeSet<(usize, Vec<Vec<u8>>)> = BTreeSet::new();
    let shapes = shapes(templates);
    let mut add = |shape: usize, test: SuiteTest| {
        let bytes = test.inputs.iter().map(|input| input.bytes.clone());
        if made.len() < most && seen.insert((shape, bytes.collect())) {
            made.push(test);
        }
    };
    for (number, shape) in shapes.iter().enumerate() {
        if let [place] = places(shape[0])[..] {
            for value in SMALL {
                let mut test = shape[0].clone();
                put(&mut test, place, value);
                add(number, test);
            }
        }
    }
    // Some come out twice.
    for _ in 0..most * 2 {
        for (number, shape) in shapes.iter().enumerate() {
            let template = shape[random.below(shape.len())];
            add(number, changed(template, &constants, &mut random));
        }
    }
    made
}

/// The tests by the names and sizes of their inputs, and by what their pointers are.
fn shapes(templates: &[SuiteTest]) -> Vec<Vec<&SuiteTest>> {
    let mut keys = Vec::new();
    let mut shapes: Vec<Vec<&SuiteTest>> = Vec::new();
    for test in templates {
        let part = |input: &labrys_suite::TestInput| {
            let target = is_pointer(&input.ty).then(|| input.bytes.clone());
            (input.name.clone(), input.bytes.len(), target)
        };
        let key: Vec<_> = test.inputs.iter().map(part).collect();
        match keys.iter().position(|known| *known == key) {
            Some(place) => shapes[place].push(test),
            None => {
                keys.push(key);
                shapes.push(vec![test]);
            }
        }
    }
    shapes
}

fn is_pointer(ty: &str) -> bool {
    ty.contains('*')
}

/// The numbers of a test. What a pointer points to stays as it is.
fn places(test: &SuiteTest) -> Vec<InputSlot> {
    let mut places = Vec::new();
    for (number, input) in test.inputs.iter().enumerate() {
        if is_pointer(&input.ty) {
            continue;
        }
        let (name, count) = match input.ty.split_once('[') {
            Some((name, count)) => (name, count.trim_end_matches(']').parse().unwrap_or(1)),
            None => (input.ty.as_str(), 1),
        };
        let mut width = input.bytes.len() / usize::max(count, 1);
        if !matches!(width, 1 | 2 | 4 | 8) || width * count != input.bytes.len() {
            width = 1;
        }
        let float = matches!((name.trim(), width), ("float", 4) | ("double", 8));
        let all = (0..input.bytes.len()).step_by(width);
        places.extend(all.map(|offset| InputSlot {
            input: number,
            offset,
            width,
            float,
        }));
    }
    places
}

/// The template with one, some or all of its numbers replaced.
fn changed(template: &SuiteTest, constants: &[i128], random: &mut InputGenerator) -> SuiteTest {
    let mut test = template.clone();
    let places = places(template);
    if places.is_empty() {
        return test;
    }
    let only = random.below(places.len());
    let how = random.below(4);
    let mut used: Vec<i128> = Vec::new();
    for (number, place) in places.iter().enumerate() {
        let is_chosen = match how {
            0 => number == only,
            1 => random.below(2) == 0,
            _ => true,
        };
        if is_chosen {
            let value = value(place, constants, &used, random);
            used.push(value);
            put(&mut test, *place, value);
        }
    }
    test
}

fn value(
    place: &InputSlot,
    constants: &[i128],
    used: &[i128],
    random: &mut InputGenerator,
) -> i128 {
    let bits = place.width as u32 * 8;
    let near = random.below(5) as i128 - 2;
    match random.below(20) {
        0..=5 if !constants.is_empty() => constants[random.below(constants.len())] + near,
        6..=7 if !used.is_empty() => used[random.below(used.len())] + near,
        8..=9 => {
            let power = 1i128 << random.below(bits as usize);
            (power + near) * if random.below(2) == 0 { 1 } else { -1 }
        }
        10 => [-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1, -1][random.below(3)],
        11..=12 => i128::from(random.next()),
        13..=15 => random.below(1000) as i128 - 100,
        _ => random.below(24) as i128 - 6,
    }
}

/// Writes a number, cut off to its width.
fn put(test: &mut SuiteTest, place: InputSlot, value: i128) {
    let bytes = match (place.float, place.width) {
        (true, 4) => (value as f32 / 2.0).to_le_bytes().to_vec(),
        (true, _) => (value as f64 / 2.0).to_le_bytes().to_vec(),
        _ => value.to_le_bytes()[..place.width].to_vec(),
    };
    let input = &mut test.inputs[place.input];
    if input.ty == "_Bool" || input.ty == "bool" {
        input.bytes[0] = bytes[0] & 1;
        return;
    }
    input.bytes[place.offset..place.offset + place.width].copy_from_slice(&bytes);
}

/// The numbers and characters that stand in a source.
fn constants(source: &str) -> Vec<i128> {
    let bytes = source.as_bytes();
    let mut found = BTreeSet::from([0]);
    let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut at = 0;
    while at < bytes.len() {
        let begins = at == 0 || !is_word(bytes[at - 1]);
        if bytes[at] == b'\'' && bytes.get(at + 2) == Some(&b'\'') {
            found.insert(i128::from(bytes[at + 1]));
            at += 3;
        } else if bytes[at].is_ascii_digit() && begins {
            let end = (at..bytes.len()).find(|i| !is_word(bytes[*i]));
            let end = end.unwrap_or(bytes.len());
            found.extend(number(&source[at..end]));
            at = end;
        } else {
            at += 1;
        }
    }
    found.into_iter().collect()
}

/// The value of an integer literal of C.
fn number(word: &str) -> Option<i128> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None if digits.starts_with('0') && digits.len() > 1 => i128::from_str_radix(digits, 8).ok(),
        None => digits.parse().ok(),
    }
}

/// SplitMix64.
struct InputGenerator(u64);

impl InputGenerator {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most.max(1) as u64) as usize
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use labrys_suite::{Suite, TestInput};
    use serde_json::json;

    fn template(inputs: &[(&str, &str, &[u8])]) -> SuiteTest {
        let inputs: Vec<_> = (inputs.iter())
            .map(|(name, ty, bytes)| {
                let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
                json!({"name": name, "type": ty, "value": 0, "bytes": hex})
            })
            .collect();
        let suite = json!({
            "schema": "labrys/1", "target": {"files": ["x.c"]},
            "tests": [{"id": 1, "name": "f", "entry": "f", "inputs": inputs,
                       "covers": [], "outcome": "ok", "outputs": {}}]
        });
        let suite = Suite::parse(suite.to_string().as_bytes(), "x").unwrap();
        suite.tests.into_iter().next().unwrap()
    }

    #[test]
    fn constants_are_read_from_the_source() {
        let text = "int x1 = 0x1F + 010 + 42u; char c = 'A'; y2 = 7;";
        assert_eq!(constants(text), [0, 7, 8, 31, 42, 65]);
    }

    #[test]
    fn all_small_numbers_are_tried_where_there_is_only_one() {
        let made = inputs(&[template(&[("n", "int", &[0; 4])])], "5000", 2000, 1);
        let values: BTreeSet<i32> = made
            .iter()
            .map(|test| i32::from_le_bytes(test.inputs[0].bytes[..].try_into().unwrap()))
            .collect();
        assert!((-64..=1100).all(|n| values.contains(&n)));
        for n in [4999, 5000, 5001, i32::MIN, i32::MAX] {
            assert!(values.contains(&n), "{n}");
        }
    }

    #[test]
    fn pointers_stay_and_the_same_seed_gives_the_same_tests() {
        let test = template(&[
            ("n", "int[4]", &[0; 16]),
            ("n (pointer)", "int *", &[1, 0, 0, 0]),
            ("b", "_Bool", &[0]),
        ]);
        let made = inputs(std::slice::from_ref(&test), "if (n[0] == 9)", 300, 3);
        assert_eq!(made.len(), 300);
        let pointer = |t: &SuiteTest| t.inputs[1].bytes == [1, 0, 0, 0] && t.inputs[2].bytes[0] < 2;
        assert!(made.iter().all(pointer));
        let distinct: BTreeSet<Vec<&Vec<u8>>> = made
            .iter()
            .map(|t| t.inputs.iter().map(|i: &TestInput| &i.bytes).collect())
            .collect();
        assert_eq!(distinct.len(), 300);
        assert_eq!(
            made,
            inputs(std::slice::from_ref(&test), "if (n[0] == 9)", 300, 3)
        );
        assert_ne!(made, inputs(&[test], "if (n[0] == 9)", 300, 4));
    }
}
