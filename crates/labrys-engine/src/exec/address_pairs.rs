//! Whether a comparison of two pointers would come out otherwise if objects lay elsewhere.
//!
//! C promises that pointers into one object compare by their offsets, and that objects that live at
//! the same time have different addresses. It promises nothing about the order of different objects,
//! about the end of one and the start of another, about memory that was freed, and about literals,
//! which may share their bytes.

use super::Machine;
use crate::memory::{ObjectEntry, ObjectId, split};
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ir::{Global, Reg};

/// An object and the offset in it, if that is known.
type PointedPlace = (ObjectId, Option<u64>);

/// Numbers below this, and the last of them all, are no addresses of objects: nothing is mapped
/// there. Programs use them as marks.
const FIRST_ADDRESS: u64 = 4096;

/// A pointer with more possible places than this is taken for one that may lead anywhere.
const MOST_PLACES: usize = 64;

impl Machine<'_> {
    /// The program is about to compare two pointers: notes whether the outcome depends on where
    /// objects lie. `ordered`: it asks for their order or distance, not only for equality.
    pub(super) fn layout_pair(&mut self, ordered: bool, a: Reg, b: Reg) {
        let (a, b) = (self.expr(a), self.expr(b));
        let (xs, ys) = (self.pointed_places(a), self.pointed_places(b));
        let depends = match (xs, ys) {
            (Some(xs), Some(ys)) => {
                let mut pairs = xs.iter().flat_map(|x| ys.iter().map(move |y| (*x, *y)));
                pairs.any(|(x, y)| self.depends_on_layout(x, y, ordered))
            }
            _ => true,
        };
        if depends {
            self.touch_addresses();
        }
    }

    /// The places that a pointer may lead to on this path; `None` if there are too many. A number
    /// that was no address is a place of the null object.
    fn pointed_places(&self, pointer: ExprId) -> Option<Vec<PointedPlace>> {
        let mut places = Vec::new();
        let mut open = vec![(pointer, Some(0u64))];
        let mut steps = 0;
        while let Some((e, distance)) = open.pop() {
            steps += 1;
            if steps > 4 * MOST_PLACES || places.len() > MOST_PLACES {
                return None;
            }
            match self.arena.kind(e) {
                ExprKind::Const(value) => {
                    let (object, offset) = split(value as u64);
                    // Next to something unknown, a number is part of an index.
                    if object != ObjectId::NULL || distance.is_some() {
                        places.push((object, distance.map(|d| offset.wrapping_add(d))));
                    }
                }
                ExprKind::Ite(_, x, y) => open.extend([(x, distance), (y, distance)]),
                ExprKind::Binary(ExprOp::Add, a, b) => {
                    let number = |e| {
                        let value = self.arena.as_const(e)? as u64;
                        (split(value).0 == ObjectId::NULL).then_some(value)
                    };
                    match (number(a), number(b)) {
                        (_, Some(d)) => open.push((a, distance.map(|x| x.wrapping_add(d)))),
                        (Some(d), _) => open.push((b, distance.map(|x| x.wrapping_add(d)))),
                        // One of them is an index.
                        _ => open.extend([(a, None), (b, None)]),
                    }
                }
                ExprKind::Table(table, _) => {
                    let entries = self.arena.table_entries(table).iter();
                    open.extend(entries.map(|e| (*e, distance)));
                }
                // A distance or bytes of the input.
                _ => {}
            }
        }
        Some(places)
    }

    /// Does the answer depend on where these two lie?
    fn depends_on_layout(&self, x: PointedPlace, y: PointedPlace, ordered: bool) -> bool {
        if x.0 == y.0 {
            // The same literal at two places of the program need not be one object.
            let is_start = x.1 == Some(0) && y.1 == Some(0);
            return !ordered && is_start && self.mergeable_literal(x.0).is_some();
        }
        if let [Some(number), None] | [None, Some(number)] = [x, y].map(plain_number) {
            // Every address is above null, and none is one of the marks.
            let is_mark = number.is_some_and(|n| n < FIRST_ADDRESS || n == u64::MAX);
            return !(is_mark && (!ordered || number == Some(0)));
        }
        if ordered {
            return true;
        }
        if [x.0, y.0]
            .into_iter()
            .any(|o| self.program.function_at(o).is_some())
        {
            return false;
        }
        let (Some(xs), Some(ys)) = (self.size_if_alive(x.0), self.size_if_alive(y.0)) else {
            return true;
        };
        let (Some(xo), Some(yo)) = (x.1, y.1) else {
            return true;
        };
        if xo > xs || yo > ys {
            return true;
        }
        match (xo == xs, yo == ys) {
            (false, false) => self.may_share((x.0, xo), (y.0, yo)),
            (true, false) => yo == 0,
            (false, true) => xo == 0,
            (true, true) => xs == 0 || ys == 0,
        }
    }

    fn size_if_alive(&self, object: ObjectId) -> Option<u64> {
        match self.state.memory.entry(object) {
            ObjectEntry::Live(object) => Some(object.size()),
            _ => None,
        }
    }

    fn mergeable_literal(&self, object: ObjectId) -> Option<&Global> {
        self.program.global_at(object).filter(|g| g.mergeable)
    }

    /// May two literals be laid on each other so that these places coincide? Linkers do that if one
    /// ends like the other.
    fn may_share(&self, x: (ObjectId, u64), y: (ObjectId, u64)) -> bool {
        let (Some(a), Some(b)) = (self.mergeable_literal(x.0), self.mergeable_literal(y.0)) else {
            return false;
        };
        let rest = |global: &Global, from: u64| -> Vec<u8> {
            let bytes = global.init.iter().copied().chain(std::iter::repeat(0));
            let (from, size) = (from as usize, global.size as usize);
            bytes.take(size).skip(from).collect()
        };
        rest(a, x.1) == rest(b, y.1)
    }
}

/// The number of a place that lies in no object, if it is known.
fn plain_number((object, offset): PointedPlace) -> Option<Option<u64>> {
    (object == ObjectId::NULL).then_some(offset)
}
