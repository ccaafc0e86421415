//! Where the addresses of a program may lead by the way they are computed: into which variable, or from
//! which register on, and whether an index is added. It is a guess: addresses that memory holds are not
//! followed, and of many possibilities only some are kept.

use super::is_users;
use labrys_ir::{
    Block, BlockId, CallGraph, Const, FuncId, Function, GlobalId, Inst, Module, Reg, RegList,
    SymbolRef,
};
use std::collections::{BTreeMap, BTreeSet};

/// A register that may lead into more objects leads anywhere.
const MOST_ROOTS: usize = 8;

/// A function that writes more places writes anything.
const MOST_WRITTEN: usize = 512;

/// Summaries of functions are made anew so often at most; chains of calls are mostly shorter.
const MOST_ROUNDS: usize = 16;

/// Where an address begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AddressRoot {
    Global(GlobalId),
    /// Wherever this register of the function leads: a parameter, a local, something loaded.
    Register(Reg),
}

/// How far from there on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Distance {
    pub(crate) start: i64,
    /// And any multiple of this; 0 if there is no index.
    pub(crate) step: u64,
    /// Several distances at which no index was added.
    pub(crate) is_mixed: bool,
}

impl Distance {
    const NONE: Distance = Distance {
        start: 0,
        step: 0,
        is_mixed: false,
    };

    fn moved(self, by: i64) -> Distance {
        let start = self.start.wrapping_add(by);
        Distance { start, ..self }
    }

    fn with_step(self, step: u64) -> Distance {
        let step = gcd(self.step, step);
        Distance { step, ..self }
    }

    fn plus(self, other: Distance) -> Distance {
        let sum = self.moved(other.start).with_step(other.step);
        let is_mixed = self.is_mixed || other.is_mixed;
        Distance { is_mixed, ..sum }
    }

    fn join(self, other: Distance) -> Distance {
        let apart = self.start.abs_diff(other.start);
        let both = self.with_step(other.step).with_step(apart);
        Distance {
            start: self.start.min(other.start),
            is_mixed: self.is_mixed || other.is_mixed || apart != 0,
            ..both
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// Where a register may lead.
type Leads = BTreeMap<AddressRoot, Distance>;

/// Bytes that some code may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ExpectedWrite {
    pub(crate) root: AddressRoot,
    pub(crate) distance: Distance,
    /// Up to the end of the object if it is not known.
    pub(crate) bytes: Option<u64>,
}

/// What a call of a function does, in terms of its parameters and of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct CallSummary {
    returns: Leads,
    writes: BTreeSet<ExpectedWrite>,
}

/// Where the addresses of all functions may lead.
pub(crate) struct AddressGuesses<'m> {
    module: &'m Module,
    calls: CallGraph,
    summaries: Vec<CallSummary>,
    /// By function and register.
    leads: Vec<Vec<Leads>>,
}

impl<'m> AddressGuesses<'m> {
    /// Of a module in which each register has one meaning.
    pub(crate) fn of(module: &'m Module) -> AddressGuesses<'m> {
        let count = module.functions.len();
        let mut guesses = AddressGuesses {
            module,
            calls: CallGraph::of(module),
            summaries: vec![CallSummary::default(); count],
            leads: vec![Vec::new(); count],
        };
        for _ in 0..MOST_ROUNDS {
            let mut is_new = false;
            for number in 0..count {
                let id = FuncId(number as u32);
                guesses.leads[number] = guesses.leads_in(id);
                let summary = guesses.summary(id);
                is_new |= summary != guesses.summaries[number];
                guesses.summaries[number] = summary;
            }
            if !is_new {
                break;
            }
        }
        guesses
    }

    /// What some blocks of a function may write, with all that they call.
    pub(crate) fn written_in(&self, id: FuncId, blocks: &[BlockId]) -> Vec<ExpectedWrite> {
        let function = &self.module.functions[id.index()];
        let blocks = blocks.iter().map(|block| function.blocks[block.index()]);
        let code = blocks.flat_map(|Block { start, end }| start as usize..end as usize);
        let written = self.written(id, code.map(|at| &function.code[at]));
        written.into_iter().collect()
    }

    /// What some code of a function may write, with all that it calls.
    fn written<'a>(
        &self,
        id: FuncId,
        code: impl Iterator<Item = &'a Inst>,
    ) -> BTreeSet<ExpectedWrite> {
        let function = &self.module.functions[id.index()];
        let leads = &self.leads[id.index()];
        let mut written = BTreeSet::new();
        for inst in code {
            let (addr, bytes) = match *inst {
                Inst::Store { addr, width, .. } => (addr, Some(width.div_ceil(8).into())),
                Inst::MemCopy { dst, len, .. } | Inst::MemSet { dst, len, .. } => {
                    (dst, number(function, len).map(|len| len as u64))
                }
                Inst::Call { args, .. } | Inst::CallPointer { args, .. } => {
                    let mut callees = Vec::new();
                    let targets = |callee| callees.push(callee);
                    self.calls.targets(self.module, function, inst, targets);
                    for callee in callees {
                        self.written_by_call(callee, (id, args), &mut written);
                    }
                    continue;
                }
                _ => continue,
            };
            written.extend(
                leads[addr.index()]
                    .iter()
                    .map(|(root, distance)| ExpectedWrite {
                        root: *root,
                        distance: *distance,
                        bytes,
                    }),
            );
            if written.len() > MOST_WRITTEN {
                break;
            }
        }
        written
    }

