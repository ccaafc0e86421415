//! Which numbers relations are kept about: those that are compared with each other, added or
//! subtracted, and what these come from, over calls and through memory. A bounded number of each
//! function.

use crate::call_effects::CallEffect;
use crate::definitions::{Definition, Definitions};
use crate::load_numbers::MemoryRules;
use crate::places::{Base, ConstantRegisters, MemoryPlace, address, constants};
use crate::value_set::MAX_WIDTH;
use labrys_ir::{BinOp, BlockId, Const, Function, Inst, Module, Reg, block_edges};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// At most 64 registers of a function, so that a set of them is one machine word.
const MAX_REGISTERS: usize = 64;
/// At most 128 places in memory.
const MAX_CELLS: usize = 128;
/// What is of interest in one function can make something interesting in its callers and callees; four
/// rounds of this reach through most programs.
const ROUNDS: usize = 4;

/// The registers of one function, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(crate) struct PackedRegisters {
    found: Vec<Reg>,
    seen: FxHashSet<Reg>,
    /// Callers ask how results and parameters are to each other.
    returns: bool,
}

impl PackedRegisters {
    fn add(&mut self, reg: Reg) -> bool {
        let is_new = self.found.len() < MAX_REGISTERS && self.seen.insert(reg);
        if is_new {
            self.found.push(reg);
        }
        is_new
    }
}

/// The choice for all functions, and the places of variables of the program.
pub(crate) fn choose(
    module: &Module,
    effects: &[CallEffect],
    definitions: &[Option<Definitions>],
    rules: &MemoryRules,
    is_made_up: &dyn Fn(&Function) -> bool,
) -> (Vec<PackedRegisters>, PackedCells) {
    let count = module.functions.len();
    let mut choice = Choice {
        module,
        rules,
        packs: vec![PackedRegisters::default(); count],
        results: vec![BTreeSet::new(); count],
        cells: BTreeSet::new(),
    };
    let functions: Vec<ChosenFunction<'_>> = (0..count)
        .filter(|number| effects[*number] == CallEffect::Body)
        .filter(|number| !is_made_up(&module.functions[*number]))
        .filter_map(|number| {
            let function = &module.functions[number];
            Some(ChosenFunction {
                number,
                function,
                known: definitions[number].as_ref()?,
                constants: constants(function),
            })
        })
        .collect();
    for one in &functions {
        choice.seeds(one);
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for one in &functions {
            changed |= choice.spread(one);
        }
        if !changed {
            break;
        }
    }
    (
        choice.packs,
        PackedCells(choice.cells.into_iter().collect()),
    )
}

/// The places in memory that relations are kept about, by number.
#[derive(Debug, Default)]
pub(crate) struct PackedCells(Vec<MemoryPlace>);

impl PackedCells {
    pub(crate) fn number(&self, place: MemoryPlace) -> Option<u32> {
        self.0
            .binary_search(&place)
            .ok()
            .map(|number| number as u32)
    }

    pub(crate) fn place(&self, number: u32) -> MemoryPlace {
        self.0[number as usize]
    }
}

struct ChosenFunction<'a> {
    number: usize,
    function: &'a Function,
    known: &'a Definitions,
    constants: ConstantRegisters,
}

impl ChosenFunction<'_> {
    /// Can relations speak of this register?
    fn is_number(&self, reg: Reg) -> bool {
        let width = self.function.width(reg);
        (2..=MAX_WIDTH).contains(&width)
            && !self.known.is_unsettled(reg)
            && self.known.def(reg) != Definition::Const
    }

    fn inst(&self, reg: Reg) -> Option<Inst> {
        match self.known.def(reg) {
            Definition::Inst(at) => Some(self.function.code[at as usize]),
            _ => None,
        }
    }

    fn is_literal(&self, reg: Reg) -> bool {
        matches!(self.constants.get(&reg), Some(Const::Int(_)))
    }

    /// Is the register a phi that gets a sum, or such a sum?
    fn is_counter(&self, reg: Reg) -> bool {
        let is_step = |reg: Reg| {
            let inst = self.inst(reg);
            matches!(
                inst,
                Some(Inst::Bin {
                    op: BinOp::Add | BinOp::Sub,
                    ..
                })
            )
        };
        let Definition::Phi(block) = self.known.def(reg) else {
            return is_step(reg);
        };
        let mut edges = self.known.incoming[block.index()].iter();
        edges.any(|edge| {
            let mut copies = self.function.edge_copies(*edge).iter();
            copies.any(|(dst, src)| *dst == reg && is_step(*src))
        })
    }

    /// Is the register a sum or a difference of two numbers?
    fn is_sum(&self, reg: Reg) -> bool {
        match self.inst(reg) {
            Some(Inst::Bin { op, a, b, .. }) => {
                let is_rest = matches!(op, BinOp::URem | BinOp::SRem);
                let adds = matches!(op, BinOp::Add | BinOp::Sub);
                is_rest || adds && self.is_number(a) && self.is_number(b)
            }
            _ => false,
        }
    }
}

