//! Load numbering: a load gives what a register holds if that register was loaded from or stored to
//! the same place before, on every way, and nothing in between can have written there.
//!
//! In comes a function with what calls may write; its definitions learn which loads are which
//! registers. What is known at the end of each block is kept for the values of memory.

use crate::call_effects::CallEffect;
use crate::definitions::Definitions;
use crate::escapes::PublicObjects;
use crate::footprints::Footprints;
use crate::places::{Address, Base, ConstantRegisters, MemoryPlace, address, constants};
use crate::pointer_shape::{AddressCode, AddressShape, OffsetSteps};
use crate::value_set::MAX_WIDTH;
use crate::writes::{CallWrites, Writes, calls_anything, written};
use labrys_ir::{BlockId, FuncId, Function, GlobalId, Inst, Module, Reg, block_edges};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Loads that give known addresses make more loads alike; three rounds see through `p->q->r`.
const ROUNDS: usize = 3;
/// At most 64 places are known at a time, so that large functions stay cheap.
const MAX_KNOWN: usize = 64;
/// Sweeps over the blocks of a function until nothing changes; beyond that nothing is numbered.
const MAX_SWEEPS: usize = 60;

/// What a program's functions may do to memory.
pub(crate) struct MemoryRules {
    pub(crate) public: PublicObjects,
    pub(crate) writes: CallWrites,
    footprints: Footprints,
}

impl MemoryRules {
    pub(crate) fn of(
        module: &Module,
        effects: &[CallEffect],
        definitions: &[Option<Definitions>],
        locals: &BTreeMap<GlobalId, FuncId>,
    ) -> MemoryRules {
        let public = PublicObjects::of(module, effects, definitions, locals);
        let writes = CallWrites::of(module, effects, definitions, &public);
        let footprints = Footprints::of(module, effects, definitions, &public);
        MemoryRules {
            public,
            writes,
            footprints,
        }
    }

    /// May a call of a function look at an object, or change it?
    pub(crate) fn concerns(&self, callee: FuncId, base: Base) -> bool {
        let is_public = self.public.is_public(callee.index(), base);
        self.footprints.has(callee, base, is_public)
    }

    /// May this code write to some bytes of an object of a function, or to some that a pointer leads to
    /// of which nothing is known?
    pub(crate) fn may_write(
        &self,
        writes: &Writes,
        function: usize,
        region: Option<AddressShape>,
        bytes: u64,
    ) -> bool {
        let Some(region) = region else {
            return writes.public;
        };
        match region.object {
            object if self.public.is_public(function, object) => writes.public,
            Base::Global(id) => writes.has_part(id, region.distances, bytes),
            Base::Local(_) | Base::Pointer(_) => false,
        }
    }

    /// Is what is there only changed by what the function itself does and calls?
    pub(crate) fn is_steady(
        &self,
        function: usize,
        region: Option<AddressShape>,
        bytes: u64,
    ) -> bool {
        !self.may_write(&self.writes.any_time, function, region, bytes)
    }
}

/// What is known of memory in one function, whatever its values are.
#[derive(Debug, Default)]
pub(crate) struct LoadNumbers {
    /// The registers that hold what is in memory, at the end of each block.
    pub(crate) at_end: Vec<Vec<(MemoryPlace, Reg)>>,
    /// Labels whose predicate may have written something, which is taken back behind them.
    pub(crate) taken_back: FxHashSet<u32>,
}

/// Registers that hold what is in memory, by place.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Held {
    known: Vec<(MemoryPlace, Reg)>,
    /// Something was written since the predicate of a label began, or none has begun.
    written: bool,
}

impl Held {
    fn join(&self, other: &Held) -> Held {
        let both = |entry: &&(MemoryPlace, Reg)| other.known.binary_search(entry).is_ok();
        Held {
            known: self.known.iter().filter(both).copied().collect(),
            written: self.written || other.written,
        }
    }

