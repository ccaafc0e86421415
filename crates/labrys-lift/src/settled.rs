//! Variables that hold their initial value at all times, although something stores to them: each such
//! store stands where the variable would already have to hold something else, as in
//! `if (handle == -2) handle = open_it();` with a `handle` that begins with -1. In comes a variable
//! that only its unit knows, before anything is dropped from the program.
//!
//! The first store of another value in a run would have to be executed while all loads of the variable
//! still give its initial value. So conditions on these are decided, and if no store of another value
//! can be reached then, there is no first one.

use crate::llvm::{LlvmBlock, LlvmTypeKind, LlvmValue, Opcode, ValueKind};
use llvm_sys::LLVMIntPredicate;
use rustc_hash::FxHashSet;

/// Conditions are looked through so many operations.
const MOST_OPERATIONS: u32 = 16;

/// The calls around conditions that the front end writes, and the argument that they return.
const RETURN_ARGUMENT: [(&str, u32); 2] = [("labrys_cond", 2), ("labrys_decision", 1)];

/// The call by which a harness records what a variable holds.
const RECORDS: &str = "labrys_output";

/// Does this variable, of which other units know nothing, always hold its initial value?
pub(crate) fn holds_initial_value(variable: LlvmValue<'_>) -> bool {
    let Some(settled) = SettledVariable::of(variable) else {
        return false;
    };
    let mut functions = FxHashSet::default();
    for (user, operand) in variable.uses() {
        if user.kind() != ValueKind::LLVMInstructionValueKind || !settled.is_whole(user, operand) {
            return false;
        }
        if user.opcode() == Opcode::LLVMStore {
            let Some(function) = user.function() else {
                return false;
            };
            functions.insert(function);
        }
    }
    functions
        .into_iter()
        .all(|function| settled.is_unchanged_by(function))
}

/// A variable that is believed to hold its initial value.
struct SettledVariable<'m> {
    variable: LlvmValue<'m>,
    initial: HeldNumber,
}

/// A number of so many bits, at most 64.
#[derive(Clone, Copy, PartialEq, Eq)]
struct HeldNumber {
    bits: u64,
    width: u32,
}

impl HeldNumber {
    fn new(bits: u64, width: u32) -> HeldNumber {
        let bits = match width {
            64.. => bits,
            _ => bits & ((1 << width) - 1),
        };
        HeldNumber { bits, width }
    }

    fn signed(self) -> i64 {
        let unused = 64 - self.width.min(64);
        ((self.bits << unused) as i64) >> unused
    }

    fn truth(value: bool) -> HeldNumber {
        HeldNumber::new(value.into(), 1)
    }
}

impl<'m> SettledVariable<'m> {
    fn of(variable: LlvmValue<'m>) -> Option<Self> {
        let initial = constant(variable.initializer()?)?;
        Some(SettledVariable { variable, initial })
    }

    /// Does this instruction read or write it as a whole, or record it, and nothing else with its
    /// address?
    fn is_whole(&self, user: LlvmValue<'m>, operand: u32) -> bool {
        let ty = match (user.opcode(), operand) {
            (Opcode::LLVMCall, 1) => return is_declared(user.called(), RECORDS),
            (Opcode::LLVMLoad, 0) => user.ty(),
            (Opcode::LLVMStore, 1) => user.operand(0).ty(),
            _ => return false,
        };
        let is_number =
            matches!(ty.kind(), LlvmTypeKind::Int(width) if width == self.initial.width);
        is_number && !user.is_volatile()
    }

    /// Can no store of another value be reached in this function, as long as the variable holds its
    /// initial value?
    fn is_unchanged_by(&self, function: LlvmValue<'m>) -> bool {
        let blocks = function.blocks();
        let by_address = blocks.iter().filter(|block| block.has_address_taken());
        let mut open: Vec<LlvmBlock<'m>> = blocks
            .first()
            .into_iter()
            .chain(by_address)
            .copied()
            .collect();
        let mut seen = FxHashSet::from_iter(open.iter().copied());
        while let Some(block) = open.pop() {
            if block
                .instructions()
                .any(|instruction| self.is_changed_by(instruction))
            {
                return false;
            }
            let next = self.ways_on(block);
            open.extend(next.into_iter().filter(|next| seen.insert(*next)));
        }
        true
    }

