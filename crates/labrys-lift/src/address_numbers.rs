//! Finds the integers of a program that were made of addresses, and the instructions whose result
//! would be another one if objects lay elsewhere.
//!
//! The engine gives objects addresses of its own. C promises that an address is not null and is
//! aligned as its type demands; nothing else about it as a number is a fact. A round trip through an
//! integer, a difference, a test of low bits and a comparison with null need no more than that.
//! Before any other use the lifter puts a note that names the bits it needs
//! (`IntrinsicOp::AddressBits`). Numbers are followed through arithmetic, parameters and results of
//! direct calls, and locals that hold them; storing one elsewhere needs all of its bits, since what is
//! loaded later is not followed. A load of some bytes of a pointer is noted itself (`IntrinsicOp::AddressBytes`).

use crate::function::FunctionLifter;
use crate::llvm::{LlvmModule, LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use crate::pointer_bytes::{PointerBytes, is_word, stays_local};
use labrys_ir::{Inst, IntrinsicOp};
use rustc_hash::FxHashSet;

/// Masks below this select low bits, such as those that are free in an aligned address.
const LOW_BITS: u64 = 1 << 12;

/// A mask that neither selects nor clears low bits only.
const ALL_BITS: u64 = u64::MAX >> 1;

/// Functions that only write their arguments out.
const WRITERS: [&str; 3] = ["printf", "fprintf", "dprintf"];

/// The integers that were made of addresses.
#[derive(Default)]
pub(crate) struct AddressNumbers<'m> {
    values: FxHashSet<LlvmValue<'m>>,
    /// Functions that return such a number, and are only called directly.
    returning: FxHashSet<LlvmValue<'m>>,
    /// Loads that may read some bytes of a pointer.
    pointer_bytes: FxHashSet<LlvmValue<'m>>,
}

/// Which bits of an address an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NeededBits<'m> {
    /// Those that this operand selects: a mask, or a tag to be put into the low bits.
    Selected(LlvmValue<'m>),
    /// Those of this constant.
    Low(u64),
    All,
}

