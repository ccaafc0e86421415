//! The variables of a state and their values: words of memory that are not the same in all states, and
//! the registers of active calls that are still needed. A search tells by them whether it has seen a
//! state before.

use crate::candidates::{InputValues, WantedState};
use crate::memory::{Memory, Object, ObjectId, Word};
use crate::state::{Frame, State};
use labrys_expr::{ExprId, VarId};
use labrys_ir::{FuncId, Liveness, Module, Reg};
use labrys_solver::{PathCondition, PossibleValues};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// At most so many values of a state are compared, those of the variables with the fewest.
const MOST_SETTINGS: usize = 96;

/// Objects with more words are buffers, not state.
const MOST_WORDS: u64 = 1024;

/// A variable with more values is a position or a counter without an end, not state.
const MOST_VALUES: u32 = 64;

/// So many of the inputs in buffers that the path has asked about last count.
const RECENT_INPUTS: usize = 2;

/// An object with so many words that depend on the input is a buffer, which is read along: only what the
/// path has asked about last counts.
const BUFFER_WORDS: usize = 16;

/// A variable, by its number.
pub(super) type Variable = u32;

/// A variable and its value in a state, as it is kept for each candidate that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KeptSetting {
    variable: Variable,
    /// Stands for the value. Two values that fall on the same number cost a rank.
    value: u32,
}

const _: () = assert!(size_of::<KeptSetting>() == 8);

impl KeptSetting {
    fn new(variable: Variable, value: u64) -> Self {
        KeptSetting {
            variable,
            value: (mix(value) >> 32) as u32,
        }
    }

    pub(super) fn spelled_out(self) -> Setting {
        let name = mix(u64::from(self.variable) + 1);
        Setting {
            variable: self.variable,
            name,
            key: mix(name ^ u64::from(self.value)),
        }
    }
}

/// The same as it is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Setting {
    pub(super) variable: Variable,
    /// A number that stands for the variable, one that stands for the variable with this value.
    pub(super) name: u64,
    pub(super) key: u64,
}

/// An object of memory that is followed.
struct FollowedObject {
    /// Its words when it was seen first.
    first: Vec<Word>,
    /// The variable of each word that had another value since.
    variables: Vec<Option<Variable>>,
}

/// Where a register of an active call is found: its depth, its function, its number.
type RegisterPlace = (u32, FuncId, Reg);

pub(super) struct StateVariables<'m> {
    module: &'m Module,
    objects: FxHashMap<ObjectId, FollowedObject>,
    registers: FxHashMap<RegisterPlace, Variable>,
    /// By variable: the values that were seen.
    values: Vec<FxHashSet<u64>>,
    /// The memory that was looked at last, and the values of its variables; none if its object is gone.
    last: Memory,
    current: FxHashMap<Variable, u64>,
    /// Those of its variables that depend on the input.
    symbolic: BTreeMap<Variable, Box<[ExprId]>>,
    /// Inputs that are in buffers.
    buffers: FxHashSet<VarId>,
    liveness: FxHashMap<FuncId, Liveness>,
    live: FxHashMap<(FuncId, u32), Rc<[Reg]>>,
    wanted: WantedVariables,
}

/// A variable for each state that something open asks for; it is only there in states that are so.
#[derive(Default)]
struct WantedVariables {
    all: Vec<(Variable, WantedState)>,
    /// Those that depend on an object.
    by_object: FxHashMap<ObjectId, Vec<usize>>,
    variables: FxHashSet<Variable>,
    /// What they asked for is decided.
    closed: FxHashSet<Variable>,
    /// Those that the memory that was looked at last meets.
    met: BTreeSet<usize>,
}

impl WantedVariables {
    fn look_at(&mut self, memory: &Memory, changed: &[ObjectId]) {
        let touched = changed.iter().filter_map(|id| self.by_object.get(id));
        let touched: BTreeSet<usize> = touched.flatten().copied().collect();
        for at in touched {
            let (variable, state) = &self.all[at];
            match !self.closed.contains(variable) && state.is_met(memory) {
                true => self.met.insert(at),
                false => self.met.remove(&at),
            };
        }
    }

    fn settings(&self) -> impl Iterator<Item = KeptSetting> + '_ {
        let met = self.met.iter().map(|at| self.all[*at].0);
        let open = met.filter(|variable| !self.closed.contains(variable));
        open.map(wanted_setting)
    }
}

/// Of a state that is as something open asks for.
pub(super) fn wanted_setting(variable: Variable) -> KeptSetting {
    KeptSetting::new(variable, 1)
}

