//! Vectors lane by lane, and bit casts between values of different lanes.

use crate::error::{LiftResult, unsupported};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmValue, ValueKind};
use crate::memory::widths;
use labrys_ir::{BinOp, CastOp, CmpOp, Reg};
use smallvec::smallvec;

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn bit_cast(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let sources = self.get(value.operand(0))?;
        let shape = self.program.shape(value.ty())?;
        Ok(self.regroup(&sources, &widths(&shape)))
    }

    /// Cuts the bits of some registers, lowest first, into registers of other widths.
    pub(crate) fn regroup(&mut self, sources: &[Reg], targets: &[u8]) -> ScalarRegs {
        let same = sources.len() == targets.len()
            && sources
                .iter()
                .zip(targets)
                .all(|(reg, width)| self.out.width(*reg) == *width);
        if same {
            return sources.iter().copied().collect();
        }
        let mut starts = Vec::with_capacity(sources.len());
        let mut total = 0;
        for source in sources {
            starts.push(total);
            total += u32::from(self.out.width(*source));
        }
        let mut regs = ScalarRegs::new();
        let mut low = 0;
        for target in targets {
            let high = low + u32::from(*target);
            let mut whole: Option<Reg> = None;
            for (source, start) in sources.iter().zip(&starts) {
                let end = start + u32::from(self.out.width(*source));
                if end <= low || *start >= high {
                    continue;
                }
                let piece = self.piece(*source, low.saturating_sub(*start), *target);
                let piece = self.shift_left(piece, start.saturating_sub(low));
                whole = Some(match whole {
                    None => piece,
                    Some(other) => self.bin(BinOp::Or, *target, other, piece),
                });
            }
            regs.push(match whole {
                Some(reg) => reg,
                None => self.undef(*target),
            });
            low = high;
        }
        regs
    }

    /// The bits of a register from `skip` on, in a register of another width.
    fn piece(&mut self, source: Reg, skip: u32, width: u8) -> Reg {
        let from = self.out.width(source);
        let shifted = if skip == 0 {
            source
        } else {
            let distance = self.int(from, u128::from(skip));
            self.bin(BinOp::LShr, from, source, distance)
        };
        self.resize(shifted, width)
    }

    fn shift_left(&mut self, reg: Reg, distance: u32) -> Reg {
        if distance == 0 {
            return reg;
        }
        let width = self.out.width(reg);
        let distance = self.int(width, u128::from(distance));
        self.bin(BinOp::Shl, width, reg, distance)
    }

    pub(crate) fn extract_element(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let lanes = self.get(value.operand(0))?;
        let index = value.operand(1);
        if index.kind() == ValueKind::LLVMConstantIntValueKind {
            let picked = usize::try_from(index.bits())
                .ok()
                .and_then(|i| lanes.get(i));
            return match picked {
                Some(reg) => Ok(smallvec![*reg]),
                None => self.undef_of(value.ty()),
            };
        }
        let index = self.scalar_operand(index)?;
        let Some((first, rest)) = lanes.split_first() else {
            return unsupported("an empty vector");
        };
        let mut picked = *first;
        for (i, lane) in rest.iter().enumerate() {
            let here = self.is_lane(index, i + 1);
            picked = self.select(here, *lane, picked);
        }
        Ok(smallvec![picked])
    }

    pub(crate) fn insert_element(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let mut lanes = self.get(value.operand(0))?;
        let new = self.scalar_operand(value.operand(1))?;
        let index = value.operand(2);
        if index.kind() == ValueKind::LLVMConstantIntValueKind {
            let place = usize::try_from(index.bits()).ok();
            if let Some(lane) = place.and_then(|i| lanes.get_mut(i)) {
                *lane = new;
            }
            return Ok(lanes);
        }
        let index = self.scalar_operand(index)?;
        for (i, lane) in lanes.iter_mut().enumerate() {
            let here = self.is_lane(index, i);
            *lane = self.select(here, new, *lane);
        }
        Ok(lanes)
    }

    fn is_lane(&mut self, index: Reg, lane: usize) -> Reg {
        let width = self.out.width(index);
        let number = self.int(width, lane as u128);
        self.cmp(CmpOp::Eq, width, index, number)
    }

    pub(crate) fn shuffle(&mut self, value: LlvmValue<'m>) -> LiftResult<ScalarRegs> {
        let mut lanes = self.get(value.operand(0))?;
        lanes.extend(self.get(value.operand(1))?);
        let width = match self.program.shape(value.ty())?.parts.first() {
            Some(leaf) => leaf.width,
            None => return unsupported("an empty vector"),
        };
        Ok(value
            .shuffle_mask()
            .into_iter()
            .map(|lane| match lane.and_then(|lane| lanes.get(lane)) {
                Some(reg) => *reg,
                None => self.undef(width),
            })
            .collect())
    }

    /// Sign-extends to a width that is not smaller.
    pub(crate) fn sign_extend(&mut self, src: Reg, width: u8) -> Reg {
        if self.out.width(src) == width {
            src
        } else {
            self.cast(CastOp::SExt, src, width)
        }
    }
}
