//! Results of which C only says their sign or whether they are 0: comparisons of strings, classes of
//! characters, signs of numbers. The C library of the replay gives some number; another one, or a
//! compiler that computes them itself, gives another. Most programs only ask what C says.

use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmValue, Opcode, ValueKind};
use labrys_ir::{IntrinsicOp, Reg};
use llvm_sys::LLVMIntPredicate as Int;

/// Functions whose results have a sure sign.
const SIGNS: &str = "strcmp strncmp memcmp bcmp strcasecmp strncasecmp strcoll strverscmp wcscmp \
    wcsncmp wmemcmp wcscasecmp wcsncasecmp wcscoll __isinf __isinff __isinfl";

/// Functions whose results are sure to be 0 or not.
const TRUTHS: &str = "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct \
    isspace isupper isxdigit iswalnum iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower \
    iswprint iswpunct iswspace iswupper iswxdigit feof ferror __signbit __signbitf __signbitl __isnan \
    __isnanf __isnanl __finite __finitef __finitel";

/// Gives the table of the classes of characters, from which `<ctype.h>` takes a bit.
const CLASSES: &str = "__ctype_b_loc";

impl<'m> FunctionLifter<'_, 'm> {
    /// What a call of a function of the C library gave, as far as it is sure.
    pub(crate) fn unless_unsure(
        &mut self,
        inst: LlvmValue<'m>,
        called: LlvmValue<'m>,
        regs: ScalarRegs,
    ) -> ScalarRegs {
        let name = called.name();
        let own = &self.program.variables.own_functions;
        // Models may rely on each other.
        if own.contains(&name) || !own.contains(&self.out.name) {
            return regs;
        }
        let is_in = |list: &str| list.split(' ').any(|other| other == name);
        let (op, asks) = if is_in(SIGNS) {
            (IntrinsicOp::SignOnly, asks_for_sign as fn(Int) -> bool)
        } else if is_in(TRUTHS) {
            (IntrinsicOp::TruthOnly, asks_for_truth as fn(Int) -> bool)
        } else {
            return regs;
        };
        if is_only_asked(inst, asks) {
            return regs;
        }
        let text = format!("environment: value of {name}");
        regs.into_iter()
            .map(|reg| self.unsure(op, reg, &text))
            .collect()
    }

    /// What `&` gave, which may be the class of a character.
    pub(crate) fn unless_class(&mut self, inst: LlvmValue<'m>, regs: ScalarRegs) -> ScalarRegs {
        let is_class = [inst.operand(0), inst.operand(1)]
            .into_iter()
            .any(is_entry_of_classes);
        if !is_class || is_only_asked(inst, asks_for_truth) {
            return regs;
        }
        let text = "environment: value of a character class";
        regs.into_iter()
            .map(|reg| self.unsure(IntrinsicOp::TruthOnly, reg, text))
            .collect()
    }

    fn unsure(&mut self, op: IntrinsicOp, value: Reg, text: &str) -> Reg {
        let text = self.program.text(text);
        let text = self.int(32, u128::from(text.0));
        let width = self.out.width(value);
        self.intrinsic(op, &[value, text], width)
    }
}

/// Is a value only compared with 0, in one of these ways?
fn is_only_asked(value: LlvmValue<'_>, asks: fn(Int) -> bool) -> bool {
    value.users().into_iter().all(|user| {
        let is_question = user.kind() == ValueKind::LLVMInstructionValueKind
            && user.opcode() == Opcode::LLVMICmp
            && asks(user.int_predicate());
        is_question
            && [user.operand(0), user.operand(1)]
                .into_iter()
                .any(LlvmValue::is_null)
    })
}

fn asks_for_sign(predicate: Int) -> bool {
    !matches!(
        predicate,
        Int::LLVMIntUGT | Int::LLVMIntUGE | Int::LLVMIntULT | Int::LLVMIntULE
    )
}

fn asks_for_truth(predicate: Int) -> bool {
    matches!(predicate, Int::LLVMIntEQ | Int::LLVMIntNE)
}

/// `(*__ctype_b_loc())[c]`, as an integer of any width.
fn is_entry_of_classes(value: LlvmValue<'_>) -> bool {
    let mut entry = value;
    while let Some(inner) = behind(entry, &[Opcode::LLVMZExt, Opcode::LLVMSExt]) {
        entry = inner;
    }
    let place = behind(entry, &[Opcode::LLVMLoad]);
    let table = place.and_then(|place| behind(place, &[Opcode::LLVMGetElementPtr]));
    let call = table.and_then(|table| behind(table, &[Opcode::LLVMLoad]));
    call.is_some_and(|call| {
        call.kind() == ValueKind::LLVMInstructionValueKind
            && call.opcode() == Opcode::LLVMCall
            && call.called().name() == CLASSES
    })
}

/// The first operand of an instruction of one of these kinds.
fn behind<'m>(value: LlvmValue<'m>, opcodes: &[Opcode]) -> Option<LlvmValue<'m>> {
    let is_inst = value.kind() == ValueKind::LLVMInstructionValueKind;
    (is_inst && opcodes.contains(&value.opcode())).then(|| value.operand(0))
}
