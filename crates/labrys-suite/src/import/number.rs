//! Numbers as test-case files write them. The file does not know the type of a value, only the
//! call that asks does: so a number is kept as everything that it may be asked for.

/// A number from its text: as a double, a float and, unless it has a fraction, an integer.
#[derive(Clone, Debug, PartialEq)]
pub struct ParsedNumber {
    pub text: String,
    pub double: f64,
    pub float: f32,
    /// Two's complement; larger types are sign-extended, smaller ones have its lowest bytes.
    pub integer: Option<i128>,
}

impl ParsedNumber {
    /// Reads decimal, hexadecimal, octal (`0` in front), binary, floating-point (also
    /// hexadecimal) and character constants, `true`, `false`, `inf` and `nan`, with a sign and the
    /// suffixes of C.
    pub fn parse(text: &str) -> Option<ParsedNumber> {
        let text = text.trim();
        let number = |double, float, integer| ParsedNumber {
            text: text.to_owned(),
            double,
            float,
            integer,
        };
        let whole = |value: i128| number(value as f64, value as f32, Some(value));
        match text {
            "true" => return Some(whole(1)),
            "false" => return Some(whole(0)),
            _ => {}
        }
        if let Some(inner) = text.strip_prefix('\'') {
            return Some(whole(character(inner.strip_suffix('\'')?)?));
        }
        let (negative, digits) = match text.as_bytes().first()? {
            b'-' => (true, &text[1..]),
            b'+' => (false, &text[1..]),
            _ => (false, text),
        };
        if digits.starts_with(['+', '-']) {
            return None;
        }
        if let Some(bits) = integer(digits) {
            return Some(if negative {
                let value = (bits as i128).wrapping_neg();
                number(-(bits as f64), -(bits as f32), Some(value))
            } else {
                number(bits as f64, bits as f32, Some(bits as i128))
            });
        }
        let (double, float) = floating(digits)?;
        let (double, float) = if negative {
            (-double, -float)
        } else {
            (double, float)
        };
        // Up to here every integer is a double of its own.
        let exact = double.fract() == 0.0 && double.abs() <= (1_u64 << 53) as f64;
        Some(number(double, float, exact.then_some(double as i128)))
    }

    /// As the native runtime takes it: double, float, integer if there is one.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = self.double.to_le_bytes().to_vec();
        bytes.extend(self.float.to_le_bytes());
        if let Some(integer) = self.integer {
            bytes.extend(integer.to_le_bytes());
        }
        bytes
    }
}

/// The inside of a character constant. A plain character is its byte as `char` has it.
fn character(text: &str) -> Option<i128> {
    let byte = |value: u32| u8::try_from(value).ok().map(|byte| i128::from(byte as i8));
    let Some(escape) = text.strip_prefix('\\') else {
        let [single] = text.as_bytes() else {
            return None;
        };
        return byte(u32::from(*single));
    };
    if let Some(hexadecimal) = escape.strip_prefix('x') {
        return byte(u32::from_str_radix(hexadecimal, 16).ok()?);
    }
    if escape.starts_with(|c: char| c.is_digit(8)) && escape.len() <= 3 {
        return byte(u32::from_str_radix(escape, 8).ok()?);
    }
    let value = match escape {
        "a" => 7,
        "b" => 8,
        "t" => 9,
        "n" => 10,
        "v" => 11,
        "f" => 12,
        "r" => 13,
        "\\" | "'" | "\"" | "?" => u32::from(escape.as_bytes()[0]),
        _ => return None,
    };
    byte(value)
}

/// An integer constant without its sign.
fn integer(text: &str) -> Option<u128> {
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (&lower[1..], 8)
    } else {
        (lower.as_str(), 10)
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let known = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"].contains(&suffix);
    // After the 0 of `0u` there are no more digits.
    let digits = match (radix, digits) {
        (8, "") => "0",
        _ => digits,
    };
    if !known || digits.starts_with(['+', '-']) {
        return None;
    }
    u128::from_str_radix(digits, radix).ok()
}

/// A floating-point constant without its sign.
fn floating(text: &str) -> Option<(f64, f32)> {
    let lower = text.to_ascii_lowercase();
    if lower.starts_with("nan") {
        return Some((f64::NAN, f32::NAN));
    }
    if matches!(lower.as_str(), "inf" | "infinity") {
        return Some((f64::INFINITY, f32::INFINITY));
    }
    if let Some(rest) = lower.strip_prefix("0x") {
        let double = hexadecimal(rest)?;
        return Some((double, double as f32));
    }
    let digits = lower.strip_suffix(['f', 'l']).unwrap_or(&lower);
    let begins = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    if !begins || !digits.contains(['.', 'e']) {
        return None;
    }
    Some((digits.parse().ok()?, digits.parse().ok()?))
}

