//! Native calls of library functions: what is symbolic is pinned first, the other values become
//! candidates.

use super::{Machine, Step};
use crate::memory::{Slot, Watch, WatchKind};
use crate::program::native::{NativeFunction, NativeValue};
use labrys_expr::{ExprId, float};
use labrys_ir::{Reg, RegList};
use std::ffi::CString;

/// Bytes of `errno`.
const ERRNO_BYTES: u64 = 4;

/// Values at which functions of the library differ.
const SUGGESTIONS: [f64; 16] = [
    0.0,
    1.0,
    -1.0,
    0.5,
    2.0,
    -2.5,
    4.0,
    10.0,
    -30.0,
    123.4,
    1e-3,
    1e6,
    1e300,
    -1e300,
    f64::INFINITY,
    f64::NAN,
];

impl Machine<'_> {
    pub(super) fn native_call(
        &mut self,
        function: &NativeFunction,
        args: RegList,
        to: RegList,
    ) -> Step {
        let regs: Vec<Reg> = self.function().list(args).to_vec();
        let mut regs = regs.into_iter();
        let mut next = |machine: &Self| match regs.next() {
            Some(reg) => Ok(reg),
            None => machine.unsupported("a library function is called with too few arguments"),
        };
        let mut values = Vec::new();
        let mut outs = Vec::new();
        // Strings have to live until the call is over.
        let mut texts = Vec::new();
        for part in &function.args {
            let reg = next(self)?;
            match *part {
                NativeValue::Number(_) => values.push(self.pin_argument(reg, function)?),
                NativeValue::Real(_) => {
                    self.suggest(reg)?;
                    values.push(self.pin_argument(reg, function)?);
                }
                NativeValue::Complex(_) => {
                    values.push(self.pin_argument(reg, function)?);
                    let imaginary = next(self)?;
                    values.push(self.pin_argument(imaginary, function)?);
                }
                NativeValue::ComplexObject => {
                    let address = self.expr(reg);
                    for offset in [0, 16] {
                        let e = self.load_at(address, offset, 80)?;
                        values.push(self.pin_for(e, function)?);
                    }
                }
                NativeValue::Text => {
                    let text = self.pinned_string(reg)?;
                    let text = CString::new(text).unwrap_or_default();
                    values.push(text.as_ptr() as usize as u128);
                    texts.push(text);
                }
                NativeValue::Out(width) => outs.push((self.expr(reg), width)),
            }
        }
        let call = function.call(&values);
        drop(texts);
        let mut given = call.values.into_iter();
        let mut returned = Vec::new();
        let count = match function.result {
            None => 0,
            Some(NativeValue::Complex(_)) => 2,
            Some(_) => 1,
        };
        let widths: Vec<u8> = {
            let function = self.function();
            let results = function.list(to).iter();
            results.map(|reg| function.width(*reg)).collect()
        };
        for i in 0..count {
            let value = given.next().unwrap_or(0);
            if let Some(width) = widths.get(i) {
                returned.push(self.number(value, *width));
            }
        }
        for ((address, width), value) in outs.into_iter().zip(given) {
            let slot = self.number(value, width);
            self.store_value(address, slot, width)?;
        }
        if call.errno != 0 {
            let number = self.arena.constant(32, call.errno as u32 as u128);
            self.set_errno(number);
        }
        self.set_results(to, &returned);
        Ok(())
    }

    /// Leaves candidates with values of all sizes for an argument that is about to be pinned. They
    /// are among "another value", but a solver would come to them late.
    fn suggest(&mut self, reg: Reg) -> Step {
        let e = self.expr(reg);
        let width = self.arena.width(e);
        if self.arena.as_const(e).is_some()
            || self.arena.is_uninit(e)
            || self.arena.is_assumed(e)
            || self.state.speculation.is_some()
        {
            return Ok(());
        }
        self.fork_point()?;
        let again = self.fork_place.resumed;
        let mut shared = None;
        for value in SUGGESTIONS {
            let bits = float::convert(64, width, value.to_bits().into());
            let constant = self.arena.constant(width, bits);
            let goal = self.arena.eq(e, constant);
            if again || self.holds(goal) {
                self.skip_way();
            } else {
                self.fork_bonus(goal, &mut shared);
            }
        }
        Ok(())
    }

    fn number(&mut self, value: u128, width: u8) -> Slot {
        let e = self.arena.constant(width, value);
        self.slot_of(e)
    }

    fn pin_argument(&mut self, reg: Reg, function: &NativeFunction) -> Step<u128> {
        let e = self.expr(reg);
        self.pin_for(e, function)
    }

    fn pin_for(&mut self, e: ExprId, function: &NativeFunction) -> Step<u128> {
        let before = self.work.pinned;
        let value = self.pin_wide(e)?;
        if self.work.pinned > before {
            *self.native_pins.entry(function.name.clone()).or_default() += 1;
        }
        Ok(value)
    }

    pub(super) fn load_at(&mut self, address: ExprId, offset: u64, width: u8) -> Step<ExprId> {
        let offset = self.arena.constant(64, offset.into());
        let place = self.arena.add(address, offset);
        let slot = self.load_value(place, width)?;
        Ok(match slot.expr {
            Some(e) => e,
            None => self.arena.constant(width, slot.bits.into()),
        })
    }

    /// The program's `errno` with what it rests on; it is nowhere if the program never looks at it.
    pub(super) fn errno(&mut self) -> Option<ExprId> {
        let (id, offset) = self.program.errno?;
        let object = self.state.memory.object(id)?.clone();
        let slot = self.read_at(&object, offset, ERRNO_BYTES, 32);
        Some(match slot.expr {
            Some(e) => e,
            None => self.arena.constant(32, slot.bits.into()),
        })
    }

    /// A call has succeeded only by an assumption: else `errno` would be another one. Nearly nobody
    /// looks at it, so it is watched and not changed.
    pub(super) fn errno_rests_on(&mut self, text: &str) {
        let Some((id, offset)) = self.program.errno else {
            return;
        };
        let flag = self.text(text);
        let Some(object) = self.state.memory.object(id) else {
            return;
        };
        let is_known = object.touched(offset, ERRNO_BYTES).any(|w| w.flag == flag);
        if !is_known
            && self.state.speculation.is_none()
            && let Some(object) = self.state.memory.object_mut(id)
        {
            object.watch(Watch {
                start: offset as u32,
                end: (offset + ERRNO_BYTES) as u32,
                flag,
                kind: WatchKind::Deciding,
            });
        }
    }

    pub(super) fn set_errno(&mut self, value: ExprId) {
        if self.state.speculation.is_none()
            && let Some((id, offset)) = self.program.errno
            && let Some(object) = self.state.memory.object_mut(id)
        {
            object.put_expr(&mut self.arena, offset, value);
        }
    }
}
