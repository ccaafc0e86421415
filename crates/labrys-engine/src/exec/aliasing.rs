//! What a path rests on because the harness has put its objects where they are: reads of bytes that
//! another object could have changed, and questions about pairs of pointers. Objects that nothing
//! else could lie on are not guarded and never come here.

use super::{Machine, Step};
use crate::memory::{AliasChoices, AliasObject, ObjectId, split};
use crate::state::StubAccess;
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ir::{IntrinsicOp, Reg, RegList, ScalarKinds};
use labrys_ledger::Assumption;
use std::rc::Rc;

/// A pointer with more possible objects than this is taken for one that may lead anywhere.
const MAX_TARGETS: usize = 64;

/// An object that a pointer may lead to, and where in it if that is known. `None`: anywhere.
type PointerTarget = Option<(ObjectId, Option<u64>)>;

impl Machine<'_> {
    /// `labrys_own(ptr, stride, kinds, group, choices, records)`
    pub(super) fn mark_own(&mut self, args: RegList) -> Step {
        let pointer = self.argument(args, 0)?;
        let pointer = self.expr(pointer);
        let object = split(self.pin_pointer(pointer)?).0;
        let stride = self.argument(args, 1)?;
        let stride = self.value(stride);
        let mut texts = Vec::new();
        for i in 2..6 {
            let text = self.argument(args, i)?;
            texts.push(self.c_string(text)?);
        }
        let [kinds, group, choices, records] = texts.as_slice() else {
            return Ok(());
        };
        let Some(size) = self.state.memory.object(object).map(|o| o.size()) else {
            return Ok(());
        };
        self.know_variables();
        self.know_what_stubs_know();
        let choices = AliasChoices::by_name(choices);
        let is_alone = choices == AliasChoices::Alone;
        let records = records.split(',').filter(|name| !name.is_empty());
        self.know_object(AliasObject {
            object,
            size,
            stride,
            kinds: ScalarKinds::parse(kinds),
            made: true,
            group: group.clone(),
            choices,
            records: records.map(str::to_owned).collect(),
        });
        if !is_alone {
            // It may lie where functions without a body find it, such as in a variable of another
            // file.
            self.make_known(object, StubAccess::Writes);
        }
        Ok(())
    }

    /// The variables of the program that pointers of a caller may lead to.
    fn know_variables(&mut self) {
        if !self.state.aliases.is_empty() {
            return;
        }
        for (object, size, kinds) in self.program.exposed_globals() {
            self.know_object(AliasObject {
                object,
                size,
                stride: size,
                kinds,
                made: false,
                group: String::new(),
                choices: AliasChoices::Nothing,
                records: Vec::new(),
            });
        }
    }

    /// A function without a body may return a pointer to anything that it knows.
    fn know_what_stubs_know(&mut self) {
        let known = self.state.known_to_stubs.clone();
        for id in known.keys() {
            let object = self.state.memory.object(*id).filter(|o| !o.is_constant());
            let Some(size) = object.map(|o| o.size()) else {
                continue;
            };
            if self.state.aliases.get(*id).is_none() {
                self.know_object(AliasObject {
                    object: *id,
                    size,
                    stride: 1,
                    kinds: ScalarKinds::UNKNOWN,
                    made: false,
                    group: String::new(),
                    choices: AliasChoices::Nothing,
                    records: Vec::new(),
                });
            }
        }
    }

    fn know_object(&mut self, object: AliasObject) {
        let guarded = Rc::make_mut(&mut self.state.aliases).add(object);
        for object in guarded {
            if let Some(object) = self.state.memory.object_mut(object) {
                object.guard(true);
            }
        }
    }

    /// `labrys_offer(ptr, stride, group, choices)`
    pub(super) fn mark_offered(&mut self, args: RegList) -> Step {
        let pointer = self.argument(args, 0)?;
        let pointer = self.expr(pointer);
        let object = split(self.pin_pointer(pointer)?).0;
        let stride = self.argument(args, 1)?;
        let stride = self.value(stride);
        let (group, choices) = (self.argument(args, 2)?, self.argument(args, 3)?);
        let (group, choices) = (self.c_string(group)?, self.c_string(choices)?);
        self.know_variables();
        let variable = self.state.aliases.get(object).filter(|known| !known.made);
        if let Some(variable) = variable.cloned() {
            self.know_object(AliasObject {
                stride,
                group,
                choices: AliasChoices::by_name(&choices),
                ..variable
            });
        }
        Ok(())
    }

    /// `labrys_inputs_made()`
    pub(super) fn inputs_made(&mut self) {
        if !self.state.aliases.is_empty() {
            Rc::make_mut(&mut self.state.aliases).activate();
        }
    }

    /// Bytes of a guarded object are read: scalars of this size, or of any.
    pub(super) fn reads(&mut self, object: ObjectId, range: (u64, u64), scalar: Option<u64>) {
        if self.state.aliases.is_active() && self.state.aliases.is_stale(object, range, scalar) {
            self.rests_on_aliasing();
        }
    }

    /// Bytes of a guarded object are written; `None` if it is not known which.
    pub(super) fn writes(
        &mut self,
        object: ObjectId,
        range: Option<(u64, u64)>,
        scalar: Option<u64>,
    ) {
        if !self.state.aliases.is_active() || self.state.speculation.is_some() {
            return;
        }
        let whole = self.state.memory.object(object).map_or(0, |o| o.size());
        let mut changes =
            self.state
                .aliases
                .after_write(object, range.unwrap_or((0, whole)), scalar);
        if range.is_none() {
            // It is not known which of its bytes are new.
            changes.retain(|(number, _)| !self.state.aliases.is_object(*number, object));
        }
        if !changes.is_empty() {
            Rc::make_mut(&mut self.state.aliases).apply(changes);
        }
    }

    /// A range of any object is written, scalars of any size.
    pub(super) fn writes_range(&mut self, (object, offset): (ObjectId, u64), len: u64) {
        let guarded = self.state.memory.object(object);
        if guarded.is_some_and(|o| o.is_guarded()) {
            self.writes(object, Some((offset, len)), None);
        }
    }

    /// From here on the path would be another one if objects lay on each other.
    fn rests_on_aliasing(&mut self) {
        let flag = self.text(&Assumption::Aliasing.to_string());
        self.rest_on(&flag);
        if self.state.speculation.is_some() {
            return;
        }
        // Whatever else rests on it comes later on this path: nothing more can be learned.
        for object in Rc::make_mut(&mut self.state.aliases).close() {
            if let Some(object) = self.state.memory.object_mut(object) {
                object.guard(false);
            }
        }
    }

    /// The program is about to ask whether two pointers are equal, or for their order or distance.
    pub(super) fn pointer_pair(&mut self, question: IntrinsicOp, a: Reg, b: Reg) {
        let ordered = question != IntrinsicOp::PointersEqual;
        let distance = question == IntrinsicOp::PointersSubtracted;
        if self.is_untried_mark(a, b) || self.is_untried_mark(b, a) {
            return self.rests_on_aliasing();
        }
        if !self.state.aliases.is_active() {
            return;
        }
        let [x, y] = [a, b].map(|pointer| self.plain_pointer(pointer));
        let (mut xs, mut ys) = (Vec::new(), Vec::new());
        self.pointer_targets(x, &mut xs);
        self.pointer_targets(y, &mut ys);
        let pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y)));
        let pairs: Vec<_> = pairs.collect();
        for (x, y) in pairs {
            match (x, y) {
                (Some(x), Some(y)) if x.0 == y.0 => self.same_object(x, y, distance),
                (Some(x), Some(y)) => {
                    if self.state.aliases.may_meet(x, y, ordered) {
                        return self.rests_on_aliasing();
                    }
                }
                _ => return self.rests_on_aliasing(),
            }
        }
    }

    fn plain_pointer(&mut self, pointer: Reg) -> ExprId {
        let pointer = self.expr(pointer);
        self.arena.without_assumptions(pointer).0
    }

    /// Is the one a number that programs use as a mark, such as `(char *)-1`, and the other a pointer
    /// of the caller's, who could have passed the mark, too?
    fn is_untried_mark(&mut self, mark: Reg, pointer: Reg) -> bool {
        let mark = self.get(mark);
        if mark.expr.is_some() || mark.bits == 0 || self.is_place(split(mark.bits).0) {
            return false;
        }
        let pointer = self.plain_pointer(pointer);
        if self.is_alternative(mark.bits, pointer) {
            return false;
        }
        let mut targets = Vec::new();
        self.pointer_targets(pointer, &mut targets);
        let is_choice = self.arena.as_const(pointer).is_none();
        targets.iter().any(|target| {
            let Some((object, _)) = target else {
                return true;
            };
            let made = self.state.aliases.get(*object).is_some_and(|o| o.made);
            made || is_choice && self.program.function_at(*object).is_some()
        })
    }

    fn is_place(&self, object: ObjectId) -> bool {
        object != ObjectId::NULL
            && (self.state.memory.object(object).is_some()
                || self.program.function_at(object).is_some())
    }

    /// Is the number among those that a pointer is a choice of on this path?
    fn is_alternative(&mut self, number: u64, pointer: ExprId) -> bool {
        let mut open = vec![pointer];
        let mut steps = 0;
        while let Some(e) = open.pop() {
            steps += 1;
            if steps > MAX_TARGETS * 4 {
                break;
            }
            match self.arena.kind(e) {
                ExprKind::Const(value) if value as u64 == number => return true,
                ExprKind::Ite(c, x, y) => match self.settled(c) {
                    Some(true) => open.push(x),
                    Some(false) => open.push(y),
                    None => open.extend([x, y]),
                },
                ExprKind::Table(table, _) => open.extend(self.arena.table_entries(table)),
                _ => {}
            }
        }
        false
    }

    /// Two pointers into one object whose size is a guess: a larger one would have more places that
    /// they can lead to. As long as one of them is before the end, that changes nothing.
    fn same_object(
        &mut self,
        (object, at): (ObjectId, Option<u64>),
        (_, bt): (ObjectId, Option<u64>),
        distance: bool,
    ) {
        let Some(object) = self.state.memory.object(object) else {
            return;
        };
        let size = object.size();
        let before_end = |at: Option<u64>| at.is_some_and(|at| at < size);
        if at.is_some() && bt.is_some() || (before_end(at) || before_end(bt)) && !distance {
            return;
        }
        if let Some(flag) = object.info.guess.clone() {
            self.rest_on(&flag);
        }
    }

    /// The objects that a pointer may lead to on this path; null pointers lead to none.
    fn pointer_targets(&mut self, pointer: ExprId, targets: &mut Vec<PointerTarget>) {
        let mut open = vec![(pointer, Some(0u64))];
        let mut steps = 0;
        while let Some((e, distance)) = open.pop() {
            steps += 1;
            if steps > MAX_TARGETS * 4 || targets.len() > MAX_TARGETS {
                targets.push(None);
                return;
            }
            match self.arena.kind(e) {
                ExprKind::Const(value) => {
                    let (object, offset) = split(value as u64);
                    if object != ObjectId::NULL {
                        let at = distance.map(|d| offset.wrapping_add(d));
                        targets.push(Some((object, at)));
                    }
                }
                ExprKind::Ite(c, x, y) => match self.settled(c) {
                    Some(true) => open.push((x, distance)),
                    Some(false) => open.push((y, distance)),
                    None => open.extend([(y, distance), (x, distance)]),
                },
                ExprKind::Binary(ExprOp::Add, a, b) => {
                    let small = |e| {
                        let value = self.arena.as_const(e)? as u64;
                        (split(value).0 == ObjectId::NULL).then_some(value)
                    };
                    match (small(a), small(b)) {
                        (_, Some(d)) => open.push((a, distance.map(|x| x.wrapping_add(d)))),
                        (Some(d), _) => open.push((b, distance.map(|x| x.wrapping_add(d)))),
                        _ => open.extend([(b, None), (a, None)]),
                    }
                }
                ExprKind::Table(table, _) => {
                    let entries = self.arena.table_entries(table).to_vec();
                    open.extend(entries.into_iter().map(|e| (e, distance)));
                }
                // A distance, or bytes of the input: `find_base` says what these may mean.
                _ => {}
            }
        }
    }
}
