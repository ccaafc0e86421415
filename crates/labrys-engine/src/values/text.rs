//! Characters and text: words of the program, then letters and digits, then whatever can be printed.

use super::boundary::{Comparison, boundary};
use super::chooser::Chooser;
use super::fields::Field;
use super::ties::Tie;
use super::verdicts::KnownLetter;
use labrys_expr::{ExprId, mask};
use std::rc::Rc;

const MOST_CONSTRAINTS: usize = 64;

/// How often the end of a text is looked for where the bytes behind it do not allow that.
const MOST_ENDS: usize = 16;

/// How a text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// At its first zero byte.
    Zero,
    /// After so many bytes.
    Size(usize),
}

/// Chooses the bytes of a text.
pub(crate) fn choose(chooser: &mut Chooser<'_>, text: &[Field], end: End, words: &[Vec<u8>]) {
    let text = match end {
        End::Zero => text,
        End::Size(size) => {
            let (text, rest) = text.split_at(size.min(text.len()));
            rest.iter().for_each(|byte| {
                chooser.attempt(&[(byte, 0)]);
            });
            text
        }
    };
    // What is compared with a word is longer than a character.
    let constrained = text.iter().filter(|byte| chooser.is_constrained(byte));
    if constrained.take(2).count() == 2
        && words.iter().any(|word| is_word(chooser, text, end, word))
    {
        return;
    }
    let mut letters = 0;
    let mut tries = match end {
        End::Zero => MOST_ENDS,
        End::Size(_) => 0,
    };
    for (i, byte) in text.iter().enumerate() {
        if chooser.is_over() || tries > 0 && is_end(chooser, &text[i..], &mut tries) {
            return;
        }
        character(chooser, byte, letters);
        letters += usize::from((byte.value(&chooser.model) as u8).is_ascii_lowercase());
    }
}

/// Takes a word, if the path allows it.
fn is_word(chooser: &mut Chooser<'_>, text: &[Field], end: End, word: &[u8]) -> bool {
    let fits = match end {
        End::Zero => word.len() <= text.len(),
        End::Size(_) => word.len() == text.len(),
    };
    let padded = word.iter().copied().chain(std::iter::repeat(0));
    let changes: Vec<(&Field, u64)> = text.iter().zip(padded.map(u64::from)).collect();
    fits && chooser.attempt(&changes)
}

/// Ends the text here, if the path allows it. `tries` are left for places where only the first byte
/// may be zero.
fn is_end(chooser: &mut Chooser<'_>, rest: &[Field], tries: &mut usize) -> bool {
    let Some(first) = rest.first() else {
        return true;
    };
    let before = first.value(&chooser.model);
    if !chooser.attempt(&[(first, 0)]) {
        return false;
    }
    let zeros: Vec<(&Field, u64)> = rest.iter().map(|byte| (byte, 0)).collect();
    let ends = chooser.attempt(&zeros);
    if !ends {
        *tries -= 1;
        chooser.attempt(&[(first, before)]);
    }
    ends
}

/// Characters that can be printed, after letters and digits.
const OTHERS: &[u8] = b" .-_+,:;=/!?*()[]{}<>#%&$@'\"\\|^~`\n\t\r";

/// Chooses a single character, after so many letters.
pub(crate) fn character(chooser: &mut Chooser<'_>, field: &Field, before: usize) {
    let tie = chooser.tie(field);
    if let Tie::Alone(set) = tie {
        let known = chooser.verdicts.get(set).letters[before % 26];
        if let KnownLetter::Byte(byte) = known {
            chooser.attempt(&[(field, u64::from(byte))]);
        }
        if known != KnownLetter::Untried {
            chooser.settle(field);
            return;
        }
    }
    let letters = (0..26).map(|i| b'a' + ((before + i) % 26) as u8);
    let bounds = bounds(chooser, field);
    let plain = bounds.iter().copied().filter(u8::is_ascii_alphanumeric);
    let printed = |byte: &u8| byte.is_ascii_graphic() || *byte == b' ';
    let found = plain
        .chain(letters)
        .chain(b'0'..=b'9')
        .chain(b'A'..=b'Z')
        .chain(bounds.iter().copied().filter(printed))
        .chain(OTHERS.iter().copied())
        .any(|byte| chooser.attempt(&[(field, u64::from(byte))]));
    if let Tie::Alone(set) = tie
        && !chooser.is_over()
    {
        let chosen = KnownLetter::Byte(field.value(&chooser.model) as u8);
        let letters = &mut chooser.verdicts.get_mut(set).letters;
        letters[before % 26] = if found { chosen } else { KnownLetter::Nothing };
    }
    if !found && !chooser.is_alone(field) {
        let _found = ranged(chooser, field, b'a', b'z') || ranged(chooser, field, b' ', b'~');
    }
    chooser.settle(field);
}

/// Asks for a character from `low` to `high`.
fn ranged(chooser: &mut Chooser<'_>, field: &Field, low: u8, high: u8) -> bool {
    let Some(term) = field.term(chooser.arena) else {
        return false;
    };
    let arena = &mut *chooser.arena;
    let width = field.width();
    let down = u128::from(low).wrapping_neg() & mask(width);
    let down = arena.constant(width, down);
    let moved = arena.add(term, down);
    let span = arena.constant(width, u128::from(high - low));
    let goal: ExprId = arena.ule(moved, span);
    chooser.ask(goal)
}

/// The characters next to which the path would be another.
fn bounds(chooser: &mut Chooser<'_>, field: &Field) -> Rc<Vec<u8>> {
    let tie = chooser.tie(field);
    if let Tie::Alone(set) = tie
        && let Some(known) = &chooser.verdicts.get(set).bytes
    {
        return known.clone();
    }
    let bounds = match tie {
        Tie::Free => Rc::default(),
        Tie::Alone(_) | Tie::Tied => Rc::new(read_bounds(chooser, field)),
    };
    if let Tie::Alone(set) = tie {
        chooser.verdicts.get_mut(set).bytes = Some(bounds.clone());
    }
    bounds
}

fn read_bounds(chooser: &mut Chooser<'_>, field: &Field) -> Vec<u8> {
    let Some(term) = field.term(chooser.arena) else {
        return Vec::new();
    };
    let mut bounds = Vec::new();
    for constraint in chooser
        .constraints_of(field)
        .into_iter()
        .take(MOST_CONSTRAINTS)
    {
        let Some(found) = boundary(chooser.arena, constraint, term) else {
            continue;
        };
        let at = found.at as u8;
        let around: &[u8] = match found.kind {
            Comparison::Order => &[at, at.wrapping_sub(1), at.wrapping_add(1)],
            Comparison::Equality => &[at],
            Comparison::Float => continue,
        };
        let fits = |byte: &&u8| chooser.satisfies(constraint, field, u64::from(**byte));
        bounds.extend(around.iter().find(fits));
    }
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}
