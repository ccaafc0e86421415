//! Tables 1 and 2, and whether the targets are met.

use super::{CONFIGURATIONS, POOL, SubjectFigures};
use crate::benches::Findings;
use labrys_show::table::Table;
use std::collections::BTreeSet;
use std::time::Duration;

/// The places of the columns that the targets speak of.
const PLAIN: usize = 0;
const BOUNDARY: usize = 1;
const MUTATION: usize = 2;

/// The share of the killable mutants that augmentation must kill, in percent.
const KILLED: f64 = 95.0;
/// How much longer augmentation may take.
const OVERHEAD: f64 = 10.0;
/// The paper's slowest function (36 min), and what it may take here.
const SLOWEST: &str = "to_octal";
const SLOWEST_TIME: Duration = Duration::from_secs(2);

pub fn findings(figures: &[SubjectFigures], limit: Duration) -> Findings {
    let mut header = vec!["function".to_owned(), "mutants".into(), "killable".into()];
    header.extend(CONFIGURATIONS.iter().map(|c| c.name.to_owned()));
    let of_killable = |c: &super::Configuration| format!("{}, of killable", c.name);
    header.extend(CONFIGURATIONS.iter().map(of_killable));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut findings = Findings::new(&header);
    scores(figures, &mut findings.table);
    findings
        .notes
        .push(format!("\n{}\n{}", weak_scores(figures), costs(figures)));
    findings.notes.push(format!(
        "Table 1: mutants killed in percent, by native runs; the average is that of the functions. Killable: \
         killed by one of the four suites, or by one of up to {POOL} further inputs for each function \
         (small numbers, constants of the source and their neighbours, powers of two, extremes, random), \
         of which up to 250 that change the value of a mutant's expression were run with it. A mutant that \
         nothing kills counts as not killable."
    ));
    findings.notes.push(
        "Table 1a: weak mutants, as the paper counts them: a test has changed the value of the mutated \
         expression; killable ones as above."
            .to_owned(),
    );
    findings.notes.push(format!(
        "Table 2: tests/questions to the solver, and the time from the command line to the replayed suite; \
         *: the search ended by its limit of {} s.",
        limit.as_secs()
    ));
    checks(figures, &mut findings);
    findings
}

fn percent(part: usize, whole: usize) -> f64 {
    match whole {
        0 => 100.0,
        _ => part as f64 * 100.0 / whole as f64,
    }
}

fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let values: Vec<f64> = values.collect();
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

impl SubjectFigures {
    fn of_all(&self, column: usize) -> f64 {
        percent(self.kills.by_suite[column].len(), self.kills.mutants.len())
    }

    fn of_killable(&self, column: usize) -> f64 {
        percent(
            self.kills.by_suite[column].len(),
            self.kills.killable().len(),
        )
    }

    fn seconds(&self, column: usize) -> f64 {
        self.trials[column].wall.as_secs_f64()
    }
}

/// Table 1.
fn scores(figures: &[SubjectFigures], table: &mut Table) {
    let shown = |value: f64| format!("{value:.1}");
    let columns = 0..CONFIGURATIONS.len();
    for f in figures {
        let mut row = vec![
            f.subject.name.to_owned(),
            f.kills.mutants.len().to_string(),
            f.kills.killable().len().to_string(),
        ];
        row.extend(columns.clone().map(|c| shown(f.of_all(c))));
        row.extend(columns.clone().map(|c| shown(f.of_killable(c))));
        table.row(row);
    }
    let sum = |of: &dyn Fn(&SubjectFigures) -> usize| figures.iter().map(of).sum::<usize>();
    let mutants = sum(&|f| f.kills.mutants.len());
    let killable = sum(&|f| f.kills.killable().len());
    let numbers = [mutants.to_string(), killable.to_string()];
    let row = |name: &str, cells: Vec<f64>| {
        let mut row = vec![name.to_owned()];
        row.extend(numbers.clone());
        row.extend(cells.into_iter().map(shown));
        row
    };
    let all = columns
        .clone()
        .map(|c| mean(figures.iter().map(|f| f.of_all(c))));
    let of_killable = columns
        .clone()
        .map(|c| mean(figures.iter().map(|f| f.of_killable(c))));
    table.row(row("average", all.chain(of_killable).collect()));
    let killed = |c: usize| sum(&|f| f.kills.by_suite[c].len());
    let all = columns.clone().map(|c| percent(killed(c), mutants));
    let of_killable = columns.map(|c| percent(killed(c), killable));
    table.row(row("all mutants", all.chain(of_killable).collect()));
}