    fn get(&self, place: MemoryPlace) -> Option<Reg> {
        let mut known = self.known.iter();
        known.find(|(at, _)| *at == place).map(|(_, reg)| *reg)
    }

    fn add(&mut self, place: MemoryPlace, reg: Reg) {
        if self.known.len() < MAX_KNOWN
            && let Err(at) = self.known.binary_search(&(place, reg))
        {
            self.known.insert(at, (place, reg));
        }
    }

    /// A register gets another value.
    fn forget(&mut self, reg: Reg) {
        (self.known).retain(|(place, held)| *held != reg && place.base != Base::Pointer(reg));
    }
}

/// Numbers the loads of a function.
pub(crate) fn number_loads(
    module: &Module,
    number: usize,
    effects: &[CallEffect],
    rules: &MemoryRules,
    definitions: &mut Definitions,
) -> LoadNumbers {
    let function = &module.functions[number];
    let mut found = LoadNumbers::default();
    for _ in 0..ROUNDS {
        let mut walk = NumberingWalk {
            module,
            number,
            function,
            effects,
            rules,
            definitions,
            constants: constants(function),
            loaded: FxHashMap::default(),
            taken_back: FxHashSet::default(),
        };
        let Some(at_end) = walk.run() else {
            return LoadNumbers::default();
        };
        let (loaded, taken_back) = (walk.loaded, walk.taken_back);
        found = LoadNumbers { at_end, taken_back };
        if !definitions.number_loads(function, loaded) {
            break;
        }
    }
    found
}

struct NumberingWalk<'a> {
    module: &'a Module,
    number: usize,
    function: &'a Function,
    effects: &'a [CallEffect],
    rules: &'a MemoryRules,
    definitions: &'a Definitions,
    constants: ConstantRegisters,
    loaded: FxHashMap<u32, Reg>,
    taken_back: FxHashSet<u32>,
}

