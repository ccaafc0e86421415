//! Properties of characters beyond ASCII in a UTF-8 locale: the host's C library is asked, since
//! its tables are the ones that the compiled program uses.

use super::{Machine, Step};
use crate::memory::Slot;
use labrys_ir::RegList;
use std::ffi::{CStr, c_char, c_int, c_uint, c_ulong};

unsafe extern "C" {
    fn wctype_l(name: *const c_char, locale: libc::locale_t) -> c_ulong;
    fn iswctype_l(c: c_uint, class: c_ulong, locale: libc::locale_t) -> c_int;
    fn towlower_l(c: c_uint, locale: libc::locale_t) -> c_uint;
    fn towupper_l(c: c_uint, locale: libc::locale_t) -> c_uint;
    fn wcwidth(c: c_int) -> c_int;
}

/// In the order of `runtime/libc/wide_class.c`.
const CLASSES: [&CStr; 12] = [
    c"alnum", c"alpha", c"blank", c"cntrl", c"digit", c"graph", c"lower", c"print", c"punct",
    c"space", c"upper", c"xdigit",
];
const LOWER_CASE: u64 = 32;
const UPPER_CASE: u64 = 33;
const WIDTH: u64 = 34;

impl Machine<'_> {
    /// `int labrys_wide_property(unsigned c, int what)`: the character is pinned.
    pub(super) fn wide_property(&mut self, args: RegList, results: RegList) -> Step {
        let c = self.argument(args, 0)?;
        let c = self.expr(c);
        let c = self.pin(c)? as u32;
        let what = self.argument(args, 1)?;
        let what = self.value(what);
        let Some(value) = property(c, what) else {
            return self.unsupported(format_args!(
                "a character beyond ASCII: the host has no locale C.UTF-8"
            ));
        };
        self.set_results(results, &[Slot::concrete(u64::from(value as u32))]);
        Ok(())
    }
}

/// What the locale C.UTF-8 says; `None` if the host does not have it.
fn property(c: u32, what: u64) -> Option<i32> {
    // SAFETY: the locale is used between its making and its end only, and every function gets
    // what its declaration asks for.
    unsafe {
        let locale = libc::newlocale(
            libc::LC_CTYPE_MASK,
            c"C.UTF-8".as_ptr(),
            std::ptr::null_mut(),
        );
        if locale.is_null() {
            return None;
        }
        let value = match what {
            LOWER_CASE => towlower_l(c, locale) as i32,
            UPPER_CASE => towupper_l(c, locale) as i32,
            WIDTH => {
                let before = libc::uselocale(locale);
                let width = wcwidth(c as c_int);
                libc::uselocale(before);
                width
            }
            class => {
                let name = CLASSES.get(class as usize).copied().unwrap_or(c"");
                i32::from(iswctype_l(c, wctype_l(name.as_ptr(), locale), locale) != 0)
            }
        };
        libc::freelocale(locale);
        Some(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_knows_letters() {
        assert_eq!(property(0xe9, 1), Some(1));
        assert_eq!(property(0xe9, 4), Some(0));
        assert_eq!(property(0xe9, UPPER_CASE), Some(0xc9));
        assert_eq!(property(0x4e00, WIDTH), Some(2));
    }
}
