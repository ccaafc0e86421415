//! Wrappers of LLVM values: constants, globals, functions, blocks, instructions and their debug
//! locations.

use super::types::{FloatKind, LlvmType, LlvmTypeKind};
pub(crate) use llvm_sys::LLVMLinkage as Linkage;
pub(crate) use llvm_sys::LLVMOpcode as Opcode;
pub(crate) use llvm_sys::LLVMValueKind as ValueKind;
pub(crate) use llvm_sys::LLVMVisibility as Visibility;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMRealPredicate};
use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LlvmValue<'m> {
    pub(super) raw: LLVMValueRef,
    owner: PhantomData<&'m ()>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LlvmBlock<'m> {
    raw: LLVMBasicBlockRef,
    owner: PhantomData<&'m ()>,
}

/// The scope of a debug location, only used as a key for its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct DebugScope<'m> {
    raw: LLVMMetadataRef,
    owner: PhantomData<&'m ()>,
}

/// A debug location.
#[derive(Clone, Copy)]
pub(crate) struct DebugLocation<'m> {
    pub(crate) scope: DebugScope<'m>,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// # Safety
/// `raw` and `length` must describe readable memory or be null.
unsafe fn text(raw: *const c_char, length: usize) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: as the caller promises.
    let bytes = unsafe { std::slice::from_raw_parts(raw.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

impl<'m> DebugScope<'m> {
    /// The file name as the debug information gives it.
    pub(crate) fn file(self) -> String {
        // SAFETY: `raw` is a live scope; LLVM owns the returned text.
        unsafe {
            let file = LLVMDIScopeGetFile(self.raw);
            if file.is_null() {
                return String::new();
            }
            let mut length = 0;
            let raw = LLVMDIFileGetFilename(file, &mut length);
            text(raw, length as usize)
        }
    }
}

impl<'m> LlvmBlock<'m> {
    fn new(raw: LLVMBasicBlockRef) -> LlvmBlock<'m> {
        LlvmBlock {
            raw,
            owner: PhantomData,
        }
    }

    pub(crate) fn instructions(self) -> impl Iterator<Item = LlvmValue<'m>> {
        // SAFETY: `raw` is a live block; the chain ends with null.
        let first = unsafe { LLVMGetFirstInstruction(self.raw) };
        std::iter::successors(LlvmValue::optional(first), |i| {
            LlvmValue::optional(unsafe { LLVMGetNextInstruction(i.raw) })
        })
    }

    /// Some constant holds the address of this block.
    pub(crate) fn has_address_taken(self) -> bool {
        // SAFETY: `raw` is a live block, and so are its users.
        unsafe {
            let mut next = LLVMGetFirstUse(LLVMBasicBlockAsValue(self.raw));
            while !next.is_null() {
                if !LLVMIsABlockAddress(LLVMGetUser(next)).is_null() {
                    return true;
                }
                next = LLVMGetNextUse(next);
            }
        }
        false
    }

    pub(crate) fn successors(self) -> Vec<LlvmBlock<'m>> {
        // SAFETY: `raw` is a live block; a missing terminator gives null.
        unsafe {
            let end = LLVMGetBasicBlockTerminator(self.raw);
            if end.is_null() {
                return Vec::new();
            }
            let count = LLVMGetNumSuccessors(end);
            (0..count)
                .map(|i| LlvmBlock::new(LLVMGetSuccessor(end, i)))
                .collect()
        }
    }
}

