//! Text of floating-point numbers: done by the host's C library, which is the reference.

use super::{Machine, Step};
use crate::value::Slot;
use labrys_ir::List;
use std::ffi::CString;

/// Longer texts are not needed: `%f` of the largest double has 317 characters.
const LONGEST: usize = 1 << 16;

impl Machine<'_> {
    /// `int labrys_format_double(char *to, size_t size, const char *spec, double value)`: as
    /// `snprintf` with one conversion. The number is pinned, since the text may be read again.
    pub(super) fn format_double(&mut self, args: List, results: List) -> Step {
        let value = self.argument(args, 3)?;
        let value = self.expr(value);
        let value = f64::from_bits(self.pin(value)?);
        let size = self.argument(args, 1)?;
        let size = self.expr(size);
        let size = self.pin(size)?;
        let spec = self.argument(args, 2)?;
        let spec = self.c_string(spec)?;
        let Some(text) = formatted(&spec, value) else {
            return self.unsupported(format_args!(
                "the conversion '{spec}' of a floating-point number"
            ));
        };
        let to = self.argument(args, 0)?;
        let to = self.expr(to);
        if let Some(room) = (size as usize).checked_sub(1) {
            let kept = &text[..text.len().min(room)];
            for (i, byte) in kept.iter().chain(&[0]).enumerate() {
                let distance = self.arena.constant(64, i as u128);
                let at = self.arena.add(to, distance);
                self.store_value(at, Slot::concrete((*byte).into()), 8)?;
            }
        }
        self.set_results(results, &[Slot::concrete(text.len() as u64)]);
        Ok(())
    }
}

/// The text, if the specification is one conversion of a `double`.
fn formatted(spec: &str, value: f64) -> Option<Vec<u8>> {
    if !is_conversion(spec) {
        return None;
    }
    let spec = CString::new(spec).ok()?;
    let mut text = vec![0u8; 512];
    loop {
        // SAFETY: the specification takes exactly one double, and the buffer has the length given.
        let len =
            unsafe { libc::snprintf(text.as_mut_ptr().cast(), text.len(), spec.as_ptr(), value) };
        let len = usize::try_from(len).ok().filter(|len| *len <= LONGEST)?;
        if len < text.len() {
            text.truncate(len);
            return Some(text);
        }
        text.resize(len + 1, 0);
    }
}

/// `%`, flags, width, precision, one of the letters for `double`.
fn is_conversion(spec: &str) -> bool {
    let Some(rest) = spec.strip_prefix('%') else {
        return false;
    };
    let rest = rest.trim_start_matches(['-', '+', ' ', '#', '0']);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = match rest.strip_prefix('.') {
        Some(rest) => rest.trim_start_matches(|c: char| c.is_ascii_digit()),
        None => rest,
    };
    matches!(rest, "f" | "F" | "e" | "E" | "g" | "G" | "a" | "A")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_conversion_of_a_double_is_taken() {
        for good in ["%f", "%-8.3f", "%+.0e", "%#g", "% 012.5G", "%a"] {
            assert!(is_conversion(good), "{good}");
        }
        for bad in [
            "", "f", "%", "%d", "%s", "%n", "%f%n", "%*f", "%Lf", "%.f%f", "x%f",
        ] {
            assert!(!is_conversion(bad), "{bad}");
        }
    }

    #[test]
    fn long_texts_are_whole() {
        let text = formatted("%.600f", 1.0).unwrap();
        assert_eq!(text.len(), 602);
        assert_eq!(formatted("%.2f", 2.71321).unwrap(), b"2.71");
    }
}
