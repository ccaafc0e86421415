//! Sums and means: over the seeds of a strategy, over the units of a group.

use super::trial::UnitTrial;

/// The mean curve of a strategy: objectives covered after k iterations of each unit, for k from 0
/// to the budget. A search that ended earlier keeps what it had.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mean {
    sums: Vec<f64>,
}

impl Mean {
    /// The mean over the trials of one unit, up to so many iterations.
    pub fn of(trials: &[UnitTrial], iterations: u64) -> Mean {
        let value = |k: usize| {
            let at = |trial: &UnitTrial| {
                let last = trial.covered();
                trial.curve.get(k).copied().unwrap_or(last) as f64
            };
            trials.iter().map(at).sum::<f64>() / trials.len().max(1) as f64
        };
        let sums = (0..=iterations as usize).map(value).collect();
        Mean { sums }
    }

    /// Adds the curve of another unit.
    pub fn add(&mut self, other: &Mean) {
        let length = self.sums.len().max(other.sums.len());
        let last = self.at_end();
        self.sums.resize(length, last);
        for (k, sum) in self.sums.iter_mut().enumerate() {
            *sum += other.at(k);
        }
    }

    pub fn at(&self, k: usize) -> f64 {
        self.sums.get(k).copied().unwrap_or(self.at_end())
    }

    pub fn at_end(&self) -> f64 {
        self.sums.last().copied().unwrap_or(0.0)
    }

    /// For a picture.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let sums = self.sums.iter().enumerate();
        sums.map(|(k, sum)| (k as f64, *sum)).collect()
    }
}

/// What searches with and without the filter have cost, over the units of a group.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    pub iterations: u64,
    pub queries: u64,
    pub covered: usize,
}

impl Cost {
    pub fn add(&mut self, trial: &UnitTrial) {
        self.iterations += trial.iterations;
        self.queries += trial.queries;
        self.covered += trial.covered();
    }

    pub fn sum(&mut self, other: &Cost) {
        self.iterations += other.iterations;
        self.queries += other.queries;
        self.covered += other.covered;
    }
}

/// By how many percent `less` is below `more`.
pub fn saved(more: u64, less: u64) -> f64 {
    match more {
        0 => 0.0,
        more => (more as f64 - less as f64) * 100.0 / more as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(curve: &[usize]) -> UnitTrial {
        UnitTrial {
            curve: curve.to_vec(),
            iterations: curve.len() as u64 - 1,
            queries: 10,
            ..UnitTrial::default()
        }
    }

    #[test]
    fn a_search_that_ended_keeps_its_value() {
        let mean = Mean::of(&[trial(&[0, 4]), trial(&[0, 1, 2, 8])], 3);
        assert_eq!(
            mean.points(),
            [(0.0, 0.0), (1.0, 2.5), (2.0, 3.0), (3.0, 6.0)]
        );
        assert!((mean.at(99) - 6.0).abs() < 1e-9);
    }

    #[test]
    fn units_add_up() {
        let mut sum = Mean::default();
        sum.add(&Mean::of(&[trial(&[0, 1, 2])], 2));
        sum.add(&Mean::of(&[trial(&[0, 5])], 2));
        assert_eq!(sum.points(), [(0.0, 0.0), (1.0, 6.0), (2.0, 7.0)]);
    }

    #[test]
    fn savings_are_percentages() {
        let mut cost = Cost::default();
        cost.add(&trial(&[0, 1, 2, 2, 2]));
        cost.sum(&cost.clone());
        assert_eq!((cost.iterations, cost.queries, cost.covered), (8, 20, 4));
        assert!((saved(8, 6) - 25.0).abs() < 1e-9);
        assert!((saved(6, 8) + 100.0 / 3.0).abs() < 1e-9);
        assert!(saved(0, 0).abs() < 1e-9);
    }
}
