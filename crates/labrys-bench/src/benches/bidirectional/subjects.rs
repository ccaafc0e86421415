//! The subjects: programs of the paper's kinds, written afresh, each with what no test can cover and
//! with inputs that cover the rest.

use super::truth::{OutcomeSet, infeasible};
use crate::arguments::BenchArgs;
use labrys_driver::{Failure, Outcome};

pub struct BidirectionalSubject {
    pub name: &'static str,
    pub text: &'static str,
    /// What no test can cover, by reasoning.
    pub infeasible: &'static str,
    /// For native runs.
    pub inputs: &'static str,
}

macro_rules! subject {
    ($name:literal) => {
        BidirectionalSubject {
            name: $name,
            text: include_str!(concat!("../../../../../tests/bidirectional/", $name, ".c")),
            infeasible: include_str!(concat!(
                "../../../../../tests/bidirectional/",
                $name,
                ".infeasible"
            )),
            inputs: include_str!(concat!(
                "../../../../../tests/bidirectional/",
                $name,
                ".inputs"
            )),
        }
    };
}

/// Four drivers of growing size, a handshake from both sides, an interpreter, a controller.
pub const SUBJECTS: [BidirectionalSubject; 8] = [
    subject!("ups_filter"),
    subject!("tape_meter"),
    subject!("scanner_port"),
    subject!("disc_changer"),
    subject!("courier_client"),
    subject!("courier_server"),
    subject!("rig_plan"),
    subject!("valve_banks"),
];

/// The interpreter of keywords, of which more is wanted than of the average.
pub const INTERPRETER: &str = "rig_plan";

/// The subject of the short form.
const IN_SHORT: &str = "ups_filter";

pub fn chosen(args: &BenchArgs) -> Outcome<Vec<&'static BidirectionalSubject>> {
    let all = SUBJECTS.iter().filter(|s| args.wants(s.name, &[IN_SHORT]));
    let all: Vec<_> = all.collect();
    match all.is_empty() {
        false => Ok(all),
        true => Err(Failure::usage(format_args!(
            "bidirectional has no subject {}",
            args.program.join(", ")
        ))),
    }
}

impl BidirectionalSubject {
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    /// The list of what no test can cover.
    pub fn listed(&self) -> Outcome<OutcomeSet> {
        infeasible(self.infeasible)
            .map_err(|line| Failure::usage(format_args!("{}.infeasible: {line}", self.name)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn subjects_have_the_size_of_the_papers_and_lists_that_can_be_read() {
        for subject in &SUBJECTS {
            assert!((500..=2500).contains(&subject.lines()), "{}", subject.name);
            let listed = subject.listed().map_err(|e| e.message).unwrap();
            assert!(listed.len() >= 30, "{}", subject.name);
            let lines = subject.text.lines().count();
            assert!(listed.iter().all(|o| o.line as usize <= lines));
        }
    }
}
