//! The number that is nearest to zero where nothing else will do: by evaluation first, then by
//! questions to the solver, each of which halves what is left.

use super::chooser::Chooser;
use super::fields::Field;
use super::numbers::{Number, SMALL};
use labrys_expr::ExprId;

/// Steps of the search for the number that is nearest to zero.
const STEPS: u32 = 12;
const STEPS_ALONE: u32 = 40;

impl Number {
    /// Looks for the number that is nearest to zero.
    pub(super) fn approach_zero(self, chooser: &mut Chooser<'_>, field: &Field) {
        let Some(term) = field.term(chooser.arena) else {
            return;
        };
        self.descend(chooser, field);
        let now = self.magnitude(field.value(&chooser.model));
        if now <= SMALL || !self.ask_nearer(chooser, field, term) {
            return;
        }
        let alone = chooser.is_alone(field);
        let (mut low, mut high) = (0u64, self.magnitude(field.value(&chooser.model)));
        for _ in 0..if alone { STEPS_ALONE } else { STEPS } {
            if low >= high {
                break;
            }
            let middle = middle(low, high);
            let near = self.within(chooser, term, middle);
            if chooser.ask(near) {
                high = self.magnitude(field.value(&chooser.model));
            } else {
                low = middle + 1;
            }
        }
        let number = self.number(field.value(&chooser.model));
        if let Some(value) = self.bits(-number).filter(|_| number < 0) {
            chooser.attempt(&[(field, value)]);
        }
    }

    /// Goes towards zero by evaluation: exact where the path only sets a limit.
    fn descend(self, chooser: &mut Chooser<'_>, field: &Field) {
        let now = self.number(field.value(&chooser.model));
        let (mut low, mut high) = (0u64, now.unsigned_abs() as u64);
        while low < high {
            let middle = middle(low, high);
            let number = now.signum() * i128::from(middle);
            let takes = self
                .bits(number)
                .filter(|v| chooser.attempt(&[(field, *v)]));
            match takes {
                Some(_) => high = middle,
                None => low = middle + 1,
            }
        }
    }

    /// Asks for any number that is nearer to zero.
    fn ask_nearer(self, chooser: &mut Chooser<'_>, field: &Field, term: ExprId) -> bool {
        let now = self.magnitude(field.value(&chooser.model));
        let nearer = self.within(chooser, term, now.saturating_sub(1));
        chooser.ask(nearer)
    }
}

/// Where to look next: in the middle of the sizes while these are very different.
fn middle(low: u64, high: u64) -> u64 {
    if high / 4 > low {
        let bits = (low.max(1).ilog2() + high.ilog2()) / 2;
        (1u64 << bits).clamp(low, high - 1)
    } else {
        low + (high - low) / 2
    }
}
