//! Stage: an external solver that speaks SMT-LIB over its standard input and output, such as Z3.
//! It replaces the blaster and Bitwuzla, for cross-checking. One process serves all queries; it
//! is killed and started again if it does not answer in time.

use crate::answer::{SolverError, UnknownReason};
use crate::limits::{QueryDeadline, QueryLimits};
use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, ExprId, VarId, smtlib};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// Printed by the solver after each answer, so that the end of an answer is seen.
const END_OF_ANSWER: &str = "labrys-end";
/// The longest time between two looks at the deadline.
const PAUSE: Duration = Duration::from_millis(50);

pub(crate) struct ExternalStage {
    command: String,
    limits: QueryLimits,
    process: Option<SolverProcess>,
}

struct SolverProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
}

impl Drop for SolverProcess {
    fn drop(&mut self) {
        // An error means that the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ExternalStage {
    /// Starts the solver, so that a missing one is noticed at once.
    pub(crate) fn new(command: &str, limits: QueryLimits) -> Result<Self, SolverError> {
        let process = start(command).map_err(|source| SolverError::External {
            command: command.to_owned(),
            source,
        })?;
        Ok(ExternalStage {
            command: command.to_owned(),
            limits,
            process: Some(process),
        })
    }

    fn ask(&mut self, script: &str, until: &QueryDeadline) -> std::io::Result<Vec<String>> {
        if self.process.is_none() {
            self.process = Some(start(&self.command)?);
        }
        let Some(process) = self.process.as_mut() else {
            return Ok(Vec::new());
        };
        process.input.write_all(script.as_bytes())?;
        process.input.flush()?;
        let mut answer = Vec::new();
        loop {
            match process.lines.recv_timeout(PAUSE) {
                Ok(line) if line.trim_matches('"') == END_OF_ANSWER => return Ok(answer),
                Ok(line) => answer.push(line),
                Err(RecvTimeoutError::Timeout) if until.is_over() => {
                    return Err(std::io::ErrorKind::TimedOut.into());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(std::io::ErrorKind::BrokenPipe.into());
                }
            }
        }
    }

    fn query(&mut self, arena: &Arena, query: &Query<'_>) -> std::io::Result<StageOutcome> {
        let until = self.limits.start();
        let all: Vec<ExprId> = query.all().collect();
        let script = smtlib::script(arena, &all);
        let mut text = String::from("(reset)\n(set-option :produce-models true)\n");
        if let (true, Some(left)) = (self.command.contains("z3"), until.left()) {
            let _ = writeln!(text, "(set-option :timeout {})", left.as_millis().max(1));
        }
        text.push_str(&script.text);
        let _ = writeln!(text, "(check-sat)\n(echo \"{END_OF_ANSWER}\")");
        let answer = self.ask(&text, &until)?;
        match answer
            .iter()
            .map(String::as_str)
            .find(|l| matches!(*l, "sat" | "unsat" | "unknown"))
        {
            Some("unsat") => return Ok(StageOutcome::Unsat(None)),
            Some("sat") => {}
            Some(_) => return Ok(StageOutcome::Pass(Some(UnknownReason::Limit))),
            None => {
                tracing::warn!(?answer, "the external solver did not understand a query");
                return Ok(StageOutcome::Pass(Some(UnknownReason::External)));
            }
        }
        let mut values: Vec<(VarId, u64)> = query.vars.iter().map(|&v| (v, 0)).collect();
        for (var, value) in &mut values {
            if script.vars.contains(var) {
                let name = smtlib::var_name(*var);
                let question = format!("(get-value ({name}))\n(echo \"{END_OF_ANSWER}\")\n");
                let answer = self.ask(&question, &until)?;
                match parse_value(&answer.join(" ")) {
                    Some(v) => *value = v,
                    None => return Ok(StageOutcome::Pass(Some(UnknownReason::External))),
                }
            }
        }
        Ok(StageOutcome::Sat(values))
    }
}

impl Stage for ExternalStage {
    fn answer(&mut self, arena: &Arena, query: &Query<'_>) -> StageOutcome {
        match self.query(arena, query) {
            Ok(outcome) => outcome,
            Err(error) => {
                self.process = None;
                let limit = error.kind() == std::io::ErrorKind::TimedOut;
                tracing::warn!(%error, command = self.command, "the external solver failed");
                StageOutcome::Pass(Some(if limit {
                    UnknownReason::Limit
                } else {
                    UnknownReason::External
                }))
            }
        }
    }
}

fn start(command: &str) -> std::io::Result<SolverProcess> {
    let mut words = command.split_whitespace();
    let program = words.next().unwrap_or("z3");
    let mut arguments: Vec<&str> = words.collect();
    if arguments.is_empty() && program.ends_with("z3") {
        arguments.push("-in");
    }
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let missing = || std::io::Error::from(std::io::ErrorKind::BrokenPipe);
    let input = child.stdin.take().ok_or_else(missing)?;
    let output = child.stdout.take().ok_or_else(missing)?;
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).lines() {
            let Ok(line) = line else { break };
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    Ok(SolverProcess {
        child,
        input,
        lines,
    })
}

/// The value in `((v1 #x0f))`.
pub fn parse_value(text: &str) -> Option<u64> {
    let at = text.find('#')?;
    let digits = &text[at + 1..];
    let (radix, digits) = match digits.as_bytes().first()? {
        b'x' => (16, &digits[1..]),
        b'b' => (2, &digits[1..]),
        _ => return None,
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    u64::from_str_radix(&digits[..end], radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SolverOptions;

    #[test]
    fn values_in_both_notations() {
        assert_eq!(parse_value("((v1 #x0f))"), Some(15));
        assert_eq!(parse_value("((v1 #b101))"), Some(5));
        assert_eq!(parse_value("((v1 (_ bv3 8)))"), None);
        assert_eq!(parse_value("(error \"x\")"), None);
    }

    #[test]
    fn a_missing_solver_is_one_clear_error() {
        let error = ExternalStage::new(
            "no-such-solver",
            QueryLimits::new(&SolverOptions::default()),
        )
        .err()
        .unwrap();
        assert!(error.to_string().contains("`no-such-solver`"), "{error}");
    }
}
