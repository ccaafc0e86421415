//! What instructions say about relations. An instruction relates its result to its operands only
//! where it cannot wrap for the numbers that the operands can be.

use super::assume::WholeRange;
use super::stride::Stride;
use super::terms::{Atom, Literal};
use crate::definitions::CodePoint;
use crate::places::{Base, MemoryPlace};
use crate::state::AbstractState;
use crate::sweep::{FunctionSweep, SweepMode};
use crate::value_set::{ValueSet, signed_limits};
use labrys_ir::{BinOp, CastOp, EdgeId, Inst, IntrinsicOp, Reg};

/// Relations behind an edge may change three times; after that they only get fewer.
const CHANGES_BEFORE_WIDENING: u8 = 3;
/// Of registers that get constants on one edge, the first four are related with each other.
const MAX_CONSTANT_COPIES: usize = 4;

impl FunctionSweep<'_> {
    /// The register itself as a number, if this is where it gets its value.
    pub(super) fn own_atom(&self, reg: Reg) -> Option<Atom> {
        let own = self.facts.pack.atom(reg) == Some(reg);
        own.then_some(Atom::Reg(reg))
    }

    /// A register gets another value.
    pub(crate) fn forget_relations(&self, state: &mut AbstractState, reg: Reg) {
        if let Some(atom) = self.own_atom(reg)
            && !state.relations.is_empty()
        {
            let value = self.view().atom_value(state, atom);
            state.relations.eliminate(atom, is_plain(value));
        }
    }

    /// What was in memory at some places is not known any more.
    pub(crate) fn forget_related_cells(
        &self,
        state: &mut AbstractState,
        gone: &impl Fn(MemoryPlace) -> bool,
    ) {
        if state.relations.is_empty() {
            return;
        }
        let cells = state.cells.clone();
        let values = |atom| match atom {
            Atom::Cell(number) => cells.get(self.packed_cells.place(number)).copied(),
            _ => None,
        };
        let is_gone =
            |atom| matches!(atom, Atom::Cell(number) if gone(self.packed_cells.place(number)));
        state.relations.eliminate_all(is_gone, &values);
    }

    /// The place that relations may speak of.
    fn packed_place(&self, addr: Reg, width: u8) -> Option<Atom> {
        let place = self.address(addr)?.place(width)?;
        let number = self.packed_cells.number(place)?;
        self.is_object(place.base).then_some(Atom::Cell(number))
    }

    /// A register was stored, and what was there before is forgotten.
    pub(crate) fn relate_store(&self, state: &mut AbstractState, addr: Reg, src: Reg, width: u8) {
        if self.facts.is_unknown || self.function.width(src) != width {
            return;
        }
        if let Some(atom) = self.view().atom(src)
            && let Some(place) = self.packed_place(addr, width)
        {
            let plain = is_plain(self.view().atom_value(state, atom));
            state.relations.assign(place, atom, plain);
        }
    }

    /// An instruction has given a register its value.
    pub(crate) fn relate(&self, state: &mut AbstractState, point: CodePoint, inst: Inst) {
        if self.facts.pack.is_empty() {
            return;
        }
        let view = self.view();
        match inst {
            Inst::Bin { op, dst, a, b, .. } => {
                if let Some(atom) = view.atom(dst) {
                    self.relate_binary(state, point.at, atom, (op, a, b));
                }
            }
            Inst::Cast { op, dst, src, .. } => {
                if let Some(atom) = view.atom(dst) {
                    self.relate_cast(state, point.at, (atom, dst), op, src);
                }
            }
            Inst::Load { dst, addr, width } => {
                if let Some(atom) = view.atom(dst)
                    && self.function.width(dst) == width
                    && let Some(place) = self.packed_place(addr, width)
                {
                    let plain = is_plain(view.atom_value(state, atom));
                    state.relations.assign(atom, place, plain);
                }
            }
            Inst::Select { dst, cond, a, b } => {
                if let Some(atom) = view.atom(dst) {
                    self.relate_choice(state, point, atom, cond, (a, b));
                }
            }
            Inst::Intrinsic { op, args, results } => {
                let (args, results) = (self.function.list(args), self.function.list(results));
                if let ([a, b], [dst]) = (args, results)
                    && let Some(atom) = self.own_atom(*dst)
                {
                    self.relate_minimum(state, atom, op, (*a, *b));
                }
            }
            _ => {}
        }
    }

    fn relate_binary(
        &self,
        state: &mut AbstractState,
        at: u32,
        dst: Atom,
        (op, a, b): (BinOp, Reg, Reg),
    ) {
        let view = self.view();
        let (left, right) = (view.read(state, a, at), view.read(state, b, at));
        if !left.is_tracked() || left.width != right.width {
            return;
        }
        let mut below = |reg: Reg, signed: bool, distance: i128| {
            if let Some(atom) = view.atom(reg) {
                let (dst, other) = (Literal::of(dst, signed), Literal::of(atom, signed));
                state.relations.add(dst, other.negated(), distance);
            }
        };
        let (plain, divides) = (left.smin >= 0, right.smin > 0);
        match op {
            BinOp::Add | BinOp::Sub => return self.relate_sum(state, at, dst, (op, a, b)),
            BinOp::And => {
                below(a, false, 0);
                below(b, false, 0);
            }
            BinOp::Or => {
                for reg in [a, b] {
                    if let Some(atom) = view.atom(reg) {
                        let (dst, other) = (Literal::of(dst, false), Literal::of(atom, false));
                        state.relations.add(other, dst.negated(), 0);
                    }
                }
            }
            BinOp::UDiv | BinOp::LShr => below(a, false, 0),
            BinOp::URem => {
                below(a, false, 0);
                below(b, false, -1);
            }
            BinOp::SDiv if plain && divides => below(a, true, 0),
            BinOp::AShr if plain => below(a, true, 0),
            BinOp::SRem => {
                if plain {
                    below(a, true, 0);
                }
                if divides {
                    below(b, true, -1);
                }
            }
            _ => {}
        }
        let stride = match op {
            BinOp::Mul | BinOp::Shl => self.product_stride(state, at, (op, a, b)),
            BinOp::URem | BinOp::SRem => view.rest_stride(state, (a, b), at),
            _ => None,
        };
        if let Some(stride) = stride {
            state.relations.learn_stride(dst, stride);
        }
    }

    /// A multiple of a number, if the product cannot wrap.
    fn product_stride(
        &self,
        state: &AbstractState,
        at: u32,
        (op, a, b): (BinOp, Reg, Reg),
    ) -> Option<Stride> {
        let view = self.view();
        let (left, right) = (view.read(state, a, at), view.read(state, b, at));
        let (reg, value, factor) = match (op, left.as_constant(), right.as_constant()) {
            (BinOp::Shl, _, Some(by)) if by < 62 => (a, left, 1i128 << by),
            (BinOp::Mul, _, Some(_)) => (a, left, i128::from(right.smin)),
            (BinOp::Mul, Some(_), _) => (b, right, i128::from(left.smin)),
            _ => return None,
        };
        let ends = [value.smin, value.smax].map(|end| i128::from(end).checked_mul(factor));
        let [Some(x), Some(y)] = ends else {
            return None;
        };
        let extent = WholeRange {
            low: x.min(y),
            high: x.max(y),
        };
        let fits = extent.fits(value.width, true);
        fits.then(|| view.stride(state, reg, at).times(factor))?
    }

    fn relate_sum(
        &self,
        state: &mut AbstractState,
        at: u32,
        dst: Atom,
        (op, a, b): (BinOp, Reg, Reg),
    ) {
        let view = self.view();
        let subtracts = op == BinOp::Sub;
        let (left, right) = (view.read(state, a, at), view.read(state, b, at));
        let mut is_said = false;
        for signed in [true, false] {
            let found = view.extent(state, (a, b), subtracts, signed, at);
            let Some(found) = found.filter(|_| !is_said) else {
                continue;
            };
            // Adding 0xffffffff is taking 1 away.
            let Some(shift) = found.shift(left.width, signed) else {
                continue;
            };
            // The same without a sign, which need not be said again.
            is_said = shift == 0 && found.low >= 0 && left.smin >= 0 && right.smin >= 0;
            let number = |value: &ValueSet| match signed {
                true => (i128::from(value.smin), i128::from(value.smax)),
                false => (i128::from(value.umin), i128::from(value.umax)),
            };
            let sum = Literal::of(dst, signed);
            let mut add = |atom: Option<Atom>, negative: bool, (low, high): (i128, i128)| {
                if let Some(atom) = atom {
                    let mut other = Literal::of(atom, signed).negated();
                    if negative {
                        other = other.negated();
                    }
                    // `low <= dst - x <= high`, or of `dst + x`.
                    state.relations.add(sum, other, high + shift);
                    let (sum, other) = (sum.negated(), other.negated());
                    state.relations.add(sum, other, -(low + shift));
                }
            };
            let (b_low, b_high) = number(&right);
            match subtracts {
                true => add(view.atom(a), false, (-b_high, -b_low)),
                false => add(view.atom(a), false, (b_low, b_high)),
            }
            add(view.atom(b), subtracts, number(&left));
            if signed {
                let (x, y) = (view.stride(state, a, at), view.stride(state, b, at));
                let stride = x.plus(if subtracts { y.negated() } else { y });
                let stride = stride.plus(Stride::number(shift));
                state.relations.learn_stride(dst, stride);
            }
        }
    }

    fn relate_cast(
        &self,
        state: &mut AbstractState,
        at: u32,
        (atom, dst): (Atom, Reg),
        op: CastOp,
        src: Reg,
    ) {
        let view = self.view();
        let value = view.read(state, src, at);
        let Some(from) = view.atom(src).filter(|_| value.is_tracked()) else {
            return;
        };
        let to = self.function.width(dst);
        let (low, high) = signed_limits(to);
        let (signed, unsigned) = match op {
            CastOp::SExt => (true, value.smin >= 0),
            CastOp::ZExt => (value.smin >= 0, true),
            CastOp::Trunc => (
                low <= value.smin && value.smax <= high,
                value.umax <= crate::value_set::mask(to),
            ),
            _ => return,
        };
        for (signed, _) in [(true, signed), (false, unsigned)]
            .iter()
            .filter(|(_, same)| *same)
        {
            let (x, y) = (Literal::of(atom, *signed), Literal::of(from, *signed));
            state.relations.add_equal(x, y, 0);
        }
        if signed {
            let stride = view.stride(state, src, at);
            state.relations.learn_stride(atom, stride);
        }
    }

    /// One of two registers, by a truth value.
    fn relate_choice(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
        dst: Atom,
        cond: Reg,
        (a, b): (Reg, Reg),
    ) {
        let view = self.view();
        let side = |truth: u64, reg: Reg| {
            let mut way = state.clone();
            let want = ValueSet::constant(1, truth);
            view.assume(&mut way, point, cond, &want).ok()?;
            let value = view.read(&way, reg, point.at);
            self.give(&mut way, dst, view.atom(reg), &value);
            Some(way)
        };
        let nothing = |_| None;
        state.relations = match (side(1, a), side(0, b)) {
            (Some(x), Some(y)) => x.relations.join(&nothing, &y.relations, &nothing),
            (Some(way), None) | (None, Some(way)) => way.relations,
            (None, None) => return,
        };
    }

    fn relate_minimum(
        &self,
        state: &mut AbstractState,
        dst: Atom,
        op: IntrinsicOp,
        (a, b): (Reg, Reg),
    ) {
        let (signed, least) = match op {
            IntrinsicOp::SMin => (true, true),
            IntrinsicOp::SMax => (true, false),
            IntrinsicOp::UMin => (false, true),
            IntrinsicOp::UMax => (false, false),
            _ => return,
        };
        for reg in [a, b] {
            if let Some(atom) = self.view().atom(reg) {
                let (x, y) = (Literal::of(dst, signed), Literal::of(atom, signed));
                match least {
                    true => state.relations.add(x, y.negated(), 0),
                    false => state.relations.add(y, x.negated(), 0),
                }
            }
        }
    }

    /// A number, of which nothing is known yet, is another one and has this value.
    fn give(&self, state: &mut AbstractState, dst: Atom, from: Option<Atom>, value: &ValueSet) {
        if let Some(from) = from {
            state.relations.assign(dst, from, is_plain(Some(*value)));
        }
        if !value.is_tracked() || value.is_top() {
            return;
        }
        let signed = value.smin >= 0 || value.umax > i64::MAX as u64 || value.smax < 0;
        let number = Literal::of(dst, signed);
        for literal in [number, number.negated()] {
            if let Some(bound) = literal.upper(value) {
                state.relations.add(literal, Literal::ZERO, bound);
            }
        }
        if value.as_constant().is_some() {
            let stride = Stride::number(value.smin.into());
            state.relations.learn_stride(dst, stride);
        }
    }

    /// The copies of an edge, one after the other, with the values that are copied.
    pub(crate) fn relate_copies(
        &self,
        state: &mut AbstractState,
        edge: EdgeId,
        copied: &[(Reg, ValueSet)],
    ) {
        if self.facts.pack.is_empty() {
            return;
        }
        let mut constants: Vec<(Atom, i128)> = Vec::new();
        let mut written: Vec<Atom> = Vec::new();
        for ((dst, src), (_, value)) in self.function.edge_copies(edge).iter().zip(copied) {
            let Some(atom) = self.own_atom(*dst) else {
                continue;
            };
            // Another register with the number of a target still has the old one.
            let from = self.view().atom(*src);
            let from = from.filter(|from| *from == Atom::Reg(*src) || !written.contains(from));
            self.forget_relations(state, *dst);
            self.give(state, atom, from.filter(|from| *from != atom), value);
            written.push(atom);
            if value.as_constant().is_some() && constants.len() < MAX_CONSTANT_COPIES {
                constants.push((atom, value.smin.into()));
            }
        }
        for (i, (x, n)) in constants.iter().enumerate() {
            for (y, m) in &constants[..i] {
                let (x, y) = (Literal::of(*x, true), Literal::of(*y, true));
                state.relations.add_equal(x, y, n - m);
                state.relations.add_equal(x, y.negated(), n + m);
            }
        }
    }

    /// Numbers that are not asked for any more behind an edge are left out.
    pub(crate) fn forget_dead(&self, state: &mut AbstractState, edge: EdgeId) {
        if state.relations.is_empty() {
            return;
        }
        let target = self.function.edges[edge.index()].target;
        let is_dead = |atom| match atom {
            Atom::Reg(reg) => !self.facts.pack.is_live(reg, target),
            _ => false,
        };
        let mut relations = std::mem::take(&mut state.relations);
        let view = self.view();
        relations.eliminate_all(is_dead, &|atom| view.atom_value(state, atom));
        state.relations = relations;
    }

    /// What holds on two ways into a block.
    pub(crate) fn joined(&self, one: &AbstractState, other: &AbstractState) -> AbstractState {
        if one.relations.is_empty() && other.relations.is_empty() {
            return one.join(other);
        }
        let view = self.view();
        let mine = |atom| view.atom_value(one, atom);
        let theirs = |atom| view.atom_value(other, atom);
        let relations = one.relations.join(&mine, &other.relations, &theirs);
        let mut joined = one.join_with(other, relations);
        let mut relations = std::mem::take(&mut joined.relations);
        relations.without_known_bounds(&|atom| view.atom_value(&joined, atom));
        joined.relations = relations;
        joined
    }

    /// The relations behind an edge, which must come to an end.
    pub(crate) fn with_stable_relations(
        &mut self,
        edge: EdgeId,
        state: Option<AbstractState>,
    ) -> Option<AbstractState> {
        let mut state = state?;
        let old = &self.facts.edges[edge.index()];
        if let (SweepMode::Grow, Some(old)) = (self.mode, old)
            && old.relations != state.relations
        {
            let times = &mut self.facts.relations_changed[edge.index()];
            *times = times.saturating_add(1);
            if *times > CHANGES_BEFORE_WIDENING {
                let view = self.view();
                let values = |atom| view.atom_value(&state, atom);
                let stable = old.relations.stable(&state.relations, &values);
                state.relations = stable;
            }
        }
        Some(state)
    }

    /// Is this a place that other functions know, too?
    pub(super) fn is_shared(&self, atom: Atom) -> bool {
        match atom {
            Atom::Cell(number) => {
                matches!(self.packed_cells.place(number).base, Base::Global(_))
            }
            _ => false,
        }
    }
}

/// Does the number mean the same with a sign and without?
fn is_plain(value: Option<ValueSet>) -> bool {
    value.is_some_and(|value| value.is_tracked() && value.smin >= 0)
}