impl<'m> LlvmValue<'m> {
    pub(super) fn new(raw: LLVMValueRef) -> LlvmValue<'m> {
        LlvmValue {
            raw,
            owner: PhantomData,
        }
    }

    pub(super) fn optional(raw: LLVMValueRef) -> Option<LlvmValue<'m>> {
        (!raw.is_null()).then(|| LlvmValue::new(raw))
    }

    pub(crate) fn kind(self) -> ValueKind {
        // SAFETY: `raw` is a live value.
        unsafe { LLVMGetValueKind(self.raw) }
    }

    pub(crate) fn ty(self) -> LlvmType<'m> {
        // SAFETY: `raw` is a live value.
        LlvmType::new(unsafe { LLVMTypeOf(self.raw) })
    }

    pub(crate) fn name(self) -> String {
        // SAFETY: `raw` is a live value; LLVM owns the returned text.
        unsafe {
            let mut length = 0;
            let raw = LLVMGetValueName2(self.raw, &mut length);
            text(raw, length)
        }
    }

    pub(crate) fn is_constant(self) -> bool {
        // SAFETY: `raw` is a live value.
        unsafe { LLVMIsConstant(self.raw) != 0 }
    }

    /// The value as LLVM writes it.
    pub(crate) fn text(self) -> String {
        // SAFETY: LLVM returns a fresh string that is freed here.
        unsafe {
            let raw = LLVMPrintValueToString(self.raw);
            let text = CStr::from_ptr(raw).to_string_lossy().into_owned();
            LLVMDisposeMessage(raw);
            text
        }
    }

    pub(crate) fn is_used(self) -> bool {
        !self.users().is_empty()
    }

    /// Is a function only ever called, and never pointed to?
    pub(crate) fn is_only_called(self) -> bool {
        self.users().into_iter().all(|user| {
            user.kind() == ValueKind::LLVMInstructionValueKind
                && user.opcode() == Opcode::LLVMCall
                && user.called() == self
                && (0..user.argument_count()).all(|i| user.operand(i) != self)
        })
    }

    /// The function that an instruction stands in.
    pub(crate) fn function(self) -> Option<LlvmValue<'m>> {
        // SAFETY: asked only of instructions in blocks of functions.
        LlvmValue::optional(unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.raw)) })
    }

    pub(crate) fn operand_count(self) -> u32 {
        // SAFETY: `raw` is a live user.
        unsafe { LLVMGetNumOperands(self.raw) as u32 }
    }

    pub(crate) fn operand(self, index: u32) -> LlvmValue<'m> {
        // SAFETY: the index is below the count of operands.
        LlvmValue::new(unsafe { LLVMGetOperand(self.raw, index) })
    }

    /// The operation of an instruction or of a constant expression.
    pub(crate) fn opcode(self) -> Opcode {
        // SAFETY: each query is made for its own kind of value.
        unsafe {
            if self.kind() == ValueKind::LLVMConstantExprValueKind {
                LLVMGetConstOpcode(self.raw)
            } else {
                LLVMGetInstructionOpcode(self.raw)
            }
        }
    }

    /// Whoever has this value as an operand, with the number of that operand.
    pub(crate) fn uses(self) -> Vec<(LlvmValue<'m>, u32)> {
        let mut uses = Vec::new();
        // SAFETY: `raw` is a live value, and so are its users; the chain ends with null.
        unsafe {
            let mut next = LLVMGetFirstUse(self.raw);
            while !next.is_null() {
                let user = LlvmValue::new(LLVMGetUser(next));
                let count = LLVMGetNumOperands(user.raw).max(0) as u32;
                let is_this = |index: &u32| LLVMGetOperandUse(user.raw, *index) == next;
                uses.extend((0..count).find(is_this).map(|index| (user, index)));
                next = LLVMGetNextUse(next);
            }
        }
        uses
    }

    // ---- Constants ----

    /// Element of a constant array, struct or vector.
    pub(crate) fn element(self, index: u32) -> Option<LlvmValue<'m>> {
        // SAFETY: `raw` is a live constant aggregate.
        LlvmValue::optional(unsafe { LLVMGetAggregateElement(self.raw, index) })
    }

    /// The bytes of a constant array of bytes.
    pub(crate) fn string_bytes(self) -> Option<&'m [u8]> {
        // SAFETY: asked only of constant data arrays that LLVM calls strings; LLVM owns the bytes
        // for as long as the context lives.
        unsafe {
            if self.kind() != ValueKind::LLVMConstantDataArrayValueKind
                || LLVMIsConstantString(self.raw) == 0
            {
                return None;
            }
            let mut length = 0;
            let raw = LLVMGetAsString(self.raw, &mut length);
            Some(std::slice::from_raw_parts(raw.cast::<u8>(), length))
        }
    }

    /// The bits of a constant integer, least significant byte first.
    pub(crate) fn int_bytes(self) -> Vec<u8> {
        let LlvmTypeKind::Int(width) = self.ty().kind() else {
            return Vec::new();
        };
        let size = (width as usize).div_ceil(8);
        if width <= 64 {
            // SAFETY: a constant integer of at most 64 bits.
            let word = unsafe { LLVMConstIntGetZExtValue(self.raw) };
            return word.to_le_bytes()[..size].to_vec();
        }
        // The C interface gives at most 64 bits; the printed form has all: `i128 -5`.
        let printed = self.text();
        let digits = printed.rsplit(' ').next().unwrap_or("0");
        decimal_bytes(digits, width)
    }

    /// The value of a constant integer or float of at most 128 bits, as its bits.
    pub(crate) fn bits(self) -> u128 {
        let bytes = match self.ty().kind() {
            LlvmTypeKind::Float(kind) => self.float_as_int(kind).int_bytes(),
            _ => self.int_bytes(),
        };
        let mut word = [0; 16];
        let size = bytes.len().min(16);
        word[..size].copy_from_slice(&bytes[..size]);
        u128::from_le_bytes(word)
    }

    fn float_as_int(self, kind: FloatKind) -> LlvmValue<'m> {
        // SAFETY: a bit cast of a constant float to the integer of its size folds to a constant.
        unsafe {
            let context = LLVMGetTypeContext(LLVMTypeOf(self.raw));
            let int = LLVMIntTypeInContext(context, u32::from(kind.width()));
            LlvmValue::new(LLVMConstBitCast(self.raw, int))
        }
    }

    pub(crate) fn block_address(self) -> (LlvmValue<'m>, LlvmBlock<'m>) {
        debug_assert_eq!(self.kind(), ValueKind::LLVMBlockAddressValueKind);
        // SAFETY: only called for block addresses.
        unsafe {
            (
                LlvmValue::new(LLVMGetBlockAddressFunction(self.raw)),
                LlvmBlock::new(LLVMGetBlockAddressBasicBlock(self.raw)),
            )
        }
    }

    /// The opcode of an instruction or of a constant expression.
    pub(crate) fn operation(self) -> Option<Opcode> {
        match self.kind() {
            ValueKind::LLVMInstructionValueKind | ValueKind::LLVMConstantExprValueKind => {
                Some(self.opcode())
            }
            _ => None,
        }
    }

    /// The instructions and constants that have it as an operand.
    pub(crate) fn users(self) -> Vec<LlvmValue<'m>> {
        let mut users = Vec::new();
        // SAFETY: `raw` is a live value, and so are its users.
        unsafe {
            let mut next = LLVMGetFirstUse(self.raw);
            while !next.is_null() {
                users.push(LlvmValue::new(LLVMGetUser(next)));
                next = LLVMGetNextUse(next);
            }
        }
        users
    }

    // ---- Globals ----

    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: only called for global values.
        unsafe { LLVMIsDeclaration(self.raw) != 0 }
    }

    pub(crate) fn linkage(self) -> Linkage {
        // SAFETY: only called for global values.
        unsafe { LLVMGetLinkage(self.raw) }
    }

    pub(crate) fn visibility(self) -> Visibility {
        // SAFETY: only called for global values.
        unsafe { LLVMGetVisibility(self.raw) }
    }

    pub(crate) fn set_linkage(self, linkage: Linkage) {
        // SAFETY: only called for global values.
        unsafe { LLVMSetLinkage(self.raw, linkage) }
    }

    /// The type of a global's content, or the type of a function.
    pub(crate) fn content_type(self) -> LlvmType<'m> {
        // SAFETY: only called for global values.
        LlvmType::new(unsafe { LLVMGlobalGetValueType(self.raw) })
    }

    pub(crate) fn initializer(self) -> Option<LlvmValue<'m>> {
        // SAFETY: only called for global variables.
        LlvmValue::optional(unsafe { LLVMGetInitializer(self.raw) })
    }

    /// Does nothing depend on which address it has, so that equal ones may become one?
    pub(crate) fn is_unnamed(self) -> bool {
        // SAFETY: `raw` is a live global variable.
        let kind = unsafe { LLVMGetUnnamedAddress(self.raw) };
        kind == llvm_sys::LLVMUnnamedAddr::LLVMGlobalUnnamedAddr
    }

    pub(crate) fn is_global_constant(self) -> bool {
        // SAFETY: only called for global variables.
        unsafe { LLVMIsGlobalConstant(self.raw) != 0 }
    }

    /// Alignment of a global variable or alloca; 0 if none is given.
    pub(crate) fn alignment(self) -> u32 {
        // SAFETY: only called for global variables and allocas.
        unsafe { LLVMGetAlignment(self.raw) }
    }

    pub(crate) fn aliasee(self) -> LlvmValue<'m> {
        // SAFETY: only called for aliases.
        LlvmValue::new(unsafe { LLVMAliasGetAliasee(self.raw) })
    }

    pub(crate) fn resolver(self) -> Option<LlvmValue<'m>> {
        // SAFETY: only called for ifuncs.
        LlvmValue::optional(unsafe { LLVMGetGlobalIFuncResolver(self.raw) })
    }

    // ---- Functions ----

    /// The name of the intrinsic without its type suffixes; none for ordinary functions.
    pub(crate) fn intrinsic(self) -> Option<&'static str> {
        // SAFETY: only called for functions; names of intrinsics are static.
        unsafe {
            let id = LLVMGetIntrinsicID(self.raw);
            if id == 0 {
                return None;
            }
            let mut length = 0;
            let raw = LLVMIntrinsicGetName(id, &mut length);
            std::str::from_utf8(std::slice::from_raw_parts(raw.cast::<u8>(), length)).ok()
        }
    }

    pub(crate) fn params(self) -> Vec<LlvmValue<'m>> {
        // SAFETY: only called for functions.
        unsafe {
            (0..LLVMCountParams(self.raw))
                .map(|i| LlvmValue::new(LLVMGetParam(self.raw, i)))
                .collect()
        }
    }

    pub(crate) fn blocks(self) -> Vec<LlvmBlock<'m>> {
        // SAFETY: only called for functions; the array has room for every block.
        unsafe {
            let count = LLVMCountBasicBlocks(self.raw) as usize;
            let mut raw = vec![std::ptr::null_mut(); count];
            LLVMGetBasicBlocks(self.raw, raw.as_mut_ptr());
            raw.into_iter().map(LlvmBlock::new).collect()
        }
    }

    /// Where a function is defined.
    pub(crate) fn definition(self) -> Option<DebugLocation<'m>> {
        // SAFETY: only called for functions.
        unsafe {
            let raw = LLVMGetSubprogram(self.raw);
            (!raw.is_null()).then(|| DebugLocation {
                scope: DebugScope {
                    raw,
                    owner: PhantomData,
                },
                line: LLVMDISubprogramGetLine(raw),
                column: 0,
            })
        }
    }

    /// An attribute of a function that LLVM does not know.
    pub(crate) fn text_attribute(self, name: &str) -> Option<String> {
        // SAFETY: `raw` is a live function; LLVM owns the returned text.
        unsafe {
            let attribute = LLVMGetStringAttributeAtIndex(
                self.raw,
                llvm_sys::LLVMAttributeFunctionIndex,
                name.as_ptr().cast(),
                name.len() as u32,
            );
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let raw = LLVMGetStringAttributeValue(attribute, &mut length);
            Some(text(raw, length as usize))
        }
    }

    /// `no_profile_instrument_function` in C.
    pub(crate) fn is_not_profiled(self) -> bool {
        const NAME: &str = "noprofile";
        // SAFETY: the name is given with its length.
        let kind = unsafe { LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len()) };
        self.has_attribute(kind)
    }

    pub(crate) fn has_attribute(self, kind: u32) -> bool {
        // SAFETY: only called for functions.
        unsafe {
            !LLVMGetEnumAttributeAtIndex(self.raw, llvm_sys::LLVMAttributeFunctionIndex, kind)
                .is_null()
        }
    }

    /// The type that an attribute of a parameter (counted from 0) carries, such as `sret`.
    pub(crate) fn parameter_type(self, parameter: u32, kind: u32) -> Option<LlvmType<'m>> {
        // SAFETY: only called for functions; attribute indices of parameters start at 1.
        unsafe {
            let raw = LLVMGetEnumAttributeAtIndex(self.raw, parameter + 1, kind);
            (!raw.is_null()).then(|| LlvmType::new(LLVMGetTypeAttributeValue(raw)))
        }
    }

    // ---- Instructions ----

    pub(crate) fn location(self) -> Option<DebugLocation<'m>> {
        // SAFETY: only called for instructions.
        unsafe {
            let raw = LLVMInstructionGetDebugLoc(self.raw);
            (!raw.is_null()).then(|| DebugLocation {
                scope: DebugScope {
                    raw: LLVMDILocationGetScope(raw),
                    owner: PhantomData,
                },
                line: LLVMDILocationGetLine(raw),
                column: LLVMDILocationGetColumn(raw),
            })
        }
    }

    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: only called for loads and stores and for atomic operations.
        unsafe { LLVMGetVolatile(self.raw) != 0 }
    }

    /// Is this a load that other threads may not disturb?
    pub(crate) fn is_atomic_load(self) -> bool {
        // SAFETY: only called for loads.
        let ordering = unsafe { LLVMGetOrdering(self.raw) };
        ordering != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic
    }

    /// May a compiler change a floating-point operation so that it gives something else?
    pub(crate) fn has_fast_math(self) -> bool {
        // SAFETY: only called for instructions; only those that may have such flags are asked for them.
        unsafe {
            LLVMCanValueUseFastMathFlags(self.raw) != 0 && LLVMGetFastMathFlags(self.raw) != 0
        }
    }

    /// The function that an instruction stands in.
    pub(crate) fn own_function(self) -> LlvmValue<'m> {
        // SAFETY: only called for instructions, which stand in blocks of functions.
        let raw = unsafe { LLVMGetBasicBlockParent(LLVMGetInstructionParent(self.raw)) };
        LlvmValue {
            raw,
            owner: PhantomData,
        }
    }

    /// Is this a constant whose bytes are all 0?
    pub(crate) fn is_null(self) -> bool {
        // SAFETY: `raw` is a live value.
        unsafe { LLVMIsNull(self.raw) != 0 }
    }

    pub(crate) fn has_nsw(self) -> bool {
        // SAFETY: only called for add, sub, mul and shl.
        unsafe { LLVMGetNSW(self.raw) != 0 }
    }

    pub(crate) fn int_predicate(self) -> LLVMIntPredicate {
        // SAFETY: only called for icmp.
        unsafe { LLVMGetICmpPredicate(self.raw) }
    }

    pub(crate) fn float_predicate(self) -> LLVMRealPredicate {
        // SAFETY: only called for fcmp.
        unsafe { LLVMGetFCmpPredicate(self.raw) }
    }

    pub(crate) fn atomic_operation(self) -> LLVMAtomicRMWBinOp {
        // SAFETY: only called for atomicrmw.
        unsafe { LLVMGetAtomicRMWBinOp(self.raw) }
    }

    pub(crate) fn allocated_type(self) -> LlvmType<'m> {
        // SAFETY: only called for allocas.
        LlvmType::new(unsafe { LLVMGetAllocatedType(self.raw) })
    }

    /// The type that a GEP indexes into.
    pub(crate) fn gep_type(self) -> LlvmType<'m> {
        // SAFETY: only called for GEP instructions and constant expressions.
        LlvmType::new(unsafe { LLVMGetGEPSourceElementType(self.raw) })
    }

    /// The constant indices of extractvalue and insertvalue.
    pub(crate) fn indices(self) -> &'m [u32] {
        // SAFETY: only called for these two; LLVM owns the array with the instruction.
        unsafe {
            let count = LLVMGetNumIndices(self.raw) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.raw), count)
        }
    }

    /// The lanes that a shuffle picks; `None` for an undefined lane.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<usize>> {
        // SAFETY: only called for shufflevector.
        unsafe {
            (0..LLVMGetNumMaskElements(self.raw))
                .map(|i| usize::try_from(LLVMGetMaskValue(self.raw, i)).ok())
                .collect()
        }
    }

    pub(crate) fn incoming(self) -> Vec<(LlvmValue<'m>, LlvmBlock<'m>)> {
        // SAFETY: only called for phis.
        unsafe {
            (0..LLVMCountIncoming(self.raw))
                .map(|i| {
                    (
                        LlvmValue::new(LLVMGetIncomingValue(self.raw, i)),
                        LlvmBlock::new(LLVMGetIncomingBlock(self.raw, i)),
                    )
                })
                .collect()
        }
    }

    pub(crate) fn successor_count(self) -> u32 {
        // SAFETY: only called for terminators.
        unsafe { LLVMGetNumSuccessors(self.raw) }
    }

    pub(crate) fn successor(self, index: u32) -> LlvmBlock<'m> {
        // SAFETY: only called for terminators with an index below the count.
        LlvmBlock::new(unsafe { LLVMGetSuccessor(self.raw, index) })
    }

    /// The normal successor of an invoke.
    pub(crate) fn normal_successor(self) -> LlvmBlock<'m> {
        // SAFETY: only called for invokes.
        LlvmBlock::new(unsafe { LLVMGetNormalDest(self.raw) })
    }

    /// The condition of a branch; none if it always jumps.
    pub(crate) fn branch_condition(self) -> Option<LlvmValue<'m>> {
        // SAFETY: only called for br.
        unsafe {
            (LLVMIsConditional(self.raw) != 0).then(|| LlvmValue::new(LLVMGetCondition(self.raw)))
        }
    }

    // ---- Calls ----

    pub(crate) fn called(self) -> LlvmValue<'m> {
        // SAFETY: only called for calls.
        LlvmValue::new(unsafe { LLVMGetCalledValue(self.raw) })
    }

    /// The function type that the call was written with.
    pub(crate) fn called_type(self) -> LlvmType<'m> {
        // SAFETY: only called for calls.
        LlvmType::new(unsafe { LLVMGetCalledFunctionType(self.raw) })
    }

    pub(crate) fn argument_count(self) -> u32 {
        // SAFETY: only called for calls.
        unsafe { LLVMGetNumArgOperands(self.raw) }
    }

    /// The type behind a `byval` argument (counted from 0).
    pub(crate) fn by_value(self, argument: u32, kind: u32) -> Option<LlvmType<'m>> {
        // SAFETY: only called for calls; attribute indices of arguments start at 1.
        unsafe {
            let raw = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            (!raw.is_null()).then(|| LlvmType::new(LLVMGetTypeAttributeValue(raw)))
        }
    }

    /// The number that an attribute of an argument carries, such as its alignment.
    pub(crate) fn call_attribute(self, argument: u32, kind: u32) -> Option<u64> {
        // SAFETY: only called for calls; attribute indices of arguments start at 1.
        unsafe {
            let raw = LLVMGetCallSiteEnumAttribute(self.raw, argument + 1, kind);
            (!raw.is_null()).then(|| LLVMGetEnumAttributeValue(raw))
        }
    }

    /// Template and constraints of inline assembly.
    pub(crate) fn assembly(self) -> (String, String) {
        debug_assert_eq!(self.kind(), ValueKind::LLVMInlineAsmValueKind);
        // SAFETY: only called for inline assembly; LLVM owns the texts.
        unsafe {
            let mut length = 0;
            let raw = LLVMGetInlineAsmAsmString(self.raw, &mut length);
            let template = text(raw, length);
            let raw = LLVMGetInlineAsmConstraintString(self.raw, &mut length);
            (template, text(raw, length))
        }
    }
}

