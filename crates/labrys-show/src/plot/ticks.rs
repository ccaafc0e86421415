//! The numbers that stand at an axis: round ones, as few as can be read at a glance.

/// An axis from zero to the last of its ticks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Axis {
    pub ticks: Vec<f64>,
    /// Digits after the point that every tick needs.
    pub digits: usize,
}

impl Axis {
    /// An axis that holds everything up to `most`, with about `wanted` ticks. With `whole`, ticks
    /// are whole numbers.
    pub(super) fn new(most: f64, wanted: usize, whole: bool) -> Axis {
        let most = if most.is_finite() && most > 0.0 {
            most
        } else {
            1.0
        };
        let mut step = round_step(most / wanted.max(1) as f64);
        if whole {
            step = step.max(1.0);
        }
        let digits = if step >= 1.0 {
            0
        } else {
            (-step.log10()).ceil() as usize
        };
        let count = (most / step - 1e-9).ceil().max(1.0) as usize;
        let ticks = (0..=count).map(|i| i as f64 * step).collect();
        Axis { ticks, digits }
    }

    pub(super) fn last(&self) -> f64 {
        self.ticks.last().copied().unwrap_or(1.0)
    }

    pub(super) fn text(&self, tick: f64) -> String {
        format!("{tick:.*}", self.digits)
    }
}

/// The next of 1, 2, 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let factor = rough / power;
    let round = [1.0, 2.0, 5.0, 10.0];
    let next = round.into_iter().find(|r| factor <= r + 1e-9);
    power * next.unwrap_or(10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_hold_everything() {
        let texts = |most: f64, wanted: usize, whole: bool| -> Vec<String> {
            let axis = Axis::new(most, wanted, whole);
            assert!(most.is_nan() || axis.last() >= most, "{most}");
            axis.ticks.iter().map(|t| axis.text(*t)).collect()
        };
        assert_eq!(texts(100.0, 5, true), ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(texts(7.0, 5, true), ["0", "2", "4", "6", "8"]);
        assert_eq!(texts(3.0, 6, true), ["0", "1", "2", "3"]);
        assert_eq!(texts(0.13, 4, false), ["0.00", "0.05", "0.10", "0.15"]);
        assert_eq!(texts(0.0, 4, true), ["0", "1"]);
        assert_eq!(texts(f64::NAN, 4, true), ["0", "1"]);
        assert_eq!(texts(1.0, 5, true), ["0", "1"]);
    }
}
