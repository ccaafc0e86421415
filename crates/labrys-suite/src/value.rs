//! Shows the bytes of an input as a value: numbers, text, lists and objects instead of a blob.
//! The bytes stay the truth; a value is only for reading, and is total: bytes that do not fit
//! their type are shown in hexadecimal.

use labrys_ledger::{InputField, InputType};
use serde_json::{Map, Number, Value};

/// The C spelling of a type, such as `char[8]` or `struct node`.
pub fn spelling(ty: &InputType) -> String {
    match ty {
        InputType::Int { name, .. }
        | InputType::Float { name, .. }
        | InputType::Pick { name, .. }
        | InputType::Struct { name, .. } => name.clone(),
        InputType::Array { .. } => {
            let mut dimensions = String::new();
            let mut element = ty;
            while let InputType::Array {
                element: inner,
                count,
            } = element
            {
                dimensions.push_str(&format!("[{count}]"));
                element = inner;
            }
            spelling(element) + &dimensions
        }
        InputType::Bytes { size } => format!("byte[{size}]"),
    }
}

/// The value that the bytes have as this type.
pub fn value(ty: &InputType, bytes: &[u8]) -> Value {
    known(ty, bytes).unwrap_or_else(|| hexadecimal(bytes))
}

/// The value of an input of which only its size is known.
pub fn hexadecimal(bytes: &[u8]) -> Value {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Value::String(format!("0x{digits}"))
}

fn known(ty: &InputType, bytes: &[u8]) -> Option<Value> {
    match ty {
        InputType::Int { name, bits, signed } => {
            let word = little_endian(bytes)?;
            (bytes.len() as u32 * 8 >= *bits).then(|| integer(name, word, *bits, *signed))
        }
        InputType::Float { bits, .. } => float(*bits, bytes),
        InputType::Pick { choices, .. } => {
            let number = usize::try_from(little_endian(bytes)?).ok()?;
            choices
                .get(number)
                .map(|choice| Value::String(choice.clone()))
        }
        InputType::Array { element, count } => array(element, *count, bytes),
        InputType::Struct { size, fields, .. } => {
            if bytes.len() as u64 != *size {
                return None;
            }
            let mut object = Map::new();
            for field in fields {
                object.insert(field.name.clone(), member(field, bytes)?);
            }
            Some(Value::Object(object))
        }
        InputType::Bytes { .. } => None,
    }
}

/// Up to 16 bytes as one little-endian number.
fn little_endian(bytes: &[u8]) -> Option<u128> {
    if bytes.is_empty() || bytes.len() > 16 {
        return None;
    }
    let mut whole = [0; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    Some(u128::from_le_bytes(whole))
}

fn integer(name: &str, word: u128, bits: u32, signed: bool) -> Value {
    let bits = bits.clamp(1, 128);
    let shift = 128 - bits;
    let unsigned = word << shift >> shift;
    if bits == 1 && !signed || matches!(name, "_Bool" | "bool") && unsigned <= 1 {
        return Value::Bool(unsigned == 1);
    }
    if !signed {
        return match u64::try_from(unsigned) {
            Ok(small) => small.into(),
            Err(_) => Value::String(unsigned.to_string()),
        };
    }
    let number = ((word << shift) as i128) >> shift;
    if name == "char" && bits == 8 && (0x20..0x7f).contains(&number) {
        let c = char::from(number as u8);
        let escape = if c == '\'' || c == '\\' { "\\" } else { "" };
        return Value::String(format!("'{escape}{c}'"));
    }
    match i64::try_from(number) {
        Ok(small) => small.into(),
        Err(_) => Value::String(number.to_string()),
    }
}

fn float(bits: u32, bytes: &[u8]) -> Option<Value> {
    match (bits, bytes.len()) {
        (32, 4) => {
            let single = f32::from_le_bytes(bytes.try_into().ok()?);
            // The shortest text of a float is mostly shorter than that of the same double.
            let short: f64 = single.to_string().parse().ok()?;
            let exact = short as f32 == single;
            Some(double(if exact { short } else { f64::from(single) }))
        }
        (64, 8) => Some(double(f64::from_le_bytes(bytes.try_into().ok()?))),
        (80, 10..=16) => Some(Value::String(extended(bytes.get(..10)?)?)),
        _ => None,
    }
}

fn double(value: f64) -> Value {
    match Number::from_f64(value) {
        Some(number) => Value::Number(number),
        None if value.is_nan() => "nan".into(),
        None => if value > 0.0 { "inf" } else { "-inf" }.into(),
    }
}

/// The x87 format, as near as a double comes to it.
fn extended(bytes: &[u8]) -> Option<String> {
    let mantissa = u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?);
    let top = u16::from_le_bytes(bytes.get(8..10)?.try_into().ok()?);
    let sign = if top >> 15 == 1 { "-" } else { "" };
    let exponent = i32::from(top & 0x7fff);
    Some(match (exponent, mantissa << 1) {
        (0x7fff, 0) => format!("{sign}inf"),
        (0x7fff, _) => "nan".into(),
        _ => format!(
            "{sign}{:e}",
            mantissa as f64 * 2f64.powi(exponent - 16383 - 63)
        ),
    })
}

