//! What a function without a body may do to memory. A stub says which pointers the function got
//! (`labrys_reveal`); all that can be reached from there, and every variable of the program that can
//! change, may hold something else when it returns (`labrys_effects`): deciding by it rests on an
//! assumption until the program overwrites it. What a stub models, it writes (`labrys_havoc`).

use super::{Machine, Step};
use crate::inputs::{InputKind, Scalar};
use crate::memory::{Object, ObjectEntry, ObjectId, ReadValue, Watch, WatchKind, split};
use crate::program::fallible::{LOCALE, THREADS};
use crate::state::StubAccess;
use labrys_expr::{ExprId, ExprKind, ExprOp};
use labrys_ir::{GlobalId, Reg, RegList};
use labrys_ledger::Assumption;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// In objects up to this size, in bytes, pointers are looked for at every byte, as in packed
/// structures; in larger ones only where they are aligned.
const PACKED_BYTES: u64 = 4096;

/// Variables of the C library that a caller may have changed before, and what they are called. Those
/// that only the models have are called `labrys_…`: another name would be another one in a program
/// that has a variable of that name. Streams and descriptors are not among them: every `printf` decides
/// by these, so their models say themselves what depends on the past.
const LIBRARY_STATE: [(&str, &str); 30] = [
    ("__errno_location.number", "errno"),
    ("strtok.rest", "the text of strtok"),
    ("labrys_random_ready", "the state of rand"),
    ("labrys_random_state", "the state of rand"),
    ("labrys_random48_state", "the state of drand48"),
    ("optind", "optind"),
    ("opterr", "opterr"),
    ("labrys_option_letter", "the state of getopt"),
    ("labrys_signal_actions", "the handlers of signals"),
    ("labrys_blocked_signals", "the mask of signals"),
    ("labrys_end_seen_before", "the end of standard streams"),
    ("labrys_locale_of_thread", "the locale of the thread"),
    ("labrys_thread_values", "the values of the thread"),
    ("labrys_thread_keys", "the values of the thread"),
    ("optarg", "optarg"),
    ("optopt", "optopt"),
    ("environ", "environ"),
    ("__environ", "environ"),
    ("tzname", "tzname"),
    ("__tzname", "tzname"),
    ("timezone", "timezone"),
    ("__timezone", "timezone"),
    ("daylight", "daylight"),
    ("__daylight", "daylight"),
    ("error_message_count", "error_message_count"),
    ("error_one_per_line", "error_one_per_line"),
    ("program_invocation_name", "the name of the program"),
    ("program_invocation_short_name", "the name of the program"),
    ("__progname", "the name of the program"),
    ("__progname_full", "the name of the program"),
];

/// The tables of characters, the size of an entry, and what of it depends on the locale: not the bits
/// for decimal and hexadecimal digits.
const CHARACTER_TABLES: [(&str, u32, WatchKind); 3] = [
    (
        "labrys_character_classes",
        2,
        WatchKind::DecidingBits(!0x1800),
    ),
    ("labrys_lower_characters", 4, WatchKind::Deciding),
    ("labrys_upper_characters", 4, WatchKind::Deciding),
];

/// Bytes of a pointer.
const POINTER: u64 = 8;

