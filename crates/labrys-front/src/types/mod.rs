//! C types: what clang prints as text, as a structure with sizes and member offsets.
//!
//! [`Types`] collects the typedefs, structures, unions and enumerations of a translation unit
//! and resolves the text of a type against them. Sizes are those of the x86-64 System V ABI.

mod layout;
mod pack;
mod parse;
mod table;

pub(crate) use table::{FieldInfo, Types};

use std::sync::Arc;

/// A qualified type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Type {
    pub shape: Shape,
    pub constant: bool,
    pub volatile: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Void,
    Int {
        name: &'static str,
        bits: u32,
        signed: bool,
    },
    Float {
        name: &'static str,
        bits: u32,
    },
    Pointer(Box<Type>),
    /// Without a count: unsized, a flexible member, or of variable length.
    Array(Box<Type>, Option<u64>),
    Function(Box<FunctionType>),
    Record(usize),
    Enum(usize),
    /// A typedef name and what it stands for.
    Named(Arc<str>, Box<Type>),
    /// Vectors, complex numbers and whatever else is only carried around by its name.
    Opaque(Arc<str>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionType {
    pub result: Type,
    pub params: Vec<Type>,
    pub variadic: bool,
    /// False for `f()` without a prototype.
    pub prototype: bool,
}

impl From<Shape> for Type {
    fn from(shape: Shape) -> Self {
        Type {
            shape,
            constant: false,
            volatile: false,
        }
    }
}

impl Type {
    pub(crate) const INT: Type = Type {
        shape: Shape::Int {
            name: "int",
            bits: 32,
            signed: true,
        },
        constant: false,
        volatile: false,
    };

    /// The type behind typedef names.
    pub(crate) fn canonical(&self) -> &Type {
        let mut ty = self;
        while let Shape::Named(_, target) = &ty.shape {
            ty = target;
        }
        ty
    }

    /// Whether the type or a typedef on the way says `const` (for arrays: of the elements).
    pub(crate) fn is_const(&self) -> bool {
        match &self.shape {
            _ if self.constant => true,
            Shape::Named(_, target) => target.is_const(),
            Shape::Array(element, _) => element.is_const(),
            _ => false,
        }
    }

    pub(crate) fn is_volatile(&self) -> bool {
        match &self.shape {
            _ if self.volatile => true,
            Shape::Named(_, target) => target.is_volatile(),
            Shape::Array(element, _) => element.is_volatile(),
            _ => false,
        }
    }

    /// The same type without `const` and `volatile`, also below a typedef name.
    pub(crate) fn unqualified(&self) -> Type {
        if !self.is_const() && !self.is_volatile() {
            return self.clone();
        }
        let shape = match &self.shape {
            Shape::Named(_, target) if target.is_const() || target.is_volatile() => {
                return target.unqualified();
            }
            Shape::Array(element, count) => Shape::Array(Box::new(element.unqualified()), *count),
            shape => shape.clone(),
        };
        shape.into()
    }

    pub(crate) fn pointee(&self) -> Option<&Type> {
        match &self.canonical().shape {
            Shape::Pointer(target) => Some(target),
            _ => None,
        }
    }

    pub(crate) fn is_void(&self) -> bool {
        matches!(self.canonical().shape, Shape::Void)
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.canonical().shape, Shape::Pointer(_))
    }

    /// `char`, `signed char` or `unsigned char`: what strings are made of.
    pub(crate) fn is_character(&self) -> bool {
        matches!(&self.canonical().shape, Shape::Int { name, .. } if name.ends_with("char"))
    }

    pub(crate) fn function(&self) -> Option<&FunctionType> {
        match &self.canonical().shape {
            Shape::Function(function) => Some(function),
            _ => None,
        }
    }
}
