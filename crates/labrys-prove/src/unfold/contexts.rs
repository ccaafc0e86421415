//! Copies of small functions for what they are called with: `take_range(&number, 1, 18)` writes
//! `number` and nothing else. Calls with the same addresses and numbers share a copy.

use super::{BottomUp, UnfoldedModule, open_functions};
use crate::definitions::{Definition, Definitions};
use crate::places::{Base, ConstantRegisters, address, constants};
use crate::scope::AnalysisScope;
use crate::writes::written;
use labrys_ir::{Const, FuncId, Function, Inst, Module, Reg};
use std::collections::BTreeMap;

/// A function with more instructions than this, with all that it calls, is not copied.
const MAX_COPIED: usize = 240;
/// Copies may add as many instructions as the program has, and so many more.
const MAX_ADDED: usize = 2_000;

/// What an argument tells about the callee.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ArgumentKey {
    Anything,
    Number(u128),
    /// A variable, and the distance from its begin.
    Place(u32, i64),
    /// An address that is computed where this instruction is.
    ComputedAt(FuncId, u32),
}

/// What a function does with a parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ParameterUse {
    /// Reads or writes what it leads to.
    follows: bool,
    /// Compares it with something, or counts with it.
    compares: bool,
}

type Keys = Vec<ArgumentKey>;

pub(super) fn copy(
    unfolded: &mut UnfoldedModule,
    scope: &AnalysisScope,
    plain: &[bool],
    order: &BottomUp,
) {
    let module = &mut unfolded.module;
    let uses = parameter_uses(module, plain, order);
    let sizes = sizes(module, plain, order);
    let open = open_functions(module);
    let total: usize = module
        .functions
        .iter()
        .zip(plain)
        .fold(0, |sum, (f, is_plain)| {
            sum + if *is_plain { f.code.len() } else { 0 }
        });
    let mut copies = Copies {
        plain: plain.to_vec(),
        uses,
        known: BTreeMap::new(),
        left: total + MAX_ADDED,
    };
    // Callers first, so that all calls of a function are known when it is its turn.
    for id in order.order.iter().rev() {
        let function = &module.functions[id.index()];
        let is_candidate = plain[id.index()]
            && !function.variadic
            && sizes[id.index()] <= MAX_COPIED
            && !scope.entries.contains(&function.name)
            && !function.code.iter().any(is_bound);
        if is_candidate
            && copies.uses[id.index()]
                .iter()
                .any(|u| u.follows || u.compares)
        {
            copies.for_calls_of(module, *id, open.contains(id));
        }
    }
}

/// Code that cannot stand twice.
fn is_bound(inst: &Inst) -> bool {
    matches!(
        inst,
        Inst::JumpIndirect { .. } | Inst::Unsupported { .. } | Inst::AllocaDynamic { .. }
    )
}

/// How many instructions each function has with all that it calls.
fn sizes(module: &Module, plain: &[bool], order: &BottomUp) -> Vec<usize> {
    let mut sizes = vec![usize::MAX; module.functions.len()];
    for id in &order.order {
        let function = &module.functions[id.index()];
        let callees = function.code.iter().map(|inst| match inst {
            Inst::Call { callee, .. } if plain[callee.index()] => sizes[callee.index()],
            Inst::Call { .. } => 0,
            _ => 0,
        });
        let called = callees.fold(0, usize::saturating_add);
        sizes[id.index()] = called.saturating_add(function.code.len());
    }
    sizes
}

fn parameter_uses(module: &Module, plain: &[bool], order: &BottomUp) -> Vec<Vec<ParameterUse>> {
    let mut uses: Vec<Vec<ParameterUse>> = (module.functions.iter())
        .map(|function| vec![ParameterUse::default(); function.params.len()])
        .collect();
    for id in &order.order {
        if plain[id.index()] {
            uses[id.index()] = uses_in(module, *id, &uses);
        }
    }
    uses
}