impl<'m> AddressNumbers<'m> {
    pub(crate) fn of(unit: &'m LlvmModule<'m>) -> AddressNumbers<'m> {
        let mut numbers = AddressNumbers::default();
        // Only these can make or pass on a number, and nearly all programs have few of them.
        let mut passing: Vec<(LlvmValue<'m>, LlvmValue<'m>)> = Vec::new();
        for function in unit.functions() {
            for block in function.blocks() {
                let instructions = block.instructions();
                let may_pass = instructions.filter(|inst| may_pass_on(inst.opcode()));
                passing.extend(may_pass.map(|inst| (function, inst)));
            }
        }
        let mut bytes = PointerBytes::of(unit);
        loop {
            numbers.read_bytes(&mut bytes);
            while (passing.iter()).fold(false, |grows, (f, i)| numbers.pass_on(*f, *i) | grows) {}
            if !bytes.follow(|value| numbers.contains(value)) {
                return numbers;
            }
        }
    }

    /// Loads of whole pointers are numbers; loads of a part are remembered.
    fn read_bytes(&mut self, bytes: &mut PointerBytes<'m>) {
        for load in bytes.loads() {
            match is_word(load) {
                true => self.values.insert(load),
                false => self.pointer_bytes.insert(load),
            };
        }
    }

    /// Is it an integer that was made of an address?
    pub(crate) fn contains(&self, value: LlvmValue<'m>) -> bool {
        self.values.contains(&value)
            || value.kind() == ValueKind::LLVMConstantExprValueKind
                && matches!(value.ty().kind(), LlvmTypeKind::Int(_))
                && holds_address(value)
    }

    /// Follows numbers over one instruction; true if something new was found.
    fn pass_on(&mut self, function: LlvmValue<'m>, inst: LlvmValue<'m>) -> bool {
        match inst.opcode() {
            Opcode::LLVMRet => {
                inst.operand_count() == 1
                    && self.contains(inst.operand(0))
                    && function.is_only_called()
                    && self.returning.insert(function)
            }
            Opcode::LLVMCall => {
                let called = inst.called();
                let mut grows = false;
                if self.takes_numbers(inst) {
                    for (i, param) in called.params().into_iter().enumerate() {
                        grows |= follows(inst, i as u32)
                            && self.contains(inst.operand(i as u32))
                            && self.values.insert(param);
                    }
                }
                let is_whole = inst.ty().kind() == LlvmTypeKind::Int(64);
                grows | (is_whole && self.returning.contains(&called) && self.values.insert(inst))
            }
            _ => self.is_passed_on(inst) && self.values.insert(inst),
        }
    }

    /// Is the result of this operation such a number?
    fn is_passed_on(&self, inst: LlvmValue<'m>) -> bool {
        let operand = |i| inst.operand(i);
        match inst.opcode() {
            Opcode::LLVMPtrToInt => inst.ty().kind() == LlvmTypeKind::Int(64),
            Opcode::LLVMAdd | Opcode::LLVMOr | Opcode::LLVMXor => {
                self.contains(operand(0)) != self.contains(operand(1))
            }
            Opcode::LLVMSub => self.contains(operand(0)) && !self.contains(operand(1)),
            Opcode::LLVMAnd => {
                let is_test = (0..2).any(|i| low_bits(operand(i)).is_some());
                !is_test && self.contains(operand(0)) != self.contains(operand(1))
            }
            Opcode::LLVMSelect => self.contains(operand(1)) || self.contains(operand(2)),
            Opcode::LLVMFreeze => self.contains(operand(0)),
            Opcode::LLVMPHI => inst
                .incoming()
                .iter()
                .any(|(value, _)| self.contains(*value)),
            _ => false,
        }
    }

    /// Does the callee's body say what becomes of the arguments?
    fn takes_numbers(&self, call: LlvmValue<'m>) -> bool {
        let called = call.called();
        called.kind() == ValueKind::LLVMFunctionValueKind && !called.is_declaration()
    }

    /// The operands of an instruction that are addresses as numbers, each with the bits that the
    /// instruction needs.
    pub(crate) fn needs(&self, inst: LlvmValue<'m>) -> Vec<(LlvmValue<'m>, NeededBits<'m>)> {
        if inst.opcode() == Opcode::LLVMPtrToInt {
            let is_cut = inst.ty().kind() != LlvmTypeKind::Int(64);
            let bits = match is_cut {
                true => self.bits_of_cut(inst),
                false => return Vec::new(),
            };
            return vec![(inst.operand(0), bits)];
        }
        let numbers: Vec<u32> = (0..inst.operand_count())
            .filter(|i| self.contains(inst.operand(*i)))
            .collect();
        if numbers.is_empty() {
            return Vec::new();
        }
        let all = || numbers.iter().map(|i| (inst.operand(*i), NeededBits::All));
        let [at] = numbers[..] else {
            // Differences and comparisons are those of the pointers.
            return match inst.opcode() {
                Opcode::LLVMSub | Opcode::LLVMICmp | Opcode::LLVMSelect | Opcode::LLVMPHI => {
                    Vec::new()
                }
                Opcode::LLVMCall => self.needs_of_call(inst, &numbers),
                _ => all().collect(),
            };
        };
        let (number, other) = (inst.operand(at), 1 - at.min(1));
        let bits = match inst.opcode() {
            Opcode::LLVMIntToPtr
            | Opcode::LLVMAdd
            | Opcode::LLVMSelect
            | Opcode::LLVMFreeze
            | Opcode::LLVMPHI => return Vec::new(),
            Opcode::LLVMSub if at == 0 => return Vec::new(),
            Opcode::LLVMAnd | Opcode::LLVMOr | Opcode::LLVMXor => {
                NeededBits::Selected(inst.operand(other))
            }
            Opcode::LLVMURem if at == 0 => match constant(inst.operand(1)) {
                Some(size) if size.is_power_of_two() => NeededBits::Low(size - 1),
                _ => NeededBits::All,
            },
            Opcode::LLVMTrunc => self.bits_of_cut(inst),
            Opcode::LLVMICmp if constant(inst.operand(other)) == Some(0) => return Vec::new(),
            Opcode::LLVMRet if self.is_followed(inst) => return Vec::new(),
            Opcode::LLVMStore if at == 0 && stays_local(inst) => return Vec::new(),
            Opcode::LLVMCall => return self.needs_of_call(inst, &numbers),
            _ => NeededBits::All,
        };
        vec![(number, bits)]
    }

    fn is_followed(&self, ret: LlvmValue<'m>) -> bool {
        ret.function().is_some_and(|f| self.returning.contains(&f))
    }

    fn needs_of_call(
        &self,
        call: LlvmValue<'m>,
        numbers: &[u32],
    ) -> Vec<(LlvmValue<'m>, NeededBits<'m>)> {
        let called = call.called();
        let is_function = called.kind() == ValueKind::LLVMFunctionValueKind;
        if is_function && !call.is_used() && WRITERS.contains(&called.name().as_str()) {
            return Vec::new();
        }
        let takes = self.takes_numbers(call);
        let rest = numbers.iter().filter(|i| !takes || !follows(call, **i));
        rest.map(|i| (call.operand(*i), NeededBits::All)).collect()
    }

    /// The bits of an address that are needed where only its lower half is kept: `(int)address & 7`
    /// needs three.
    fn bits_of_cut(&self, cut: LlvmValue<'m>) -> NeededBits<'m> {
        let mut needed = 0;
        for user in cut.users() {
            let mask = (user.opcode() == Opcode::LLVMAnd)
                .then(|| (0..2).find_map(|i| low_bits(user.operand(i))))
                .flatten();
            match mask {
                Some(mask) => needed |= mask,
                None => return NeededBits::All,
            }
        }
        NeededBits::Low(needed)
    }
}

