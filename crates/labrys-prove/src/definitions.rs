//! Where each register of a function gets its value, and where that value may be taken apart again.
//!
//! The lifter writes programs in static single assignment form, with phis as copies on edges. The
//! text form allows any program, so this is checked: a register keeps its definition only if the
//! definition is the only one, its operands are defined on every way to it, and so (by dominance)
//! the operands are still those that it was computed from wherever the definition dominates.

use crate::param_addresses::VariableAddress;
use labrys_ir::{
    BlockId, Cfg, Const, Dominators, EdgeId, Function, Inst, Module, Reg, SymbolRef, block_edges,
};
use rustc_hash::FxHashMap;

/// Where a register is given its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Definition {
    /// A parameter: never changes.
    Param,
    /// A constant: never changes.
    Const,
    /// One instruction of `code`.
    Inst(u32),
    /// Copies on every edge into this block, and nowhere else.
    Phi(BlockId),
    /// Anything else: nothing may be concluded from it.
    Other,
}

/// A place between instructions: before `code[at]` of the block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CodePoint {
    pub(crate) block: BlockId,
    pub(crate) at: u32,
}

pub(crate) struct Definitions {
    defs: Vec<Definition>,
    /// The block of an instruction that defines a register.
    block_of: Vec<u32>,
    /// Registers that are the same expression of the same registers share a name.
    names: Vec<Reg>,
    /// Loads that give what a register holds, by the number of the instruction.
    loaded: FxHashMap<u32, Reg>,
    /// Parameters that are the address of one variable in all calls.
    param_addresses: FxHashMap<Reg, VariableAddress>,
    /// Registers that some use may read before anything was written to them.
    maybe_unwritten: Vec<bool>,
    /// Numbers of a walk over the tree of dominators: `a` dominates `b` iff its range holds `b`'s.
    ranges: Vec<(u32, u32)>,
    /// The edges into each block.
    pub(crate) incoming: Vec<Vec<EdgeId>>,
    /// The block that each edge leaves.
    pub(crate) source: Vec<BlockId>,
    /// Reverse post order.
    pub(crate) order: Vec<BlockId>,
}

impl Definitions {
    pub(crate) fn of(module: &Module, function: &Function) -> Definitions {
        let cfg = Cfg::of(function);
        let dominators = Dominators::of(&cfg);
        let count = function.blocks.len();
        let mut incoming = vec![Vec::new(); count];
        let mut source = vec![BlockId(0); function.edges.len()];
        // An edge of a block that cannot be reached is never taken.
        for block in &cfg.order {
            for edge in block_edges(function, *block) {
                incoming[function.edges[edge.index()].target.index()].push(edge);
                source[edge.index()] = *block;
            }
        }
        let mut definitions = Definitions {
            defs: Vec::new(),
            block_of: vec![0; function.widths.len()],
            names: (0..function.widths.len() as u32).map(Reg).collect(),
            loaded: FxHashMap::default(),
            param_addresses: FxHashMap::default(),
            maybe_unwritten: vec![false; function.widths.len()],
            ranges: ranges(&cfg, &dominators),
            incoming,
            source,
            order: cfg.order,
        };
        definitions.defs = definitions.find(function);
        definitions.check_reads(function);
        definitions.check_operands(function);
        definitions.find_undefined(function);
        definitions.find_literals(module, function);
        definitions.find_names(function);
        definitions
    }

    /// Gives up everything: registers may change between any two instructions.
    pub(crate) fn forget_everything(&mut self, function: &Function) {
        self.order = (0..function.blocks.len() as u32).map(BlockId).collect();
        self.names = (0..function.widths.len() as u32).map(Reg).collect();
        self.loaded = FxHashMap::default();
        self.param_addresses = FxHashMap::default();
        self.maybe_unwritten.fill(true);
        for def in &mut self.defs {
            if *def != Definition::Const {
                *def = Definition::Other;
            }
        }
    }

    pub(crate) fn def(&self, reg: Reg) -> Definition {
        self.defs[reg.index()]
    }

    /// The instruction whose result the register still is at this point.
    pub(crate) fn inst_at(&self, reg: Reg, point: CodePoint) -> Option<u32> {
        let Definition::Inst(at) = self.defs[reg.index()] else {
            return None;
        };
        self.is_before(reg, at, point).then_some(at)
    }

