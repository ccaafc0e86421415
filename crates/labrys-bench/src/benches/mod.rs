//! Measurements on programs that come with Labrys. Each benchmark is one file,
//! prints one table of ratios within this run beside their targets, and says which it missed.

mod augmentation;
mod bidirectional;
mod clock;
mod compilers;
mod coreutils;
mod corpus;
mod coverage_structure;
mod engine;
mod equivalence;
mod explore;
mod fuzz;
mod killed;
mod kills;
mod lab;
mod label_coverage;
mod latency;
mod limits;
mod memory;
mod miniature;
mod mutants;
mod parallel;
mod results_file;
mod search;
mod solver;
mod stubborn;
mod torture;

use crate::arguments::BenchArgs;
use lab::Lab;
use labrys_driver::{Failure, Outcome};
use labrys_show::table::Table;
use std::fmt::Write as _;
use std::io::Write as _;

/// A benchmark: its name on the command line, what it is about, and how it runs.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Lab, &BenchArgs) -> Outcome<Findings>,
    /// Runs only if it is named: it needs the network and an hour.
    on_request: bool,
}

const BENCHES: [Bench; 19] = [
    Bench {
        name: "engine",
        about: "concrete code in the interpreter and natively",
        run: |lab, _| engine::run(lab),
        on_request: false,
    },
    Bench {
        name: "explore",
        about: "all paths, one thread, every test kept",
        run: |lab, _| explore::run(lab),
        on_request: false,
    },
    Bench {
        name: "solver",
        about: "recorded queries, asked of four solvers",
        run: |lab, _| solver::run(lab),
        on_request: false,
    },
    Bench {
        name: "latency",
        about: "a function of twenty lines, from the command line to the replayed suite",
        run: |lab, _| latency::run(lab),
        on_request: false,
    },
    Bench {
        name: "memory",
        about: "a large pool of candidates, and a limit below what the search needs",
        run: |lab, _| memory::run(lab),
        on_request: false,
    },
    Bench {
        name: "limits",
        about: "programs that are large or hard, and whether --time holds for them",
        run: |lab, _| limits::run(lab),
        on_request: false,
    },
    Bench {
        name: "search",
        about: "the examples of the paper on coverage structures, and the cost of an update",
        run: |lab, _| search::run(lab),
        on_request: false,
    },
    Bench {
        name: "label-coverage",
        about: "labels as in Table I of the paper on label coverage",
        run: label_coverage::run,
        on_request: true,
    },
    Bench {
        name: "coverage-structure",
        about: "filter and strategies as in the tables and figures of the paper on coverage structures",
        run: coverage_structure::run,
        on_request: true,
    },
    Bench {
        name: "augmentation",
        about: "augmented search as in tables 1 and 2 of the paper on augmented symbolic execution",
        run: augmentation::run,
        on_request: true,
    },
    Bench {
        name: "corpus",
        about: "functions of ten Debian packages",
        run: corpus::run,
        on_request: true,
    },
    Bench {
        name: "programs",
        about: "whole programs of coreutils, measured by gcov",
        run: coreutils::run,
        on_request: true,
    },
    Bench {
        name: "mutants",
        about: "how fast mutants meet tests",
        run: mutants::run,
        on_request: true,
    },
    Bench {
        name: "torture",
        about: "what Labrys says, against native truth",
        run: torture::run,
        on_request: true,
    },
    Bench {
        name: "equivalence",
        about: "proofs that mutants are equivalent, against all inputs",
        run: equivalence::run,
        on_request: true,
    },
    Bench {
        name: "stubborn",
        about: "mutants that survive a good suite, as in the paper on stubborn mutants",
        run: stubborn::run,
        on_request: true,
    },
    Bench {
        name: "bidirectional",
        about: "drivers, handshakes, keywords and counters, as in the paper on bidirectional symbolic analysis",
        run: bidirectional::run,
        on_request: true,
    },
    Bench {
        name: "fuzz",
        about: "every reader, on a million damaged inputs",
        run: fuzz::run,
        on_request: true,
    },
    Bench {
        name: "killed",
        about: "what runs leave that are killed at random moments",
        run: killed::run,
        on_request: true,
    },
];

/// What a benchmark found out.
struct Findings {
    table: Table,
    notes: Vec<String>,
    /// Targets of speed, size and coverage that were not met.
    missed: Vec<String>,
    /// What must hold on any machine and in the short form, and did not.
    wrong: Vec<String>,
}

