//! Formulas of proofs are not taken in by a wrong analysis: whatever facts are made up, no event that a run
//! gives gets formulas for all that it would need. And with the facts as they are found, most that is refuted
//! has them.

use crate::events;
use crate::program::{Shape, random};
use labrys_budget::Deadline;
use labrys_ir::{KnownFact, NumberSet};
use labrys_ledger::Trigger;
use labrys_prove::{
    AnalysisScope, CertificateRequest, FactDamage, Refutations, StaticRule,
    refute_with_certificates,
};
use labrys_solver::has_no_solution;
use std::time::Duration;

/// Far more than any formula here takes.
const TIME: Duration = Duration::from_secs(60);

/// Leaves out numbers: those of every set, or of every third one, as if somebody had counted wrongly.
struct NarrowedFacts {
    every: u64,
    seen: u64,
    /// To one number of the set, and not by one.
    to_one: bool,
}

impl NarrowedFacts {
    fn narrow(&mut self, set: &mut NumberSet) -> bool {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.every) || set.umin == set.umax {
            return false;
        }
        match (self.to_one, (self.seen / self.every).is_multiple_of(2)) {
            (true, true) => set.umax = set.umin,
            (true, false) => set.umin = set.umax,
            (false, true) => set.umax -= 1,
            (false, false) => set.umin += 1,
        }
        set.members.retain(|n| set.umin <= *n && *n <= set.umax);
        true
    }
}

impl FactDamage for NarrowedFacts {
    fn place(&mut self, facts: &mut Option<Vec<KnownFact>>) {
        for fact in facts.iter_mut().flatten() {
            match fact {
                KnownFact::In(_, set) => drop(self.narrow(set)),
                KnownFact::AtMost { bound, .. } => {
                    self.seen += 1;
                    *bound -= i64::from(self.seen.is_multiple_of(self.every));
                }
                KnownFact::Stride { .. } | KnownFact::Compared { .. } => {}
            }
        }
        // That no run comes there is made up, too.
        self.seen += 1;
        if self.seen.is_multiple_of(self.every * 7) {
            *facts = None;
        }
    }

    fn register(&mut self, set: &mut NumberSet) {
        self.narrow(set);
    }
}

fn certified(
    program: &crate::program::Program,
    wanted: &[Trigger],
    mut damage: Option<NarrowedFacts>,
) -> Refutations {
    let scope = AnalysisScope {
        entries: vec!["harness".into()],
        ..AnalysisScope::default()
    };
    let mut oracle = |script: &str| has_no_solution(script, TIME, &Deadline::never());
    let request = CertificateRequest {
        oracle: &mut oracle,
        damage: damage.as_mut().map(|damage| damage as &mut dyn FactDamage),
    };
    let rule = StaticRule::Relations;
    let found = refute_with_certificates(
        &program.module,
        &scope,
        wanted,
        rule,
        &Deadline::never(),
        Some(request),
    );
    found.unwrap_or_default()
}

fn check(count: u64, shape: Shape, least_percent: usize) {
    let (mut refuted, mut complete, mut damaged) = (0, 0, 0);
    for seed in 0..count {
        let program = random(seed, shape);
        let (seen, _) = events(&program);
        let wanted = &program.triggers;
        let found = certified(&program, wanted, None);
        refuted += found.reasons.len();
        complete += found.certificates.complete.len();
        let wrong = found.certificates.complete.intersection(&seen);
        assert_eq!(wrong.count(), 0, "seed {seed}: {:?}", program.module);
        for (every, to_one) in [(1, false), (3, false), (2, true)] {
            let damage = NarrowedFacts {
                every,
                seen: seed,
                to_one,
            };
            let found = certified(&program, wanted, Some(damage)).certificates;
            damaged += found.complete.len();
            let wrong: Vec<_> = found.complete.intersection(&seen).collect();
            assert!(
                wrong.is_empty(),
                "seed {seed}, every {every}, {to_one}: {wrong:?}"
            );
        }
    }
    assert!(
        100 * complete >= least_percent * refuted,
        "{complete} of {refuted}"
    );
    // Three runs with damage: what it has met is not shown any more.
    assert!(damaged < 3 * complete, "{damaged} of {complete}");
}

#[test]
fn damaged_facts_show_nothing_that_happens_in_registers() {
    check(60, Shape::Branches, 60);
    check(40, Shape::Loops, 30);
}

#[test]
fn damaged_facts_show_nothing_that_happens_in_memory() {
    check(40, Shape::Memory, 30);
    check(30, Shape::Pointers, 30);
}

#[test]
fn damaged_facts_show_nothing_that_happens_in_calls_and_relations() {
    check(40, Shape::Calls, 30);
    check(40, Shape::Relations, 30);
    check(30, Shape::Tangled, 0);
}