impl<'m> FunctionLifter<'_, 'm> {
    /// Notes which bits of addresses the next instruction needs as numbers.
    pub(crate) fn note_address_bits(&mut self, inst: LlvmValue<'m>) {
        if inst.opcode() == Opcode::LLVMLoad {
            return self.note_pointer_bytes(inst);
        }
        let never = [Opcode::LLVMBr, Opcode::LLVMAlloca, Opcode::LLVMUnreachable];
        if never.contains(&inst.opcode()) {
            return;
        }
        for (number, bits) in self.program.address_numbers.needs(inst) {
            // A constant of which only a part is left is noted by the address in it.
            let is_whole = matches!(
                number.ty().kind(),
                LlvmTypeKind::Int(64) | LlvmTypeKind::Pointer
            );
            let (number, bits) = match is_whole {
                true => (number, bits),
                false => (address_in(number), NeededBits::All),
            };
            let mask = match bits {
                NeededBits::Selected(mask) => self.scalar_operand(mask),
                NeededBits::Low(mask) => Ok(self.int(64, mask.into())),
                NeededBits::All => Ok(self.int(64, u128::from(ALL_BITS))),
            };
            // What cannot be translated is refused with the instruction itself.
            if let (Ok(number), Ok(mask)) = (self.scalar_operand(number), mask) {
                let args = self.out.add_list(&[number, mask]);
                let results = self.out.add_list(&[]);
                let op = IntrinsicOp::AddressBits;
                self.emit(Inst::Intrinsic { op, args, results });
            }
        }
    }
}

impl<'m> FunctionLifter<'_, 'm> {
    /// Notes that a load may read bytes of a pointer. Whole ones are followed instead.
    fn note_pointer_bytes(&mut self, load: LlvmValue<'m>) {
        let numbers = &self.program.address_numbers;
        if !numbers.pointer_bytes.contains(&load) {
            return;
        }
        let size = self.program.layout.size(load.ty());
        let size = self.int(64, size.into());
        if let Ok(address) = self.scalar_operand(load.operand(0)) {
            let args = self.out.add_list(&[address, size]);
            let results = self.out.add_list(&[]);
            let op = IntrinsicOp::AddressBytes;
            self.emit(Inst::Intrinsic { op, args, results });
        }
    }
}

/// Is this argument of a call the parameter of the function? Two files may declare a function with other
/// types, as old headers and new libraries do; what is left of a number then is not followed.
fn follows(call: LlvmValue<'_>, argument: u32) -> bool {
    let params = call.called().params();
    params.get(argument as usize).is_some_and(|param| {
        argument < call.argument_count() && param.ty().kind() == call.operand(argument).ty().kind()
    })
}

/// Can the result of such an instruction be an address as a number, or can it hand one on?
fn may_pass_on(opcode: Opcode) -> bool {
    matches!(
        opcode,
        Opcode::LLVMPtrToInt
            | Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMSelect
            | Opcode::LLVMFreeze
            | Opcode::LLVMPHI
            | Opcode::LLVMCall
            | Opcode::LLVMRet
    )
}

/// Is there an address in a constant expression, other than in the difference of two?
fn holds_address(value: LlvmValue<'_>) -> bool {
    if value.kind() != ValueKind::LLVMConstantExprValueKind {
        return false;
    }
    match value.opcode() {
        Opcode::LLVMPtrToInt => true,
        Opcode::LLVMSub => holds_address(value.operand(0)) != holds_address(value.operand(1)),
        _ => (0..value.operand_count()).any(|i| holds_address(value.operand(i))),
    }
}

/// The first address in a constant expression that holds one.
fn address_in(value: LlvmValue<'_>) -> LlvmValue<'_> {
    let mut value = value;
    while value.opcode() != Opcode::LLVMPtrToInt {
        let operands = 0..value.operand_count();
        match operands
            .map(|i| value.operand(i))
            .find(|v| holds_address(*v))
        {
            Some(inner) => value = inner,
            None => return value,
        }
    }
    value.operand(0)
}

/// A constant that selects low bits.
fn low_bits(value: LlvmValue<'_>) -> Option<u64> {
    constant(value).filter(|mask| *mask < LOW_BITS)
}

fn constant(value: LlvmValue<'_>) -> Option<u64> {
    let is_number = value.kind() == ValueKind::LLVMConstantIntValueKind;
    is_number.then(|| value.bits() as u64)
}
