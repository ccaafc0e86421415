//! Sizes, alignments and member offsets of the x86-64 System V ABI, and how a type shows as
//! the type of an input.

use super::table::PackPragma;
use super::{CType, TypeShape, TypeTable};
use labrys_ledger::{InputField, InputType};

/// Where a member lies: byte offset, and for a bit-field first bit from there and width.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MemberOffset {
    pub offset: u64,
    pub bits: Option<(u32, u32)>,
}

/// The layout of a structure or union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordLayout {
    pub size: u64,
    pub align: u64,
    pub members: Vec<MemberOffset>,
}

impl TypeTable {
    /// Whether a value of the type holds pointers, which cannot be arbitrary bytes.
    pub(crate) fn has_pointers(&self, ty: &CType) -> bool {
        match &ty.canonical().shape {
            TypeShape::Pointer(_) => true,
            TypeShape::Array(element, _) => self.has_pointers(element),
            TypeShape::Record(index) => {
                let fields = &self.records[*index].fields;
                fields.iter().any(|f| self.has_pointers(&f.ty))
            }
            TypeShape::Opaque(name) => name.contains('*') || name.contains("va_list"),
            _ => false,
        }
    }

    /// Size and alignment in bytes, if known.
    pub(crate) fn size_align(&self, ty: &CType) -> Option<(u64, u64)> {
        match &ty.canonical().shape {
            TypeShape::Void => Some((1, 1)),
            TypeShape::Int { bits, .. } | TypeShape::Float { bits, .. } => {
                let bytes = u64::from(bits / 8);
                Some((bytes, bytes))
            }
            TypeShape::Pointer(_) => Some((8, 8)),
            TypeShape::Array(element, count) => {
                let (size, align) = self.size_align(element)?;
                Some((size.checked_mul((*count)?)?, align))
            }
            TypeShape::Function(_) => Some((1, 1)),
            TypeShape::Record(index) => self.layout(*index).map(|l| (l.size, l.align)),
            TypeShape::Enum(index) => self.size_align(&self.enums[*index].underlying),
            TypeShape::Named(..) | TypeShape::Opaque(_) => None,
        }
    }

    pub(crate) fn size(&self, ty: &CType) -> Option<u64> {
        self.size_align(ty).map(|(size, _)| size)
    }

    /// The layout of a complete record; `None` if it is incomplete or packed in an unknown way.
    pub(crate) fn layout(&self, index: usize) -> Option<RecordLayout> {
        let record = &self.records[index];
        let most = match record.pragma {
            PackPragma::No => None,
            PackPragma::At(most) => Some(most),
            PackPragma::Unknown => return None,
        };
        if !record.complete {
            return None;
        }
        let (mut bit, mut align, mut size_bits) = (0u64, 1u64, 0u64);
        let mut members = Vec::with_capacity(record.fields.len());
        for field in &record.fields {
            if record.union {
                bit = 0;
            }
            let flexible = matches!(&field.ty.canonical().shape, TypeShape::Array(_, None));
            let (size, natural) = match &field.ty.canonical().shape {
                TypeShape::Array(element, None) => (0, self.size_align(element)?.1),
                _ => self.size_align(&field.ty)?,
            };
            let packed = record.packed || field.packed;
            let field_align = (if packed { 1 } else { natural }).max(field.aligned.unwrap_or(1));
            let field_align = field_align.min(most.unwrap_or(field_align));
            if let Some(width) = field.bits {
                let (width, unit) = (u64::from(width), size * 8);
                if width == 0 {
                    bit = bit.next_multiple_of(unit);
                } else if !packed && most.is_none() && bit % (field_align * 8) + width > unit {
                    bit = bit.next_multiple_of(field_align * 8);
                }
                members.push(MemberOffset {
                    offset: bit / 8,
                    bits: Some(((bit % 8) as u32, width as u32)),
                });
                bit += width;
                if !field.name.is_empty() {
                    align = align.max(field_align);
                }
            } else {
                bit = bit.next_multiple_of(field_align * 8);
                members.push(MemberOffset {
                    offset: bit / 8,
                    bits: None,
                });
                if !flexible {
                    bit = bit.checked_add(size.checked_mul(8)?)?;
                }
                align = align.max(field_align);
            }
            size_bits = size_bits.max(bit);
        }
        align = align.max(record.aligned.unwrap_or(1));
        let size = size_bits.div_ceil(8).next_multiple_of(align);
        Some(RecordLayout {
            size,
            align,
            members,
        })
    }

    /// How a value of the type shows in a test.
    pub(crate) fn input_type(&self, ty: &CType) -> InputType {
        let bytes = || InputType::Bytes {
            size: self.size(ty).unwrap_or(0),
        };
        match &ty.canonical().shape {
            TypeShape::Int { name, bits, signed } => InputType::Int {
                name: (*name).to_owned(),
                bits: *bits,
                signed: *signed,
            },
            TypeShape::Float { name, bits } => InputType::Float {
                name: (*name).to_owned(),
                bits: *bits,
            },
            TypeShape::Enum(index) => match self.input_type(&self.enums[*index].underlying) {
                InputType::Int { bits, signed, .. } => InputType::Int {
                    name: self.spell(&ty.unqualified()),
                    bits,
                    signed,
                },
                other => other,
            },
            TypeShape::Array(element, Some(count)) => InputType::Array {
                element: Box::new(self.input_type(element)),
                count: *count,
            },
            TypeShape::Record(index) => match self.layout(*index) {
                Some(layout) if !self.records[*index].union => InputType::Struct {
                    name: self.spell(&ty.unqualified()),
                    size: layout.size,
                    fields: self.fields(*index, &layout),
                },
                _ => bytes(),
            },
            _ => bytes(),
        }
    }

    fn fields(&self, index: usize, layout: &RecordLayout) -> Vec<InputField> {
        let record = &self.records[index];
        let named = record
            .fields
            .iter()
            .zip(&layout.members)
            .filter(|(f, _)| !f.name.is_empty());
        named
            .map(|(field, member)| InputField {
                name: field.name.to_string(),
                offset: member.offset,
                bits: member.bits,
                ty: self.input_type(&field.ty),
            })
            .collect()
    }
}
