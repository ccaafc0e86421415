//! Variable arguments. A caller puts them into a stack object, each in slots of 8 bytes, and
//! passes its address; `va_start` makes a `va_list` of the x86-64 ABI whose register areas are
//! used up, so that the code that clang writes for `va_arg` always reads from that object.

use crate::calls::CallArgument;
use crate::error::{LiftResult, UnsupportedConstruct};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmTypeKind, LlvmValue};
use labrys_ir::{BinOp, Inst, Reg};

/// Offsets in `va_list` and the values that mean "no register is left".
const GP_OFFSET: (i64, u128) = (0, 48);
const FP_OFFSET: (i64, u128) = (4, 176);
const OVERFLOW_AREA: i64 = 8;
const REGISTER_AREA: i64 = 16;
pub(crate) const VA_LIST_SIZE: u64 = 24;

impl<'m> FunctionLifter<'_, 'm> {
    /// Stores the variable arguments; the address of the area, or null if there are none.
    pub(crate) fn variable_area(&mut self, arguments: &[CallArgument<'m>]) -> LiftResult<Reg> {
        if arguments.is_empty() {
            return Ok(self.int(64, 0));
        }
        let mut places = Vec::with_capacity(arguments.len());
        let mut end = 0u64;
        for argument in arguments {
            let (size, align) = match argument.by_value {
                Some((ty, align)) => (self.program.layout.size(ty), align),
                None => {
                    let layout = self.program.layout;
                    (
                        layout.size(argument.ty),
                        u64::from(layout.align(argument.ty)),
                    )
                }
            };
            let place = end.next_multiple_of(align.clamp(8, 4096));
            places.push((place, size));
            end = place + size.next_multiple_of(8);
        }
        let size = u32::try_from(end)
            .map_err(|_| UnsupportedConstruct(format!("variable arguments of {end} bytes")))?;
        let area = self.entry_object(size, 16, 0);
        for (argument, (place, size)) in arguments.iter().zip(places) {
            let slot = self.address(area, place as i64);
            match argument.by_value {
                Some(_) => self.copy_bytes(slot, argument.regs[0], size),
                None => self.store_argument(argument, slot)?,
            }
        }
        Ok(area)
    }

    /// Small integers fill their slot with zeros, as the register that carries them would.
    fn store_argument(&mut self, argument: &CallArgument<'m>, slot: Reg) -> LiftResult<()> {
        if matches!(argument.ty.kind(), LlvmTypeKind::Int(width) if width < 64) {
            let src = self.resize(argument.regs[0], 64);
            self.emit(Inst::Store {
                addr: slot,
                src,
                width: 64,
            });
            return Ok(());
        }
        self.store_regs(argument.ty, slot, &argument.regs)
    }

    pub(crate) fn va_start(&mut self, list: Reg) {
        let area = match self.area {
            Some(area) => area,
            None => self.int(64, 0),
        };
        for (offset, value) in [GP_OFFSET, FP_OFFSET] {
            let addr = self.address(list, offset);
            let src = self.int(32, value);
            self.emit(Inst::Store {
                addr,
                src,
                width: 32,
            });
        }
        let null = self.int(64, 0);
        for (offset, src) in [(OVERFLOW_AREA, area), (REGISTER_AREA, null)] {
            let addr = self.address(list, offset);
            self.emit(Inst::Store {
                addr,
                src,
                width: 64,
            });
        }
    }

    /// The `va_arg` instruction, which clang uses for a few types only.
    pub(crate) fn variable_argument(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let list = self.scalar_operand(value.operand(0))?;
        let layout = self.program.layout;
        let (size, align) = (layout.size(value.ty()), layout.align(value.ty()));
        let place = self.address(list, OVERFLOW_AREA);
        let mut next = self.load_scalar(place, 64);
        if align > 8 {
            next = self.address(next, i64::from(align) - 1);
            let mask = self.int(64, u128::from(!(u64::from(align) - 1)));
            next = self.bin(BinOp::And, 64, next, mask);
        }
        let regs = self.load_regs(value.ty(), next)?;
        let after = self.address(next, size.next_multiple_of(8) as i64);
        self.emit(Inst::Store {
            addr: place,
            src: after,
            width: 64,
        });
        Ok(regs)
    }
}
