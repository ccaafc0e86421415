//! Strides: a number with its sign is `rest` and some multiple of `step`.

use crate::value_set::ValueSet;

/// `x = rest mod step`; with step 0, `x` is `rest` itself. A rest is below its step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stride {
    pub(crate) step: u64,
    pub(crate) rest: i128,
}

impl Stride {
    pub(crate) const ANY: Stride = Stride { step: 1, rest: 0 };

    pub(crate) fn number(rest: i128) -> Stride {
        Stride { step: 0, rest }
    }

    pub(crate) fn of(step: u64, rest: i128) -> Stride {
        match step {
            0 => Stride { step, rest },
            _ => Stride {
                step,
                rest: rest.rem_euclid(step.into()),
            },
        }
    }

    pub(crate) fn is_any(self) -> bool {
        self.step == 1
    }

    #[cfg(test)]
    pub(crate) fn contains(self, number: i128) -> bool {
        match self.step {
            0 => number == self.rest,
            step => (number - self.rest) % i128::from(step) == 0,
        }
    }

    /// What both say holds of one or the other.
    pub(crate) fn join(self, other: Stride) -> Stride {
        let apart = u64::try_from((self.rest - other.rest).unsigned_abs()).unwrap_or(1);
        let step = gcd(gcd(self.step, other.step), apart);
        Stride::of(step, self.rest)
    }

    /// Is there a number that both contain?
    pub(crate) fn meets(self, other: Stride) -> bool {
        let step = gcd(self.step, other.step);
        match step {
            0 => self.rest == other.rest,
            _ => (self.rest - other.rest) % i128::from(step) == 0,
        }
    }

    pub(crate) fn plus(self, other: Stride) -> Stride {
        Stride::of(gcd(self.step, other.step), self.rest + other.rest)
    }

    pub(crate) fn negated(self) -> Stride {
        Stride::of(self.step, -self.rest)
    }

    /// None where it gets too large.
    pub(crate) fn times(self, factor: i128) -> Option<Stride> {
        let by = u64::try_from(factor.unsigned_abs()).ok()?;
        Some(Stride::of(
            self.step.checked_mul(by)?,
            self.rest.checked_mul(factor)?,
        ))
    }

    /// What is left of such a number, which is not negative, when it is divided by `divisor`.
    pub(crate) fn modulo(self, divisor: u64) -> Stride {
        match self.step {
            0 => Stride::number(self.rest.rem_euclid(divisor.into())),
            step if step % divisor == 0 => Stride::number(self.rest.rem_euclid(divisor.into())),
            step => Stride::of(gcd(step, divisor), self.rest),
        }
    }

    /// A value that has this stride is in a smaller range; none if there is no such value.
    pub(crate) fn sharpen(self, value: &ValueSet) -> Option<ValueSet> {
        if self.is_any() || !value.is_tracked() {
            return Some(*value);
        }
        let (low, high) = (i128::from(value.smin), i128::from(value.smax));
        let (low, high) = match self.step {
            0 => (self.rest.max(low), self.rest.min(high)),
            step => {
                let step = i128::from(step);
                let up = (self.rest - low).rem_euclid(step);
                let down = (high - self.rest).rem_euclid(step);
                (low + up, high - down)
            }
        };
        if low > high {
            return None;
        }
        let range = ValueSet::signed(value.width, low as i64, high as i64)?;
        value.meet(&range)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