impl<'m> StateVariables<'m> {
    pub(super) fn new(module: &'m Module) -> Self {
        StateVariables {
            module,
            objects: FxHashMap::default(),
            registers: FxHashMap::default(),
            values: vec![FxHashSet::default(); RECENT_INPUTS],
            last: Memory::default(),
            current: FxHashMap::default(),
            symbolic: BTreeMap::new(),
            buffers: FxHashSet::default(),
            liveness: FxHashMap::default(),
            live: FxHashMap::default(),
            wanted: WantedVariables::default(),
        }
    }

    /// Something open asks for a state: the variable that says whether a state is so.
    pub(super) fn want(&mut self, state: &WantedState) -> Variable {
        let variable = self.values.len() as Variable;
        self.values.push(FxHashSet::default());
        let wanted = &mut self.wanted;
        let at = wanted.all.len();
        for object in state.objects() {
            let of_object = wanted.by_object.entry(object).or_default();
            if of_object.last() != Some(&at) {
                of_object.push(at);
            }
        }
        if state.is_met(&self.last) {
            wanted.met.insert(at);
        }
        wanted.variables.insert(variable);
        wanted.all.push((variable, state.clone()));
        variable
    }

    /// Forgets the states that nothing open asks for any more.
    pub(super) fn close_wanted(&mut self, is_open: impl Fn(&WantedState) -> bool) {
        let wanted = &mut self.wanted;
        for (variable, state) in &wanted.all {
            if !is_open(state) {
                wanted.closed.insert(*variable);
            }
        }
    }

    pub(super) fn is_wanted(&self, variable: Variable) -> bool {
        self.wanted.variables.contains(&variable)
    }

    pub(super) fn is_closed(&self, variable: Variable) -> bool {
        self.wanted.closed.contains(&variable)
    }

    /// How many values of a variable were seen.
    pub(super) fn arity(&self, variable: Variable) -> u32 {
        self.values[variable as usize].len() as u32
    }

    /// The values of all variables of a state, those with few values first.
    pub(super) fn of(&mut self, state: &State, values: &mut dyn InputValues) -> Rc<[KeptSetting]> {
        self.look_at(&state.memory, values);
        let mut all: Vec<(Variable, u64)> = self.current.iter().map(|(k, v)| (*k, *v)).collect();
        self.add_recent_inputs(state, values, &mut all);
        for (variable, exprs) in &self.symbolic {
            let parts = exprs.iter();
            let value = parts.fold(0, |hash, e| {
                join(hash, number_of_possible(values.possible(&state.path, *e)))
            });
            note(&mut self.values[*variable as usize], value);
            all.push((*variable, value));
        }
        let mut frame = Some(&state.frame);
        while let Some(f) = frame {
            self.add_registers(f, &state.path, values, &mut all);
            frame = f.parent.as_deref();
        }
        all.retain(|(variable, _)| (2..=MOST_VALUES).contains(&self.arity(*variable)));
        all.sort_unstable_by_key(|(variable, _)| (self.arity(*variable), *variable));
        all.truncate(MOST_SETTINGS);
        let setting = |(variable, value)| KeptSetting::new(variable, value);
        let usual = all.into_iter().map(setting);
        usual.chain(self.wanted.settings()).collect()
    }

    /// What the last conditions of the path say of inputs in buffers. The first variables stand for them,
    /// wherever in the buffer they are.
    fn add_recent_inputs(
        &mut self,
        state: &State,
        values: &mut dyn InputValues,
        all: &mut Vec<(Variable, u64)>,
    ) {
        let mut found: Vec<VarId> = Vec::new();
        for condition in state.recent.iter().flatten() {
            values.inputs_of(*condition, &mut |input| {
                if self.buffers.contains(&input) && !found.contains(&input) {
                    found.push(input);
                }
            });
        }
        for (variable, input) in (0..RECENT_INPUTS as Variable).zip(found) {
            let value = number_of_possible(values.possible_inputs(&state.path, input));
            note(&mut self.values[variable as usize], value);
            all.push((variable, value));
        }
    }

    fn look_at(&mut self, memory: &Memory, values: &dyn InputValues) {
        let last = std::mem::replace(&mut self.last, memory.clone());
        let mut changed = Vec::new();
        memory.for_each_changed(&last, &mut |id, object| {
            changed.push(id);
            match object {
                Some(object) if !object.is_constant() && object.size() <= 4 * MOST_WORDS => {
                    self.look_at_object(id, object, values);
                }
                _ => self.leave_object(id),
            }
        });
        self.wanted.look_at(memory, &changed);
    }