/// Table 1a: mutants by the value of their expression alone.
fn weak_scores(figures: &[SubjectFigures]) -> Table {
    let mut header = vec!["function".to_owned(), "weak".into(), "killable".into()];
    header.extend(CONFIGURATIONS.iter().map(|c| c.name.to_owned()));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(&header);
    let columns = 0..CONFIGURATIONS.len();
    let score =
        |f: &SubjectFigures, c: usize| percent(f.kills.weak.by_suite[c], f.kills.weak.mutants);
    for f in figures {
        let weak = &f.kills.weak;
        let mut row = vec![
            f.subject.name.to_owned(),
            weak.mutants.to_string(),
            weak.killable.to_string(),
        ];
        row.extend(columns.clone().map(|c| format!("{:.1}", score(f, c))));
        table.row(row);
    }
    let sum =
        |of: &dyn Fn(&SubjectFigures) -> usize| figures.iter().map(of).sum::<usize>().to_string();
    let mut row = vec![
        "average".to_owned(),
        sum(&|f| f.kills.weak.mutants),
        sum(&|f| f.kills.weak.killable),
    ];
    row.extend(columns.map(|c| format!("{:.1}", mean(figures.iter().map(|f| score(f, c))))));
    table.row(row);
    table
}

/// Table 2.
fn costs(figures: &[SubjectFigures]) -> Table {
    let mut header = vec!["function".to_owned()];
    header.extend(CONFIGURATIONS.iter().map(|c| c.name.to_owned()));
    header.extend(CONFIGURATIONS.iter().map(|c| format!("{}, s", c.name)));
    let header: Vec<&str> = header.iter().map(String::as_str).collect();
    let mut table = Table::new(&header);
    for f in figures {
        let mut row = vec![f.subject.name.to_owned()];
        let work = |t: &super::SuiteTrial| format!("{}/{}", t.tests, t.conditions);
        row.extend(f.trials.iter().map(work));
        row.extend(f.trials.iter().map(|t| {
            let mark = if t.late { "*" } else { "" };
            format!("{mark}{:.2}", t.wall.as_secs_f64())
        }));
        table.row(row);
    }
    let mut row = vec!["average".to_owned()];
    for c in 0..CONFIGURATIONS.len() {
        let tests = mean(figures.iter().map(|f| f.trials[c].tests as f64));
        let conditions = mean(figures.iter().map(|f| f.trials[c].conditions as f64));
        row.push(format!("{tests:.1}/{conditions:.1}"));
    }
    for c in 0..CONFIGURATIONS.len() {
        row.push(format!("{:.2}", mean(figures.iter().map(|f| f.seconds(c)))));
    }
    table.row(row);
    table
}

/// The targets, each with what was found.
fn checks(figures: &[SubjectFigures], findings: &mut Findings) {
    let mut check = |met: bool, what: String| {
        let mark = if met { "met:   " } else { "MISSED:" };
        findings.notes.push(format!("{mark} {what}"));
        findings.demand(met, || what);
    };
    let score = |c: usize| mean(figures.iter().map(|f| f.of_all(c)));
    let (plain, boundary, mutation) = (score(PLAIN), score(BOUNDARY), score(MUTATION));
    check(
        plain < boundary && boundary < mutation,
        format!(
            "plain < boundary < mutation on average: {plain:.1}, {boundary:.1}, {mutation:.1} %"
        ),
    );
    let killed = mean(figures.iter().map(|f| f.of_killable(MUTATION)));
    check(
        killed >= KILLED,
        format!(
            "mutation kills at least {KILLED:.0} % of the killable mutants on average: {killed:.1} %"
        ),
    );
    if let Some(f) = figures.iter().find(|f| f.subject.name == SLOWEST) {
        let time = f.trials[MUTATION].wall;
        check(
            time < SLOWEST_TIME,
            format!(
                "{SLOWEST} in less than {} s (the paper: 36 min): {:.2} s",
                SLOWEST_TIME.as_secs(),
                time.as_secs_f64()
            ),
        );
    }
    let total = |c: usize| figures.iter().map(|f| f.seconds(c)).sum::<f64>();
    let ratio = total(MUTATION) / total(PLAIN);
    let means = mean(
        figures
            .iter()
            .map(|f| f.seconds(MUTATION) / f.seconds(PLAIN)),
    );
    check(
        ratio < OVERHEAD,
        format!(
            "mutation takes less than {OVERHEAD:.0} times as long as plain on average (the paper: 272): {ratio:.1} times, the mean of the functions {means:.1}"
        ),
    );
    let lost: BTreeSet<&str> = figures
        .iter()
        .filter(|f| f.kills.by_suite[MUTATION].len() < f.kills.by_suite[PLAIN].len())
        .map(|f| f.subject.name)
        .collect();
    if !lost.is_empty() {
        let names: Vec<&str> = lost.into_iter().collect();
        findings.notes.push(format!(
            "fewer mutants are killed with augmentation than without: {}",
            names.join(", ")
        ));
    }
}
