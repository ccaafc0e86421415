//! `labrys bench`: measurements on programs that come with Labrys. Each benchmark is one file,
//! prints one table of ratios within this run beside their targets, and says which it missed.

mod clock;
mod compilers;
mod coreutils;
mod corpus;
mod engine;
mod explore;
mod kills;
mod lab;
mod latency;
mod memory;
mod search;

mod seed1;
mod seed2;
mod seed3;
mod solver;

use super::print;
use crate::cli::BenchArgs;
use crate::failure::{Exit, Failure, Outcome};
use crate::table::Table;
use lab::Lab;
use std::fmt::Write;

/// A benchmark: its name on the command line, what it is about, and how it runs.
struct Bench {
    name: &'static str,
    about: &'static str,
    run: fn(&Lab, &BenchArgs) -> Outcome<Findings>,
    /// Runs only if it is named: it needs the network and an hour.
    on_request: bool,
}

const BENCHES: [Bench; 11] = [
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
        name: "search",
        about: "the examples of the paper on coverage structures, and the cost of an update",
        run: |lab, _| search::run(lab),
        on_request: false,
    },
    Bench {
        name: "seed1",
        about: "labels as in Table I of the paper on label coverage",
        run: seed1::run,
        on_request: true,
    },
    Bench {
        name: "seed2",
        about: "filter and strategies as in the tables and figures of the paper on coverage structures",
        run: seed2::run,
        on_request: true,
    },
    Bench {
        name: "seed3",
        about: "augmented search as in tables 1 and 2 of the paper on augmented symbolic execution",
        run: seed3::run,
        on_request: true,
    },
    Bench {
        name: "corpus",
        about: "functions of ten Debian packages",
        run: |_, args| corpus::run(args),
        on_request: true,
    },
    Bench {
        name: "programs",
        about: "whole programs of coreutils, measured by gcov",
        run: |_, args| coreutils::run(args),
        on_request: true,
    },
];

/// What a benchmark found out.
struct Findings {
    table: Table,
    notes: Vec<String>,
    missed: Vec<String>,
}

impl Findings {
    fn new(header: &[&str]) -> Self {
        Findings {
            table: Table::new(header),
            notes: Vec::new(),
            missed: Vec::new(),
        }
    }

    /// Notes a target that this run did not meet.
    fn demand(&mut self, met: bool, otherwise: impl FnOnce() -> String) {
        if !met {
            self.missed.push(otherwise());
        }
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
        if self.missed.is_empty() {
            text.push_str("all targets met\n");
        }
        for missed in &self.missed {
            let _ = writeln!(text, "target missed: {missed}");
        }
        text.push('\n');
        text
    }
}

pub fn run(args: &BenchArgs) -> Outcome {
    let chosen = choose(&args.names)?;
    let lab = Lab::new()?;
    let mut exit = Exit::Done;
    for bench in chosen {
        let findings = (bench.run)(&lab, args)?;
        print(&findings.text(bench))?;
        if !findings.missed.is_empty() {
            exit = Exit::NotMet;
        }
    }
    Ok(exit)
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
    eprintln!("labrys bench {bench}: {what}");
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
        assert_eq!(error.exit, Exit::Usage);
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
