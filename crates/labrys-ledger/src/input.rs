//! The C type of an input of the program: the harness writer gives it, and the suite shows the
//! input's bytes as a value by it.

use serde::{Deserialize, Serialize};

/// The C type of an input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum InputType {
    /// Integers, characters, `_Bool` and enumerations. `name` is the C spelling.
    Int {
        name: String,
        bits: u32,
        signed: bool,
    },
    Float {
        name: String,
        bits: u32,
    },
    /// Made by `labrys_pick`: the bytes are the number of the choice, `choices` are the C
    /// expressions chosen from, such as `NULL` or `&list_1`.
    Pick {
        name: String,
        choices: Vec<String>,
    },
    Array {
        element: Box<InputType>,
        count: u64,
    },
    Struct {
        name: String,
        size: u64,
        fields: Vec<InputField>,
    },
    /// Nothing is known but the size.
    Bytes {
        size: u64,
    },
}

impl InputType {
    /// A truth value, one byte.
    pub fn truth() -> InputType {
        InputType::Int {
            name: "_Bool".to_owned(),
            bits: 8,
            signed: false,
        }
    }

    pub fn long() -> InputType {
        InputType::Int {
            name: "long".to_owned(),
            bits: 64,
            signed: true,
        }
    }
}

/// A member of a structure or union, at a byte offset (bit-fields: with bit offset and width).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputField {
    pub name: String,
    pub offset: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bits: Option<(u32, u32)>,
    #[serde(rename = "type")]
    pub ty: InputType,
}