    fn written_by_call(
        &self,
        callee: FuncId,
        call: (FuncId, RegList),
        written: &mut BTreeSet<ExpectedWrite>,
    ) {
        for part in &self.summaries[callee.index()].writes {
            for (root, distance) in self.seen_by_caller(callee, part.root, call) {
                written.insert(ExpectedWrite {
                    root,
                    distance: distance.plus(part.distance),
                    bytes: part.bytes,
                });
            }
        }
    }

    /// What a root of a called function is for its caller.
    fn seen_by_caller(
        &self,
        callee: FuncId,
        root: AddressRoot,
        (caller, args): (FuncId, RegList),
    ) -> Leads {
        let AddressRoot::Register(reg) = root else {
            return Leads::from([(root, Distance::NONE)]);
        };
        let params = &self.module.functions[callee.index()].params;
        let position = params.iter().position(|param| *param == reg);
        let args = self.module.functions[caller.index()].list(args);
        let given = position.and_then(|position| args.get(position));
        let leads = given.and_then(|reg| self.leads[caller.index()].get(reg.index()));
        leads.cloned().unwrap_or_default()
    }

    fn summary(&self, id: FuncId) -> CallSummary {
        let function = &self.module.functions[id.index()];
        let leads = &self.leads[id.index()];
        let mut summary = CallSummary {
            returns: Leads::new(),
            writes: self.written(id, function.code.iter()),
        };
        for inst in &function.code {
            if let Inst::Return { values } = inst
                && let [value] = function.list(*values)
            {
                add_all(&mut summary.returns, &leads[value.index()], Distance::NONE);
            }
        }
        // Its own registers mean nothing outside. The library has variables of its own, which a turn that goes
        // on mostly leaves as they are.
        let is_users = is_users(self.module, id.index());
        let lasts = |root: &AddressRoot| match root {
            AddressRoot::Global(_) => is_users,
            AddressRoot::Register(reg) => function.params.contains(reg),
        };
        summary.returns.retain(|root, _| lasts(root));
        summary.writes.retain(|part| lasts(&part.root));
        summary
    }

    /// Where the registers of a function may lead, as far as it is known what its callees return.
    fn leads_in(&self, id: FuncId) -> Vec<Leads> {
        let function = &self.module.functions[id.index()];
        let mut leads = self.leads[id.index()].clone();
        leads.resize(function.widths.len(), Leads::new());
        for (reg, value) in &function.constants {
            if let Const::Symbol(SymbolRef::Global { global, addend }) = value {
                let root = AddressRoot::Global(*global);
                leads[reg.index()].insert(root, Distance::NONE.moved(*addend));
            }
        }
        for reg in function
            .params
            .iter()
            .filter(|reg| function.width(**reg) == 64)
        {
            let root = AddressRoot::Register(*reg);
            leads[reg.index()].insert(root, Distance::NONE);
        }
        for _ in 0..MOST_ROUNDS {
            let mut is_new = false;
            for inst in &function.code {
                is_new |= self.step(id, inst, &mut leads);
            }
            for (to, from) in &function.copies {
                let from = leads[from.index()].clone();
                is_new |= add_all(&mut leads[to.index()], &from, Distance::NONE);
            }
            if !is_new {
                break;
            }
        }
        leads
    }