impl Machine<'_> {
    /// `labrys_initial_state()`: the variables of the program hold what they hold at its start, which
    /// is a guess where a function may be called later.
    pub(super) fn watch_initial_values(&mut self) {
        self.state.called_later = true;
        self.watch_character_tables();
        for (index, global) in self.program.module.globals.iter().enumerate() {
            let of_library = LIBRARY_STATE.iter().find(|(name, _)| *name == global.name);
            let name = match of_library {
                Some((_, shown)) => (*shown).to_owned(),
                None if global.changeable && !global.external => variable_name(&global.name),
                None => continue,
            };
            let flag = self.text(&Assumption::InitialValue(name).to_string());
            let id = self.program.global_object(GlobalId(index as u32));
            self.watch_object(id, &flag);
        }
    }

    /// The tables behind `<ctype.h>` say what characters beyond ASCII are in the C locale. A caller may
    /// have chosen another one, where digits are still the same.
    fn watch_character_tables(&mut self) {
        let flag = self.text(LOCALE);
        for (name, size, kind) in CHARACTER_TABLES {
            let globals = &self.program.module.globals;
            let Some(index) = globals.iter().position(|global| global.name == name) else {
                continue;
            };
            let id = self.program.global_object(GlobalId(index as u32));
            let Some(object) = self.state.memory.object_mut(id) else {
                continue;
            };
            // Entries for -128 to -2, and from 128 on; -1 is the end of a file.
            for (start, end) in [(0, 127), (256, 384)] {
                object.watch(Watch {
                    start: start * size,
                    end: end * size,
                    flag: flag.clone(),
                    kind,
                });
            }
        }
    }

    pub(super) fn watch_object(&mut self, id: ObjectId, flag: &Rc<str>) {
        if let Some(object) = self.state.memory.object_mut(id)
            && !object.is_constant()
        {
            let size = u32::try_from(object.size()).unwrap_or(u32::MAX);
            object.watch(Watch {
                start: 0,
                end: size,
                flag: flag.clone(),
                kind: WatchKind::Deciding,
            });
        }
    }

    /// `labrys_reveal(bytes, size, constant)`: functions without a body know what the pointers in
    /// these bytes lead to.
    pub(super) fn reveal(&mut self, bytes: Reg, size: Reg, constant: Reg) -> Step {
        let size = self.expr(size);
        let size = self.pin(size)?;
        let access = match self.value(constant) {
            0 => StubAccess::Writes,
            _ => StubAccess::Reads,
        };
        let address = self.expr(bytes);
        let (id, offset) = self.resolve_range(address, size)?;
        let Some(object) = self.state.memory.object(id).cloned() else {
            return Ok(());
        };
        for target in self.pointers_in(&object, offset, offset + size) {
            self.make_known(target, access);
        }
        Ok(())
    }

    /// Notes that stubs know an object; true if they did not know as much of it.
    pub(super) fn make_known(&mut self, id: ObjectId, access: StubAccess) -> bool {
        if self
            .state
            .known_to_stubs
            .get(&id)
            .is_some_and(|known| *known >= access)
        {
            return false;
        }
        Rc::make_mut(&mut self.state.known_to_stubs).insert(id, access);
        true
    }

    /// `labrys_effects(flag)`
    pub(super) fn stub_effects(&mut self, flag: Reg) -> Step {
        let flag = self.c_string(flag)?;
        let flag = self.text(&flag);
        self.spread_knowledge();
        let known = self.state.known_to_stubs.clone();
        if known.keys().any(|id| self.is_programs_function(*id)) {
            // It may be called, at any time and with anything.
            self.rest_on(&flag);
        }
        for (id, access) in known.iter() {
            if *access == StubAccess::Writes {
                self.watch_object(*id, &flag);
            }
        }
        self.watch_state(&flag);
        Ok(())
    }

    /// Makes all known that can be reached from what is known.
    fn spread_knowledge(&mut self) {
        let mut open: Vec<ObjectId> = self.state.known_to_stubs.keys().copied().collect();
        while let Some(id) = open.pop() {
            for target in self.pointers_from(id) {
                if self.make_known(target, StubAccess::Writes) {
                    open.push(target);
                }
            }
        }
    }

    /// `OtherThreads`, `labrys_other_threads()`: this thread has taken a lock, or has read what another
    /// one has released. Where a function is called, other threads may have changed all that the
    /// caller can reach and all variables in between; a program that makes no thread has none.
    pub(super) fn other_threads(&mut self) {
        if !self.state.called_later {
            return;
        }
        let flag = self.text(THREADS);
        self.spread_knowledge();
        let known = self.state.known_to_stubs.clone();
        for id in known.keys() {
            self.watch_object(*id, &flag);
        }
        self.watch_state(&flag);
    }

    /// Watches the variables that can change, and all that they lead to.
    fn watch_state(&mut self, flag: &Rc<str>) {
        let program = self.program;
        let globals = program.module.globals.iter().enumerate();
        let changeable = globals.filter(|(_, global)| global.changeable);
        let mut open: Vec<ObjectId> = changeable
            .map(|(index, _)| program.global_object(GlobalId(index as u32)))
            .collect();
        let mut seen: FxHashSet<ObjectId> = open.iter().copied().collect();
        while let Some(id) = open.pop() {
            self.watch_object(id, flag);
            let targets = self.pointers_from(id);
            open.extend(targets.into_iter().filter(|target| seen.insert(*target)));
        }
    }

    fn pointers_from(&self, id: ObjectId) -> Vec<ObjectId> {
        let object = self.state.memory.object(id);
        object.map_or_else(Vec::new, |object| {
            self.pointers_in(object, 0, object.size())
        })
    }

    fn is_programs_function(&self, id: ObjectId) -> bool {
        let module = self.program.module;
        self.program.function_at(id).is_some_and(|number| {
            let function = &module.functions[number.index()];
            let is_users = !function.is_external() && self.program.is_users(function.loc);
            is_users && self.program.is_address_taken(number)
        })
    }

    /// The objects to which the pointers among these bytes lead.
    pub(super) fn pointers_in(&self, object: &Object, start: u64, end: u64) -> Vec<ObjectId> {
        let step = match end - start <= PACKED_BYTES {
            true => 1,
            false => 8,
        };
        let mut found = Vec::new();
        for offset in (start..end.saturating_sub(7)).step_by(step) {
            if let Some(word) = object.plain(offset, 8) {
                found.extend(self.pointed_to(word));
            }
        }
        object.for_each_expr_between(start, end, &mut |e| self.pointers_of(e, &mut found));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The object that a number points to if it is an address.
    fn pointed_to(&self, word: u64) -> Option<ObjectId> {
        let id = split(word).0;
        // Most words are small numbers, and every call of a stub asks of all bytes.
        if id == ObjectId::NULL {
            return None;
        }
        let live = matches!(self.state.memory.entry(id), ObjectEntry::Live(_));
        (live || self.program.function_at(id).is_some()).then_some(id)
    }

    /// The objects whose addresses an expression is made from.
    pub(super) fn pointers_of(&self, e: ExprId, found: &mut Vec<ObjectId>) {
        // Most are bytes of an input.
        let mut e = e;
        while let ExprKind::Extract(a, _) | ExprKind::Convert(_, a) = self.arena.kind(e) {
            e = a;
        }
        if let ExprKind::Var(_) = self.arena.kind(e) {
            return;
        }
        let mut seen = FxHashSet::default();
        let mut open = vec![e];
        while let Some(e) = open.pop() {
            if !seen.insert(e) {
                continue;
            }
            match self.arena.kind(e) {
                ExprKind::Const(value) => found.extend(self.pointed_to(value as u64)),
                ExprKind::Ite(_, a, b) => open.extend([a, b]),
                ExprKind::Binary(op, a, b) if keeps_addresses(op) => open.extend([a, b]),
                ExprKind::Extract(a, _) | ExprKind::Convert(_, a) => open.push(a),
                ExprKind::Table(table, _) => open.extend(self.arena.table_entries(table)),
                _ => {}
            }
        }
    }

    /// `labrys_havoc(ptr, most, name, end)`: the bytes there, as far as they may be written, become
    /// an input. If `end` names an option they are a text, whose end is a limit.
    pub(super) fn havoc(&mut self, args: RegList) -> Step {
        let pointer = self.argument(args, 0)?;
        let most = self.argument(args, 1)?;
        let most = self.expr(most);
        let most = self.pin(most)?;
        let name = self.argument(args, 2)?;
        let name = self.c_string(name)?;
        let end = self.argument(args, 3)?;
        let end = self.c_string(end)?;
        let place = self.place_of(pointer)?;
        let room = place.map_or(0, |(id, offset)| self.writable_bytes(id, offset));
        let size = room.min(most);
        let Some((id, offset)) = place.filter(|_| size > 0) else {
            // A native run cannot tell, so the test says it.
            self.request(&format!("{name} (no room)"), InputKind::Memory, 1, 1);
            return Ok(());
        };
        self.put_input(id, offset, size, &name);
        if !end.is_empty() && size > 1 {
            let last = offset + size - 1;
            let flag = self.text(&end);
            if let Some(object) = self.state.memory.object(id).cloned()
                && let Some(byte) = self.byte_of(&object, last)
            {
                let zero = self.arena.constant(8, 0);
                let ends = self.arena.eq(byte, zero);
                self.assume(ends)?;
            }
            if let Some(object) = self.state.memory.object_mut(id) {
                object.watch(Watch {
                    start: last as u32,
                    end: last as u32 + 1,
                    flag,
                    kind: WatchKind::Reading,
                });
            }
        }
        Ok(())
    }

    /// `labrys_interior(ptr, name)`: any place of the object that a pointer leads into.
    pub(super) fn interior(&mut self, args: RegList, results: RegList) -> Step {
        let pointer = self.argument(args, 0)?;
        let name = self.argument(args, 1)?;
        let name = self.c_string(name)?;
        let place = self.place_of(pointer)?;
        let kind = InputKind::Scalar(Scalar::Long);
        let input = self.request(&name, kind, Scalar::Long.bytes(), 8);
        let (var, _) = self.inputs.get(input).pieces[0];
        let distance = self.arena.var_expr(var);
        let address = self.expr(pointer);
        let result = self.arena.add(address, distance);
        let within = match place {
            Some((id, _)) => {
                let size = self.state.memory.object(id).map_or(0, |o| o.size());
                let base = self.arena.constant(64, id.base().into());
                let offset = self.arena.sub(result, base);
                let limit = self.arena.constant(64, (size + 1).into());
                self.arena.ult(offset, limit)
            }
            None => {
                let zero = self.arena.constant(64, 0);
                self.arena.eq(distance, zero)
            }
        };
        self.assume(within)?;
        let slot = self.slot_of(result);
        self.set_results(results, &[slot]);
        Ok(())
    }

    /// `labrys_assign(place, name, count, choices)`: the pointer at a place stays as it is, or becomes
    /// one of the choices. It stays where there is no room for one.
    pub(super) fn assign_pointer(&mut self, args: RegList) -> Step {
        let pointer = self.argument(args, 0)?;
        let name = self.argument(args, 1)?;
        let name = self.c_string(name)?;
        let count = self.argument(args, 2)?;
        let count = self.value(count) as u32 + 1;
        let choices = self.argument(args, 3)?;
        let choices = self.expr(choices);
        let place = self.place_of(pointer)?;
        let place = place.filter(|(id, offset)| self.writable_bytes(*id, *offset) >= POINTER);
        let id = self.request(&name, InputKind::Pick { count }, 4, 4);
        let (var, _) = self.inputs.get(id).pieces[0];
        let choice = self.arena.var_expr(var);
        let unchanged = self.arena.constant(32, 0);
        let unchanged = self.arena.eq(choice, unchanged);
        let Some((id, offset)) = place else {
            return self.assume(unchanged);
        };
        let limit = self.arena.constant(32, count.into());
        let valid = self.arena.ult(choice, limit);
        self.assume(valid)?;
        let place = self.arena.constant(64, (id.base() + offset).into());
        let old = self.without_resting(|m| m.load_value(place, 64))?;
        let mut value = match old.expr {
            Some(e) if self.arena.defined(e).is_none() => {
                let changed = self.arena.not(unchanged);
                self.assume(changed)?;
                None
            }
            Some(e) => Some(e),
            None => Some(self.arena.constant(64, old.bits.into())),
        };
        for number in 1..count {
            let distance = self
                .arena
                .constant(64, u128::from(number - 1) * u128::from(POINTER));
            let from = self.arena.add(choices, distance);
            let slot = self.load_value(from, 64)?;
            let new = match slot.expr {
                Some(e) => e,
                None => self.arena.constant(64, slot.bits.into()),
            };
            let number = self.arena.constant(32, number.into());
            let here = self.arena.eq(choice, number);
            value = Some(match value {
                Some(value) => self.arena.ite(here, new, value),
                None => new,
            });
        }
        let Some(value) = value else { return Ok(()) };
        let slot = self.slot_of(value);
        self.store_value(place, slot, 64)
    }

    /// The object and the offset that a pointer means on this path; none if it is no place in a
    /// live object.
    fn place_of(&mut self, pointer: Reg) -> Step<Option<(ObjectId, u64)>> {
        let address = self.expr(pointer);
        if self.arena.is_uninit(address) {
            return Ok(None);
        }
        let (address, base) = self.find_base(address)?;
        let id = split(base).0;
        let Some(size) = self.state.memory.object(id).map(|o| o.size()) else {
            return Ok(None);
        };
        let start = self.arena.constant(64, id.base().into());
        let offset = self.arena.sub(address, start);
        let offset = self.pin(offset)?;
        Ok((offset <= size).then_some((id, offset)))
    }

    fn writable_bytes(&self, id: ObjectId, offset: u64) -> u64 {
        let object = self.state.memory.object(id).filter(|o| !o.is_constant());
        object.map_or(0, |o| o.size().saturating_sub(offset))
    }

    fn byte_of(&mut self, object: &Object, offset: u64) -> Option<ExprId> {
        match object.read(&mut self.arena, offset, 1) {
            ReadValue::Symbolic(e) => Some(e),
            ReadValue::Concrete(_) => None,
        }
    }
}

