//! The files that Labrys writes and reads again.

use crate::{Reader, texts};
use labrys_driver::mutate::merged;
use labrys_driver::output::augmentation::AugmentationFile;
use labrys_driver::output::curve::{self, By};
use labrys_driver::output::elements::MutationElements;
use labrys_driver::output::mutants::{MutantsFile, counts};
use labrys_driver::output::{ObjectivesFile, RunRecord, Summary};
use labrys_suite::{Suite, replay_results, split_results};
use serde::de::DeserializeOwned;

pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "suite.json",
        seeds: || texts(&[include_str!("seeds/suite.json")]),
        read: suite,
    },
    Reader {
        name: "objectives.json",
        seeds: || texts(&[include_str!("seeds/objectives.json")]),
        read: json::<ObjectivesFile>,
    },
    Reader {
        name: "run.json",
        seeds: || texts(&[include_str!("seeds/run.json")]),
        read: run_record,
    },
    Reader {
        name: "summary.json",
        seeds: || texts(&[include_str!("seeds/summary.json")]),
        read: json::<Summary>,
    },
    Reader {
        name: "augmentation.json",
        seeds: || texts(&[include_str!("seeds/augmentation.json")]),
        read: json::<AugmentationFile>,
    },
    Reader {
        name: "mutants.json",
        seeds: || texts(&[include_str!("seeds/mutants.json")]),
        read: mutants,
    },
    Reader {
        name: "events.jsonl",
        seeds: || texts(&[include_str!("seeds/events.jsonl")]),
        read: events,
    },
    Reader {
        name: "replay results",
        seeds: run_results,
        read: |bytes| !split_results(bytes).is_empty() | !replay_results(bytes).is_empty(),
    },
    Reader {
        name: "sandbox report",
        seeds: || vec![vec![0; 64], [13, 0, 0, 0].repeat(16)],
        read: labrys_suite::readers::sandbox_report,
    },
];

fn json<T: DeserializeOwned>(bytes: &[u8]) -> bool {
    serde_json::from_slice::<T>(bytes).is_ok()
}

/// A suite that is read is also used.
fn suite(bytes: &[u8]) -> bool {
    let Ok(suite) = Suite::parse(bytes, "suite.json") else {
        return false;
    };
    for test in &suite.tests {
        let _ = (test.harness(), test.replay_inputs());
    }
    let export = labrys_suite::export::CExport {
        suite: &suite,
        units: &[],
        dialects: false,
        outside: &[],
    };
    let _ = labrys_suite::export::c_program(&export);
    true
}

/// Mutants that are read are also counted, merged and reported.
fn mutants(bytes: &[u8]) -> bool {
    let Ok(file) = serde_json::from_slice::<MutantsFile>(bytes) else {
        return false;
    };
    let _ = (counts(&file.mutants), MutationElements::of(&file));
    let here = std::path::Path::new("out");
    let _ = merged(&[(here, file.clone()), (here, file)]);
    true
}

fn run_record(bytes: &[u8]) -> bool {
    match serde_json::from_slice::<RunRecord>(bytes) {
        Ok(run) => {
            let _ = (run.limits(), run.originals());
            true
        }
        Err(_) => false,
    }
}

fn events(bytes: &[u8]) -> bool {
    let log = String::from_utf8_lossy(bytes);
    let by_time = curve::read(&log, By::Time);
    curve::read(&log, By::Paths).is_ok() && by_time.is_ok()
}

/// A run without events, twice, and one with two events that is cut off behind a whole one.
fn run_results() -> Vec<Vec<u8>> {
    let mut run = vec![0; 68];
    run[0] = 1;
    let mut cut_off = run.clone();
    cut_off.extend_from_slice(&run[..40]);
    cut_off.extend_from_slice(b"\x02\0\0\0abcdefghijklmnop");
    vec![run.repeat(2), cut_off]
}