impl Findings {
    fn new(header: &[&str]) -> Self {
        Findings {
            table: Table::new(header),
            notes: Vec::new(),
            missed: Vec::new(),
            wrong: Vec::new(),
        }
    }

    /// Notes a target that this run did not meet.
    fn demand(&mut self, met: bool, otherwise: impl FnOnce() -> String) {
        if !met {
            self.missed.push(otherwise());
        }
    }

    /// Notes what is not true, whatever the speed.
    fn require(&mut self, holds: bool, otherwise: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(otherwise());
        }
    }

    /// In the short form nobody judges by a target.
    fn without_targets(mut self) -> Self {
        self.missed.clear();
        self.notes
            .push("Short form: targets are not judged.".to_owned());
        self
    }

    fn is_good(&self) -> bool {
        self.missed.is_empty() && self.wrong.is_empty()
    }

    fn text(&self, bench: &Bench) -> String {
        let mut text = format!("{}: {}\n\n{}", bench.name, bench.about, self.table);
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text.push('\n');
        if self.is_good() {
            text.push_str("all targets met\n");
        }
        for missed in &self.missed {
            let _ = writeln!(text, "target missed: {missed}");
        }
        for wrong in &self.wrong {
            let _ = writeln!(text, "wrong: {wrong}");
        }
        text.push('\n');
        text
    }
}

/// Runs the benchmarks that were asked for; says whether all targets were met.
pub fn run(args: &BenchArgs) -> Outcome<bool> {
    let chosen = choose(&args.names)?;
    let lab = Lab::new(args.short)?;
    let mut all_met = true;
    for bench in chosen {
        let mut findings = (bench.run)(&lab, args)?;
        if args.short {
            findings = findings.without_targets();
        }
        print(&findings.text(bench))?;
        all_met &= findings.is_good();
    }
    Ok(all_met)
}

/// Prints a table on stdout. A closed pipe is no error.
fn print(text: &str) -> Outcome<()> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(Failure::usage(
            format_args!("cannot write the result: {error}"),
        )),
        _ => Ok(()),
    }
}

/// The benchmarks of these names, all without names, in the order of the list.
fn choose(names: &[String]) -> Outcome<Vec<&'static Bench>> {
    for name in names {
        if !BENCHES.iter().any(|b| b.name == name) {
            let known: Vec<_> = BENCHES.iter().map(|b| b.name).collect();
            return Err(Failure::usage(format_args!(
                "unknown benchmark '{name}'; known are {}",
                known.join(", ")
            )));
        }
    }
    let wanted =
        |b: &&Bench| names.is_empty() && !b.on_request || names.iter().any(|name| name == b.name);
    Ok(BENCHES.iter().filter(wanted).collect())
}

/// Says on stderr what is being measured.
#[allow(clippy::print_stderr)]
fn announce(bench: &str, what: &str) {
    eprintln!("bench {bench}: {what}");
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn benchmarks_are_chosen_by_name_and_run_in_one_order() {
        let names = |wanted: &[&str]| {
            let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
            choose(&wanted).map(|all| all.iter().map(|b| b.name).collect::<Vec<_>>())
        };
        assert_eq!(
            names(&[]).map_err(|e| e.message).unwrap().len(),
            BENCHES.iter().filter(|b| !b.on_request).count()
        );
        let two = names(&["explore", "engine"])
            .map_err(|e| e.message)
            .unwrap();
        assert_eq!(two, ["engine", "explore"]);
        let error = names(&["engine", "speed"]).unwrap_err();
        assert_eq!(error.kind, labrys_driver::FailureKind::Usage);
        assert!(error.message.contains("'speed'"), "{}", error.message);
        assert!(
            error.message.contains("engine, explore"),
            "{}",
            error.message
        );
    }

    #[test]
    fn a_missed_target_is_named() {
        let mut findings = Findings::new(&["program", "factor"]);
        findings.demand(true, || "never".into());
        assert!(findings.text(&BENCHES[0]).contains("all targets met"));
        findings.demand(false, || "factor 3 below 10".into());
        let text = findings.text(&BENCHES[0]);
        assert!(text.contains("target missed: factor 3 below 10"), "{text}");
        assert!(!text.contains("all targets met"), "{text}");
    }
}
