//! The statistics of the paper: medians, the paired Wilcoxon signed-rank test and the effect size of
//! Vargha and Delaney.

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[middle],
        _ => (sorted[middle - 1] + sorted[middle]) / 2.0,
    }
}

/// The two-sided p of the signed-rank test on paired values. Pairs without a difference are left out,
/// equal differences share their ranks. The distribution is exact: all signs are equally likely. Without
/// any difference p is 1.
pub fn wilcoxon(left: &[f64], right: &[f64]) -> f64 {
    let mut differences: Vec<f64> = left
        .iter()
        .zip(right)
        .map(|(a, b)| a - b)
        .filter(|d| *d != 0.0)
        .collect();
    differences.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let ranks = doubled_ranks(&differences);
    let positive = differences.iter().zip(&ranks).filter(|(d, _)| **d > 0.0);
    let seen: usize = positive.map(|(_, rank)| rank).sum();
    // chances[s]: how likely the doubled ranks of the positive differences add up to s.
    let mut chances = vec![1.0];
    for rank in ranks {
        let mut next = vec![0.0; chances.len() + rank];
        for (sum, chance) in chances.iter().enumerate() {
            next[sum] += chance / 2.0;
            next[sum + rank] += chance / 2.0;
        }
        chances = next;
    }
    let low: f64 = chances[..=seen].iter().sum();
    let high: f64 = chances[seen..].iter().sum();
    (2.0 * low.min(high)).min(1.0)
}

/// Twice the rank of each difference, so that shared ranks are whole numbers. They are sorted by size.
fn doubled_ranks(differences: &[f64]) -> Vec<usize> {
    let mut ranks = Vec::new();
    while ranks.len() < differences.len() {
        let first = ranks.len();
        let size = differences[first].abs();
        let same = differences[first..].iter().take_while(|d| d.abs() == size);
        let count = same.count();
        // The ranks first + 1 to first + count, on average, twice.
        ranks.resize(first + count, 2 * first + count + 1);
    }
    ranks
}

/// How often a value of the left is larger than one of the right; equal ones count half.
pub fn a12(left: &[f64], right: &[f64]) -> f64 {
    let mut sum = 0.0;
    for a in left {
        for b in right {
            sum += match a.total_cmp(b) {
                std::cmp::Ordering::Greater => 1.0,
                std::cmp::Ordering::Equal => 0.5,
                std::cmp::Ordering::Less => 0.0,
            };
        }
    }
    sum / (left.len() * right.len()) as f64
}

#[cfg(test)]
mod tests {
    #![allow(clippy::approx_constant)]
    use super::*;

    fn near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 1e-5, "{value} {expected}");
    }

    #[test]
    fn the_median_is_in_the_middle() {
        near(median(&[3.0, 1.0, 2.0]), 2.0);
        near(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
        assert!(median(&[]).is_nan());
    }

    /// Hollander and Wolfe's depression scores, as R's `wilcox.test(x, y, paired = TRUE)` has them:
    /// V = 40, p = 0.03906.
    #[test]
    #[allow(clippy::approx_constant)]
    fn the_signed_rank_test_is_that_of_r() {
        let before = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30];
        let after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];
        near(wilcoxon(&before, &after), 0.0390625);
        near(wilcoxon(&after, &before), 0.0390625);
    }

    /// Five differences of one sign: 2 of 32 signs are as extreme. Zeros do not count, and equal
    /// differences share ranks.
    #[test]
    fn ties_and_zeros_are_handled() {
        near(
            wilcoxon(
                &[1.0, 1.0, 1.0, 1.0, 1.0, 7.0],
                &[0.0, 0.0, 0.0, 0.0, 0.0, 7.0],
            ),
            0.0625,
        );
        near(wilcoxon(&[1.0, 2.0], &[1.0, 2.0]), 1.0);
        // Ranks 1.5, 1.5, 3, of which 1.5 is negative: sums of at most 1.5 in 3 of 8 cases.
        near(wilcoxon(&[1.0, -1.0, 2.0], &[0.0, 0.0, 0.0]), 0.75);
    }

    #[test]
    fn the_effect_size_counts_larger_values() {
        near(a12(&[2.0, 3.0, 4.0], &[1.0, 1.0, 1.0]), 1.0);
        near(a12(&[1.0, 2.0, 3.0], &[1.0, 2.0, 3.0]), 0.5);
        near(a12(&[1.0, 2.0], &[2.0, 0.0]), 0.625);
    }
}
