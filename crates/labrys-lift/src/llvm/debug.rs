//! Debug information: which variable of the source a value holds, and what the scalars inside of a
//! global variable are called.

use super::{LlvmModule, LlvmValue};
use labrys_ir::GlobalPart;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use std::collections::VecDeque;

/// Of larger variables only so many scalars have names.
const MOST_PARTS: usize = 256;

/// Types of types of types: no variable of C is nested deeper than this.
const MOST_TYPES: usize = 64;

/// An expression that leaves a value as it is.
const AS_IT_IS: &str = "!DIExpression()";

/// DWARF's numbers for kinds of types.
const ARRAY_TYPE: u16 = 0x01;
const ENUMERATION_TYPE: u16 = 0x04;
const MEMBER: u16 = 0x0d;
const POINTER_TYPE: u16 = 0x0f;
const STRUCTURE_TYPE: u16 = 0x13;
const TYPEDEF: u16 = 0x16;
const CONST_TYPE: u16 = 0x26;
const VOLATILE_TYPE: u16 = 0x35;

/// Positions of what a node of debug information refers to.
const NAME_OF_VARIABLE: usize = 1;
const TYPE_OF_VARIABLE: usize = 3;
const BASE_TYPE: usize = 3;
const ELEMENTS: usize = 4;
const COUNT: usize = 0;

/// A variable of the source that a value holds, or whose place it is.
pub(crate) struct DescribedVariable<'m> {
    pub(crate) value: LlvmValue<'m>,
    pub(crate) name: String,
    pub(crate) unsigned: bool,
}

impl LlvmModule<'_> {
    /// From now on the debug information of variables is calls of intrinsics, which can be read.
    pub(crate) fn put_debug_info_into_calls(&self) {
        // SAFETY: the module is live.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), 0) }
    }
}

impl<'m> LlvmValue<'m> {
    /// The value that a call of `llvm.dbg.value` or `llvm.dbg.declare` is about, with the name of the
    /// variable that it is the value or the place of.
    pub(crate) fn described_variable(self) -> Option<DescribedVariable<'m>> {
        if !self.operand(2).text().contains(AS_IT_IS) {
            return None;
        }
        // SAFETY: the operands of these calls are metadata as values.
        unsafe {
            let raw = LLVMGetOperand(self.raw, 0);
            let kind = LLVMGetMetadataKind(LLVMValueAsMetadata(raw));
            if !matches!(kind, LLVMMetadataKind::LLVMLocalAsMetadataMetadataKind) {
                return None;
            }
            let mut value = std::ptr::null_mut();
            LLVMGetMDNodeOperands(raw, &mut value);
            let variable = DebugNode(LLVMGetOperand(self.raw, 1));
            let name = variable.operand(NAME_OF_VARIABLE)?.string()?;
            let ty = variable.operand(TYPE_OF_VARIABLE);
            Some(DescribedVariable {
                value: LlvmValue::optional(value)?,
                name,
                unsigned: ty.is_some_and(DebugNode::is_unsigned),
            })
        }
    }

    /// The scalars of a global variable with members or elements.
    pub(crate) fn named_parts(self) -> Vec<GlobalPart> {
        let Some(ty) = self.debug_type() else {
            return Vec::new();
        };
        let mut open = VecDeque::from([(ty, 0u64, String::new(), 0usize)]);
        let mut parts = Vec::new();
        while let Some((ty, offset, path, depth)) = open.pop_front() {
            if depth > MOST_TYPES || open.len() + parts.len() > MOST_PARTS {
                continue;
            }
            match ty.tag() {
                TYPEDEF | CONST_TYPE | VOLATILE_TYPE => {
                    let base = ty.operand(BASE_TYPE);
                    open.extend(base.map(|base| (base, offset, path, depth + 1)));
                }
                STRUCTURE_TYPE => {
                    for member in ty.operand(ELEMENTS).map_or(Vec::new(), DebugNode::operands) {
                        // A bit field has no place of its own.
                        let bits = member.offset_bits();
                        if member.tag() == MEMBER
                            && bits.is_multiple_of(8)
                            && let (Some(base), name) =
                                (member.operand(BASE_TYPE), member.type_name())
                            && member.size_bits() == base.size_bits()
                        {
                            let path = match name.is_empty() {
                                true => path.clone(),
                                false => format!("{path}.{name}"),
                            };
                            open.push_back((base, offset + bits / 8, path, depth + 1));
                        }
                    }
                }
                ARRAY_TYPE => {
                    let ranges = ty.operand(ELEMENTS).map_or(Vec::new(), DebugNode::operands);
                    let counts: Option<Vec<u64>> =
                        ranges.iter().map(|range| range.count()).collect();
                    let (Some(base), Some(counts)) = (ty.operand(BASE_TYPE), counts) else {
                        continue;
                    };
                    let all: u64 = counts.iter().product();
                    let Some(size) = (ty.size_bits() / 8).checked_div(all) else {
                        continue;
                    };
                    for at in 0..all.min(MOST_PARTS as u64) {
                        let path = format!("{path}{}", indices(&counts, at));
                        open.push_back((base, offset + at * size, path, depth + 1));
                    }
                }
                _ if ty.size_bits() > 0 => parts.push(GlobalPart {
                    offset,
                    size: ty.size_bits() / 8,
                    path,
                    unsigned: ty.is_unsigned(),
                }),
                _ => {}
            }
        }
        parts
    }

    fn debug_type(self) -> Option<DebugNode> {
        // SAFETY: only called for globals; the entries are given back.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            let mut count = 0;
            let entries = LLVMGlobalCopyAllMetadata(self.raw, &mut count);
            let mut found = None;
            for at in 0..count as u32 {
                let entry = LLVMValueMetadataEntriesGetMetadata(entries, at);
                let kind = LLVMGetMetadataKind(entry);
                if matches!(
                    kind,
                    LLVMMetadataKind::LLVMDIGlobalVariableExpressionMetadataKind
                ) {
                    let variable = LLVMDIGlobalVariableExpressionGetVariable(entry);
                    found =
                        DebugNode(LLVMMetadataAsValue(context, variable)).operand(TYPE_OF_VARIABLE);
                }
            }
            LLVMDisposeValueMetadataEntries(entries);
            found
        }
    }
}

