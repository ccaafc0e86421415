//! Known runs that are made up, and what is put together of them.

use super::cut::{Cut, joined};
use super::example::Example;
use super::written::WrittenWords;
use super::{Splices, expected, number};
use crate::exec::{InputPosition, Reading, Readings, WordComparison, WordWrite};
use crate::inputs::{InputKind, InputValue, Scalar};
use crate::memory::ObjectId;
use crate::random::Random;
use std::collections::BTreeSet;

const SIZE: usize = 24;

fn at(input: u32, byte: u32) -> InputPosition {
    InputPosition { input, byte }
}

fn reading(place: u64, position: InputPosition) -> Reading {
    Reading {
        place,
        turn: place,
        position,
        forks: position.byte + position.input,
        depth: 1,
    }
}

fn readings_of(all: Vec<Reading>) -> Readings {
    let mut readings = Readings::watching(&[]);
    readings.all = all;
    readings
}

/// A text of commands that each end with a semicolon and are read at one place.
fn text(text: &str) -> Example {
    let mut bytes = text.as_bytes().to_vec();
    bytes.resize(SIZE, 0);
    let starts = std::iter::once(0).chain(text.match_indices(';').map(|(at, _)| at as u32 + 1));
    let input = InputValue {
        name: "text".to_owned(),
        kind: InputKind::Memory,
        bytes,
    };
    let all = starts.map(|start| reading(7, at(0, start)));
    Example::new(vec![input], readings_of(all.collect()))
}

/// Numbers that are asked for one after the other, at one place.
fn events(numbers: &[i32]) -> Example {
    let input = |number: &i32| InputValue {
        name: "event".to_owned(),
        kind: InputKind::Scalar(Scalar::Int),
        bytes: number.to_le_bytes().to_vec(),
    };
    let all = (0..numbers.len() as u32).map(|input| reading(7, at(input, 0)));
    let readings = readings_of(all.collect());
    Example::new(numbers.iter().map(input).collect(), readings)
}

fn numbers_of(inputs: &[InputValue]) -> Vec<i32> {
    let number = |input: &InputValue| i32::from_le_bytes(input.bytes[..].try_into().unwrap());
    inputs.iter().map(number).collect()
}

fn words_of(inputs: &[InputValue]) -> String {
    let text = String::from_utf8(inputs[0].bytes.clone()).unwrap();
    assert_eq!(text.len(), SIZE);
    text.trim_end_matches('\0').to_owned()
}

/// All that come of many cuts.
fn all_of<T: Ord>(
    recipient: &Example,
    donor: &Example,
    cut: impl Fn(&mut Random) -> Option<Cut>,
    seen: impl Fn(&[InputValue]) -> T,
) -> BTreeSet<T> {
    let mut random = Random::new(1);
    let cuts = (0..2_000).filter_map(|_| cut(&mut random));
    let inputs = cuts.filter_map(|cut| joined(recipient, donor, &cut));
    inputs.map(|inputs| seen(&inputs)).collect()
}

#[test]
fn commands_of_one_text_come_into_another_one() {
    let (recipient, donor) = (text("a;b;"), text("x;y;z;"));
    let insert = |random: &mut Random| {
        let new = donor.any_news(random)?;
        Cut::inserting(&recipient, &donor, new, random)
    };
    let found = all_of(&recipient, &donor, insert, words_of);
    for wanted in ["x;a;b;", "a;y;b;", "a;y;z;b;", "x;b;", "a;z;"] {
        assert!(found.contains(wanted), "{wanted} is not among {found:?}");
    }
    let is_whole = |text: &String| text.len() == SIZE || text.len().is_multiple_of(2);
    assert!(found.iter().all(is_whole), "{found:?}");
}

#[test]
fn events_are_repeated_and_left_out() {
    let known = events(&[1, 2, 3]);
    let repeat = |random: &mut Random| Cut::repeating(&known, random);
    let found = all_of(&known, &known, repeat, numbers_of);
    assert!(found.contains(&vec![1, 2, 2, 3]), "{found:?}");
    assert!(found.contains(&vec![1, 2, 1, 2, 1, 2, 3]), "{found:?}");
    let leave_out = |random: &mut Random| Cut::leaving_out(&known, random);
    let found = all_of(&known, &known, leave_out, numbers_of);
    assert!(found.contains(&vec![1, 3]), "{found:?}");
    assert!(found.iter().all(|numbers| numbers.len() < 3), "{found:?}");
}

#[test]
fn an_expected_text_takes_the_place_of_a_word() {
    let known = text("ON RED;");
    let mut random = Random::new(1);
    let word = (at(0, 3), 3);
    let found: BTreeSet<String> = (0..200)
        .filter_map(|_| expected::with_text(&known, b"BLUE", word, &mut random))
        .map(|inputs| words_of(&inputs))
        .collect();
    for wanted in ["ON BLUE;", "ON BLUE RED;", "ON  BLUE;"] {
        assert!(found.contains(wanted), "{wanted} is not among {found:?}");
    }
}