    /// The block whose phi the register still is at this point.
    pub(crate) fn phi_at(&self, reg: Reg, point: CodePoint) -> Option<BlockId> {
        match self.defs[reg.index()] {
            Definition::Phi(block) if self.dominates(block, point.block) => Some(block),
            _ => None,
        }
    }

    /// Where the register's value at `point` is still the one that it had whenever control last
    /// came into `block`, which dominates the point.
    pub(crate) fn is_fixed_since(&self, reg: Reg, block: BlockId) -> bool {
        match self.defs[reg.index()] {
            Definition::Param | Definition::Const => true,
            Definition::Inst(_) => {
                let own = BlockId(self.block_of[reg.index()]);
                own != block && self.dominates(own, block)
            }
            // The phis of the block itself have been written on the way in.
            Definition::Phi(own) => own != block && self.dominates(own, block),
            Definition::Other => false,
        }
    }

    /// One register for all that are the same expression of the same operands.
    pub(crate) fn name(&self, reg: Reg) -> Reg {
        self.names[reg.index()]
    }

    /// The same, if that register is written on every way to where this one is; else the register.
    pub(crate) fn settled_name(&self, reg: Reg) -> Reg {
        let name = self.names[reg.index()];
        let is_before = match self.defs[reg.index()] {
            _ if name == reg => true,
            Definition::Inst(at) => {
                let block = BlockId(self.block_of[reg.index()]);
                self.is_defined(name, CodePoint { block, at })
            }
            _ => false,
        };
        if is_before { name } else { reg }
    }

    pub(crate) fn may_be_unwritten(&self, reg: Reg) -> bool {
        self.maybe_unwritten[reg.index()]
    }

    /// Is it not certain what the register holds, or where it comes from?
    pub(crate) fn is_unsettled(&self, reg: Reg) -> bool {
        self.defs[reg.index()] == Definition::Other || self.maybe_unwritten[reg.index()]
    }

    /// The parameter is this address in all calls.
    pub(crate) fn set_param_address(&mut self, reg: Reg, address: VariableAddress) {
        self.param_addresses.insert(reg, address);
    }

    pub(crate) fn param_address(&self, reg: Reg) -> Option<VariableAddress> {
        self.param_addresses.get(&reg).copied()
    }

    /// The register that holds what a load gives.
    pub(crate) fn loaded(&self, at: u32) -> Option<Reg> {
        self.loaded.get(&at).copied()
    }

    /// These loads give what the registers hold, so more expressions have one name. False if that
    /// is nothing new.
    pub(crate) fn number_loads(
        &mut self,
        function: &Function,
        loaded: FxHashMap<u32, Reg>,
    ) -> bool {
        if self.loaded == loaded {
            return false;
        }
        self.loaded = loaded;
        self.names = (0..function.widths.len() as u32).map(Reg).collect();
        self.find_names(function);
        true
    }