impl NumberingWalk<'_> {
    /// What is known at the end of each block; none if that takes too long.
    fn run(&mut self) -> Option<Vec<Vec<(MemoryPlace, Reg)>>> {
        let count = self.function.blocks.len();
        let mut edges: Vec<Option<Held>> = vec![None; self.function.edges.len()];
        let mut at_end = vec![Vec::new(); count];
        let order = self.definitions.order.clone();
        for _ in 0..MAX_SWEEPS {
            let mut changed = false;
            self.loaded.clear();
            self.taken_back.clear();
            for block in &order {
                let Some(mut held) = self.at_start(*block, &edges) else {
                    continue;
                };
                self.block(*block, &mut held);
                at_end[block.index()].clone_from(&held.known);
                for edge in block_edges(self.function, *block) {
                    let mut behind = held.clone();
                    for (dst, _) in self.function.edge_copies(edge) {
                        behind.forget(*dst);
                    }
                    let slot = &mut edges[edge.index()];
                    if slot.as_ref() != Some(&behind) {
                        *slot = Some(behind);
                        changed = true;
                    }
                }
            }
            if !changed {
                return Some(at_end);
            }
        }
        None
    }

    /// What holds on all ways into a block that were looked at; the others add nothing yet.
    fn at_start(&self, block: BlockId, edges: &[Option<Held>]) -> Option<Held> {
        let entry = Held {
            known: Vec::new(),
            written: true,
        };
        let mut joined = (block == BlockId(0)).then_some(entry);
        for edge in &self.definitions.incoming[block.index()] {
            if let Some(held) = &edges[edge.index()] {
                joined = Some(match joined {
                    None => held.clone(),
                    Some(other) => other.join(held),
                });
            }
        }
        joined
    }

    fn block(&mut self, number: BlockId, held: &mut Held) {
        let block = self.function.blocks[number.index()];
        for at in block.start..block.end {
            self.instruction(at, held);
        }
    }

    fn instruction(&mut self, at: u32, held: &mut Held) {
        let inst = self.function.code[at as usize];
        if let Inst::Load { dst, addr, width } = inst {
            let place = self.readable(addr, width);
            let known = place.and_then(|place| held.get(place));
            held.forget(dst);
            match (place, known) {
                (Some(_), Some(reg)) if reg != dst => {
                    self.loaded.insert(at, reg);
                }
                (Some(place), _)
                    if place.base != Base::Pointer(dst) && !self.definitions.is_unsettled(dst) =>
                {
                    held.add(place, dst);
                }
                _ => {}
            }
            return;
        }
        inst.for_each_write(self.function, &mut |reg| held.forget(reg));
        if let Some(addr) = written(&inst) {
            held.written = true;
            self.write(held, addr, &inst);
        }
        if calls_anything(&inst) {
            held.written = true;
            self.forget_written(held, &self.rules.writes.unknown);
        }
        if let Inst::Call { callee, .. } = inst {
            let writes = self.rules.writes.call(callee);
            held.written |= *writes != Writes::default();
            self.forget_written(held, writes);
            let name = self.module.functions[callee.index()].name.as_str();
            if self.effects[callee.index()] == CallEffect::Label {
                if held.written {
                    self.taken_back.insert(at);
                    held.known.clear();
                }
                held.written = true;
            } else if matches!(name, "labrys_label_begin" | "labrys_label_open") {
                held.written = false;
            }
        }
    }

    fn forget_written(&self, held: &mut Held, writes: &Writes) {
        let (rules, code) = (self.rules, self.code());
        held.known.retain(|(place, _)| {
            let region = code.region(*place);
            !rules.may_write(writes, self.number, region, place.bytes())
        });
    }

    fn code(&self) -> AddressCode<'_> {
        AddressCode {
            function: self.function,
            definitions: self.definitions,
            constants: &self.constants,
        }
    }

    fn address(&self, reg: Reg) -> Option<Address> {
        let found = self.code().pointer(reg);
        found.or_else(|| address(self.function, self.definitions, &self.constants, reg))
    }

    /// The place that a load reads, if two loads of it can be compared.
    fn readable(&self, addr: Reg, width: u8) -> Option<MemoryPlace> {
        let place = self.address(addr)?.place(width)?;
        let region = self.code().region(place);
        let is_steady = (self.rules).is_steady(self.number, region, place.bytes());
        (width <= MAX_WIDTH && is_steady).then_some(place)
    }

    /// A store, or a copy of many bytes, to an address.
    fn write(&self, held: &mut Held, addr: Reg, inst: &Inst) {
        let found = self.address(addr);
        let target = match inst {
            Inst::Store { width, .. } => found.and_then(|found| found.place(*width)),
            _ => None,
        };
        let is_public = |base| self.rules.public.is_public(self.number, base);
        let shape = self.code().shape(addr);
        let written = shape.map(|shape| match inst {
            Inst::Store { width, .. } => (shape, u64::from(width.div_ceil(8))),
            _ => (
                AddressShape {
                    distances: OffsetSteps::ALL,
                    ..shape
                },
                1,
            ),
        });
        let code = self.code();
        held.known.retain(|(place, _)| {
            if let (Some(found), Some(target)) = (found, target)
                && found.base == place.base
            {
                return !target.overlaps(*place);
            }
            match (written, code.region(*place)) {
                (Some((a, bytes)), Some(b)) if a.object == b.object => {
                    !(a.distances).overlaps(bytes, b.distances, place.bytes())
                }
                (Some(_), Some(_)) => true,
                (Some((a, _)), None) => !is_public(a.object),
                (None, Some(b)) => !is_public(b.object),
                (None, None) => false,
            }
        });
        if let (Some(target), Inst::Store { src, width, .. }) = (target, inst)
            && !self.definitions.is_unsettled(*src)
            && self.function.width(*src) == *width
            && *width % 8 == 0
            && self.readable(addr, *width) == Some(target)
        {
            // A register of the same name elsewhere may hold less than this one can.
            held.add(target, self.definitions.settled_name(*src));
        }
    }
}