fn uses_in(module: &Module, id: FuncId, uses: &[Vec<ParameterUse>]) -> Vec<ParameterUse> {
    let function = &module.functions[id.index()];
    let mut found = vec![ParameterUse::default(); function.params.len()];
    let definitions = Definitions::of(module, function);
    let root = |reg: Reg| root_parameter(function, &definitions, reg);
    let compares = |found: &mut Vec<ParameterUse>, reg: Reg| {
        if let Some(i) = root(reg) {
            found[i].compares = true;
        }
    };
    for inst in &function.code {
        match inst {
            Inst::Cmp { a, b, .. } | Inst::Bin { a, b, .. } => {
                compares(&mut found, *a);
                compares(&mut found, *b);
            }
            Inst::Switch { value, .. } => compares(&mut found, *value),
            Inst::Load { addr, .. } => follow(&mut found, root(*addr)),
            Inst::MemCopy { dst, src, .. } => {
                follow(&mut found, root(*dst));
                follow(&mut found, root(*src));
            }
            Inst::Call { callee, args, .. } => {
                for (reg, there) in function.list(*args).iter().zip(&uses[callee.index()]) {
                    if let Some(i) = root(*reg) {
                        found[i].follows |= there.follows;
                        found[i].compares |= there.compares;
                    }
                }
            }
            _ => {}
        }
        if let Some(addr) = written(inst) {
            follow(&mut found, root(addr));
        }
    }
    found
}

fn follow(found: &mut [ParameterUse], parameter: Option<usize>) {
    if let Some(i) = parameter {
        found[i].follows = true;
    }
}

/// The parameter that a register is, or was computed from.
fn root_parameter(function: &Function, definitions: &Definitions, reg: Reg) -> Option<usize> {
    let mut reg = reg;
    for _ in 0..8 {
        match definitions.def(reg) {
            Definition::Param => return function.params.iter().position(|param| *param == reg),
            Definition::Inst(at) => {
                reg = match function.code[at as usize] {
                    Inst::Copy { src, .. } | Inst::Cast { src, .. } => src,
                    Inst::Offset { base, .. } | Inst::Index { base, .. } => base,
                    _ => return None,
                }
            }
            _ => return None,
        }
    }
    None
}

struct Copies {
    plain: Vec<bool>,
    uses: Vec<Vec<ParameterUse>>,
    /// What the parameters of a function are in all of its calls.
    known: BTreeMap<FuncId, Keys>,
    /// Instructions that may still be added.
    left: usize,
}

/// A call: the function that it stands in, and the instruction.
type CallSite = (FuncId, u32);

impl Copies {
    fn for_calls_of(&mut self, module: &mut Module, id: FuncId, is_open: bool) {
        let mut by_keys: BTreeMap<Keys, Vec<CallSite>> = BTreeMap::new();
        let mut is_called_elsewhere = is_open;
        for number in 0..module.functions.len() {
            let function = &module.functions[number];
            let calls = |inst: &Inst| matches!(inst, Inst::Call { callee, .. } if *callee == id);
            if !function.code.iter().any(calls) {
                continue;
            }
            if !self.plain[number] {
                is_called_elsewhere = true;
                continue;
            }
            for (at, keys) in self.keys_of_calls(module, FuncId(number as u32), id) {
                let site = (FuncId(number as u32), at);
                by_keys.entry(keys).or_default().push(site);
            }
        }
        let mut groups: Vec<(Keys, Vec<CallSite>)> = by_keys.into_iter().collect();
        // In the order of the program.
        groups.sort_by_key(|(_, sites)| sites[0]);
        let is_plain_call = |keys: &Keys| keys.iter().all(|key| *key == ArgumentKey::Anything);
        let mut kept = is_called_elsewhere || groups.iter().any(|(keys, _)| is_plain_call(keys));
        let size = module.functions[id.index()].code.len();
        let others = groups
            .iter()
            .filter(|(keys, _)| !is_plain_call(keys))
            .count();
        if size.saturating_mul(others) > self.left {
            return;
        }
        for (keys, sites) in groups {
            if is_plain_call(&keys) {
                continue;
            }
            if !std::mem::replace(&mut kept, true) {
                self.known.insert(id, keys);
                continue;
            }
            self.left = self.left.saturating_sub(size);
            let copy = FuncId(module.functions.len() as u32);
            let function = module.functions[id.index()].clone();
            module.functions.push(function);
            self.plain.push(true);
            self.uses.push(self.uses[id.index()].clone());
            self.known.insert(copy, keys);
            for (caller, at) in sites {
                let code = &mut module.functions[caller.index()].code;
                if let Inst::Call { callee, .. } = &mut code[at as usize] {
                    *callee = copy;
                }
            }
        }
    }

