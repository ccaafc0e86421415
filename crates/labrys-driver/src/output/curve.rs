//! The curve of a search, read from `events.jsonl`: what the engine had covered after so many
//! iterations, or after so long. Functions that were searched one after the other make one curve.

use serde::Deserialize;
use std::collections::BTreeSet;

/// A line of the event log, as far as the curve needs it.
#[derive(Debug, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
enum Event {
    Run {
        search: String,
        seed: u64,
        criteria: Vec<String>,
    },
    Begin {
        s: f64,
        objectives: usize,
    },
    Test {
        s: f64,
        covers: Vec<String>,
        paths: u64,
    },
    End {
        s: f64,
        paths: u64,
    },
    #[serde(other)]
    Other,
}

/// What the horizontal axis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Paths,
    Time,
}

/// A search over its course.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    pub search: String,
    pub seed: u64,
    pub criteria: Vec<String>,
    /// Objectives that were searched for.
    pub objectives: usize,
    /// Iterations or seconds, and the objectives covered by then.
    pub points: Vec<(f64, f64)>,
}

/// Why a log has no curve.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
    #[error("line {0} is no event: {1}")]
    Damaged(usize, String),
    #[error("it does not say which search it was; it is of an older labrys, run gen again")]
    Old,
}

/// Reads the log of a run that may still go on or was interrupted.
pub fn read(log: &str, by: By) -> Result<Curve, CurveError> {
    let mut curve: Option<Curve> = None;
    let mut covered = BTreeSet::new();
    // Where the searches that are done have ended, and where the current one began.
    let (mut before, mut current) = (0u64, 0u64);
    let mut zero: Option<f64> = None;
    let lines: Vec<&str> = log.lines().collect();
    for (number, line) in lines.iter().enumerate() {
        let event = match serde_json::from_str::<Event>(line) {
            Ok(event) => event,
            // A run that is being written may end in the middle of a line.
            Err(_) if number + 1 == lines.len() && !log.ends_with('\n') => break,
            Err(error) => return Err(CurveError::Damaged(number + 1, error.to_string())),
        };
        if let Event::Run {
            search,
            seed,
            criteria,
        } = event
        {
            curve = Some(Curve {
                search,
                seed,
                criteria,
                objectives: 0,
                points: vec![(0.0, 0.0)],
            });
            continue;
        }
        let Some(curve) = &mut curve else {
            return Err(CurveError::Old);
        };
        let mut point = |paths: u64, s: f64, covered: usize| {
            let x = match by {
                By::Paths => paths as f64,
                By::Time => s - zero.unwrap_or(0.0),
            };
            curve.points.push((x, covered as f64));
        };
        match event {
            Event::Begin { s, objectives } => {
                zero.get_or_insert(s);
                curve.objectives = curve.objectives.saturating_add(objectives);
                (before, current) = (before.saturating_add(current), 0);
            }
            Event::Test { s, covers, paths } => {
                current = paths;
                let old = covered.len();
                covered.extend(covers);
                if covered.len() > old {
                    point(before.saturating_add(paths), s, covered.len());
                }
            }
            Event::End { s, paths } => {
                current = paths;
                point(before.saturating_add(paths), s, covered.len());
            }
            Event::Run { .. } | Event::Other => {}
        }
    }
    curve.ok_or(CurveError::Old)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_nobody_counts_to_are_no_error() {
        let most = u64::MAX;
        let log = format!(
            "{{\"event\":\"run\",\"search\":\"dfs\",\"seed\":7,\"criteria\":[]}}\n\
             {{\"event\":\"begin\",\"objectives\":{most},\"s\":1.0}}\n\
             {{\"event\":\"end\",\"paths\":{most},\"s\":2.0}}\n\
             {{\"event\":\"begin\",\"objectives\":{most},\"s\":1.0}}\n\
             {{\"event\":\"end\",\"paths\":{most},\"s\":2.0}}\n"
        );
        let curve = read(&log, By::Paths).unwrap();
        assert_eq!(curve.objectives, usize::MAX);
    }

    const LOG: &str = r#"{"event":"run","search":"dfs","seed":7,"criteria":["branch"],"s":0.0}
{"event":"proof","objective":"branch:9","proof":{},"s":0.5}
{"event":"begin","function":"f","objectives":4,"s":1.0}
{"event":"test","function":"f","covers":["branch:1","branch:2"],"paths":1,"s":1.25}
{"event":"test","function":"f","covers":[],"paths":3,"s":1.5}
{"event":"test","function":"f","covers":["branch:3"],"paths":4,"s":1.75}
{"event":"end","function":"f","paths":9,"s":2.0}
{"event":"begin","function":"g","objectives":2,"s":2.0}
{"event":"test","function":"g","covers":["branch:3","branch:5"],"paths":2,"s":3.0}
{"event":"end","function":"g","paths":3,"s":4.0}
"#;

    #[test]
    fn functions_follow_one_another_and_objectives_count_once() {
        let curve = read(LOG, By::Paths).unwrap();
        assert_eq!((curve.search.as_str(), curve.seed), ("dfs", 7));
        assert_eq!(curve.objectives, 6);
        let points = [(0., 0.), (1., 2.), (4., 3.), (9., 3.), (11., 4.), (12., 4.)];
        assert_eq!(curve.points, points);
        let times: Vec<f64> = read(LOG, By::Time)
            .unwrap()
            .points
            .iter()
            .map(|(x, _)| *x)
            .collect();
        assert_eq!(times, [0.0, 0.25, 0.75, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn a_log_that_was_cut_off_ends_where_it_ends() {
        let cut = &LOG[..LOG.find("\"paths\":9").unwrap()];
        let curve = read(cut, By::Paths).unwrap();
        assert_eq!(curve.points.last(), Some(&(4.0, 3.0)));
    }

    #[test]
    fn old_and_damaged_logs_are_named_as_such() {
        assert_eq!(read("", By::Paths), Err(CurveError::Old));
        let old = "{\"event\":\"begin\",\"objectives\":4,\"s\":0.0}\n";
        assert_eq!(read(old, By::Paths), Err(CurveError::Old));
        let damaged = LOG.replace("\"seed\":7", "\"seed\":\"x\"");
        assert!(matches!(
            read(&damaged, By::Paths),
            Err(CurveError::Damaged(1, _))
        ));
        let garbled = LOG.replacen("{\"event\":\"end\"", "{event", 1);
        assert!(matches!(
            read(&garbled, By::Paths),
            Err(CurveError::Damaged(7, _))
        ));
    }
}
