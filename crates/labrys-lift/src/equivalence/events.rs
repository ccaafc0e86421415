//! Functions that only stand for something: what is undefined in C happens in them, visibly. They are
//! never run. Their attributes say what a compiler may do with calls of them.

use std::ffi::CString;
use std::fmt::Write;
use std::sync::OnceLock;

/// An access that may fault. Nothing but a call of another function changes whether it does.
pub(super) const TOUCH: &str = "labrys.touch";
/// One more turn of a loop.
pub(super) const TURN: &str = "labrys.turn";
/// The function was called.
pub(super) const ENTER: &str = "labrys.enter";
/// A function has returned that does not, it is said.
pub(super) const NEVER: &str = "labrys.never";

/// A division by zero as clang reports it, for constants.
pub(super) const CLANGS_DIVISION: &str = "__ubsan_handle_divrem_overflow_minimal";

const WIDTHS: [u32; 5] = [8, 16, 32, 64, 128];
const FLOATS: [(&str, &str); 4] = [
    ("float", "f32"),
    ("double", "f64"),
    ("x86_fp80", "f80"),
    ("fp128", "f128"),
];

/// They may end the run, and depend on nothing that the program can reach.
const EVENT: &str = "memory(inaccessiblemem: readwrite) nounwind";
/// The result depends only on the arguments.
const PURE: &str = "memory(none) nounwind willreturn";

/// All of them in LLVM's text form.
pub(super) fn module_text() -> &'static CString {
    static TEXT: OnceLock<CString> = OnceLock::new();
    TEXT.get_or_init(|| CString::new(text()).unwrap_or_default())
}

fn text() -> String {
    let mut out = format!(
        "declare i8 @{TOUCH}(ptr nocapture, i64) memory(inaccessiblemem: read) nounwind\n\
         declare void @{TURN}() {EVENT}\n\
         declare void @{ENTER}() {EVENT}\n\
         declare void @{NEVER}() {EVENT}\n\
         declare void @labrys.divides(i64) {EVENT}\n\
         declare void @{CLANGS_DIVISION}() {EVENT}\n\
         declare i32 @{}(i32) {PURE}\n",
        super::reduce::CHOICE
    );
    for bits in WIDTHS {
        for operation in ["udiv", "urem", "sdiv", "srem"] {
            out.push_str(&division(operation, bits));
        }
        for operation in ["shl", "lshr", "ashr"] {
            out.push_str(&shift(operation, bits));
        }
        for (ty, name) in FLOATS {
            for operation in ["fptosi", "fptoui"] {
                let _ = writeln!(
                    out,
                    "declare i{bits} @labrys.{operation}.i{bits}.{name}({ty}, i64) {PURE}"
                );
            }
        }
    }
    out
}

/// A division that ends the run where the machine does, and is defined everywhere. Compilers do not
/// agree there, not even without optimisation: gcc makes 0 of `0 / x`. So each place has an event of
/// its own, as have shifts and conversions.
fn division(operation: &str, bits: u32) -> String {
    let overflows = match operation.starts_with('s') {
        true => format!(
            "%least = icmp eq i{bits} %a, {}\n%minus = icmp eq i{bits} %b, -1\n\
             %over = and i1 %least, %minus\n%bad = or i1 %zero, %over\n",
            i128::MIN >> (128 - bits)
        ),
        false => "%bad = or i1 %zero, false\n".to_owned(),
    };
    format!(
        "define internal i{bits} @labrys.{operation}.i{bits}(i{bits} %a, i{bits} %b, i64 %site) alwaysinline {{\n\
         start:\n%zero = icmp eq i{bits} %b, 0\n{overflows}\
         br i1 %bad, label %ends, label %goes\n\
         ends:\ncall void @labrys.divides(i64 %site)\nbr label %goes\n\
         goes:\n%by = phi i{bits} [ 1, %ends ], [ %b, %start ]\n\
         %result = {operation} i{bits} %a, %by\nret i{bits} %result\n}}\n"
    )
}

/// A shift whose result beyond the width is something that nobody knows.
fn shift(operation: &str, bits: u32) -> String {
    let most = bits - 1;
    format!(
        "declare i{bits} @labrys.beyond.{operation}.i{bits}(i{bits}, i{bits}, i64) {PURE}\n\
         define internal i{bits} @labrys.{operation}.i{bits}(i{bits} %a, i{bits} %b, i64 %site) alwaysinline {{\n\
         %fits = icmp ule i{bits} %b, {most}\n\
         %by = and i{bits} %b, {most}\n\
         %inside = {operation} i{bits} %a, %by\n\
         %beyond = call i{bits} @labrys.beyond.{operation}.i{bits}(i{bits} %a, i{bits} %b, i64 %site)\n\
         %result = select i1 %fits, i{bits} %inside, i{bits} %beyond\n\
         ret i{bits} %result\n}}\n"
    )
}

/// The name of the substitute for an operation on integers of one width.
pub(super) fn operation(name: &str, bits: u32) -> String {
    format!("labrys.{name}.i{bits}")
}

/// The name of the substitute for the conversion of a float.
pub(super) fn conversion(name: &str, bits: u32, float_bits: u8) -> String {
    format!("labrys.{name}.i{bits}.f{float_bits}")
}

/// Whether a function is one of these.
pub(super) fn is_event(name: &str) -> bool {
    name.starts_with("labrys.") || name == CLANGS_DIVISION || name == super::reduce::CHOICE
}
