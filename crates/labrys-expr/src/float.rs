//! Concrete float arithmetic on IEEE-754 bit patterns, as the compiled program computes it.
//!
//! `float` and `double` are computed natively; half, x87 extended (80 bits) and quad (128 bits)
//! go through a small C shim, since Rust has no such types.

use crate::node::{Rounding, mask};
use std::ffi::{c_int, c_void};

unsafe extern "C" {
    fn labrys_float_operate(
        f: c_int,
        op: c_int,
        a: *const c_void,
        b: *const c_void,
        r: *mut c_void,
    );
    fn labrys_float_fma(
        f: c_int,
        a: *const c_void,
        b: *const c_void,
        c: *const c_void,
        r: *mut c_void,
    );
    fn labrys_float_compare(f: c_int, a: *const c_void, b: *const c_void) -> c_int;
    fn labrys_float_convert(from: c_int, to: c_int, a: *const c_void, r: *mut c_void);
    fn labrys_float_from_int(f: c_int, signed: c_int, a: *const c_void, r: *mut c_void);
    fn labrys_float_to_int(f: c_int, signed: c_int, w: c_int, a: *const c_void, r: *mut c_void);
}

/// The two-operand operations, numbered as in the shim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(i32)]
pub enum FloatArith {
    Add = 0,
    Sub = 1,
    Mul = 2,
    Div = 3,
    Rem = 4,
}

const SQRT: c_int = 5;
const FIRST_ROUNDING: c_int = 6;

fn ptr(value: &u128) -> *const c_void {
    std::ptr::from_ref(value).cast()
}

fn shim(width: u8, op: c_int, a: u128, b: u128) -> u128 {
    let mut out = 0u128;
    // SAFETY: all three pointers are to 16 bytes.
    unsafe { labrys_float_operate(width.into(), op, ptr(&a), ptr(&b), (&raw mut out).cast()) };
    out
}

fn f32_of(a: u128) -> f32 {
    f32::from_bits(a as u32)
}

fn f64_of(a: u128) -> f64 {
    f64::from_bits(a as u64)
}

/// Exponent and significand bits of the formats that SMT-LIB can express. The x87 format of 80 bits
/// is none of them: its integer bit is explicit.
pub fn ieee_format(width: u8) -> Option<(u32, u32)> {
    match width {
        16 => Some((5, 11)),
        32 => Some((8, 24)),
        64 => Some((11, 53)),
        128 => Some((15, 113)),
        _ => None,
    }
}

/// Is `width` one of the float formats?
pub fn is_format(width: u8) -> bool {
    matches!(width, 16 | 32 | 64 | 80 | 128)
}

pub fn arith(op: FloatArith, width: u8, a: u128, b: u128) -> u128 {
    macro_rules! native {
        ($x:expr, $y:expr) => {
            match op {
                FloatArith::Add => $x + $y,
                FloatArith::Sub => $x - $y,
                FloatArith::Mul => $x * $y,
                FloatArith::Div => $x / $y,
                FloatArith::Rem => $x % $y,
            }
        };
    }
    match width {
        32 => native!(f32_of(a), f32_of(b)).to_bits().into(),
        64 => native!(f64_of(a), f64_of(b)).to_bits().into(),
        _ => shim(width, op as c_int, a, b),
    }
}

pub fn sqrt(width: u8, a: u128) -> u128 {
    match width {
        32 => f32_of(a).sqrt().to_bits().into(),
        64 => f64_of(a).sqrt().to_bits().into(),
        _ => shim(width, SQRT, a, 0),
    }
}

pub fn fma(width: u8, a: u128, b: u128, c: u128) -> u128 {
    match width {
        32 => f32_of(a).mul_add(f32_of(b), f32_of(c)).to_bits().into(),
        64 => f64_of(a).mul_add(f64_of(b), f64_of(c)).to_bits().into(),
        _ => {
            let mut out = 0u128;
            // SAFETY: all pointers are to 16 bytes.
            unsafe {
                labrys_float_fma(
                    width.into(),
                    ptr(&a),
                    ptr(&b),
                    ptr(&c),
                    (&raw mut out).cast(),
                );
            }
            out
        }
    }
}

pub fn round(mode: Rounding, width: u8, a: u128) -> u128 {
    macro_rules! native {
        ($x:expr) => {
            match mode {
                Rounding::NearestEven => $x.round_ties_even(),
                Rounding::NearestAway => $x.round(),
                Rounding::Up => $x.ceil(),
                Rounding::Down => $x.floor(),
                Rounding::ToZero => $x.trunc(),
            }
        };
    }
    match width {
        32 => native!(f32_of(a)).to_bits().into(),
        64 => native!(f64_of(a)).to_bits().into(),
        _ => shim(width, FIRST_ROUNDING + mode as c_int, a, 0),
    }
}

/// The order of two floats; `None` if one is NaN.
pub fn compare(width: u8, a: u128, b: u128) -> Option<std::cmp::Ordering> {
    match width {
        32 => f32_of(a).partial_cmp(&f32_of(b)),
        64 => f64_of(a).partial_cmp(&f64_of(b)),
        _ => {
            // SAFETY: both pointers are to 16 bytes.
            match unsafe { labrys_float_compare(width.into(), ptr(&a), ptr(&b)) } {
                -1 => Some(std::cmp::Ordering::Less),
                0 => Some(std::cmp::Ordering::Equal),
                1 => Some(std::cmp::Ordering::Greater),
                _ => None,
            }
        }
    }
}

/// Float to float of another width.
pub fn convert(from: u8, to: u8, a: u128) -> u128 {
    match (from, to) {
        (32, 64) => f64::from(f32_of(a)).to_bits().into(),
        (64, 32) => (f64_of(a) as f32).to_bits().into(),
        _ => {
            let mut out = 0u128;
            // SAFETY: both pointers are to 16 bytes.
            unsafe {
                labrys_float_convert(from.into(), to.into(), ptr(&a), (&raw mut out).cast());
            }
            out
        }
    }
}

/// An integer of `from` bits to a float.
pub fn from_int(signed: bool, from: u8, to: u8, a: u128) -> u128 {
    let value = if signed {
        crate::node::signed(a, from) as u128
    } else {
        a & mask(from)
    };
    let mut out = 0u128;
    // SAFETY: both pointers are to 16 bytes.
    unsafe {
        labrys_float_from_int(to.into(), signed.into(), ptr(&value), (&raw mut out).cast());
    }
    out
}

/// A float to an integer of `to` bits, towards zero.
pub fn to_int(signed: bool, from: u8, to: u8, a: u128) -> u128 {
    let mut out = 0u128;
    // SAFETY: both pointers are to 16 bytes.
    unsafe {
        labrys_float_to_int(
            from.into(),
            signed.into(),
            to.into(),
            ptr(&a),
            (&raw mut out).cast(),
        );
    }
    out & mask(to)
}

/// Position of the sign bit, and the mask of everything but the sign.
pub fn magnitude_mask(width: u8) -> u128 {
    mask(width - 1)
}

/// Magnitudes above this one are NaNs: the bits of infinity.
pub fn infinity(width: u8) -> u128 {
    match width {
        16 => 0x7c00,
        32 => 0x7f80_0000,
        64 => 0x7ff0_0000_0000_0000,
        80 => 0x7fff_8000_0000_0000_0000,
        _ => 0x7fff << 112,
    }
}
