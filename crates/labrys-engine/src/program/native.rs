//! Pure functions of the C library that the engine calls natively, on concrete values. The calls
//! are compiled from `shim/native.c`; this file says what they look like in the IR.

use std::ffi::{CStr, c_char, c_int, c_void};

unsafe extern "C" {
    fn labrys_native_count() -> c_int;
    fn labrys_native_name(index: c_int) -> *const c_char;
    fn labrys_native_shape(index: c_int) -> *const c_char;
    fn labrys_native_type(index: c_int) -> c_int;
    fn labrys_native_call(index: c_int, input: *const c_void, output: *mut c_void) -> c_int;
}

/// No function takes or gives more values than this.
const MAX_VALUES: usize = 8;

/// An argument or a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NativeValue {
    /// An integer of this width.
    Number(u8),
    /// A floating-point number of this width.
    Real(u8),
    /// Two numbers of this width.
    Complex(u8),
    /// Two `long double`s, passed as the address of an object that holds them.
    ComplexObject,
    /// A string.
    Text,
    /// The address at which a number of this width is stored.
    Out(u8),
}

impl NativeValue {
    /// Widths of its registers.
    fn registers(self) -> Vec<u8> {
        match self {
            NativeValue::Number(width) | NativeValue::Real(width) => vec![width],
            NativeValue::Complex(width) => vec![width, width],
            NativeValue::ComplexObject | NativeValue::Text | NativeValue::Out(_) => vec![64],
        }
    }
}

/// A function that is called natively.
#[derive(Clone, Debug)]
pub(crate) struct NativeFunction {
    index: c_int,
    pub(crate) name: String,
    pub(crate) args: Vec<NativeValue>,
    pub(crate) result: Option<NativeValue>,
}

/// A value in the form of the shim.
#[derive(Clone, Copy, Default)]
#[repr(C, align(16))]
struct NativeCell([u8; 16]);

/// What a call did.
pub(crate) struct NativeResult {
    /// The returned value, in one or two parts, then what was stored through pointers.
    pub(crate) values: Vec<u128>,
    /// The error number, 0 if none was set.
    pub(crate) errno: i32,
}

impl NativeFunction {
    /// The function of this name, if its registers have these widths.
    pub(crate) fn find(name: &str, params: &[u8], results: &[u8]) -> Option<Self> {
        let found = all().find(|f| f.name == name)?;
        let wanted: Vec<u8> = found.args.iter().flat_map(|p| p.registers()).collect();
        let given: Vec<u8> = found.result.iter().flat_map(|p| p.registers()).collect();
        (wanted == params && given == results).then_some(found)
    }

    /// Calls it; strings have to live and end in a zero.
    pub(crate) fn call(&self, args: &[u128]) -> NativeResult {
        let mut input = [NativeCell::default(); MAX_VALUES];
        let mut output = [NativeCell::default(); MAX_VALUES];
        for (cell, value) in input.iter_mut().zip(args) {
            cell.0 = value.to_le_bytes();
        }
        // SAFETY: the index is one that the shim gave, and no shape has more values than there
        // are cells.
        let errno = unsafe {
            labrys_native_call(
                self.index,
                input.as_ptr().cast(),
                output.as_mut_ptr().cast(),
            )
        };
        NativeResult {
            values: output.iter().map(|c| u128::from_le_bytes(c.0)).collect(),
            errno,
        }
    }
}

/// Names of all functions that are called natively.
pub(crate) fn names() -> impl Iterator<Item = String> {
    all().map(|f| f.name)
}

fn all() -> impl Iterator<Item = NativeFunction> {
    // SAFETY: no preconditions.
    let count = unsafe { labrys_native_count() };
    (0..count).map(|index| {
        // SAFETY: the index is below the count; the texts are literals.
        let (name, shape, real) = unsafe {
            (
                CStr::from_ptr(labrys_native_name(index)),
                CStr::from_ptr(labrys_native_shape(index)),
                labrys_native_type(index),
            )
        };
        let real = match real as u8 {
            b'f' => 32,
            b'x' => 80,
            _ => 64,
        };
        let shape = shape.to_string_lossy();
        let (result, args) = shape.split_once('_').unwrap_or(("", ""));
        NativeFunction {
            index,
            name: name.to_string_lossy().into_owned(),
            args: parts(args, real),
            result: match result {
                "C" => Some(NativeValue::Complex(real)),
                "V" => None,
                number => number
                    .chars()
                    .next()
                    .map(|c| NativeValue::Number(width(c, real))),
            },
        }
    })
}

fn parts(text: &str, real: u8) -> Vec<NativeValue> {
    let mut parts = Vec::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        parts.push(match letter {
            'p' => NativeValue::Out(letters.next().map_or(32, |c| width(c, real))),
            'C' if real == 80 => NativeValue::ComplexObject,
            'C' => NativeValue::Complex(real),
            'S' => NativeValue::Text,
            'R' | 'X' => NativeValue::Real(width(letter, real)),
            other => NativeValue::Number(width(other, real)),
        });
    }
    parts
}

fn width(letter: char, real: u8) -> u8 {
    match letter {
        'R' => real,
        'X' => 80,
        'L' => 64,
        'H' => 16,
        _ => 32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_those_of_the_library() {
        let pow = NativeFunction::find("pow", &[64, 64], &[64]).unwrap();
        let call = pow.call(&[2.0f64.to_bits().into(), 10.0f64.to_bits().into()]);
        assert_eq!(f64::from_bits(call.values[0] as u64), 1024.0);
        assert_eq!(call.errno, 0);
        let log = NativeFunction::find("logf", &[32], &[32]).unwrap();
        let call = log.call(&[(-1.0f32).to_bits().into()]);
        assert!(f32::from_bits(call.values[0] as u32).is_nan());
        assert_eq!(call.errno, libc::EDOM);
        let frexp = NativeFunction::find("frexp", &[64, 64], &[64]).unwrap();
        let call = frexp.call(&[12.0f64.to_bits().into()]);
        assert_eq!(f64::from_bits(call.values[0] as u64), 0.75);
        assert_eq!(call.values[1] as u32, 4);
        let sqrt = NativeFunction::find("csqrt", &[64, 64], &[64, 64]).unwrap();
        let call = sqrt.call(&[(-4.0f64).to_bits().into(), 0]);
        assert_eq!(f64::from_bits(call.values[1] as u64), 2.0);
    }

    #[test]
    fn a_function_of_another_type_is_not_found() {
        assert!(NativeFunction::find("pow", &[32, 64], &[64]).is_none());
        assert!(NativeFunction::find("no_such_function", &[], &[]).is_none());
    }
}
