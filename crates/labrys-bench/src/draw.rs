//! Where the torture tests take their chances: a small generator of random numbers, so that a seed
//! means the same program on every machine and with every version of every crate.

/// Random numbers of a seed (SplitMix64).
#[derive(Clone, Debug)]
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Draw {
        Draw(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below the limit; 0 for the limit 0.
    pub fn below(&mut self, limit: usize) -> usize {
        match limit {
            0 => 0,
            _ => (self.next() % limit as u64) as usize,
        }
    }

    /// A number from `low` to `high`, both included.
    pub fn within(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// One of these, which must not be empty.
    pub fn of<'a, T: ?Sized>(&mut self, all: &'a [&'a T]) -> &'a T {
        all[self.below(all.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_means_the_same_numbers_and_another_seed_others() {
        let numbers = |seed| {
            let mut draw = Draw::new(seed);
            (0..8).map(|_| draw.below(1000)).collect::<Vec<_>>()
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
        assert!(numbers(7).iter().all(|n| *n < 1000));
    }
}
