//! Unions of numbers and pointers whose member is an input.
//!
//! The harness makes every member, and the bytes of the union are a choice among them
//! (`labrys_choose`). Where a path uses the bytes as a pointer, the member is taken to be a pointer
//! from there on. Numbers in the same bytes would be pointers that the harness has not made: nobody
//! has decided by them before, so whatever comes of the path comes of the pointers as well. A path that
//! decides by the number, too, rests on the assumption that members are not mixed.

use super::{Machine, Step};
use crate::end::PathEnd;
use crate::memory::{ObjectId, Watch, split};
use labrys_expr::{ExprId, ExprKind, ExprOp, VarId};
use labrys_ir::Reg;
use labrys_ledger::Assumption;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// How a part of a condition is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ExprUse {
    Condition,
    /// A pointer, or an input as it is.
    Word,
}

/// Bytes that are chosen together: a pointer must come out as one.
const WORD: u64 = 8;

impl Machine<'_> {
    /// `labrys_choose(ptr, chosen, size)`: the bytes become those at `chosen`, which is a choice that
    /// `labrys_pick` has made; so is each word of them.
    pub(super) fn choose_bytes(&mut self, to: Reg, chosen: Reg, size: Reg) -> Step {
        let size = self.expr(size);
        let size = self.pin(size)?;
        let to = self.expr(to);
        let (to, start) = self.resolve_range(to, size)?;
        let chosen = self.expr(chosen);
        let chosen = self.initialised(chosen)?;
        let vars: Vec<VarId> = self.arena.vars_iter(self.arena.vars(chosen)).collect();
        self.member_choices.extend(vars);
        let mut watches = Vec::new();
        self.watches_of_choices(chosen, start, size, &mut watches);
        let mut at = 0;
        while at < size {
            let bytes = if size - at < WORD { 1 } else { WORD };
            let value = self.without_resting(|m| m.chosen_value(chosen, at, bytes as u8 * 8))?;
            let place = self.arena.constant(64, (to.base() + start + at).into());
            let slot = self.slot_of(value);
            self.store_value(place, slot, bytes as u8 * 8)?;
            at += bytes;
        }
        if let Some(target) = self.state.memory.object_mut(to) {
            watches.into_iter().for_each(|watch| target.watch(watch));
        }
        Ok(())
    }

    /// The bits at a distance to a chosen address.
    fn chosen_value(&mut self, chosen: ExprId, at: u64, bits: u8) -> Step<ExprId> {
        if let ExprKind::Ite(c, x, y) = self.arena.kind(chosen) {
            let x = self.chosen_value(x, at, bits)?;
            let y = self.chosen_value(y, at, bits)?;
            return Ok(self.arena.ite(c, x, y));
        }
        let distance = self.arena.constant(64, at.into());
        let place = self.arena.add(chosen, distance);
        let slot = self.load_value(place, bits)?;
        Ok(match slot.expr {
            Some(e) => e,
            None => self.arena.constant(bits, slot.bits.into()),
        })
    }

    /// What the bytes that may be chosen are watched for, moved to `to`.
    fn watches_of_choices(&self, chosen: ExprId, to: u64, size: u64, found: &mut Vec<Watch>) {
        if let ExprKind::Ite(_, x, y) = self.arena.kind(chosen) {
            self.watches_of_choices(x, to, size, found);
            return self.watches_of_choices(y, to, size, found);
        }
        let Some(address) = self.arena.as_const(chosen) else {
            return;
        };
        let (id, from) = split(address as u64);
        let Some(object) = self.state.memory.object(id) else {
            return;
        };
        let moved = |at: u32| (u64::from(at).clamp(from, from + size) - from + to) as u32;
        found.extend(object.touched(from, size).map(|watch| Watch {
            start: moved(watch.start),
            end: moved(watch.end),
            ..watch.clone()
        }));
    }

    /// The input that says which member it is, if the condition asks for that.
    fn member_choice(&self, condition: ExprId) -> Option<VarId> {
        if self.member_choices.is_empty() {
            return None;
        }
        let vars = self.arena.vars(condition);
        let mut vars = self.arena.vars_iter(vars);
        vars.find(|var| self.member_choices.contains(var))
    }

    /// The pointer that a union holds, without the members that are none.
    pub(super) fn pointer_member(&mut self, pointer: ExprId) -> Step<ExprId> {
        let mut pointer = pointer;
        if self.member_choices.is_empty() {
            return Ok(pointer);
        }
        pointer = self.initialised(pointer)?;
        while let ExprKind::Ite(c, x, y) = self.arena.kind(pointer) {
            let Some(member) = self.used_as_pointer(c, x, y)? else {
                break;
            };
            pointer = member;
        }
        Ok(pointer)
    }

    /// The path uses the choice between `x` and `y` as a pointer: says which one it is; `None` if this
    /// is no choice of a member.
    pub(super) fn used_as_pointer(
        &mut self,
        c: ExprId,
        x: ExprId,
        y: ExprId,
    ) -> Step<Option<ExprId>> {
        let Some(choice) = self.member_choice(c) else {
            return Ok(None);
        };
        let sides = [x, y].map(|side| self.may_be_made(side));
        self.mark_label_doubtful();
        let mixed = self.is_mixed(choice);
        if sides[0] == sides[1] {
            return Ok(Some(if self.split_once(c)? { x } else { y }));
        }
        let (goal, pointer) = match sides[0] {
            true => (c, x),
            false => (self.arena.not(c), y),
        };
        if self.state.speculation.is_none() && !mixed && self.settled(goal).is_none() {
            match self.assume(goal) {
                // Another word of the union is a pointer of another member.
                Err(PathEnd::AssumptionFailed) => {}
                done => return done.map(|()| Some(pointer)),
            }
        } else if self.split_once(goal)? {
            return Ok(Some(pointer));
        }
        let flag = self.members_text();
        self.rest_on(&flag);
        Err(PathEnd::HarnessLimit {
            flag: flag.to_string(),
        })
    }

    /// May it be a pointer that the harness has made?
    fn may_be_made(&self, e: ExprId) -> bool {
        match self.arena.kind(e) {
            ExprKind::Const(_) | ExprKind::Table(..) => true,
            ExprKind::Ite(_, x, y) => self.may_be_made(x) || self.may_be_made(y),
            ExprKind::Binary(ExprOp::Add, a, b) => {
                let leads = |e: ExprId| {
                    let address = self.arena.as_const(e);
                    address.is_none_or(|value| split(value as u64).0 != ObjectId::NULL)
                        && self.may_be_made(e)
                };
                leads(a) || leads(b)
            }
            _ => false,
        }
    }

    /// From here on the bytes are a pointer on this path. True if it has decided by them as a number,
    /// too; that it will is noted when it does.
    fn is_mixed(&mut self, choice: VarId) -> bool {
        let known = self.state.pointer_members.iter();
        if let Some((_, mixed)) = known.copied().find(|(known, _)| *known == choice) {
            return mixed;
        }
        // Where paths meet, nobody knows any more what was decided by.
        let mixed = self.looks_at_sets() || {
            let path: Vec<ExprId> = self.state.path.iter().collect();
            path.into_iter().any(|c| self.decides_by_number(c, choice))
        };
        if self.state.speculation.is_none() {
            Rc::make_mut(&mut self.state.pointer_members).push((choice, mixed));
        }
        if mixed {
            self.mix_members();
        }
        mixed
    }

    /// A condition joins the path: does it decide by a pointer as a number?
    pub(super) fn note_member_condition(&mut self, condition: ExprId) {
        for place in 0..self.state.pointer_members.len() {
            let (choice, mixed) = self.state.pointer_members[place];
            if !mixed && self.decides_by_number(condition, choice) {
                Rc::make_mut(&mut self.state.pointer_members)[place].1 = true;
                self.mix_members();
            }
        }
    }

    fn mix_members(&mut self) {
        self.state.doubts.layout |= self.state.speculation.is_none();
        let flag = self.members_text();
        self.rest_on(&flag);
    }

    fn members_text(&mut self) -> Rc<str> {
        self.text(&Assumption::UnionMembers.to_string())
    }

    /// Does the condition ask more of the bytes than pointers are asked for: whether they are null, or
    /// equal to another pointer?
    fn decides_by_number(&self, condition: ExprId, choice: VarId) -> bool {
        let mut vars = self.arena.vars_iter(self.arena.vars(condition));
        vars.any(|var| var == choice) && !self.asks_for_pointers(condition)
    }

    fn asks_for_pointers(&self, condition: ExprId) -> bool {
        let mut seen = FxHashSet::default();
        let mut open = vec![(condition, ExprUse::Condition)];
        while let Some((e, used)) = open.pop() {
            if !seen.insert((e, used)) {
                continue;
            }
            match (used, self.arena.kind(e)) {
                (ExprUse::Condition, ExprKind::Const(_)) | (ExprUse::Word, ExprKind::Var(_)) => {}
                (_, ExprKind::Ite(c, x, y)) => {
                    open.extend([(c, ExprUse::Condition), (x, used), (y, used)]);
                }
                (ExprUse::Condition, ExprKind::Unary(ExprOp::Not, a)) => open.push((a, used)),
                (
                    ExprUse::Condition,
                    ExprKind::Binary(ExprOp::And | ExprOp::Or | ExprOp::Xor, a, b),
                ) => open.extend([(a, used), (b, used)]),
                (ExprUse::Condition, ExprKind::Binary(ExprOp::Eq, a, b)) => {
                    open.extend([(a, ExprUse::Word), (b, ExprUse::Word)]);
                }
                // How many members there are to choose from.
                (ExprUse::Condition, ExprKind::Binary(ExprOp::Ult, a, b))
                    if matches!(self.arena.kind(a), ExprKind::Var(_))
                        && self.arena.as_const(b).is_some() => {}
                // The numbers of choices are small; an address leads to an object.
                (ExprUse::Word, ExprKind::Const(value))
                    if self.arena.width(e) < 64
                        || value == 0
                        || split(value as u64).0 != ObjectId::NULL => {}
                _ => return false,
            }
        }
        true
    }
}
