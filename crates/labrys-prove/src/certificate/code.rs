//! The program that a certificate speaks of, and what is looked up in it again and again.

use crate::call_effects::CallEffect;
use crate::definitions::CodePoint;
use crate::load_numbers::MemoryRules;
use crate::places::{Base, MemoryPlace};
use crate::program::ProgramAnalysis;
use crate::scope::AnalysisScope;
use labrys_ir::{BlockId, Const, FuncId, Function, GlobalId, Inst, Module, Reg, SymbolRef};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct CertifiedCode<'a> {
    pub(super) module: &'a Module,
    pub(super) program: &'a ProgramAnalysis<'a>,
    pub(super) effects: &'a [CallEffect],
    /// None where memory is not looked at.
    pub(super) rules: Option<&'a MemoryRules>,
    /// Functions that code calls that is not looked into.
    open: BTreeSet<FuncId>,
    entries: BTreeSet<FuncId>,
    /// The calls of each function from bodies that are looked into.
    pub(super) callers: Vec<Vec<(FuncId, u32)>>,
    /// The places of each variable that are read, by their width.
    read: BTreeMap<(GlobalId, u8), BTreeSet<i64>>,
}

impl<'a> CertifiedCode<'a> {
    pub(crate) fn new(
        module: &'a Module,
        program: &'a ProgramAnalysis<'a>,
        scope: &AnalysisScope,
    ) -> CertifiedCode<'a> {
        let effects = &program.effects[..];
        let mut callers = vec![Vec::new(); module.functions.len()];
        let mut open: BTreeSet<FuncId> = module.constructors.iter().copied().collect();
        let mut read: BTreeMap<(GlobalId, u8), BTreeSet<i64>> = BTreeMap::new();
        for (number, function) in module.functions.iter().enumerate() {
            let id = FuncId(number as u32);
            for (_, constant) in &function.constants {
                if let Const::Symbol(SymbolRef::Function(id)) = constant {
                    open.insert(*id);
                }
            }
            for (at, inst) in function.code.iter().enumerate() {
                if let Inst::Call { callee, .. } = inst {
                    match effects[number] {
                        CallEffect::Body => callers[callee.index()].push((id, at as u32)),
                        _ => drop(open.insert(*callee)),
                    }
                }
            }
            let places = program
                .facts(id)
                .into_iter()
                .flat_map(|facts| &facts.read_places);
            for place in places {
                if let Base::Global(id) = place.base {
                    read.entry((id, place.width))
                        .or_default()
                        .insert(place.offset);
                }
            }
        }
        for reloc in module.globals.iter().flat_map(|global| &global.relocs) {
            if let SymbolRef::Function(id) = reloc.target {
                open.insert(id);
            }
        }
        let entries = scope.entries.iter();
        CertifiedCode {
            module,
            program,
            effects,
            rules: program.rules(),
            open,
            entries: entries.filter_map(|name| module.function(name)).collect(),
            callers,
            read,
        }
    }

    /// May it be called from somewhere that is not among its callers?
    pub(super) fn is_open(&self, id: FuncId) -> bool {
        self.program.incomplete || self.open.contains(&id)
    }

    /// Does a run begin with it?
    pub(super) fn is_entry(&self, id: FuncId) -> bool {
        self.entries.contains(&id)
    }

    pub(super) fn function(&self, id: FuncId) -> &'a Function {
        &self.module.functions[id.index()]
    }

    pub(super) fn block_of(&self, id: FuncId, at: u32) -> Option<BlockId> {
        let blocks = self.function(id).blocks.iter();
        let found = { blocks }.position(|block| block.start <= at && at < block.end)?;
        Some(BlockId(found as u32))
    }

    /// The last place in front of an instruction of which facts are kept: the start of its block, or what
    /// stands behind a call.
    pub(super) fn point_before(&self, id: FuncId, at: u32) -> Option<CodePoint> {
        let block = self.block_of(id, at)?;
        let function = self.function(id);
        let start = function.blocks[block.index()].start;
        let call = (start..at).rev().find(|at| self.is_boundary(id, *at));
        let at = call.map_or(start, |call| call + 1);
        Some(CodePoint { block, at })
    }

    /// A call of code that does more than an annotation.
    pub(super) fn is_boundary(&self, id: FuncId, at: u32) -> bool {
        match self.function(id).code[at as usize] {
            Inst::CallPointer { .. } => true,
            Inst::Call { callee, .. } => matches!(
                self.effects[callee.index()],
                CallEffect::Body | CallEffect::Anything | CallEffect::Unknown
            ),
            _ => false,
        }
    }

    pub(super) fn constant(&self, id: FuncId, reg: Reg) -> Option<Const> {
        let facts = self.program.facts(id)?;
        facts.symbols.get(&reg).copied()
    }

    /// Is it the address of something that is there, and so not null?
    pub(super) fn is_address(&self, constant: Const) -> bool {
        match constant {
            Const::Symbol(SymbolRef::Global { global, addend }) => {
                let global = &self.module.globals[global.index()];
                !global.external && addend >= 0 && addend as u64 <= global.size
            }
            Const::Symbol(SymbolRef::Function(id)) => !self.function(id).is_external(),
            _ => false,
        }
    }

    pub(super) fn is_public(&self, id: FuncId, base: Base) -> bool {
        (self.rules).is_none_or(|rules| rules.public.is_public(id.index(), base))
    }

    /// Does what a place holds stay until the code here writes it?
    pub(super) fn is_steady(&self, id: FuncId, place: MemoryPlace) -> bool {
        (self.rules).is_some_and(|rules| rules.is_steady(id.index(), place.region(), place.bytes()))
    }

    /// May a call write to a place?
    pub(super) fn may_write(&self, id: FuncId, call: u32, place: MemoryPlace) -> bool {
        let Some(rules) = self.rules else { return true };
        let writes = match self.function(id).code[call as usize] {
            Inst::Call { callee, .. } => rules.writes.call(callee),
            _ => &rules.writes.unknown,
        };
        rules.may_write(writes, id.index(), place.region(), place.bytes())
    }

    /// Does a label take back what its predicate wrote?
    pub(super) fn takes_back(&self, id: FuncId, at: u32) -> bool {
        let numbers = self.program.facts(id).map(|facts| &facts.numbers);
        numbers.is_none_or(|n| n.at_end.is_empty() || n.taken_back.contains(&at))
    }

    pub(super) fn size(&self, id: FuncId, base: Base) -> Option<u64> {
        match base {
            Base::Global(id) => Some(self.module.globals[id.index()].size),
            Base::Local(reg) => self.function(id).code.iter().find_map(|inst| match inst {
                Inst::Alloca { dst, size, .. } if *dst == reg => Some((*size).into()),
                _ => None,
            }),
            Base::Pointer(_) => None,
        }
    }

    /// The elements of an object that something reads, or all if they are few.
    pub(super) fn elements(&self, id: FuncId, base: Base, width: u8, all: bool) -> Vec<i64> {
        let known = match base {
            Base::Global(id) => self.read.get(&(id, width)),
            _ => None,
        };
        if let Some(known) = known {
            return known.iter().copied().collect();
        }
        let bytes = i64::from(width.div_ceil(8));
        let size = self.size(id, base).filter(|_| all).unwrap_or(0) as i64;
        (0..size / bytes).map(|element| element * bytes).collect()
    }
}
