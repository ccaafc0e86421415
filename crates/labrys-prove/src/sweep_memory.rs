//! The part of a sweep that is about memory: loads, stores, and what calls do to it.

use crate::call_addresses::MAX_PLACES;
use crate::cells::Cells;
use crate::constant_tables::{initial, places};
use crate::definitions::{CodePoint, Definition};
use crate::escapes::Owner;
use crate::focused_places::{FocusedPlace, OtherPlaces};
use crate::load_numbers::MemoryRules;
use crate::memory_values::grown;
use crate::places::{Address, Base, MemoryPlace, address};
use crate::pointer_shape::{AddressCode, AddressShape, OffsetSteps};
use crate::result_cases::ResultCases;
use crate::state::AbstractState;
use crate::sweep::{FunctionSweep, SweepMode};
use crate::value_set::{MAX_WIDTH, ValueSet};
use crate::writes::Writes;
use labrys_ir::{EdgeId, FuncId, GlobalId, Reg, RegList};
use std::rc::Rc;

/// An address that can mean more places than this is not followed to each of them.
const MAX_ELEMENTS: usize = 64;

impl FunctionSweep<'_> {
    /// What a load gives, of which `known` is known by its address alone.
    pub(crate) fn load(
        &mut self,
        state: &AbstractState,
        point: CodePoint,
        addr: Reg,
        known: ValueSet,
    ) -> ValueSet {
        let mut value = known;
        if self.rules.is_none() || value.width > MAX_WIDTH {
            return value;
        }
        if let Some(held) = self.facts.definitions.loaded(point.at) {
            let there = self.view().read(state, held, point.at);
            value = value.meet(&there).unwrap_or(value);
        }
        if let Some(focused) = self.focus(addr, known.width)
            && let Some(focused) = state.cells.focused.get(focused)
        {
            value = value.meet(&focused.value).unwrap_or(value);
        }
        let found = self.address(addr);
        let there = match found.and_then(|found| found.place(known.width)) {
            Some(place) => self.held_at(state, place),
            None => self.held_at_one_of(state, point, addr, known.width),
        };
        value.meet(&there).unwrap_or(value)
    }

    fn held_at(&mut self, state: &AbstractState, place: MemoryPlace) -> ValueSet {
        let there = self.variable(place);
        match state.cells.get(place) {
            Some(known) if self.is_object(place.base) => there.meet(known).unwrap_or(there),
            _ => there,
        }
    }

    /// What an address with an index reads.
    fn held_at_one_of(
        &mut self,
        state: &AbstractState,
        point: CodePoint,
        addr: Reg,
        width: u8,
    ) -> ValueSet {
        let mut joined: Option<ValueSet> = None;
        for place in self.elements(state, point, addr, width).unwrap_or_default() {
            let here = self.held_at(state, place);
            joined = Some(joined.map_or(here, |other| other.join(&here)));
        }
        joined.unwrap_or(ValueSet::top(width))
    }

    /// The places that an address with an index can mean, if they are few.
    fn elements(
        &self,
        state: &AbstractState,
        point: CodePoint,
        addr: Reg,
        width: u8,
    ) -> Option<Vec<MemoryPlace>> {
        let view = self.view();
        if view.sees_no_constants(point.at) {
            return None;
        }
        let (base, offsets) = places(&view, state, point, addr)?;
        let place = |offset: i128| {
            let offset = i64::try_from(offset).ok()?;
            Some(MemoryPlace {
                base,
                offset,
                width,
            })
        };
        let few = offsets.len() <= MAX_ELEMENTS && self.is_object(base);
        few.then(|| offsets.into_iter().map(place).collect())?
    }

    /// What a place can hold at any time.
    fn variable(&mut self, place: MemoryPlace) -> ValueSet {
        match place.base {
            Base::Global(id) if self.is_own(id) => {
                self.memory.variable(self.module, place, self.id)
            }
            _ => ValueSet::top(place.width),
        }
    }

    pub(crate) fn store(
        &mut self,
        state: &mut AbstractState,
        point: CodePoint,
        addr: Reg,
        width: u8,
        value: ValueSet,
    ) {
        if self.rules.is_none() {
            return;
        }
        if self.facts.is_unknown {
            return self.forget_cells(state, |_| true);
        }
        let value = match value.width == width && width.is_multiple_of(8) {
            true => value,
            false => ValueSet::top(width),
        };
        let found = self.address(addr);
        let Some(place) = found.and_then(|found| found.place(width)) else {
            return match self.elements(state, point, addr, width) {
                Some(places) => self.store_to_one_of(state, addr, places, value),
                None => self.store_somewhere(state, addr, width),
            };
        };
        self.forget_apart_from(state, Some(place.base));
        self.forget_cells(state, |known| {
            known.base == place.base && known.overlaps(place)
        });
        if let Base::Global(id) = place.base
            && self.is_own(id)
        {
            self.memory.store(id, Some(place), value, self.mode);
        }
        if self.is_object(place.base) && width <= MAX_WIDTH {
            state.cells.set(place, value);
        }
    }

    /// A store by an index that can be anything: what lies in its steps is not known any more.
    fn store_somewhere(&mut self, state: &mut AbstractState, addr: Reg, width: u8) {
        let Some(shape) = self.code().shape(addr) else {
            return self.write_unknown(state, addr);
        };
        let bytes = u64::from(width.div_ceil(8));
        self.forget_cells(state, |known| {
            let there = OffsetSteps::one(known.offset);
            known.base == shape.object && shape.distances.overlaps(bytes, there, known.bytes())
        });
        if let Base::Global(id) = shape.object {
            let grows = self.mode == SweepMode::Grow;
            (self.memory).store_somewhere(id, shape.distances, bytes, grows);
        }
    }

    /// One of these places of an object gets a value, the others keep theirs.
    fn store_to_one_of(
        &mut self,
        state: &mut AbstractState,
        addr: Reg,
        mut places: Vec<MemoryPlace>,
        value: ValueSet,
    ) {
        places.sort_unstable();
        places.dedup();
        let focus = places
            .first()
            .and_then(|place| self.focus(addr, place.width));
        let others = self.others(state, focus, &places);
        for (place, other) in others.iter() {
            self.forget_cells(state, |known| {
                known.base == place.base && known.overlaps(*place)
            });
            if let Base::Global(id) = place.base
                && self.is_own(id)
            {
                self.memory.store(id, Some(*place), value, self.mode);
            }
            let now = match places.len() {
                1 => value,
                _ => other.join(&value),
            };
            state.cells.set(*place, now);
        }
        if let Some(place) = focus.filter(|_| places.len() > 1) {
            state.cells.focused.set(FocusedPlace {
                place,
                value,
                others,
            });
        }
    }

    /// What the places hold that a pointer can lead to, if it leads elsewhere.
    fn others(
        &self,
        state: &AbstractState,
        focus: Option<MemoryPlace>,
        places: &[MemoryPlace],
    ) -> OtherPlaces {
        let old = focus.and_then(|place| state.cells.focused.get(place));
        let same = |old: &&FocusedPlace| old.others.iter().map(|(p, _)| p).eq(places);
        if let Some(old) = old.filter(same) {
            return old.others.clone();
        }
        let held = |place: &MemoryPlace| {
            let value = state.cells.get(*place).copied();
            (*place, value.unwrap_or(ValueSet::top(place.width)))
        };
        Rc::new(places.iter().map(held).collect())
    }

    /// The place behind a pointer that leads to one of several.
    fn focus(&self, addr: Reg, width: u8) -> Option<MemoryPlace> {
        let place = self.code().pointer(addr)?.place(width)?;
        matches!(place.base, Base::Pointer(_)).then_some(place)
    }

    /// Bytes are copied, a constant number of them if it is known.
    pub(crate) fn copy(&mut self, state: &mut AbstractState, dst: Reg, src: Reg, len: Option<u64>) {
        if self.rules.is_none() {
            return;
        }
        let from = self.address(src);
        let from = from.and_then(|found| found.offset.map(|offset| (found.base, offset)));
        let copied: Vec<(MemoryPlace, ValueSet)> = self
            .places_within(dst, len)
            .into_iter()
            .filter_map(|(place, distance)| {
                let (base, offset) = from?;
                let offset = offset.checked_add(distance)?;
                let there = MemoryPlace {
                    base,
                    offset,
                    ..place
                };
                Some((place, self.copied_from(state, there)?))
            })
            .collect();
        self.write_unknown(state, dst);
        for (place, value) in copied {
            state.cells.set(place, value);
        }
    }

    /// What is known at a place that is copied from.
    fn copied_from(&self, state: &AbstractState, place: MemoryPlace) -> Option<ValueSet> {
        match place.base {
            Base::Global(id) if self.module.globals[id.index()].constant => {
                let global = &self.module.globals[id.index()];
                let known = !global.external;
                known.then(|| initial(global, place.offset.into(), place.width))?
            }
            base if self.is_object(base) => state.cells.get(place).copied(),
            _ => None,
        }
    }

    /// All bytes from an address on get one value.
    pub(crate) fn fill(
        &mut self,
        state: &mut AbstractState,
        dst: Reg,
        byte: Option<u64>,
        len: Option<u64>,
    ) {
        if self.rules.is_none() {
            return;
        }
        let filled = self.places_within(dst, len.filter(|_| byte.is_some()));
        self.write_unknown(state, dst);
        let pattern = byte.unwrap_or_default() & 0xff;
        let pattern = pattern * 0x0101_0101_0101_0101;
        for (place, _) in filled {
            let value = ValueSet::constant(place.width, pattern);
            state.cells.set(place, value);
        }
    }

    /// The places that are read somewhere and lie in so many bytes from an address on, with their
    /// distance from it.
    fn places_within(&self, addr: Reg, len: Option<u64>) -> Vec<(MemoryPlace, i64)> {
        let found = self.address(addr);
        let found = found.and_then(|found| found.offset.map(|offset| (found.base, offset)));
        let Some(((base, start), len)) = found.zip(len.and_then(|len| i64::try_from(len).ok()))
        else {
            return Vec::new();
        };
        if self.facts.no_constants.is_empty() && self.is_object(base) {
            let places = self.facts.read_places.iter();
            let inside = places.filter(|place| {
                let bytes = i64::from(place.width.div_ceil(8));
                let last = start.saturating_add(len).saturating_sub(bytes);
                place.base == base
                    && start <= place.offset
                    && place.offset <= last
                    && place.width.is_multiple_of(8)
                    && place.width <= MAX_WIDTH
            });
            return inside.map(|place| (*place, place.offset - start)).collect();
        }
        Vec::new()
    }

    /// Bytes from an address on get unknown values.
    pub(crate) fn write_unknown(&mut self, state: &mut AbstractState, addr: Reg) {
        if self.rules.is_none() {
            return;
        }
        if self.facts.is_unknown {
            return self.forget_cells(state, |_| true);
        }
        let base = self.address(addr).map(|found| found.base);
        self.forget_apart_from(state, base);
        if let Some(base) = base {
            self.forget_cells(state, |known| known.base == base);
        }
        if let Some(Base::Global(id)) = base {
            let anything = ValueSet::top(8);
            self.memory.store(id, None, anything, self.mode);
        }
    }

    /// The function may store anything to all that it stores to: its registers are not followed.
    pub(crate) fn store_anything(&mut self) {
        let Some(rules) = self.rules else {
            return;
        };
        for id in rules.writes.call(self.id).objects() {
            let anything = ValueSet::top(8);
            self.memory.store(id, None, anything, self.mode);
        }
    }

    /// What a write with this base, or with none that is known, does to places with other bases.
    fn forget_apart_from(&self, state: &mut AbstractState, base: Option<Base>) {
        let number = self.id.index();
        if let (Some(rules), None | Some(Base::Pointer(_))) = (self.rules, base) {
            self.forget_cells(state, |known| rules.public.is_public(number, known.base));
        }
    }

    fn forget_written(&self, state: &mut AbstractState, rules: &MemoryRules, writes: &Writes) {
        let number = self.id.index();
        self.forget_cells(state, |known| {
            rules.may_write(writes, number, known.region(), known.bytes())
        });
    }

    /// Code runs that is not named.
    pub(crate) fn call_anything(&self, state: &mut AbstractState) {
        if let Some(rules) = self.rules {
            self.forget_written(state, rules, &rules.writes.unknown);
        }
    }

    /// A function is called whose body is not looked into.
    pub(crate) fn call_unseen(&self, state: &mut AbstractState, callee: FuncId) {
        if let Some(rules) = self.rules {
            self.forget_written(state, rules, rules.writes.call(callee));
        }
    }

    /// Where in their objects the arguments of a call lead.
    pub(crate) fn pass_addresses(
        &mut self,
        state: &AbstractState,
        point: CodePoint,
        callee: FuncId,
        args: RegList,
    ) {
        if self.rules.is_none() {
            return;
        }
        let args = self.function.list(args);
        let view = self.view();
        let given = (0..self.module.functions[callee.index()].params.len()).map(|i| {
            let (base, offsets) = places(&view, state, point, *args.get(i)?)?;
            let all = matches!(base, Base::Global(_)).then_some(offsets)?;
            let all = all.into_iter().map(|offset| i64::try_from(offset).ok());
            let mut all = all.collect::<Option<Vec<i64>>>()?;
            all.sort_unstable();
            all.dedup();
            (all.len() <= MAX_PLACES).then(|| Rc::new(all))
        });
        let given = given.collect();
        if self.call_addresses.call(callee, given, self.mode) {
            self.memory.dirty.insert(callee);
        }
    }

    /// A function of the program is called and returns.
    pub(crate) fn pass_memory(
        &mut self,
        state: &mut AbstractState,
        callee: FuncId,
        args: RegList,
        results: RegList,
    ) {
        let Some(rules) = self.rules else {
            return;
        };
        let mut given = state.cells.of_globals();
        given.forget(|place| !rules.concerns(callee, place.base));
        self.focus_parameters(&mut given, callee, args);
        (self.memory).call(callee, &given, self.mode);
        let writes = rules.writes.call(callee);
        self.forget_written(state, rules, writes);
        let number = callee.index();
        let result = self.function.list(results).first().copied();
        let width = result.map_or(1, |reg| self.function.width(reg));
        let mut cases = self.memory.by_result(callee, width);
        for (_, cells) in &mut cases {
            let returned = std::mem::replace(cells, state.cells.clone());
            for (place, value) in returned.iter() {
                if rules.may_write(writes, number, place.region(), place.bytes()) {
                    cells.set(*place, *value);
                }
            }
            self.take_focused(cells, &returned, callee, args);
        }
        let all = cases.iter().map(|(_, cells)| cells.clone());
        if let Some(joined) = all.reduce(|a, b| a.join(&b)) {
            state.cells = joined;
        }
        state.cases = result.and_then(|reg| ResultCases::of(reg, cases));
    }

    /// The places behind pointers that are arguments, as places behind the parameters of the callee.
    fn focus_parameters(&self, given: &mut Cells, callee: FuncId, args: RegList) {
        let known = std::mem::take(&mut given.focused);
        let params = &self.module.functions[callee.index()].params;
        let pairs = params.iter().zip(self.function.list(args));
        for (param, arg) in pairs {
            let Some(found) = self.code().pointer(*arg) else {
                continue;
            };
            for focused in known.iter().filter(|f| f.place.base == found.base) {
                let distance = found.offset.unwrap_or_default();
                if let Some(offset) = focused.place.offset.checked_sub(distance) {
                    let place = MemoryPlace {
                        base: Base::Pointer(*param),
                        offset,
                        ..focused.place
                    };
                    let focused = focused.clone();
                    given.focused.set(FocusedPlace { place, ..focused });
                }
            }
        }
    }

    /// What a callee knows of the places behind its parameters.
    fn take_focused(&self, cells: &mut Cells, returned: &Cells, callee: FuncId, args: RegList) {
        let params = &self.module.functions[callee.index()].params;
        for focused in returned.focused.iter() {
            let i = params
                .iter()
                .position(|reg| focused.pointer() == Some(*reg));
            let arg = i.and_then(|i| self.function.list(args).get(i));
            let found = arg.and_then(|arg| self.code().pointer(*arg));
            let moved = found.and_then(|found| {
                let distance = found.offset?;
                let offset = focused.place.offset.checked_add(distance)?;
                let base = found.base;
                Some(MemoryPlace {
                    base,
                    offset,
                    ..focused.place
                })
            });
            let Some(place) = moved else {
                continue;
            };
            if matches!(place.base, Base::Pointer(_)) {
                let focused = focused.clone();
                cells.focused.set(FocusedPlace { place, ..focused });
            } else if focused.others.iter().any(|(other, _)| *other == place) {
                // The caller knows which one it is.
                for (other, value) in focused.others.iter() {
                    let value = if *other == place {
                        &focused.value
                    } else {
                        value
                    };
                    cells.bound(*other, value);
                }
            }
        }
    }

    /// The function returns; by what it returns, if that is a number.
    pub(crate) fn return_memory(&mut self, state: &AbstractState, result: Option<(Reg, ValueSet)>) {
        let cases = state.cases.as_ref();
        let cases = cases.filter(|known| result.is_some_and(|(reg, _)| reg == known.reg));
        match (cases, result) {
            (Some(known), Some((_, value))) => {
                for (case, cells) in known.cases.iter() {
                    if let Some(both) = case.meet(&value) {
                        self.return_cells(&state.cells.meet(cells), Some(both));
                    }
                }
            }
            _ => self.return_cells(&state.cells, result.map(|(_, value)| value)),
        }
    }

    fn return_cells(&mut self, cells: &Cells, value: Option<ValueSet>) {
        if self.rules.is_none() {
            return;
        }
        let callers = self.call_values.callers(self.id);
        let mut cells = cells.of_globals();
        self.forget_own_locals(&mut cells);
        let params = &self.function.params;
        let is_param = |reg: Reg| {
            self.facts.definitions.def(reg) == Definition::Param && params.contains(&reg)
        };
        (cells.focused).retain(|focused| focused.pointer().is_some_and(is_param));
        if let Some(rules) = self.rules {
            let (writes, number) = (rules.writes.call(self.id), self.id.index());
            cells.forget(|place| !rules.may_write(writes, number, place.region(), place.bytes()));
        }
        (self.memory).returns(self.id, (value, &cells), callers, self.mode);
    }

    /// The locals of the function end with it, and hold anything when it starts.
    pub(crate) fn forget_own_locals(&self, cells: &mut Cells) {
        if let Some(rules) = self.rules {
            cells.forget(|place| rules.public.is_local_of(place.base, self.id));
        }
    }

    /// A label: what its predicate wrote is taken back.
    pub(crate) fn end_label(&self, state: &mut AbstractState, point: CodePoint) {
        let numbers = &self.facts.numbers;
        if numbers.at_end.is_empty() || numbers.taken_back.contains(&point.at) {
            self.forget_cells(state, |_| true);
        }
    }

    /// What was in memory at some places is not known any more.
    fn forget_cells(&self, state: &mut AbstractState, gone: impl Fn(MemoryPlace) -> bool) {
        self.forget_related_cells(state, &gone);
        state.cases = None;
        state.cells.forget(gone);
    }

    /// What is known of registers that hold what is in memory is known of memory.
    pub(crate) fn learn_memory(&mut self, state: &mut AbstractState, point: CodePoint) {
        let at_end = self.facts.numbers.at_end.get(point.block.index());
        for (place, reg) in at_end.cloned().unwrap_or_default() {
            let held = self.view().read(state, reg, point.at);
            if matches!(place.base, Base::Pointer(_)) && held.width == place.width {
                state.cells.sharpen(place, &held);
            }
            if !self.is_object(place.base) {
                continue;
            }
            let known = match state.cells.get(place) {
                Some(there) => there.meet(&held).unwrap_or(*there),
                None => held,
            };
            if known.width == place.width {
                state.cells.set(place, known);
            }
        }
    }

    /// What is known behind an edge, which must not grow for ever.
    pub(crate) fn widened(
        &mut self,
        edge: EdgeId,
        state: Option<AbstractState>,
    ) -> Option<AbstractState> {
        let mut state = state?;
        let old = &self.facts.edges[edge.index()];
        if let (SweepMode::Grow, Some(old)) = (self.mode, old)
            && old.cells != state.cells
        {
            let times = &mut self.facts.edge_grown[edge.index()];
            *times = times.saturating_add(1);
            let joined = old.cells.join(&state.cells);
            state.cells = grown(&old.cells, &joined, *times, self.memory.thresholds());
        }
        Some(state)
    }

    fn code(&self) -> AddressCode<'_> {
        AddressCode {
            function: self.function,
            definitions: &self.facts.definitions,
            constants: &self.facts.symbols,
        }
    }

    pub(crate) fn address(&self, reg: Reg) -> Option<Address> {
        let facts = &self.facts;
        address(self.function, &facts.definitions, &facts.symbols, reg)
    }

    /// Is this a variable whose value is known if it is known what was stored to it?
    pub(crate) fn is_object(&self, base: Base) -> bool {
        let all = AddressShape {
            object: base,
            distances: OffsetSteps::ALL,
        };
        let is_steady = |rules: &MemoryRules| rules.is_steady(self.id.index(), Some(all), 1);
        !matches!(base, Base::Pointer(_)) && self.rules.is_some_and(is_steady)
    }

    /// Is this a variable that only the program itself can name?
    fn is_own(&self, id: GlobalId) -> bool {
        (self.rules).is_some_and(|rules| rules.public.owner(id) == Owner::Program)
    }
}