    fn is_changed_by(&self, instruction: LlvmValue<'m>) -> bool {
        instruction.opcode() == Opcode::LLVMStore
            && instruction.operand(1) == self.variable
            && self.value(instruction.operand(0), MOST_OPERATIONS) != Some(self.initial)
    }

    /// The blocks that can follow.
    fn ways_on(&self, block: LlvmBlock<'m>) -> Vec<LlvmBlock<'m>> {
        let Some(last) = block.instructions().last() else {
            return Vec::new();
        };
        let condition = match last.opcode() {
            Opcode::LLVMBr => last.branch_condition(),
            _ => None,
        };
        let decided = condition.and_then(|condition| self.value(condition, MOST_OPERATIONS));
        match decided {
            Some(HeldNumber { bits: 0, .. }) => vec![last.successor(1)],
            Some(_) => vec![last.successor(0)],
            None => block.successors(),
        }
    }

    /// What a value is, if that is decided.
    fn value(&self, value: LlvmValue<'m>, operations: u32) -> Option<HeldNumber> {
        if value.kind() == ValueKind::LLVMConstantIntValueKind {
            return constant(value);
        }
        let left = operations.checked_sub(1)?;
        if value.kind() != ValueKind::LLVMInstructionValueKind {
            return None;
        }
        let operand = |index| self.value(value.operand(index), left);
        let width = match value.ty().kind() {
            LlvmTypeKind::Int(width @ 1..=64) => width,
            _ => return None,
        };
        match value.opcode() {
            Opcode::LLVMLoad if value.operand(0) == self.variable => Some(self.initial),
            Opcode::LLVMZExt | Opcode::LLVMTrunc => Some(HeldNumber::new(operand(0)?.bits, width)),
            Opcode::LLVMSExt => Some(HeldNumber::new(operand(0)?.signed() as u64, width)),
            Opcode::LLVMXor => Some(HeldNumber::new(operand(0)?.bits ^ operand(1)?.bits, width)),
            Opcode::LLVMICmp => Some(compare(value.int_predicate(), operand(0)?, operand(1)?)),
            Opcode::LLVMCall => operand(returned_argument(value)?),
            _ => None,
        }
    }
}

fn is_declared(callee: LlvmValue<'_>, name: &str) -> bool {
    let is_function = callee.kind() == ValueKind::LLVMFunctionValueKind;
    is_function && callee.is_declaration() && callee.name() == name
}

fn constant(value: LlvmValue<'_>) -> Option<HeldNumber> {
    match (value.kind(), value.ty().kind()) {
        (ValueKind::LLVMConstantIntValueKind, LlvmTypeKind::Int(width @ 1..=64)) => {
            Some(HeldNumber::new(value.bits() as u64, width))
        }
        _ => None,
    }
}

/// The argument that a call around a condition returns.
fn returned_argument(call: LlvmValue<'_>) -> Option<u32> {
    let callee = call.called();
    let mut known = RETURN_ARGUMENT.iter();
    let known = known.find(|(name, _)| is_declared(callee, name));
    known.map(|(_, argument)| *argument)
}

fn compare(predicate: LLVMIntPredicate, left: HeldNumber, right: HeldNumber) -> HeldNumber {
    let (unsigned, signed) = (
        left.bits.cmp(&right.bits),
        left.signed().cmp(&right.signed()),
    );
    HeldNumber::truth(match predicate {
        LLVMIntPredicate::LLVMIntEQ => unsigned.is_eq(),
        LLVMIntPredicate::LLVMIntNE => unsigned.is_ne(),
        LLVMIntPredicate::LLVMIntUGT => unsigned.is_gt(),
        LLVMIntPredicate::LLVMIntUGE => unsigned.is_ge(),
        LLVMIntPredicate::LLVMIntULT => unsigned.is_lt(),
        LLVMIntPredicate::LLVMIntULE => unsigned.is_le(),
        LLVMIntPredicate::LLVMIntSGT => signed.is_gt(),
        LLVMIntPredicate::LLVMIntSGE => signed.is_ge(),
        LLVMIntPredicate::LLVMIntSLT => signed.is_lt(),
        LLVMIntPredicate::LLVMIntSLE => signed.is_le(),
    })
}