/// Two's complement bytes of a decimal number.
fn decimal_bytes(digits: &str, width: u32) -> Vec<u8> {
    let size = (width as usize).div_ceil(8);
    let mut bytes = vec![0u8; size];
    let (negative, digits) = match digits.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, digits),
    };
    for digit in digits.bytes().filter(u8::is_ascii_digit) {
        let mut carry = u32::from(digit - b'0');
        for byte in &mut bytes {
            let sum = u32::from(*byte) * 10 + carry;
            *byte = sum as u8;
            carry = sum >> 8;
        }
    }
    if negative {
        let mut carry = true;
        for byte in &mut bytes {
            let (sum, overflow) = (!*byte).overflowing_add(u8::from(carry));
            *byte = sum;
            carry = overflow;
        }
    }
    let spare = (size * 8) as u32 - width;
    if let Some(last) = bytes.last_mut() {
        *last &= 0xff >> spare;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::decimal_bytes;

    #[test]
    fn decimal_numbers_become_bytes() {
        assert_eq!(decimal_bytes("258", 72)[..3], [2, 1, 0]);
        assert_eq!(decimal_bytes("-1", 72), vec![0xff; 9]);
        assert_eq!(decimal_bytes("-1", 65)[8], 1);
        let big = u128::MAX / 3;
        assert_eq!(decimal_bytes(&big.to_string(), 128), big.to_le_bytes());
        let negative = i128::MIN + 7;
        assert_eq!(
            decimal_bytes(&negative.to_string(), 128),
            negative.to_le_bytes()
        );
    }
}
