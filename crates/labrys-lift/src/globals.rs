//! Translates the initial values of global variables to bytes and addresses inside them. Parts that
//! need instructions are left to a constructor.

use crate::fold::FoldedConstant;
use crate::llvm::{LlvmTypeKind, LlvmValue, ValueKind};
use crate::memory::guaranteed_alignment;
use crate::program::{LateInitial, ProgramLifter};
use crate::scalar_parts::uniform_element;
use labrys_ir::{GlobalId, Reloc};

impl<'m> ProgramLifter<'m> {
    pub(crate) fn lift_global(&mut self, id: GlobalId, value: LlvmValue<'m>) {
        let ty = value.content_type();
        let size = self.layout.size(ty);
        let align = guaranteed_alignment(self.layout, ty, value.alignment());
        let late = self.late_initials.len();
        let mut image = InitialImage {
            global: id,
            bytes: vec![0; usize::try_from(size).unwrap_or(0)],
            relocs: Vec::new(),
        };
        if let Some(initial) = value.initializer()
            && initial.kind() != ValueKind::LLVMConstantAggregateZeroValueKind
        {
            self.write(initial, 0, &mut image);
        }
        let is_zero = image.relocs.is_empty() && image.bytes.iter().all(|byte| *byte == 0);
        let element = uniform_element(self.layout, ty);
        let written_late = self.late_initials.len() > late;
        let reach = self.variables.exposed.get(&value.name()).copied();
        let global = &mut self.out.globals[id.index()];
        global.size = size;
        global.reach = reach.unwrap_or_default();
        global.align = align;
        global.element = element;
        global.external = value.initializer().is_none();
        global.changeable = self.variables.changeable.contains(&global.name);
        global.constant = value.is_global_constant() && !written_late;
        global.mergeable = global.constant && value.is_unnamed();
        if global.changeable {
            global.parts = value.named_parts();
        }
        if !is_zero {
            global.init = image.bytes;
            image.relocs.sort_by_key(|reloc| reloc.offset);
            global.relocs = image.relocs;
        }
    }

    /// Writes a constant of any type at an offset.
    fn write(&mut self, value: LlvmValue<'m>, offset: u64, image: &mut InitialImage) {
        if let Some(bytes) = value.string_bytes() {
            image.put(offset, bytes);
            return;
        }
        let ty = value.ty();
        match value.kind() {
            ValueKind::LLVMConstantAggregateZeroValueKind
            | ValueKind::LLVMUndefValueValueKind
            | ValueKind::LLVMPoisonValueKind => return,
            ValueKind::LLVMConstantIntValueKind => {
                image.put(offset, &value.int_bytes());
                return;
            }
            _ => {}
        }
        match ty.kind() {
            LlvmTypeKind::Array(length) => {
                let size = self.layout.size(ty.element());
                for i in 0..length {
                    if let Some(element) = value.element(i as u32) {
                        self.write(element, offset + i * size, image);
                    }
                }
            }
            LlvmTypeKind::Vector(length) => self.write_vector(value, length, offset, image),
            LlvmTypeKind::Struct => {
                for i in 0..ty.fields().len() as u32 {
                    if let Some(field) = value.element(i) {
                        let place = self.layout.field_offset(ty, i);
                        self.write(field, offset + place, image);
                    }
                }
            }
            _ => self.write_scalar(value, offset, image),
        }
    }

    /// Lanes lie side by side without padding, bit by bit if they are no whole bytes.
    fn write_vector(
        &mut self,
        value: LlvmValue<'m>,
        length: u32,
        offset: u64,
        image: &mut InitialImage,
    ) {
        let width = match value.ty().element().kind() {
            LlvmTypeKind::Int(width) => u64::from(width),
            LlvmTypeKind::Float(kind) => u64::from(kind.width()),
            _ => 64,
        };
        for i in 0..length {
            let Some(lane) = value.element(i) else {
                continue;
            };
            let bit = u64::from(i) * width;
            if width % 8 == 0 {
                self.write(lane, offset + bit / 8, image);
            } else if let Some(FoldedConstant::Int(bits)) = self.fold(lane) {
                image.put_bits(offset * 8 + bit, bits, width);
            }
        }
    }

    fn write_scalar(&mut self, value: LlvmValue<'m>, offset: u64, image: &mut InitialImage) {
        match self.fold(value) {
            Some(FoldedConstant::Int(bits)) => {
                let size = match value.ty().kind() {
                    LlvmTypeKind::Int(width) => (width as usize).div_ceil(8),
                    LlvmTypeKind::Float(kind) => usize::from(kind.width()) / 8,
                    _ => 8,
                };
                image.put(offset, &bits.to_le_bytes()[..size.min(16)]);
            }
            Some(FoldedConstant::Symbol(target)) => image.relocs.push(Reloc { offset, target }),
            Some(FoldedConstant::Undef) => {}
            None => self.late_initials.push(LateInitial {
                global: image.global,
                offset,
                value,
            }),
        }
    }
}

/// The initial value under construction.
struct InitialImage {
    global: GlobalId,
    bytes: Vec<u8>,
    relocs: Vec<Reloc>,
}

impl InitialImage {
    fn put(&mut self, offset: u64, bytes: &[u8]) {
        let start = offset as usize;
        if let Some(place) = self.bytes.get_mut(start..start + bytes.len()) {
            place.copy_from_slice(bytes);
        }
    }

    fn put_bits(&mut self, start: u64, bits: u128, width: u64) {
        for i in 0..width {
            if (bits >> i) & 1 != 0 {
                let bit = start + i;
                if let Some(byte) = self.bytes.get_mut((bit / 8) as usize) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
    }
}
