//! Certificates of the proofs before the search: formulas by which somebody else can check that an event
//! never happens. The analysis only says which facts are worth stating, place by place. That they hold is
//! shown anew: each follows from facts at earlier places and from the meaning of the instructions between,
//! which is written down here from the instructions, and the last ones contradict the event.
//!
//! In come the program, what the analysis knows of it and a solver; out come the statements that the
//! event needs and no others, with their formulas. What cannot be shown is named as a statement without
//! one (`docs/design/123-certificates.md`).

mod builder;
mod certify;
mod code;
mod facts;
mod gather;
mod meaning;
mod memory;
mod obligation;
mod piece;
mod script;
mod words;

pub(crate) use certify::certify;

use labrys_ir::{KnownFact, NumberSet, SourceLoc};
use labrys_ledger::Trigger;
use std::collections::{BTreeMap, BTreeSet};

/// Asks a solver whether a script of SMT-LIB text has no solution. "I do not know" is no.
pub type Oracle<'o> = dyn FnMut(&str) -> bool + 'o;

/// Who is asked for formulas.
pub struct CertificateRequest<'r> {
    pub oracle: &'r mut Oracle<'r>,
    /// Makes facts wrong before they are looked at, for tests of what becomes of them: then formulas are looked
    /// for of all events, also of those that happen.
    pub damage: Option<&'r mut dyn FactDamage>,
}

/// Changes what the analysis has found.
pub trait FactDamage {
    /// Facts at a place, none where no run comes.
    fn place(&mut self, facts: &mut Option<Vec<KnownFact>>);
    /// What a register holds at any time.
    fn register(&mut self, set: &mut NumberSet);
}

/// A formula without a solution.
#[derive(Clone, Debug)]
pub struct CertificateClaim {
    pub loc: SourceLoc,
    /// What would have to hold for it to have one.
    pub title: String,
    /// Without `check-sat`.
    pub script: String,
}

/// A statement that a proof rests on.
#[derive(Clone, Debug)]
pub struct CertificateStep {
    pub loc: SourceLoc,
    pub text: String,
    /// Positions in the list of claims.
    pub claims: Vec<usize>,
    /// It has formulas for all that it rests on itself.
    pub is_shown: bool,
}

/// The certificates of the events that were refuted.
#[derive(Clone, Debug, Default)]
pub struct Certificates {
    pub claims: Vec<CertificateClaim>,
    /// The statements that an event rests on, the last one about the event itself. Events of which that has
    /// no formula are not here.
    pub steps: BTreeMap<Trigger, Vec<CertificateStep>>,
    /// The events of which every statement has formulas for all that it needs.
    pub complete: BTreeSet<Trigger>,
}
