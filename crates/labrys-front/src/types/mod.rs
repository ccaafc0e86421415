//! C types: what clang prints as text, as a structure with sizes and member offsets.
//!
//! [`TypeTable`] collects the typedefs, structures, unions and enumerations of a translation unit
//! and resolves the text of a type against them. Sizes are those of the x86-64 System V ABI.

mod layout;
mod pack;
mod parse;
mod table;

pub(crate) use table::{FieldInfo, TypeTable};

use std::sync::Arc;

/// A qualified type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CType {
    pub shape: TypeShape,
    pub constant: bool,
    pub volatile: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TypeShape {
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
    Pointer(Box<CType>),
    /// Without a count: unsized, a flexible member, or of variable length.
    Array(Box<CType>, Option<u64>),
    Function(Box<FunctionType>),
    Record(usize),
    Enum(usize),
    /// A typedef name and what it stands for.
    Named(Arc<str>, Box<CType>),
    /// Vectors, complex numbers and other types of which only the name is known.
    Opaque(Arc<str>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FunctionType {
    pub result: CType,
    pub params: Vec<CType>,
    pub variadic: bool,
    /// False for `f()` without a prototype.
    pub prototype: bool,
}

impl From<TypeShape> for CType {
    fn from(shape: TypeShape) -> Self {
        CType {
            shape,
            constant: false,
            volatile: false,
        }
    }
}

impl CType {
    pub(crate) const INT: CType = CType {
        shape: TypeShape::Int {
            name: "int",
            bits: 32,
            signed: true,
        },
        constant: false,
        volatile: false,
    };

    /// The type behind typedef names.
    pub(crate) fn canonical(&self) -> &CType {
        let mut ty = self;
        while let TypeShape::Named(_, target) = &ty.shape {
            ty = target;
        }
        ty
    }

    /// Whether the type or a typedef on the way says `const` (for arrays: of the elements).
    pub(crate) fn is_const(&self) -> bool {
        match &self.shape {
            _ if self.constant => true,
            TypeShape::Named(_, target) => target.is_const(),
            TypeShape::Array(element, _) => element.is_const(),
            _ => false,
        }
    }

    pub(crate) fn is_volatile(&self) -> bool {
        match &self.shape {
            _ if self.volatile => true,
            TypeShape::Named(_, target) => target.is_volatile(),
            TypeShape::Array(element, _) => element.is_volatile(),
            _ => false,
        }
    }

    /// The same type without `const` and `volatile`, also below a typedef name.
    pub(crate) fn unqualified(&self) -> CType {
        if !self.is_const() && !self.is_volatile() {
            return self.clone();
        }
        let shape = match &self.shape {
            TypeShape::Named(_, target) if target.is_const() || target.is_volatile() => {
                return target.unqualified();
            }
            TypeShape::Array(element, count) => {
                TypeShape::Array(Box::new(element.unqualified()), *count)
            }
            shape => shape.clone(),
        };
        shape.into()
    }

    pub(crate) fn pointee(&self) -> Option<&CType> {
        match &self.canonical().shape {
            TypeShape::Pointer(target) => Some(target),
            _ => None,
        }
    }

    pub(crate) fn is_void(&self) -> bool {
        matches!(self.canonical().shape, TypeShape::Void)
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self.canonical().shape, TypeShape::Pointer(_))
    }

    /// `char`, `signed char` or `unsigned char`: what strings are made of.
    pub(crate) fn is_character(&self) -> bool {
        matches!(&self.canonical().shape, TypeShape::Int { name, .. } if name.ends_with("char"))
    }

    pub(crate) fn function(&self) -> Option<&FunctionType> {
        match &self.canonical().shape {
            TypeShape::Function(function) => Some(function),
            _ => None,
        }
    }
}