    fn look_at_object(&mut self, id: ObjectId, object: &Object, values: &dyn InputValues) {
        let symbolic = object.words().filter(|word| *word == Word::Symbolic);
        let is_buffer = symbolic.take(BUFFER_WORDS).count() == BUFFER_WORDS;
        let followed = self.objects.entry(id).or_insert_with(|| {
            let first: Vec<Word> = object.words().collect();
            FollowedObject {
                variables: vec![None; first.len()],
                first,
            }
        });
        for (at, word) in object.words().enumerate().take(followed.first.len()) {
            let variable = match followed.variables[at] {
                Some(variable) => variable,
                None if word == followed.first[at] && word != Word::Symbolic => continue,
                None => {
                    let number = self.values.len() as Variable;
                    let first = followed.first[at];
                    let known = (first != Word::Symbolic).then_some(number_of(first));
                    self.values.push(known.into_iter().collect());
                    followed.variables[at] = Some(number);
                    number
                }
            };
            if word == Word::Symbolic {
                self.current.remove(&variable);
                let exprs = object.exprs_in_word(at);
                if is_buffer {
                    self.symbolic.remove(&variable);
                    for e in &exprs {
                        values.inputs_of(*e, &mut |input| {
                            self.buffers.insert(input);
                        });
                    }
                } else {
                    self.symbolic.insert(variable, exprs.into());
                }
                continue;
            }
            self.symbolic.remove(&variable);
            note(&mut self.values[variable as usize], number_of(word));
            self.current.insert(variable, number_of(word));
        }
    }

    fn leave_object(&mut self, id: ObjectId) {
        if let Some(followed) = self.objects.get(&id) {
            for variable in followed.variables.iter().flatten() {
                self.current.remove(variable);
                self.symbolic.remove(variable);
            }
        }
    }

    fn add_registers(
        &mut self,
        frame: &Frame,
        path: &PathCondition,
        possible: &mut dyn InputValues,
        all: &mut Vec<(Variable, u64)>,
    ) {
        let live = self.live_at(frame.function, frame.pc);
        for reg in live.iter() {
            let Some(slot) = frame.regs.get(reg.index()) else {
                continue;
            };
            let value = match slot.expr {
                Some(e) => number_of_possible(possible.possible(path, e)),
                None => slot.bits,
            };
            let values = &mut self.values;
            let place = (frame.depth, frame.function, *reg);
            let variable = *self.registers.entry(place).or_insert_with(|| {
                values.push(FxHashSet::default());
                values.len() as Variable - 1
            });
            note(&mut values[variable as usize], value);
            all.push((variable, value));
        }
    }

    /// The registers that are needed at a place, constants left out.
    fn live_at(&mut self, id: FuncId, place: u32) -> Rc<[Reg]> {
        if let Some(known) = self.live.get(&(id, place)) {
            return known.clone();
        }
        let function = &self.module.functions[id.index()];
        let liveness = self
            .liveness
            .entry(id)
            .or_insert_with(|| Liveness::of(function));
        let live = liveness.at(function, place);
        let is_constant = |reg: &Reg| function.constants.iter().any(|(known, _)| known == reg);
        let all = (0..live.len() as u32).map(Reg);
        let live: Rc<[Reg]> = all
            .filter(|reg| live[reg.index()] && !is_constant(reg))
            .collect();
        self.live.insert((id, place), live.clone());
        live
    }
}

fn note(values: &mut FxHashSet<u64>, value: u64) {
    if values.len() <= MOST_VALUES as usize {
        values.insert(value);
    }
}

/// A number that no other word has.
fn number_of(word: Word) -> u64 {
    match word {
        Word::Plain(value) => value.into(),
        Word::Symbolic => 1 << 62,
        Word::Uninitialised => 1 << 61,
    }
}

/// A number that stands for values.
fn number_of_possible(values: PossibleValues) -> u64 {
    match values {
        PossibleValues::One(value) => value,
        PossibleValues::Some(hash) => 1 << 63 | hash >> 1,
        PossibleValues::Any => number_of(Word::Symbolic),
    }
}

/// The number of a word from those of its parts; that of a part that is alone.
fn join(parts: u64, next: u64) -> u64 {
    match parts {
        0 => next,
        _ => mix(parts).wrapping_add(next),
    }
}

/// Spreads the bits of a number (the finaliser of splitmix64).
pub(super) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