    fn step(&self, id: FuncId, inst: &Inst, leads: &mut [Leads]) -> bool {
        let function = &self.module.functions[id.index()];
        let (dst, sources, distance) = match *inst {
            Inst::Copy { dst, src } => (dst, [Some(src), None], Distance::NONE),
            Inst::Select { dst, a, b, .. } => (dst, [Some(a), Some(b)], Distance::NONE),
            Inst::Offset { dst, base, offset } => {
                (dst, [Some(base), None], Distance::NONE.moved(offset.into()))
            }
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => {
                let distance = match number(function, index) {
                    Some(index) => Distance::NONE.moved(index.wrapping_mul(scale.into())),
                    None => Distance::NONE.with_step(scale.into()),
                };
                (dst, [Some(base), None], distance)
            }
            Inst::Alloca { dst, .. } | Inst::AllocaDynamic { dst, .. } => {
                return add_own(dst, leads);
            }
            Inst::Load { dst, width: 64, .. } => return add_own(dst, leads),
            Inst::Call {
                callee,
                args,
                results,
            } => {
                let [dst] = *function.list(results) else {
                    return false;
                };
                let returns = self.summaries[callee.index()].returns.clone();
                let mut is_new = false;
                for (root, distance) in returns {
                    let seen = self.seen_by_caller(callee, root, (id, args));
                    is_new |= add_all(&mut leads[dst.index()], &seen, distance);
                }
                return is_new;
            }
            _ => return false,
        };
        let mut is_new = false;
        for source in sources.into_iter().flatten() {
            let source = leads[source.index()].clone();
            is_new |= add_all(&mut leads[dst.index()], &source, distance);
        }
        is_new
    }
}

/// The register itself is all that is known of where it leads.
fn add_own(reg: Reg, leads: &mut [Leads]) -> bool {
    let own = Leads::from([(AddressRoot::Register(reg), Distance::NONE)]);
    add_all(&mut leads[reg.index()], &own, Distance::NONE)
}

/// True if something is new.
fn add_all(known: &mut Leads, more: &Leads, by: Distance) -> bool {
    let mut is_new = false;
    for (root, distance) in more {
        let distance = distance.plus(by);
        let has_room = known.len() < MOST_ROOTS;
        match known.get_mut(root) {
            Some(old) => {
                let joined = old.join(distance);
                is_new |= joined != *old;
                *old = joined;
            }
            None if has_room => {
                known.insert(*root, distance);
                is_new = true;
            }
            None => {}
        }
    }
    is_new
}

fn number(function: &Function, reg: Reg) -> Option<i64> {
    let mut constants = function.constants.iter();
    constants.find_map(|(known, value)| match value {
        Const::Int(bits) if *known == reg => Some(*bits as u64 as i64),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ir::parse;

    /// Adds 1 to a member of an element, behind a function that says where the element is.
    const TEXT: &str = r#"
text "" text "t.c"
global @banks size 64 align 4 element 4
function @at(r0) -> 64 {
  regs 64 64
  const r1 = @banks
b0:
  r1 = index r1, r0, 16
  return (r1)
}
function @bump(r0, r1) {
  regs 64 32 64
b0:
  r2 = offset r0, 8
  store.32 r2, r1
  return ()
}
function @f(r0, r1) {
  regs 64 32 64
b0:
  call @at(r0) -> (r2)
  call @bump(r2, r1)
  return ()
}"#;

    #[test]
    fn what_a_call_writes_is_known_by_what_it_gets() {
        let module = match parse(TEXT) {
            Ok(module) => module,
            Err(error) => panic!("{error}"),
        };
        let guesses = AddressGuesses::of(&module);
        let f = module.function("f").unwrap();
        let code = &module.functions[f.index()].code;
        let written: Vec<ExpectedWrite> = guesses.written(f, code.iter()).into_iter().collect();
        let expected = ExpectedWrite {
            root: AddressRoot::Global(GlobalId(0)),
            distance: Distance::NONE.with_step(16).moved(8),
            bytes: Some(4),
        };
        assert_eq!(written, [expected]);
    }

    #[test]
    fn distances_are_joined_to_what_has_all_of_them() {
        let at = |start| Distance::NONE.moved(start);
        let both = at(4).join(at(20));
        assert_eq!((both.start, both.step, both.is_mixed), (4, 16, true));
        assert_eq!(both.join(at(36)), both);
        let indexed = Distance::NONE.with_step(24).moved(8);
        assert_eq!(indexed.plus(at(4)).step, 24);
        assert!(!indexed.plus(at(4)).is_mixed);
    }
}
