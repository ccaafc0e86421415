//! The correctness witness, in format 2.0 of SV-COMP: invariants of loops as expressions of C.

use crate::failure::{Failure, Outcome};
use crate::output::claims::sha256;
use std::fmt::Write;
use std::time::{SystemTime, UNIX_EPOCH};

/// What a verifier is asked: that `reach_error` is never called.
const SPECIFICATION: &str = "G ! call(reach_error())";

/// An invariant of a loop.
pub(super) struct WitnessInvariant {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) expression: String,
}

/// The text of the witness of a program in this file.
pub(super) fn text(file: &str, program: &str, invariants: &[WitnessInvariant]) -> Outcome<String> {
    let hash = sha256(program.as_bytes());
    let file = quoted(file)?;
    let mut content = String::new();
    for invariant in invariants {
        let _ = write!(
            content,
            "  - invariant:
      type: \"loop_invariant\"
      location:
        file_name: {file}
        line: {}
        column: {}
      value: {}
      format: \"c_expression\"
",
            invariant.line,
            invariant.column,
            quoted(&invariant.expression)?
        );
    }
    let content = match content.is_empty() {
        true => "  content: []\n".to_owned(),
        false => format!("  content:\n{content}"),
    };
    let uuid = uuid(&sha256(format!("{hash}{content}").as_bytes()));
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = date_time(time.map_or(0, |time| time.as_secs()));
    Ok(format!(
        "- entry_type: \"invariant_set\"
  metadata:
    format_version: \"2.0\"
    uuid: \"{uuid}\"
    creation_time: \"{time}\"
    producer:
      name: \"labrys\"
      version: \"{}\"
    task:
      input_files:
      - {file}
      input_file_hashes:
        {file}: \"{hash}\"
      specification: \"{SPECIFICATION}\"
      data_model: \"LP64\"
      language: \"C\"
{content}",
        env!("CARGO_PKG_VERSION")
    ))
}

/// A text of JSON is one of YAML.
fn quoted(text: &str) -> Outcome<String> {
    serde_json::to_string(text).map_err(Failure::internal)
}

/// A name that only the same contents have.
fn uuid(digest: &str) -> String {
    format!(
        "{}-{}-8{}-8{}-{}",
        &digest[0..8],
        &digest[8..12],
        &digest[12..15],
        &digest[15..18],
        &digest[18..30]
    )
}

/// Seconds since 1970 as `2026-11-18T15:04:05Z`, by the proleptic Gregorian calendar.
fn date_time(seconds: u64) -> String {
    let (mut days, rest) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!(
        "{year:04}-{month:02}-{:02}T{:02}:{:02}:{:02}Z",
        days + 1,
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date_time(0), "1970-01-01T00:00:00Z");
        assert_eq!(date_time(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(date_time(1_795_014_245), "2026-11-18T15:04:05Z");
        assert_eq!(date_time(1_767_225_599), "2025-12-31T23:59:59Z");
    }
}
