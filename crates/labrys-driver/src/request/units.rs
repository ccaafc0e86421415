//! Quantities on the command line: `90s`, `5m`, `512M`.

use super::text_form::serde_as_text;
use std::str::FromStr;
use std::time::Duration;

/// A time such as `500ms`, `60s`, `5m`, `2h`; a plain number means seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeSpan(pub Duration);

/// A size in bytes such as `512M` or `2G`; a plain number means bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteCount(pub u64);

fn split(text: &str) -> (&str, &str) {
    let end = text
        .find(|c: char| !c.is_ascii_digit() && c != '.')
        .unwrap_or(text.len());
    text.split_at(end)
}

impl FromStr for TimeSpan {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = split(text.trim());
        let factor = match unit {
            "ms" => 0.001,
            "" | "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => {
                return Err(format!(
                    "'{text}' is not a time; write it like 500ms, 60s, 5m or 2h"
                ));
            }
        };
        number
            .parse::<f64>()
            .ok()
            .and_then(|n| Duration::try_from_secs_f64(n * factor).ok())
            .map(TimeSpan)
            .ok_or_else(|| format!("'{text}' is not a time; write it like 500ms, 60s, 5m or 2h"))
    }
}

impl FromStr for ByteCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = split(text.trim());
        let shift = match unit
            .to_ascii_uppercase()
            .trim_end_matches("IB")
            .trim_end_matches('B')
        {
            "" => 0,
            "K" => 10,
            "M" => 20,
            "G" => 30,
            _ => return Err(format!("'{text}' is not a size; write it like 512M or 2G")),
        };
        number
            .parse::<u64>()
            .ok()
            .and_then(|n| n.checked_mul(1 << shift))
            .map(ByteCount)
            .ok_or_else(|| format!("'{text}' is not a size; write it like 512M or 2G"))
    }
}

serde_as_text!(TimeSpan, |t: &TimeSpan| format!("{}ms", t.0.as_millis()));
serde_as_text!(ByteCount, |s: &ByteCount| s.0.to_string());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        let time = |t: &str| t.parse::<TimeSpan>().map(|t| t.0.as_millis());
        assert_eq!(time("500ms"), Ok(500));
        assert_eq!(time("1.5s"), Ok(1500));
        assert_eq!(time("2m"), Ok(120_000));
        assert_eq!(time("7"), Ok(7000));
        assert!(time("soon").is_err());
        assert!(time("5 parsecs").is_err());
        assert!(time("").is_err());
    }

    #[test]
    fn sizes() {
        let size = |t: &str| t.parse::<ByteCount>().map(|s| s.0);
        assert_eq!(size("512M"), Ok(512 << 20));
        assert_eq!(size("2GiB"), Ok(2 << 30));
        assert_eq!(size("17"), Ok(17));
        assert!(size("much").is_err());
        assert!(size("99999999999999G").is_err());
    }
}