/// `1.8p+3` and the like: exact, since `printf` writes no more digits than a double has.
fn hexadecimal(text: &str) -> Option<f64> {
    let text = text.strip_suffix('l').unwrap_or(text);
    let (digits, exponent) = text.split_once('p')?;
    let exponent = exponent.strip_suffix('f').unwrap_or(exponent);
    let mut exponent: i32 = exponent.parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.len() > 64 {
        return None;
    }
    let mut mantissa: u128 = 0;
    for digit in whole.chars().chain(fraction.chars()) {
        let digit = digit.to_digit(16)?;
        mantissa = mantissa.checked_mul(16)?.checked_add(u128::from(digit))?;
    }
    exponent = exponent.checked_sub(4 * fraction.len() as i32)?;
    // In two steps, since 2^-1074 times a large number is not too small.
    let half = exponent.clamp(-2000, 2000) / 2;
    let rest = exponent.clamp(-2000, 2000) - half;
    Some(mantissa as f64 * 2_f64.powi(half) * 2_f64.powi(rest))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn integer_of(text: &str) -> Option<i128> {
        ParsedNumber::parse(text).and_then(|number| number.integer)
    }

    #[test]
    fn integers_in_all_spellings() {
        for (text, value) in [
            ("0", 0),
            ("42", 42),
            (" -42\n", -42),
            ("+7", 7),
            ("0x7f", 127),
            ("0XFFu", 255),
            ("-0x80", -128),
            ("017", 15),
            ("0b101", 5),
            ("0u", 0),
            ("00", 0),
            ("4294967295U", 4_294_967_295),
            ("18446744073709551615ull", 18_446_744_073_709_551_615),
            ("-9223372036854775808LL", -9_223_372_036_854_775_808),
            ("'a'", 97),
            ("'\\n'", 10),
            ("'\\0'", 0),
            ("'\\x41'", 65),
            ("'\\377'", -1),
            ("'\\''", 39),
            ("'''", 39),
            ("true", 1),
            ("false", 0),
            ("2.0", 2),
            ("1e3", 1000),
        ] {
            assert_eq!(integer_of(text), Some(value), "{text}");
        }
    }

    #[test]
    fn numbers_with_a_fraction() {
        for (text, double) in [
            ("1.5", 1.5),
            ("-0.25f", -0.25),
            ("1.5L", 1.5),
            (".5", 0.5),
            ("1e-3", 1e-3),
            ("0x1.8p+1", 3.0),
            ("-0x1p-1074", -5e-324),
            ("0x1.fffffffffffffp1023", f64::MAX),
            ("inf", f64::INFINITY),
            ("-INFINITY", f64::NEG_INFINITY),
            ("3", 3.0),
        ] {
            let number = ParsedNumber::parse(text).unwrap();
            assert_eq!(number.double, double, "{text}");
            assert_eq!(number.float, double as f32, "{text}");
        }
        assert!(ParsedNumber::parse("nan").unwrap().double.is_nan());
        assert_eq!(
            ParsedNumber::parse("-0.0").unwrap().double.to_bits(),
            1 << 63
        );
        assert_eq!(ParsedNumber::parse("0.1").unwrap().float, 0.1_f32);
        assert_eq!(integer_of("1.5"), None);
        assert_eq!(integer_of("nan"), None);
        assert_eq!(integer_of("1e300"), None);
    }

    #[test]
    fn what_is_no_number() {
        for text in [
            "", "-", "+-1", "--1", "x", "1x", "0x", "09", "1uu", "''", "'ab'", "'a", "1 2",
            "0x1.8", "0b2", "e5", "'\\400'", "'\\q'", "- 1",
        ] {
            assert_eq!(ParsedNumber::parse(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_panic(text in "\\PC{0,20}") {
            let _ = ParsedNumber::parse(&text);
        }

        #[test]
        fn every_integer_is_itself(value in any::<i128>()) {
            prop_assert_eq!(integer_of(&value.to_string()), Some(value));
        }

        #[test]
        fn every_double_is_itself(bits in any::<u64>()) {
            let value = f64::from_bits(bits);
            prop_assume!(!value.is_nan());
            prop_assert_eq!(ParsedNumber::parse(&format!("{value:e}")).unwrap().double.to_bits(), bits);
        }
    }
}