    pub(crate) fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let ((first, last), (at, _)) = (self.ranges[a.index()], self.ranges[b.index()]);
        first <= at && at <= last
    }

    fn is_before(&self, reg: Reg, at: u32, point: CodePoint) -> bool {
        let block = BlockId(self.block_of[reg.index()]);
        if block == point.block {
            at < point.at
        } else {
            self.dominates(block, point.block)
        }
    }

    fn find(&mut self, function: &Function) -> Vec<Definition> {
        let mut defs: Vec<Option<Definition>> = vec![None; function.widths.len()];
        let set = |defs: &mut Vec<Option<Definition>>, reg: Reg, def: Definition| {
            let slot = &mut defs[reg.index()];
            *slot = Some(match slot {
                None => def,
                Some(known) if *known == def && matches!(def, Definition::Phi(_)) => def,
                Some(_) => Definition::Other,
            });
        };
        for reg in &function.params {
            set(&mut defs, *reg, Definition::Param);
        }
        for (reg, _) in &function.constants {
            set(&mut defs, *reg, Definition::Const);
        }
        for (number, block) in function.blocks.iter().enumerate() {
            for at in block.start..block.end {
                function.code[at as usize].for_each_write(function, &mut |reg| {
                    set(&mut defs, reg, Definition::Inst(at));
                    self.block_of[reg.index()] = number as u32;
                });
            }
        }
        let mut written: FxHashMap<Reg, (BlockId, usize)> = FxHashMap::default();
        for (number, edges) in self.incoming.iter().enumerate() {
            let block = BlockId(number as u32);
            for edge in edges {
                let mut here: Vec<Reg> = Vec::new();
                for (dst, _) in function.edge_copies(*edge) {
                    set(&mut defs, *dst, Definition::Phi(block));
                    if here.contains(dst) {
                        defs[dst.index()] = Some(Definition::Other);
                    } else {
                        here.push(*dst);
                        written.entry(*dst).or_insert((block, 0)).1 += 1;
                    }
                }
            }
        }
        (0..defs.len())
            .map(|i| match defs[i] {
                Some(Definition::Phi(block)) => {
                    let edges = self.incoming[block.index()].len();
                    let on = written.get(&Reg(i as u32)).map_or(0, |(_, count)| *count);
                    // The entry has a way in that is no edge.
                    if on == edges && block != BlockId(0) {
                        Definition::Phi(block)
                    } else {
                        Definition::Other
                    }
                }
                Some(def) => def,
                None => Definition::Other,
            })
            .collect()
    }

    /// Is the register written on every way to this point?
    fn is_defined(&self, reg: Reg, point: CodePoint) -> bool {
        match self.defs[reg.index()] {
            Definition::Param | Definition::Const => true,
            Definition::Inst(at) => self.is_before(reg, at, point),
            Definition::Phi(block) => self.dominates(block, point.block),
            Definition::Other => false,
        }
    }

    /// Finds the registers that may be read before they are written.
    fn check_reads(&mut self, function: &Function) {
        let mut loose = vec![false; function.widths.len()];
        for number in &self.order {
            let block = function.blocks[number.index()];
            for at in block.start..block.end {
                let point = CodePoint { block: *number, at };
                function.code[at as usize].for_each_read(function, &mut |reg| {
                    loose[reg.index()] |= !self.is_defined(reg, point);
                });
            }
            let point = CodePoint {
                block: *number,
                at: block.end,
            };
            for edge in block_edges(function, *number) {
                let copies = function.edge_copies(edge);
                for (i, (_, src)) in copies.iter().enumerate() {
                    let before = copies[..i].iter().any(|(dst, _)| dst == src);
                    loose[src.index()] |= !before && !self.is_defined(*src, point);
                }
            }
        }
        self.maybe_unwritten = loose;
    }

    /// Gives up definitions whose operands are not settled before them.
    fn check_operands(&mut self, function: &Function) {
        let mut given_up = Vec::new();
        for (i, def) in self.defs.iter().enumerate() {
            if let Definition::Inst(at) = def {
                let point = CodePoint {
                    block: BlockId(self.block_of[i]),
                    at: *at,
                };
                let mut settled = true;
                function.code[*at as usize].for_each_read(function, &mut |reg| {
                    settled &= self.is_defined(reg, point);
                });
                if !settled {
                    given_up.push(i);
                }
            }
        }
        for i in given_up {
            self.defs[i] = Definition::Other;
            self.maybe_unwritten[i] = true;
        }
    }

    /// Gives up what may come out of a variable that was never written: such a value may be another
    /// one at each use.
    fn find_undefined(&mut self, function: &Function) {
        let undefined = |(_, value): &&(Reg, Const)| *value == Const::Undef;
        let mut found: Vec<Reg> = function
            .constants
            .iter()
            .filter(undefined)
            .map(|c| c.0)
            .collect();
        if found.is_empty() {
            return;
        }
        let mut uses: FxHashMap<Reg, Vec<Reg>> = FxHashMap::default();
        for inst in &function.code {
            // What is in memory, and what a call makes of its arguments, is one value.
            if matches!(
                inst,
                Inst::Load { .. } | Inst::Call { .. } | Inst::CallPointer { .. }
            ) {
                continue;
            }
            inst.for_each_write(function, &mut |to| {
                inst.for_each_read(function, &mut |from| uses.entry(from).or_default().push(to));
            });
        }
        for (to, from) in &function.copies {
            uses.entry(*from).or_default().push(*to);
        }
        while let Some(reg) = found.pop() {
            for to in uses.remove(&reg).unwrap_or_default() {
                self.defs[to.index()] = Definition::Other;
                self.maybe_unwritten[to.index()] = true;
                found.push(to);
            }
            self.maybe_unwritten[reg.index()] = true;
        }
    }

    /// The same literal at two places of the program need not be one object: its address may be
    /// another one at each use.
    fn find_literals(&mut self, module: &Module, function: &Function) {
        for (reg, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Global { global, .. }) = value {
                self.maybe_unwritten[reg.index()] |= module.globals[global.index()].mergeable;
            }
        }
    }

    /// Numbers the values: the same operation on the same operands has one name.
    fn find_names(&mut self, function: &Function) {
        let mut known: FxHashMap<ExpressionKey, Reg> = FxHashMap::default();
        for (reg, value) in &function.constants {
            if let (Definition::Const, Const::Int(bits)) = (self.defs[reg.index()], value) {
                let key = ExpressionKey::Const(function.width(*reg), *bits);
                let name = *known.entry(key).or_insert(*reg);
                self.names[reg.index()] = name;
            }
        }
        for number in self.order.clone() {
            let block = function.blocks[number.index()];
            for at in block.start..block.end {
                let Some((dst, key)) = self.key(function, at) else {
                    continue;
                };
                if self.defs[dst.index()] == Definition::Inst(at)
                    && !self.maybe_unwritten[dst.index()]
                {
                    self.names[dst.index()] = match key {
                        ExpressionKey::Copy(reg) => reg,
                        key => *known.entry(key).or_insert(dst),
                    };
                }
            }
        }
    }

    fn key(&self, function: &Function, at: u32) -> Option<(Reg, ExpressionKey)> {
        let name = |reg: Reg| (!self.is_unsettled(reg)).then(|| self.names[reg.index()]);
        match function.code[at as usize] {
            Inst::Load { dst, .. } => Some((dst, ExpressionKey::Copy(name(self.loaded(at)?)?))),
            Inst::Bin { op, dst, a, b, .. } => Some((
                dst,
                ExpressionKey::Two(op as u8, function.width(dst), name(a)?, name(b)?),
            )),
            Inst::Cmp { op, dst, a, b, .. } => {
                Some((dst, ExpressionKey::Compare(op as u8, name(a)?, name(b)?)))
            }
            Inst::Cast {
                op, to, dst, src, ..
            } => Some((dst, ExpressionKey::Cast(op as u8, to, name(src)?))),
            Inst::Copy { dst, src } => Some((dst, ExpressionKey::Copy(name(src)?))),
            Inst::Offset { dst, base, offset } => {
                Some((dst, ExpressionKey::Offset(name(base)?, offset)))
            }
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => Some((dst, ExpressionKey::Index(name(base)?, name(index)?, scale))),
            _ => None,
        }
    }
}

