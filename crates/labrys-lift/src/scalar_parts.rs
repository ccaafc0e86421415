//! How a type is split into scalars: each becomes a register and has an offset in memory. Vectors
//! whose lanes are no whole bytes are marked as packed.

use crate::error::{LiftResult, unsupported};
use crate::llvm::{LlvmType, LlvmTypeKind, TargetLayout};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An SSA value of more scalars than this is not supported: each becomes a register.
const MAX_PARTS: usize = 4096;

/// A scalar of a type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScalarPart {
    /// In bytes from the start of the value.
    pub(crate) offset: u64,
    pub(crate) width: u8,
}

/// All scalars of a type in order.
#[derive(Debug)]
pub(crate) struct ScalarParts {
    pub(crate) parts: Vec<ScalarPart>,
    /// Holds a vector whose lanes are no whole bytes: in memory they lie bit by bit.
    pub(crate) packed: bool,
}

/// The scalars of the types that were looked at already.
#[derive(Default)]
pub(crate) struct ScalarPartsCache<'m> {
    known: FxHashMap<LlvmType<'m>, Rc<ScalarParts>>,
}

impl<'m> ScalarPartsCache<'m> {
    pub(crate) fn of(
        &mut self,
        layout: TargetLayout<'m>,
        ty: LlvmType<'m>,
    ) -> LiftResult<Rc<ScalarParts>> {
        if let Some(shape) = self.known.get(&ty) {
            return Ok(Rc::clone(shape));
        }
        let mut shape = ScalarParts {
            parts: Vec::new(),
            packed: false,
        };
        flatten(layout, ty, 0, &mut shape)?;
        let shape = Rc::new(shape);
        self.known.insert(ty, Rc::clone(&shape));
        Ok(shape)
    }
}

/// The width of a scalar type; none for other types.
fn scalar(ty: LlvmType<'_>) -> LiftResult<Option<u8>> {
    Ok(match ty.kind() {
        LlvmTypeKind::Int(width @ 1..=128) => Some(width as u8),
        LlvmTypeKind::Int(width) => return unsupported(format!("an integer of {width} bits")),
        LlvmTypeKind::Pointer => Some(64),
        LlvmTypeKind::Float(kind) => Some(kind.width()),
        LlvmTypeKind::Other => return unsupported(format!("the type {}", ty.text())),
        _ => None,
    })
}

fn flatten<'m>(
    layout: TargetLayout<'m>,
    ty: LlvmType<'m>,
    offset: u64,
    shape: &mut ScalarParts,
) -> LiftResult<()> {
    if let Some(width) = scalar(ty)? {
        if shape.parts.len() >= MAX_PARTS {
            return unsupported(format!("a value of more than {MAX_PARTS} scalars"));
        }
        shape.parts.push(ScalarPart { offset, width });
        return Ok(());
    }
    match ty.kind() {
        LlvmTypeKind::Array(length) => {
            let element = ty.element();
            let size = layout.size(element);
            if length > MAX_PARTS as u64 && layout.size(ty) > 0 {
                return unsupported(format!("a value of type {}", ty.text()));
            }
            for i in 0..length {
                flatten(layout, element, offset + i * size, shape)?;
            }
        }
        LlvmTypeKind::Vector(length) => {
            let element = ty.element();
            let Some(width) = scalar(element)? else {
                return unsupported(format!("the type {}", ty.text()));
            };
            shape.packed |= width % 8 != 0;
            for i in 0..u64::from(length) {
                flatten(layout, element, offset + i * u64::from(width) / 8, shape)?;
            }
        }
        LlvmTypeKind::Struct => {
            if !ty.is_sized() {
                return unsupported(format!("the type {}", ty.text()));
            }
            for (i, field) in ty.fields().into_iter().enumerate() {
                let place = layout.field_offset(ty, i as u32);
                flatten(layout, field, offset + place, shape)?;
            }
        }
        // `void` is no scalar at all; the rest was handled above.
        _ => {}
    }
    Ok(())
}

/// Width in bytes of the scalars of a type where all are the same and lie side by side, else 0.
pub(crate) fn uniform_element<'m>(layout: TargetLayout<'m>, ty: LlvmType<'m>) -> u32 {
    match ty.kind() {
        LlvmTypeKind::Int(_) | LlvmTypeKind::Float(_) | LlvmTypeKind::Pointer => {
            let bits = match scalar(ty) {
                Ok(Some(width)) => u64::from(width),
                _ => return 0,
            };
            let bytes = bits.div_ceil(8);
            if layout.size(ty) == bytes {
                bytes as u32
            } else {
                0
            }
        }
        LlvmTypeKind::Array(_) | LlvmTypeKind::Vector(_) => uniform_element(layout, ty.element()),
        LlvmTypeKind::Struct => {
            let mut widths = ty
                .fields()
                .into_iter()
                .filter(|field| layout.size(*field) > 0)
                .map(|field| uniform_element(layout, field));
            match widths.next() {
                Some(first) if widths.all(|width| width == first) => first,
                _ => 0,
            }
        }
        _ => 0,
    }
}