    fn keys_of_calls(&self, module: &Module, caller: FuncId, callee: FuncId) -> Vec<(u32, Keys)> {
        let function = &module.functions[caller.index()];
        let definitions = Definitions::of(module, function);
        let constants = constants(function);
        let mut found = Vec::new();
        for (at, inst) in function.code.iter().enumerate() {
            let Inst::Call {
                callee: called,
                args,
                ..
            } = inst
            else {
                continue;
            };
            if *called == callee {
                let arguments = Arguments {
                    module,
                    function,
                    definitions: &definitions,
                    constants: &constants,
                    known: self.known.get(&caller),
                    site: (caller, at as u32),
                };
                let uses = &self.uses[callee.index()];
                let keys =
                    uses.iter()
                        .enumerate()
                        .map(|(i, used)| match function.list(*args).get(i) {
                            Some(reg) => arguments.key(*reg, *used),
                            None => ArgumentKey::Anything,
                        });
                found.push((at as u32, keys.collect()));
            }
        }
        found
    }
}

/// The arguments of one call.
struct Arguments<'a> {
    module: &'a Module,
    function: &'a Function,
    definitions: &'a Definitions,
    constants: &'a ConstantRegisters,
    known: Option<&'a Keys>,
    site: CallSite,
}

impl Arguments<'_> {
    fn key(&self, reg: Reg, used: ParameterUse) -> ArgumentKey {
        if used.compares
            && let Some(number) = self.number(reg)
        {
            return ArgumentKey::Number(number);
        }
        if !used.follows {
            return ArgumentKey::Anything;
        }
        let Some(found) = address(self.function, self.definitions, self.constants, reg) else {
            return ArgumentKey::Anything;
        };
        let computed = ArgumentKey::ComputedAt(self.site.0, self.site.1);
        match (found.base, found.offset) {
            (Base::Global(id), _) if self.module.globals[id.index()].constant => {
                ArgumentKey::Anything
            }
            (Base::Global(id), Some(offset)) => ArgumentKey::Place(id.0, offset),
            (Base::Global(_) | Base::Local(_), _) => computed,
            (Base::Pointer(root), offset) => match (self.parameter(root), offset) {
                (Some(ArgumentKey::Place(id, start)), Some(offset)) => {
                    ArgumentKey::Place(id, start.saturating_add(offset))
                }
                (Some(ArgumentKey::Place(..) | ArgumentKey::ComputedAt(..)), _) => computed,
                _ => ArgumentKey::Anything,
            },
        }
    }

    fn number(&self, reg: Reg) -> Option<u128> {
        match self.constants.get(&reg) {
            Some(Const::Int(bits)) => Some(*bits),
            Some(_) => None,
            None => match self.parameter(reg)? {
                ArgumentKey::Number(bits) => Some(bits),
                _ => None,
            },
        }
    }

    fn parameter(&self, reg: Reg) -> Option<ArgumentKey> {
        let mut params = self.function.params.iter();
        let i = params.position(|param| *param == reg)?;
        self.known?.get(i).copied()
    }
}