#[derive(PartialEq, Eq, Hash)]
enum ExpressionKey {
    Const(u8, u128),
    Two(u8, u8, Reg, Reg),
    Compare(u8, Reg, Reg),
    Cast(u8, u8, Reg),
    Copy(Reg),
    Offset(Reg, i32),
    Index(Reg, Reg, u32),
}

/// First and last number of each block's part of the tree of dominators. A block that cannot be
/// reached has an empty range.
fn ranges(cfg: &Cfg, dominators: &Dominators) -> Vec<(u32, u32)> {
    let count = cfg.successors.len();
    let mut children: Vec<Vec<BlockId>> = vec![Vec::new(); count];
    for block in &cfg.order {
        if let Some(up) = dominators.immediate(*block) {
            children[up.index()].push(*block);
        }
    }
    let mut ranges = vec![(u32::MAX, 0); count];
    let Some(entry) = cfg.order.first() else {
        return ranges;
    };
    let mut next = 0;
    let mut stack = vec![(*entry, 0)];
    while let Some((block, child)) = stack.last_mut() {
        if *child == 0 {
            ranges[block.index()].0 = next;
            next += 1;
        }
        match children[block.index()].get(*child).copied() {
            Some(down) => {
                *child += 1;
                stack.push((down, 0));
            }
            None => {
                ranges[block.index()].1 = next - 1;
                stack.pop();
            }
        }
    }
    ranges
}
