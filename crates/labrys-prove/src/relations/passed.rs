//! Relations that pass between functions: between parameters and variables when a function is called,
//! and between these and its results when it returns. Each holds over all calls, or returns.

use super::constraints::{NumberRanges, Relations};
use crate::sweep::SweepMode;

/// Relations may change twice; after that they only get fewer.
const CHANGES_BEFORE_WIDENING: u8 = 2;

#[derive(Clone, Debug, Default)]
pub(crate) struct PassedRelations {
    known: Option<Relations>,
    changed: u8,
    /// What the present round has seen.
    next: Option<Relations>,
}

impl PassedRelations {
    /// What holds whenever control passes here, as far as it was seen to.
    pub(crate) fn get(&self) -> Relations {
        self.known.clone().unwrap_or_default()
    }

    /// Adds what holds now; true if less is known then. `always` is what the numbers can be whenever
    /// control passes here, `now` what they are this time.
    pub(crate) fn add(
        &mut self,
        given: &Relations,
        always: NumberRanges<'_>,
        now: NumberRanges<'_>,
        mode: SweepMode,
    ) -> bool {
        match mode {
            SweepMode::Grow => self.grow(given, always, now),
            SweepMode::Shrink => {
                self.next = Some(match &self.next {
                    None => given.clone(),
                    Some(old) => old.join(always, given, now),
                });
                false
            }
            SweepMode::Report => false,
        }
    }

    fn grow(&mut self, given: &Relations, always: NumberRanges<'_>, now: NumberRanges<'_>) -> bool {
        let Some(old) = &self.known else {
            self.known = Some(given.clone());
            return true;
        };
        let next = match self.changed >= CHANGES_BEFORE_WIDENING {
            true => old.stable(given, now),
            false => old.join(always, given, now),
        };
        if next == *old {
            return false;
        }
        self.changed = self.changed.saturating_add(1);
        self.known = Some(next);
        true
    }

    pub(crate) fn begin_round(&mut self) {
        self.next = None;
    }

    /// What the round has seen takes the place of what was known.
    pub(crate) fn end_round(&mut self) {
        if let Some(next) = self.next.take() {
            self.known = Some(next);
        }
    }
}
