//! Random changes of inputs: bits, bytes, pieces cut out, doubled or taken from another input, and
//! words that readers stumble over.

use crate::draw::Draw;

/// Numbers at the ends of their types, and signs of the formats.
const WORDS: [&str; 30] = [
    "0",
    "-1",
    "1",
    "255",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "0x",
    "-0",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    ":",
    "..",
    "\\u0000",
    "\u{0}",
    "\u{e9}",
    "\u{1f600}",
    "@@",
    "--- ",
    "\n",
    "%",
    "i64",
];

/// The longest input.
const LONGEST: usize = 8192;

pub struct Changer {
    draw: Draw,
    seeds: Vec<Vec<u8>>,
    current: Vec<u8>,
}

impl Changer {
    /// The name is part of the seed, so that two readers see different inputs.
    pub fn new(name: &str, seeds: Vec<Vec<u8>>) -> Changer {
        let seed = name
            .bytes()
            .fold(7, |sum: u64, b| sum.wrapping_mul(31) + u64::from(b));
        Changer {
            draw: Draw::new(seed),
            seeds,
            current: Vec::new(),
        }
    }

    /// The next input: a valid one with one to six changes, sometimes the last one with more.
    pub fn next(&mut self) -> &[u8] {
        if self.current.is_empty() || !self.draw.one_in(4) {
            self.current = self.seeds[self.draw.below(self.seeds.len())].clone();
        }
        for _ in 0..self.draw.within(1, 6) {
            self.change();
        }
        self.current.truncate(LONGEST);
        &self.current
    }

    fn change(&mut self) {
        let length = self.current.len();
        let at = self.draw.below(length + 1);
        let end = (at + self.draw.below(12)).min(length);
        match self.draw.below(8) {
            0 if at < length => self.current[at] ^= 1 << self.draw.below(8),
            1 if at < length => self.current[at] = self.draw.next() as u8,
            2 => drop(self.current.drain(at..end)),
            3 => {
                let piece = self.current[at..end].to_vec();
                self.current.splice(at..at, piece);
            }
            4 => {
                let other = &self.seeds[self.draw.below(self.seeds.len())];
                let from = self.draw.below(other.len() + 1);
                let to = (from + self.draw.below(40)).min(other.len());
                self.current.splice(at..end, other[from..to].to_vec());
            }
            5 => self.current.truncate(at),
            6 => self.number(),
            _ => {
                let word = WORDS[self.draw.below(WORDS.len())];
                self.current.splice(at..at, word.bytes());
            }
        }
    }

    /// Replaces one number of the text by another one.
    fn number(&mut self) {
        let is_digit = |b: &u8| b.is_ascii_digit();
        let from = self.draw.below(self.current.len() + 1);
        let Some(start) = self.current[from..].iter().position(is_digit) else {
            return;
        };
        let start = from + start;
        let digits = self.current[start..]
            .iter()
            .take_while(|b| is_digit(b))
            .count();
        let word = WORDS[self.draw.below(12)];
        self.current.splice(start..start + digits, word.bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_differ_from_the_seed_and_are_the_same_every_time() {
        let inputs = || {
            let mut changer =
                Changer::new("x", vec![b"{\"a\": 12}".to_vec(), b"[1, 2, 3]".to_vec()]);
            (0..200)
                .map(|_| changer.next().to_vec())
                .collect::<Vec<_>>()
        };
        assert_eq!(inputs(), inputs());
        let different: std::collections::BTreeSet<_> = inputs().into_iter().collect();
        assert!(different.len() > 150, "{}", different.len());
    }
}