fn array(element: &InputType, count: u64, bytes: &[u8]) -> Option<Value> {
    let count = usize::try_from(count).ok()?;
    if count == 0 || !bytes.len().is_multiple_of(count) || bytes.is_empty() {
        return bytes.is_empty().then(|| Value::Array(Vec::new()));
    }
    if let Some(text) = text(element, bytes) {
        return Some(Value::String(text));
    }
    let elements: Vec<_> = bytes
        .chunks_exact(bytes.len() / count)
        .map(|part| value(element, part))
        .collect();
    Some(Value::Array(elements))
}

/// The text up to the first NUL, if that is text.
fn text(element: &InputType, bytes: &[u8]) -> Option<String> {
    let InputType::Int { name, bits: 8, .. } = element else {
        return None;
    };
    if !name.contains("char") {
        return None;
    }
    let end = bytes.iter().position(|byte| *byte == 0)?;
    let text = std::str::from_utf8(&bytes[..end]).ok()?;
    let is_text = text
        .chars()
        .all(|c| !c.is_control() || matches!(c, '\n' | '\r' | '\t'));
    is_text.then(|| text.to_owned())
}

fn member(field: &InputField, bytes: &[u8]) -> Option<Value> {
    let rest = bytes.get(usize::try_from(field.offset).ok()?..)?;
    let Some((bit, width)) = field.bits else {
        return Some(value(&field.ty, rest.get(..size(&field.ty)?)?));
    };
    let word = little_endian(&rest[..rest.len().min(16)])?;
    let shifted = word.checked_shr(bit)?;
    let InputType::Int { name, signed, .. } = &field.ty else {
        return None;
    };
    Some(integer(name, shifted, width, *signed))
}

