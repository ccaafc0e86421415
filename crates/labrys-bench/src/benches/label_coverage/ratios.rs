//! What labels cost in relation to plain exploration: averages, extremes, and whether that is
//! little enough.

use super::LabelTrial;
use crate::benches::Findings;

/// The paper: paths up to 3 times as many; time 2.4 times as long on average and up to 7 times.
const PATHS_MEAN: f64 = 1.5;
const PATHS_MOST: f64 = 3.0;
const TIME_MEAN: f64 = 1.3;
const TIME_MOST: f64 = 3.0;

#[derive(Default)]
pub struct Ratios {
    paths: Vec<(String, f64)>,
    time: Vec<(String, f64)>,
    /// With front end, compiler and lifter.
    whole: Vec<(String, f64)>,
}

impl Ratios {
    pub fn add(&mut self, subject: &str, labels: &str, witness: &LabelTrial, trial: &LabelTrial) {
        if !witness.complete || !trial.complete {
            return;
        }
        let name = format!("{subject} {labels}");
        let paths = trial.paths as f64 / witness.paths as f64;
        self.paths.push((name.clone(), paths));
        let time = trial.time.as_secs_f64() / witness.time.as_secs_f64();
        self.time.push((name.clone(), time));
        let whole = |t: &LabelTrial| (t.before + t.time).as_secs_f64();
        self.whole.push((name, whole(trial) / whole(witness)));
    }

    pub fn judge(&self, findings: &mut Findings) {
        if let Some((worst, most)) = self.whole.iter().max_by(|a, b| a.1.total_cmp(&b.1)) {
            let mean = mean(&self.whole);
            findings.notes.push(format!(
                "DSE*(P*) / DSE(P), time with front end, compiler and lifter: {mean:.2} on average, at most {most:.2} for {worst}."
            ));
        }
        let kinds = [
            ("paths", &self.paths, PATHS_MEAN, PATHS_MOST),
            ("time", &self.time, TIME_MEAN, TIME_MOST),
        ];
        for (what, all, mean_goal, most_goal) in kinds {
            let Some((worst, most)) = all.iter().max_by(|a, b| a.1.total_cmp(&b.1)) else {
                continue;
            };
            let mean = mean(all);
            findings.notes.push(format!(
                "DSE*(P*) / DSE(P), {what}: {mean:.2} on average (wanted {mean_goal}), at most {most:.2} for {worst} (wanted {most_goal})."
            ));
            findings.demand(mean <= mean_goal, || {
                format!("{what}: {mean:.2} times those of DSE(P) on average, wanted {mean_goal}")
            });
            findings.demand(*most <= most_goal, || {
                format!("{what}: {most:.2} times those of DSE(P) for {worst}, wanted {most_goal}")
            });
        }
    }
}

fn mean(ratios: &[(String, f64)]) -> f64 {
    ratios.iter().map(|(_, r)| r).sum::<f64>() / ratios.len() as f64
}
