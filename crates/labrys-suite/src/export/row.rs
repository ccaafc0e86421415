//! A named value as C: a number where its bytes are one, else the bytes. The text is turned
//! back into bytes and compared before it is used, so that what is shown is what is tested.

use super::c::{comment, literal};
use serde_json::Value;

/// One entry of a table of inputs or outputs.
pub(super) struct TableEntry<'a> {
    pub(super) name: &'a str,
    /// Size and bytes.
    pub(super) code: String,
    /// What it means, where the code does not say it.
    pub(super) shown: Option<String>,
}

impl<'a> TableEntry<'a> {
    pub(super) fn new(name: &'a str, bytes: &[u8], value: Option<&Value>) -> Self {
        let shown = || value.map(|value| comment(&value.to_string()));
        let (code, shown) = match value {
            Some(Value::Number(number)) => {
                match (float(number.as_f64(), bytes), integer(value, bytes)) {
                    (_, Some(code)) if !number.is_f64() => (code, None),
                    (Some(code), _) if number.is_f64() => (code, None),
                    _ => (plain(bytes), shown()),
                }
            }
            Some(Value::Array(values)) => match array(values, bytes) {
                Some(code) => (code, None),
                None => (plain(bytes), shown()),
            },
            _ => (plain(bytes), shown()),
        };
        TableEntry { name, code, shown }
    }
}

/// Bytes as they are; as few as a number has are one.
fn plain(bytes: &[u8]) -> String {
    let mut word = [0; 8];
    match bytes.len() {
        size @ (1 | 2 | 4 | 8) => {
            word[..size].copy_from_slice(bytes);
            format!("LABRYS_INT({size}, {})", number(u64::from_le_bytes(word)))
        }
        size => format!("{size}, {}", literal(bytes)),
    }
}

fn integer(value: Option<&Value>, bytes: &[u8]) -> Option<String> {
    let (text, word) = number_of(value?)?;
    let size = bytes.len();
    let same = matches!(size, 1 | 2 | 4 | 8) && word.to_le_bytes()[..size] == *bytes;
    same.then(|| format!("LABRYS_INT({size}, {text})"))
}

/// An integer as C, and as 64 bits.
fn number_of(value: &Value) -> Option<(String, u64)> {
    match (value.as_i64(), value.as_u64()) {
        (_, Some(value)) => Some((number(value), value)),
        // The most negative number has no literal of its own.
        (Some(i64::MIN), _) => Some(("1ULL << 63".to_owned(), 1 << 63)),
        (Some(value), _) => Some((value.to_string(), value as u64)),
        _ => None,
    }
}

fn number(value: u64) -> String {
    match i64::try_from(value) {
        Ok(value) => value.to_string(),
        Err(_) => format!("{value}ULL"),
    }
}

fn float(value: Option<f64>, bytes: &[u8]) -> Option<String> {
    let value = value.filter(|value| value.is_finite())?;
    match bytes.len() {
        8 => (value.to_le_bytes() == *bytes).then(|| format!("LABRYS_DOUBLE({value:?})")),
        4 => {
            let single = f32::from_le_bytes(bytes.try_into().ok()?);
            (single.is_finite() && f64::from(single) == value && single.to_le_bytes() == *bytes)
                .then(|| format!("LABRYS_FLOAT({single:?}f)"))
        }
        _ => None,
    }
}

fn array(values: &[Value], bytes: &[u8]) -> Option<String> {
    let size = bytes.len().checked_div(values.len())?;
    let ty = match size {
        1 => "unsigned char",
        2 => "short",
        4 => "int",
        8 => "long long",
        _ => return None,
    };
    let mut texts = Vec::new();
    let mut written = Vec::new();
    for value in values {
        let (text, word) = number_of(value)?;
        texts.push(text);
        written.extend_from_slice(&word.to_le_bytes()[..size]);
    }
    (written == bytes).then(|| format!("LABRYS_ARRAY({ty}, {})", texts.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn numbers_are_numbers_and_the_rest_bytes() {
        let code = |value: Value, bytes: &[u8]| TableEntry::new("x", bytes, Some(&value)).code;
        assert_eq!(code(json!(-5), &(-5i32).to_le_bytes()), "LABRYS_INT(4, -5)");
        assert_eq!(
            code(json!(u64::MAX), &u64::MAX.to_le_bytes()),
            "LABRYS_INT(8, 18446744073709551615ULL)"
        );
        assert_eq!(
            code(json!(1.5), &1.5f64.to_le_bytes()),
            "LABRYS_DOUBLE(1.5)"
        );
        assert_eq!(
            code(json!(f64::from(0.1f32)), &0.1f32.to_le_bytes()),
            "LABRYS_FLOAT(0.1f)"
        );
        assert_eq!(
            code(json!([1, -1]), &[1, 0, 0, 0, 255, 255, 255, 255]),
            "LABRYS_ARRAY(int, 1, -1)"
        );
        // A choice among pointers, a string, and a value that says something else.
        assert_eq!(code(json!("NULL"), &[0; 4]), "LABRYS_INT(4, 0)");
        assert_eq!(code(json!("ab"), b"ab\0"), "3, \"ab\\000\"");
        assert_eq!(code(json!(3), &[4, 0, 0, 0]), "LABRYS_INT(4, 4)");
    }
}