/// How many bytes a value of the type has.
pub fn size(ty: &InputType) -> Option<usize> {
    match ty {
        InputType::Int { bits, .. } => Some(bits.div_ceil(8).next_power_of_two() as usize),
        InputType::Float { bits: 80, .. } => Some(16),
        InputType::Float { bits, .. } => Some(bits.div_ceil(8) as usize),
        InputType::Pick { .. } => Some(4),
        InputType::Array { element, count } => {
            size(element)?.checked_mul(usize::try_from(*count).ok()?)
        }
        InputType::Struct { size, .. } | InputType::Bytes { size } => usize::try_from(*size).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn int(name: &str, bits: u32, signed: bool) -> InputType {
        InputType::Int {
            name: name.into(),
            bits,
            signed,
        }
    }

    fn field(name: &str, offset: u64, bits: Option<(u32, u32)>, ty: InputType) -> InputField {
        InputField {
            name: name.into(),
            offset,
            bits,
            ty,
        }
    }

    #[test]
    fn integers_have_their_sign_and_width() {
        assert_eq!(value(&int("int", 32, true), &[0xff; 4]), json!(-1));
        assert_eq!(
            value(&int("unsigned", 32, false), &[0xff; 4]),
            json!(4_294_967_295_u32)
        );
        assert_eq!(
            value(&int("unsigned long", 64, false), &[0xff; 8]),
            json!(u64::MAX)
        );
        assert_eq!(value(&int("_Bool", 8, false), &[1]), json!(true));
        assert_eq!(value(&int("char", 8, true), b"a"), json!("'a'"));
        assert_eq!(value(&int("char", 8, true), b"'"), json!("'\\''"));
        assert_eq!(value(&int("char", 8, true), &[0x80]), json!(-128));
        assert_eq!(
            value(&int("unsigned __int128", 128, false), &[0xff; 16]),
            json!("340282366920938463463374607431768211455")
        );
        assert_eq!(value(&int("int", 32, true), &[1]), json!("0x01"));
    }

    #[test]
    fn text_is_shown_as_text_up_to_its_end() {
        let ty = InputType::Array {
            element: Box::new(int("char", 8, true)),
            count: 6,
        };
        assert_eq!(value(&ty, b"ab\"\n\0x"), json!("ab\"\n"));
        assert_eq!(
            value(&ty, b"abcdef"),
            json!(["'a'", "'b'", "'c'", "'d'", "'e'", "'f'"])
        );
        assert_eq!(value(&ty, b"\x01\0\0\0\0\0"), json!([1, 0, 0, 0, 0, 0]));
        assert_eq!(spelling(&ty), "char[6]");
    }

    #[test]
    fn structures_are_objects_with_their_bit_fields() {
        let ty = InputType::Struct {
            name: "struct s".into(),
            size: 12,
            fields: vec![
                field("low", 0, Some((0, 3)), int("unsigned", 32, false)),
                field("high", 0, Some((3, 5)), int("int", 32, true)),
                field(
                    "next",
                    4,
                    None,
                    InputType::Pick {
                        name: "struct s *".into(),
                        choices: vec!["NULL".into(), "&s_1".into()],
                    },
                ),
                field(
                    "f",
                    8,
                    None,
                    InputType::Float {
                        name: "float".into(),
                        bits: 32,
                    },
                ),
            ],
        };
        let mut bytes = vec![0b1111_1101, 0, 0, 0, 1, 0, 0, 0];
        bytes.extend_from_slice(&0.1f32.to_le_bytes());
        assert_eq!(
            value(&ty, &bytes),
            json!({"low": 5, "high": -1, "next": "&s_1", "f": 0.1})
        );
    }

    #[test]
    fn special_floats_are_words() {
        let ty = InputType::Float {
            name: "double".into(),
            bits: 64,
        };
        assert_eq!(value(&ty, &f64::NAN.to_le_bytes()), json!("nan"));
        assert_eq!(value(&ty, &f64::NEG_INFINITY.to_le_bytes()), json!("-inf"));
        let long = InputType::Float {
            name: "long double".into(),
            bits: 80,
        };
        let mut one = vec![0, 0, 0, 0, 0, 0, 0, 0x80, 0xff, 0x3f];
        one.resize(16, 0);
        assert_eq!(value(&long, &one), json!("1e0"));
    }

    proptest! {
        #[test]
        fn floats_survive_the_way_through_json(bits in any::<u32>(), wide in any::<u64>()) {
            let single = f32::from_bits(bits);
            let ty = InputType::Float { name: "float".into(), bits: 32 };
            if single.is_finite() {
                let text = value(&ty, &single.to_le_bytes()).to_string();
                prop_assert_eq!((text.parse::<f64>().unwrap() as f32).to_bits(), bits);
            }
            let double = f64::from_bits(wide);
            let ty = InputType::Float { name: "double".into(), bits: 64 };
            if double.is_finite() {
                let text = value(&ty, &double.to_le_bytes()).to_string();
                prop_assert_eq!(text.parse::<f64>().unwrap().to_bits(), wide);
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), bits in 0u32..200, offset in any::<u64>(), bit in 0u32..300, count in any::<u64>()) {
            let int = int("char", bits, bits % 2 == 0);
            value(&int, &bytes);
            value(&InputType::Float { name: String::new(), bits }, &bytes);
            let array = InputType::Array { element: Box::new(int.clone()), count };
            value(&array, &bytes);
            let ty = InputType::Struct {
                name: String::new(),
                size: bytes.len() as u64,
                fields: vec![field("a", offset % 50, Some((bit, bits)), int), field("b", offset, None, array)],
            };
            value(&ty, &bytes);
        }
    }
}