/// May the result of the operation be an address if an operand is one?
fn keeps_addresses(op: ExprOp) -> bool {
    use ExprOp::{Add, Concat, Or, Sub, Xor};
    matches!(op, Add | Sub | Or | Xor | Concat)
}

/// What C calls a variable: `f.count.3` of LLVM is the variable `count` in `f`.
fn variable_name(symbol: &str) -> String {
    let mut parts: Vec<&str> = symbol.split('.').collect();
    while parts.len() > 1
        && parts
            .last()
            .is_some_and(|p| p.bytes().all(|b| b.is_ascii_digit()))
    {
        parts.pop();
    }
    match parts[..] {
        [function, variable] => {
            let function = if function.starts_with("labrys_main") {
                "main"
            } else {
                function
            };
            format!("{variable} (in {function})")
        }
        _ => parts.join("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::assumptions::STANDARD_STREAMS;
    use std::path::Path;

    /// A program may have a variable of the same name, and then the models' one gets another.
    #[test]
    fn variables_that_are_known_by_name_are_the_only_ones_of_that_name() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/libc");
        let files = std::fs::read_dir(dir).unwrap().map(|f| f.unwrap().path());
        let texts = files.map(|file| std::fs::read_to_string(file).unwrap());
        let models = texts.collect::<Vec<_>>().concat();
        let state = LIBRARY_STATE.iter().map(|(name, _)| *name);
        let tables = CHARACTER_TABLES.iter().map(|(name, _, _)| *name);
        for name in state.chain(tables).chain(STANDARD_STREAMS) {
            let (function, variable) = name.rsplit_once('.').unwrap_or(("", name));
            let mut words = models.lines().filter(|line| {
                let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
                words.any(|word| word == variable)
            });
            let definition = words.find(|line| line.contains("static ") || line.contains("WEAK "));
            let definition = definition.unwrap_or_else(|| panic!("there is no {name}"));
            let is_public = definition.starts_with("WEAK ") || !function.is_empty();
            assert!(is_public || name.starts_with("labrys_"), "{name}");
        }
    }

    #[test]
    fn variables_have_the_names_of_the_source() {
        assert_eq!(variable_name("count"), "count");
        assert_eq!(variable_name("count.2"), "count");
        assert_eq!(variable_name("next.count"), "count (in next)");
        assert_eq!(variable_name("next.count.7"), "count (in next)");
        assert_eq!(variable_name("labrys_main.x"), "x (in main)");
    }
}
