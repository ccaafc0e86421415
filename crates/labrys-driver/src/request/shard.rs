//! `--shard K/N`: a part of the mutants, so that several machines share the work. Neighbours go to
//! different parts, since the mutants of one place often take equally long.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The parts that the mutants are divided into, and which of them is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    /// From 1.
    number: u32,
    of: u32,
}

impl Shard {
    /// Whether the mutant at this place among all belongs to the part.
    pub fn has(self, place: usize) -> bool {
        place % self.of as usize == self.number as usize - 1
    }

    /// All parts of the same division.
    pub fn siblings(self) -> impl Iterator<Item = Shard> {
        let of = self.of;
        (1..=of).map(move |number| Shard { number, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/');
        let numbers = parts.and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)));
        match numbers {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            Some((_, 0)) => Err("there are no parts of which to take one".to_owned()),
            Some((number, of)) => Err(format!(
                "there is no part {number} of {of}; 1/{of} to {of}/{of} are"
            )),
            None => Err("K/N is wanted, such as 2/3 for the second of three parts".to_owned()),
        }
    }
}

impl TryFrom<String> for Shard {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn each_mutant_is_in_one_part() {
        let first: Shard = "1/3".parse().unwrap();
        for place in 0..10 {
            assert_eq!(first.siblings().filter(|part| part.has(place)).count(), 1);
        }
        assert_eq!(first.siblings().last().unwrap().to_string(), "3/3");
    }

    #[test]
    fn parts_that_do_not_exist_are_refused() {
        for (text, part) in [
            ("5/3", "no part 5 of 3"),
            ("0/3", "no part 0 of 3"),
            ("1/0", "no parts"),
            ("x", "K/N is wanted"),
            ("1/2/3", "K/N is wanted"),
            ("-1/2", "K/N is wanted"),
        ] {
            let message = text.parse::<Shard>().unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