#[test]
fn one_number_changes() {
    let (known, donor) = (events(&[1, 2, 3]), events(&[50]));
    let mut random = Random::new(1);
    let mut seen = BTreeSet::new();
    for _ in 0..200 {
        let mut inputs = known.inputs.clone();
        number::change(&mut inputs, &donor, &mut random).unwrap();
        let numbers = numbers_of(&inputs);
        let changed = numbers
            .iter()
            .zip([1, 2, 3])
            .filter(|(new, old)| **new != *old);
        assert_eq!(changed.count(), 1);
        seen.insert(numbers);
    }
    assert!(seen.contains(&vec![1, 50, 3]) && seen.contains(&vec![1, 2, 4]));
}

#[test]
fn nothing_is_proposed_twice_and_the_seed_decides() {
    let proposals = |seed: u64| {
        let mut splices = Splices::new(seed);
        splices.add(events(&[1, 2, 3, 4]), Vec::new());
        splices.add(events(&[5, 6]), Vec::new());
        let all = (0..50).filter_map(|_| splices.propose(&|_| false));
        all.map(|proposal| numbers_of(&proposal.inputs))
            .collect::<Vec<_>>()
    };
    let all = proposals(1);
    let different: BTreeSet<&Vec<i32>> = all.iter().collect();
    assert_eq!(different.len(), all.len());
    assert!(all.len() > 25);
    assert_eq!(all, proposals(1));
    assert_ne!(all, proposals(2));
}

#[test]
fn a_text_that_a_run_has_had_is_expected_no_more() {
    let mut known = text("ON RED;");
    let comparison = |text: &[u8], is_equal| WordComparison {
        key: u64::from(text[0]),
        text: text.into(),
        position: at(0, 3),
        length: 3,
        is_equal,
    };
    known.comparisons = [comparison(b"BLUE", false), comparison(b"RED", true)].into();
    let mut texts = expected::ExpectedTexts::default();
    texts.add(0, &known.comparisons);
    let mut random = Random::new(1);
    let examples = [known];
    let (_, _, inputs) = texts.propose(&examples, &mut random).unwrap();
    assert!(words_of(&inputs).contains("BLUE"));
    let mut met = comparison(b"BLUE", true);
    met.length = 4;
    texts.add(0, &[met]);
    assert!(texts.propose(&examples, &mut random).is_none());
}

#[test]
fn numbers_in_texts_change() {
    let (known, donor) = (text("LAMP 1 AT 20;"), text("LAMP 33;"));
    let mut random = Random::new(1);
    let changed = (0..400).filter_map(|_| {
        let mut inputs = known.inputs.clone();
        number::change(&mut inputs, &donor, &mut random)?;
        Some(words_of(&inputs))
    });
    let found: BTreeSet<String> = changed.collect();
    for wanted in [
        "LAMP 2 AT 20;",
        "LAMP 33 AT 20;",
        "LAMP 1 AT 21;",
        "LAMP 1 AT 205;",
    ] {
        assert!(found.contains(wanted), "{wanted} is not among {found:?}");
    }
}

#[test]
fn each_value_of_a_written_word_has_the_same_chance() {
    let word = (ObjectId(3), 1);
    let write = |value, readings| WordWrite {
        readings,
        word,
        value,
    };
    let mut written = WrittenWords::default();
    written.add(0, &[write(1, 4), write(2, 5)]);
    (1..100).for_each(|example| written.add(example, &[write(1, 4)]));
    let mut random = Random::new(1);
    let other = (ObjectId(4), 1);
    assert_eq!(written.any(&[other], &mut random), None);
    let found: Vec<_> = (0..100)
        .filter_map(|_| written.any(&[other, word], &mut random))
        .collect();
    let rare = found.iter().filter(|write| **write == (0, 5)).count();
    assert!(found.len() == 100 && rare > 25, "{rare}");
    assert!(found.contains(&(0, 4)) && found.contains(&(99, 4)));
}

#[test]
fn what_was_read_in_a_call_takes_the_place_of_another_one() {
    let nested = |text_of: &str, ends: [u32; 2]| {
        let plain = text(text_of);
        let [middle, end] = ends;
        let with_depth = |place, byte, depth| Reading {
            depth,
            ..reading(place, at(0, byte))
        };
        let readings = readings_of(vec![
            with_depth(1, 0, 1),
            with_depth(2, 2, 2),
            with_depth(3, middle, 3),
            with_depth(4, end, 1),
        ]);
        Example::new(plain.inputs, readings)
    };
    let (recipient, donor) = (nested("A b END", [2, 4]), nested("A c dd END", [4, 7]));
    assert_eq!(donor.readings_around(3), [2, 1, 0]);
    assert_eq!(donor.end_of_call(1, 3), Some(at(0, 7)));
    let replace = |random: &mut Random| Cut::replacing_call(&recipient, &donor, 3, random);
    let found = all_of(&recipient, &donor, replace, words_of);
    for wanted in ["A c dd END", "A c dd b END"] {
        assert!(found.contains(wanted), "{wanted} is not among {found:?}");
    }
}
