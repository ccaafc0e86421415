//! Text of floating-point numbers: done by the host's C library, which is the reference.

use super::{Machine, Step};
use crate::memory::Slot;
use labrys_expr::float_text;
use labrys_ir::RegList;
use std::ffi::CString;

/// Longer texts are not needed: `%f` of the largest double has 317 characters.
const LONGEST: usize = 1 << 16;

impl Machine<'_> {
    /// `int labrys_format_double(char *to, size_t size, const char *spec, double value)`: as
    /// `snprintf` with one conversion. The number is pinned, since the text may be read again.
    pub(super) fn format_double(&mut self, args: RegList, results: RegList) -> Step {
        let value = self.argument(args, 3)?;
        let value = self.expr(value);
        let value = f64::from_bits(self.pin(value)?);
        let spec = self.argument(args, 2)?;
        let spec = self.c_string(spec)?;
        let text = formatted(&spec, value);
        self.put_formatted(text, args, results)
    }

    /// `int labrys_format_long_double(char *to, size_t size, const char *spec, const void
    /// *value)`: the same for the number at `value`.
    pub(super) fn format_long_double(&mut self, args: RegList, results: RegList) -> Step {
        let value = self.argument(args, 3)?;
        let value = self.expr(value);
        let eight = self.arena.constant(64, 8);
        let behind = self.arena.add(value, eight);
        let mut bits = 0u128;
        for (shift, at, width) in [(0, value, 64), (64, behind, 16)] {
            let part = match self.load_value(at, width)? {
                Slot { expr: Some(e), .. } => self.pin(e)?,
                slot => slot.bits,
            };
            bits |= u128::from(part) << shift;
        }
        let spec = self.argument(args, 2)?;
        let spec = self.c_string(spec)?;
        let text = CString::new(spec)
            .ok()
            .and_then(|spec| float_text::format_extended(&spec, bits));
        self.put_formatted(text, args, results)
    }

    fn put_formatted(&mut self, text: Option<Vec<u8>>, args: RegList, results: RegList) -> Step {
        let Some(text) = text else {
            return self.unsupported(format_args!(
                "this conversion of a floating-point number to text"
            ));
        };
        let size = self.argument(args, 1)?;
        let size = self.expr(size);
        let size = self.pin(size)?;
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

    /// `int labrys_parse_float(const char *text, size_t size, int format, void *to)`: stores the
    /// number of 32, 64 or 80 bits that the text is, and gives the error number. The text is
    /// pinned.
    pub(super) fn parse_float(&mut self, args: RegList, results: RegList) -> Step {
        let text = self.argument(args, 0)?;
        let text = self.expr(text);
        let size = self.argument(args, 1)?;
        let size = self.expr(size);
        let size = self.pin(size)?;
        let format = self.argument(args, 2)?;
        let format = self.value(format) as u8;
        let mut bytes = Vec::new();
        for i in 0..size {
            let distance = self.arena.constant(64, i.into());
            let at = self.arena.add(text, distance);
            let byte = match self.load_value(at, 8)? {
                Slot { expr: Some(e), .. } => self.pin(e)?,
                slot => slot.bits,
            };
            bytes.push(byte as u8);
        }
        bytes.truncate(bytes.iter().position(|b| *b == 0).unwrap_or(bytes.len()));
        let text = CString::new(bytes).unwrap_or_default();
        let (bits, error) = float_text::parse(format, &text);
        let to = self.argument(args, 3)?;
        let to = self.expr(to);
        for i in 0..u64::from(format / 8) {
            let distance = self.arena.constant(64, i.into());
            let at = self.arena.add(to, distance);
            let byte = (bits >> (8 * i)) as u8;
            self.store_value(at, Slot::concrete(byte.into()), 8)?;
        }
        self.set_results(results, &[Slot::concrete(error as u64)]);
        Ok(())
    }
}

/// The text, if the specification is one conversion of a `double`.
fn formatted(spec: &str, value: f64) -> Option<Vec<u8>> {
    if !float_text::is_conversion(spec, "") {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_whole() {
        let text = formatted("%.600f", 1.0).unwrap();
        assert_eq!(text.len(), 602);
        assert_eq!(formatted("%.2f", 2.71321).unwrap(), b"2.71");
        assert_eq!(formatted("%d", 1.0), None);
    }
}
