//! `--stats`: counters and table sizes on stderr.

use labrys_driver::generate::SearchResults;
use labrys_engine::{FaultCheckWork, LabelWork, PathEnd};

/// Counters and table sizes on stderr.
#[allow(clippy::print_stderr)]
pub fn show(found: &SearchResults) {
    for searched in &found.searched {
        let (work, solver) = (&searched.report.work, &searched.report.solver);
        eprintln!("{}:", searched.entry.function);
        let line = |name: &str, value: u64| {
            if value > 0 {
                eprintln!("  {name}: {value}");
            }
        };
        line("paths", work.paths);
        line("paths among them from detours", work.repeats);
        line("splices tried", work.trials);
        line("splices that showed something new", work.fruitful_trials);
        line("instructions", work.instructions);
        for (name, count) in PathEnd::NAMES.iter().zip(work.ends) {
            line(&format!("paths that ended as {name}"), count);
        }
        let labels = work.labels;
        if labels != LabelWork::default() {
            line("leaves of labels tried", labels.tried);
            line("leaves of labels refuted", labels.infeasible);
            line("labels covered by leaves", labels.covered);
            line("leaves of covered labels dropped", labels.dropped);
        }
        line("candidates filtered when made", work.filtered);
        line("candidates filtered later", work.filtered_later);
        line("candidates refuted at once", work.cheap_unsat);
        line("candidates refuted by the solver", work.infeasible);
        line("candidates undecided", work.undecided);
        line("most candidates at a time", work.most_candidates as u64);
        line("values pinned", work.pinned);
        line("snapshots dropped", work.dropped);
        line("paths replayed", work.replayed);
        line("candidates put aside for want of memory", work.abandoned);
        let checks = work.fault_checks;
        if checks != FaultCheckWork::default() {
            line("fault checks asked", checks.asked);
            line("fault checks that can fail", checks.sat);
            line("fault checks that cannot fail", checks.unsat);
            line("fault checks undecided", checks.unknown);
        }
        line("queries for readable values", work.value_queries);
        line("steps for readable values", work.value_steps);
        line("ms for readable values", (work.values_s * 1e3) as u64);
        line("collections of expressions", work.collections);
        for (name, size) in &searched.report.sizes {
            line(name, *size as u64);
        }
        match serde_json::to_value(solver) {
            Ok(serde_json::Value::Object(fields)) => {
                for (name, value) in fields {
                    eprintln!("  solver {}: {value}", name.replace('_', " "));
                }
            }
            _ => eprintln!("  solver: {solver:?}"),
        }
    }
}
