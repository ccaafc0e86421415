//! Floating-point numbers as text and back. The host's C library prints and reads them, since its
//! results are what a native run of the program gives.

use std::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn labrys_float_format(
        to: *mut c_char,
        size: usize,
        spec: *const c_char,
        bits: *const c_void,
    ) -> c_int;
    fn labrys_float_parse(format: c_int, text: *const c_char, out: *mut c_void) -> c_int;
}

/// Bytes of the text of one number. `%Lf` of the largest number has 4940 characters; longer texts
/// come only from large widths and precisions, and are refused.
const MAX_TEXT: usize = 1 << 16;

/// The text of an x87 extended number. `None` if the specification is not one conversion of a
/// `long double`, or if the text is too long.
pub fn format_extended(spec: &CStr, bits: u128) -> Option<Vec<u8>> {
    if !is_conversion(spec.to_str().ok()?, "L") {
        return None;
    }
    let mut text = vec![0u8; 512];
    loop {
        let room = text.len();
        // SAFETY: the specification takes exactly one long double, the buffer has the length
        // given, and the number has 16 bytes.
        let len = unsafe {
            labrys_float_format(
                text.as_mut_ptr().cast(),
                room,
                spec.as_ptr(),
                (&raw const bits).cast(),
            )
        };
        let len = usize::try_from(len).ok().filter(|len| *len <= MAX_TEXT)?;
        if len < room {
            text.truncate(len);
            return Some(text);
        }
        text.resize(len + 1, 0);
    }
}

/// The number of 32, 64 or 80 bits that a text is, and the error number that `strtof`, `strtod` or
/// `strtold` leaves.
pub fn parse(format: u8, text: &CStr) -> (u128, i32) {
    let mut bits = 0u128;
    // SAFETY: the text ends with a zero, the result has 16 bytes.
    let error = unsafe { labrys_float_parse(format.into(), text.as_ptr(), (&raw mut bits).cast()) };
    (bits, error)
}

/// `%`, flags, width, precision, the size given, one of the letters for floating-point numbers.
pub fn is_conversion(spec: &str, size: &str) -> bool {
    let Some(rest) = spec.strip_prefix('%') else {
        return false;
    };
    let rest = rest.trim_start_matches(['-', '+', ' ', '#', '0']);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    let Some(letter) = rest.strip_prefix(size) else {
        return false;
    };
    matches!(letter, "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_conversion_is_taken() {
        for good in ["%f", "%-8.3f", "%+.0e", "%#g", "% 012.5G", "%a"] {
            assert!(is_conversion(good, ""), "{good}");
            assert!(!is_conversion(good, "L"), "{good}");
        }
        for bad in [
            "", "f", "%", "%d", "%s", "%n", "%f%n", "%*f", "%Lf", "%.f%f", "x%f",
        ] {
            assert!(!is_conversion(bad, ""), "{bad}");
        }
        assert!(is_conversion("%-8.3Lf", "L"));
    }

    #[test]
    fn extended_numbers_are_printed_and_read() {
        let (bits, error) = parse(80, c"1e4000");
        assert_eq!(error, 0);
        assert_eq!(format_extended(c"%.3Le", bits).unwrap(), b"1.000e+4000");
        // The nearest number is a little below: 4000 digits, the point, 900 digits.
        assert_eq!(format_extended(c"%.900Lf", bits).unwrap().len(), 4901);
        assert_eq!(format_extended(c"%s", bits), None);
        assert_eq!(parse(64, c"0x1.8p1"), (0x4008_0000_0000_0000, 0));
        assert_eq!(parse(32, c"1e50"), (0x7f80_0000, 34));
    }
}
