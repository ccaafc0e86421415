//! Several pieces of a benchmark at a time, with the results in the order of the pieces.

use labrys_driver::{Failure, Outcome};
use std::collections::BTreeMap;
use std::sync::Mutex;

/// As many threads as were asked for, else as there are processors.
pub fn threads(asked: Option<usize>) -> usize {
    let processors = || std::thread::available_parallelism().map_or(1, usize::from);
    asked.unwrap_or_else(processors).max(1)
}

/// Does the work for each item; the first failure ends it.
pub fn each<T: Send, R: Send>(
    items: Vec<T>,
    threads: usize,
    work: impl Fn(T) -> Outcome<R> + Sync,
) -> Outcome<Vec<R>> {
    let waiting = Mutex::new(items.into_iter().enumerate());
    let results: Mutex<BTreeMap<usize, R>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        let take = || -> Outcome<()> {
            loop {
                let next = waiting.lock().map_err(poisoned)?.next();
                let Some((place, item)) = next else {
                    return Ok(());
                };
                let result = work(item)?;
                results.lock().map_err(poisoned)?.insert(place, result);
            }
        };
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(take)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(poisoned(()))))
    })?;
    let results = results.into_inner().map_err(poisoned)?;
    Ok(results.into_values().collect())
}

fn poisoned<T>(_: T) -> Failure {
    Failure::internal("a thread of the benchmark panicked")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let squares = each((0..50u64).collect(), 3, |n| Ok(n * n));
        let expected: Vec<u64> = (0..50).map(|n| n * n).collect();
        assert_eq!(squares.map_err(|e| e.message), Ok(expected));
        let failed = each(vec![1, 2, 3], 2, |n| match n {
            2 => Err(Failure::usage("two")),
            _ => Ok(n),
        });
        assert_eq!(failed.map_err(|e| e.message), Err("two".to_owned()));
    }
}