struct Choice<'a> {
    module: &'a Module,
    rules: &'a MemoryRules,
    packs: Vec<PackedRegisters>,
    /// The results of each function that are of interest.
    results: Vec<BTreeSet<usize>>,
    cells: BTreeSet<MemoryPlace>,
}

impl Choice<'_> {
    /// First what is compared with each other, then what is compared with constants.
    fn seeds(&mut self, one: &ChosenFunction<'_>) {
        let pack = &mut self.packs[one.number];
        let comparisons = || {
            one.function.code.iter().filter_map(|inst| match inst {
                Inst::Cmp { a, b, width, .. } if *width > 1 => Some((*a, *b)),
                _ => None,
            })
        };
        for (a, b) in comparisons() {
            let both = one.is_number(a) && one.is_number(b);
            for reg in [a, b] {
                if one.is_number(reg) && (both || one.is_sum(reg)) {
                    pack.add(reg);
                }
            }
        }
        // Counters of loops go along with each other, or have a stride.
        for (a, b) in comparisons() {
            for (reg, other) in [(a, b), (b, a)] {
                if one.is_number(reg) && one.is_literal(other) && one.is_counter(reg) {
                    pack.add(reg);
                }
            }
        }
    }

    /// Follows what is of interest back to what it comes from; true if there is something new.
    fn spread(&mut self, one: &ChosenFunction<'_>) -> bool {
        let before = (self.packs[one.number].found.len(), self.cells.len());
        let mut more = false;
        for inst in &one.function.code {
            match *inst {
                Inst::Call { callee, args, .. } => {
                    let params = &self.module.functions[callee.index()].params;
                    let wanted = &self.packs[callee.index()].seen;
                    let given = one.function.list(args).iter().zip(params);
                    let given: Vec<Reg> = given
                        .filter(|(_, param)| wanted.contains(param))
                        .map(|(reg, _)| *reg)
                        .collect();
                    for reg in given {
                        self.add(one, reg);
                    }
                }
                Inst::Return { values } => {
                    for i in self.results[one.number].clone() {
                        self.packs[one.number].returns = true;
                        if let Some(reg) = one.function.list(values).get(i) {
                            self.add(one, *reg);
                        }
                    }
                }
                Inst::Store { addr, src, width } => {
                    if let Some(place) = self.place(one, addr, width)
                        && self.cells.contains(&place)
                    {
                        self.add(one, src);
                    }
                }
                _ => {}
            }
        }
        let mut next = 0;
        while let Some(reg) = self.packs[one.number].found.get(next).copied() {
            next += 1;
            more |= self.sources(one, reg);
        }
        more || before != (self.packs[one.number].found.len(), self.cells.len())
    }

    fn add(&mut self, one: &ChosenFunction<'_>, reg: Reg) {
        if one.is_number(reg) {
            self.packs[one.number].add(reg);
        }
    }

    /// What a register is computed from; true if another function gets something new to look at.
    fn sources(&mut self, one: &ChosenFunction<'_>, reg: Reg) -> bool {
        if let Definition::Phi(block) = one.known.def(reg) {
            for edge in &one.known.incoming[block.index()] {
                for (dst, src) in one.function.edge_copies(*edge) {
                    if *dst == reg {
                        self.add(one, *src);
                    }
                }
            }
            return false;
        }
        match one.inst(reg) {
            Some(Inst::Bin { a, b, .. } | Inst::Select { a, b, .. }) => {
                self.add(one, a);
                self.add(one, b);
            }
            Some(Inst::Cast { src, .. } | Inst::Copy { src, .. }) => self.add(one, src),
            Some(Inst::Intrinsic { args, .. }) => {
                for arg in one.function.list(args).to_vec() {
                    self.add(one, arg);
                }
            }
            Some(Inst::Load { addr, width, .. }) => {
                if let Some(place) = self.place(one, addr, width)
                    && self.cells.len() < MAX_CELLS
                {
                    self.cells.insert(place);
                }
            }
            Some(Inst::Call {
                callee,
                args,
                results,
            }) => {
                let results = one.function.list(results);
                if let Some(i) = results.iter().position(|result| *result == reg) {
                    // Annotations hand an argument on.
                    for arg in one.function.list(args).to_vec() {
                        if self.module.functions[callee.index()].is_external() {
                            self.add(one, arg);
                        }
                    }
                    return self.results[callee.index()].insert(i);
                }
            }
            _ => {}
        }
        false
    }

    /// The place of an object, if what is there is known to be what was stored. Places of locals are the
    /// same for all functions: a register number says too little to tell them apart, but they are only
    /// compared within one function.
    fn place(&self, one: &ChosenFunction<'_>, addr: Reg, width: u8) -> Option<MemoryPlace> {
        let found = address(one.function, one.known, &one.constants, addr)?;
        let place = found.place(width)?;
        let is_object = !matches!(place.base, Base::Pointer(_));
        let fits = width <= MAX_WIDTH && width.is_multiple_of(8);
        let is_steady = (self.rules).is_steady(one.number, place.region(), place.bytes());
        (is_object && fits && is_steady).then_some(place)
    }
}