/// `[1][2]` for the sixth element of `[2][3]`.
fn indices(counts: &[u64], mut at: u64) -> String {
    let mut texts = Vec::new();
    for count in counts.iter().rev() {
        texts.push(format!("[{}]", at % count));
        at /= count;
    }
    texts.into_iter().rev().collect()
}

/// A node of debug information, as a value.
#[derive(Clone, Copy)]
struct DebugNode(LLVMValueRef);

impl DebugNode {
    fn metadata(self) -> LLVMMetadataRef {
        // SAFETY: the value is metadata.
        unsafe { LLVMValueAsMetadata(self.0) }
    }

    /// Is it a node, and not a text or a number?
    fn has_operands(self) -> bool {
        // SAFETY: as above; only values of metadata have one.
        unsafe { !LLVMIsAMDNode(self.0).is_null() }
    }

    fn all_operands(self) -> Vec<LLVMValueRef> {
        if !self.has_operands() {
            return Vec::new();
        }
        // SAFETY: the array has room for all operands.
        unsafe {
            let count = LLVMGetMDNodeNumOperands(self.0) as usize;
            let mut operands = vec![std::ptr::null_mut(); count];
            LLVMGetMDNodeOperands(self.0, operands.as_mut_ptr());
            operands
        }
    }

    fn operands(self) -> Vec<DebugNode> {
        let there = self.all_operands().into_iter().filter(|raw| !raw.is_null());
        there.map(DebugNode).collect()
    }

    fn operand(self, index: usize) -> Option<DebugNode> {
        let raw = *self.all_operands().get(index)?;
        (!raw.is_null()).then_some(DebugNode(raw))
    }

    fn string(self) -> Option<String> {
        let mut length = 0;
        // SAFETY: null for anything but a text, which LLVM owns.
        unsafe {
            let raw = LLVMGetMDString(self.0, &mut length);
            if raw.is_null() {
                return None;
            }
            let bytes = std::slice::from_raw_parts(raw.cast::<u8>(), length as usize);
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }

    /// The number of elements of a range of an array.
    fn count(self) -> Option<u64> {
        let raw = *self.all_operands().get(COUNT)?;
        // SAFETY: a constant number if it is one.
        unsafe {
            (!raw.is_null() && !LLVMIsAConstantInt(raw).is_null())
                .then(|| LLVMConstIntGetZExtValue(raw))
        }
    }

    fn is_type(self) -> bool {
        use LLVMMetadataKind as Kind;
        if !self.has_operands() {
            return false;
        }
        // SAFETY: as above.
        let kind = unsafe { LLVMGetMetadataKind(self.metadata()) };
        matches!(
            kind,
            Kind::LLVMDIBasicTypeMetadataKind
                | Kind::LLVMDIDerivedTypeMetadataKind
                | Kind::LLVMDICompositeTypeMetadataKind
        )
    }

    /// Are its values numbers without a sign, such as addresses?
    fn is_unsigned(self) -> bool {
        match self.tag() {
            POINTER_TYPE => true,
            TYPEDEF | CONST_TYPE | VOLATILE_TYPE | ENUMERATION_TYPE => {
                self.operand(BASE_TYPE).is_some_and(DebugNode::is_unsigned)
            }
            _ => {
                let name = self.type_name();
                name.starts_with("unsigned") || name == "_Bool"
            }
        }
    }

    fn tag(self) -> u16 {
        // SAFETY: asked of types only.
        if self.is_type() {
            unsafe { LLVMGetDINodeTag(self.metadata()) }
        } else {
            0
        }
    }

    fn size_bits(self) -> u64 {
        // Aliases of types have no size of their own.
        if matches!(self.tag(), TYPEDEF | CONST_TYPE | VOLATILE_TYPE) {
            return self.operand(BASE_TYPE).map_or(0, DebugNode::size_bits);
        }
        // SAFETY: asked of types only.
        if self.is_type() {
            unsafe { LLVMDITypeGetSizeInBits(self.metadata()) }
        } else {
            0
        }
    }

    fn offset_bits(self) -> u64 {
        // SAFETY: asked of types only.
        if self.is_type() {
            unsafe { LLVMDITypeGetOffsetInBits(self.metadata()) }
        } else {
            0
        }
    }

    fn type_name(self) -> String {
        if !self.is_type() {
            return String::new();
        }
        let mut length = 0;
        // SAFETY: asked of types only; LLVM owns the text.
        unsafe {
            let raw = LLVMDITypeGetName(self.metadata(), &mut length);
            if raw.is_null() {
                return String::new();
            }
            let bytes = std::slice::from_raw_parts(raw.cast::<u8>(), length);
            String::from_utf8_lossy(bytes).into_owned()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::indices;

    #[test]
    fn elements_are_counted_row_by_row() {
        assert_eq!(indices(&[2, 3], 5), "[1][2]");
        assert_eq!(indices(&[4], 1), "[1]");
    }
}