/// The choice for one function, by register and by block.
#[derive(Debug, Default)]
pub(crate) struct Pack {
    /// The register that stands for each register that is packed.
    atoms: FxHashMap<Reg, Reg>,
    /// A bit for each that stands for others or itself.
    bits: FxHashMap<Reg, u64>,
    /// Those whose numbers may still be asked for, at the start of each block.
    live: Vec<u64>,
}

impl Pack {
    pub(crate) fn new(
        chosen: &PackedRegisters,
        function: &Function,
        known: &Definitions,
        effects: &[CallEffect],
    ) -> Pack {
        let mut pack = Pack::default();
        for reg in &chosen.found {
            if !known.is_unsettled(*reg) {
                let atom = known.settled_name(*reg);
                let next = 1u64.unbounded_shl(pack.bits.len() as u32);
                pack.bits.entry(atom).or_insert(next);
            }
        }
        if pack.bits.is_empty() {
            return pack;
        }
        for reg in (0..function.widths.len() as u32).map(Reg) {
            if !known.is_unsettled(reg) {
                let atom = known.settled_name(reg);
                if pack.bits.contains_key(&atom) {
                    pack.atoms.insert(reg, atom);
                }
            }
        }
        let last = match chosen.returns {
            true => (function.params.iter()).fold(0, |all, reg| all | pack.bit(*reg)),
            false => 0,
        };
        pack.find_live(function, known, effects, last);
        pack
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bits.is_empty()
    }

    /// The register that relations speak of instead of this one.
    pub(crate) fn atom(&self, reg: Reg) -> Option<Reg> {
        self.atoms.get(&reg).copied()
    }

    /// May the number in this register still be asked for, where a block begins?
    pub(crate) fn is_live(&self, atom: Reg, block: BlockId) -> bool {
        let live = self.live.get(block.index()).copied().unwrap_or(0);
        self.bits.get(&atom).is_some_and(|bit| live & bit != 0)
    }

    fn bit(&self, reg: Reg) -> u64 {
        self.atom(reg).map_or(0, |atom| self.bits[&atom])
    }

    /// `last` are those that are asked for when the function returns.
    fn find_live(
        &mut self,
        function: &Function,
        known: &Definitions,
        effects: &[CallEffect],
        last: u64,
    ) {
        let reads = self.reads(function, known, effects);
        let count = function.blocks.len();
        self.live = vec![0; count];
        loop {
            let mut changed = false;
            for number in known.order.iter().rev() {
                let block = function.blocks[number.index()];
                let mut live = 0;
                for edge in block_edges(function, *number) {
                    let mut behind = self.live[function.edges[edge.index()].target.index()];
                    for (dst, src) in function.edge_copies(edge).iter().rev() {
                        behind &= !self.bit_if_own(*dst);
                        behind |= reads[src.index()];
                    }
                    live |= behind;
                }
                for at in (block.start..block.end).rev() {
                    let inst = &function.code[at as usize];
                    if matches!(inst, Inst::Return { .. }) {
                        live |= last;
                    }
                    inst.for_each_write(function, &mut |reg| live &= !self.bit_if_own(reg));
                    inst.for_each_read(function, &mut |reg| live |= reads[reg.index()]);
                }
                changed |= live != self.live[number.index()];
                self.live[number.index()] = live;
            }
            if !changed {
                return;
            }
        }
    }

    fn bit_if_own(&self, reg: Reg) -> u64 {
        match self.atom(reg) == Some(reg) {
            true => self.bit(reg),
            false => 0,
        }
    }

    /// Whose numbers a use of each register may ask for: truth values are taken apart.
    fn reads(&self, function: &Function, known: &Definitions, effects: &[CallEffect]) -> Vec<u64> {
        let mut reads: Vec<u64> = (0..function.widths.len() as u32)
            .map(|reg| self.bit(Reg(reg)))
            .collect();
        for number in &known.order {
            let block = function.blocks[number.index()];
            for at in block.start..block.end {
                let inst = &function.code[at as usize];
                let is_part = match inst {
                    Inst::Bin { .. } | Inst::Cmp { .. } | Inst::Cast { .. } => true,
                    Inst::Copy { .. } | Inst::Select { .. } => true,
                    Inst::Call { callee, .. } => {
                        matches!(effects[callee.index()], CallEffect::Truth { .. })
                    }
                    _ => false,
                };
                if is_part {
                    let mut all = 0;
                    inst.for_each_read(function, &mut |reg| all |= reads[reg.index()]);
                    inst.for_each_write(function, &mut |reg| {
                        if reads[reg.index()] == 0 {
                            reads[reg.index()] = all;
                        }
                    });
                }
            }
        }
        reads
    }
}
