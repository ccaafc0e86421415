//! What is known of a program without running it, as far as the way backward needs it: what calls do, which
//! objects unknown code may write, and where code that is not gone through may call the program.

use super::callees::{Callee, callees, is_programs};
use super::pointers::{PointerOrigin, Pointers};
use super::undefined::UndefinedRegisters;
use crate::program::annotations::{Numbers, triggers_of};
use crate::program::{Builtin, Program};
use labrys_ir::{CallGraph, FuncId, GlobalId, Inst, IntrinsicOp, SymbolRef};
use labrys_ledger::Trigger;
use std::collections::BTreeSet;

/// The functions of the library that give back an object of the program.
const GIVES_BACK: [&str; 6] = [
    "free",
    "cfree",
    "realloc",
    "reallocarray",
    "getline",
    "getdelim",
];

pub(super) struct Facts {
    pub(super) callees: Vec<Callee>,
    /// By function, for those whose bodies are gone through.
    pointers: Vec<Option<Pointers>>,
    /// By global: may code write it that did not name it?
    given_away: Vec<bool>,
    /// By global: does code that is not gone through name it?
    named_elsewhere: Vec<bool>,
    /// By global: may it change where code of the program is called back?
    pub(super) changed_by_callbacks: Vec<bool>,
    /// May something that the program has allocated be given back? Then other objects may lie there.
    pub(super) gives_back: bool,
    /// The functions that code calls that is not gone through.
    pub(super) called_from_outside: BTreeSet<FuncId>,
    /// Functions of the program that a call through a pointer may reach.
    pub(super) taken: Vec<FuncId>,
    /// May a call through a pointer reach anything else?
    pub(super) outside_is_taken: bool,
    /// The events that code outside may cause.
    pub(super) triggered_outside: BTreeSet<Trigger>,
    /// All variables have their initial values when the program is called, and that happens once.
    pub(super) starts_once: bool,
    pub(super) undefined: UndefinedRegisters,
}

impl Facts {
    /// None if control may go ways that the code does not show. With `strict`, every pointer that a function
    /// is called with may go anywhere.
    pub(super) fn new(program: &Program<'_>, entry: FuncId, strict: bool) -> Option<Facts> {
        let module = program.module;
        let callees = callees(program);
        let graph = CallGraph::of(module);
        let globals = module.globals.len();
        let ids = || (0..module.functions.len() as u32).map(FuncId);
        let is_taken = |id: &FuncId| graph.address_taken.contains(id);
        let is_body = |id: FuncId| callees[id.index()] == Callee::Body;
        let mut facts = Facts {
            pointers: Vec::new(),
            given_away: vec![false; globals],
            named_elsewhere: vec![false; globals],
            changed_by_callbacks: vec![false; globals],
            gives_back: false,
            called_from_outside: BTreeSet::new(),
            taken: ids().filter(|id| is_taken(id) && is_body(*id)).collect(),
            outside_is_taken: ids().any(|id| is_taken(&id) && !is_body(id)),
            triggered_outside: BTreeSet::new(),
            starts_once: false,
            undefined: UndefinedRegisters::of(program, &graph),
            callees,
        };
        if !ids().all(|id| facts.shows_its_ways(program, &graph, id)) {
            return None;
        }
        facts.gives_back = ids().any(|id| facts.may_give_back(program, &graph, id));
        ids().for_each(|id| facts.look_outside(program, id));
        facts.find_callbacks(program);
        facts.find_pointers(program, &graph, strict);
        facts.find_given_away(program);
        facts.find_changes_by_callbacks(program, &graph);
        facts.starts_once = facts.is_program_start(program, entry);
        facts.look_at_callers(program);
        Some(facts)
    }

    /// Can control only go where the code of the function says, and are its annotations known?
    fn shows_its_ways(&self, program: &Program<'_>, graph: &CallGraph, id: FuncId) -> bool {
        let function = &program.module.functions[id.index()];
        if graph.address_taken.contains(&id)
            && matches!(self.callees[id.index()], Callee::Builtin(_))
        {
            return false;
        }
        let numbers = Numbers::of(function);
        function.code.iter().all(|inst| match inst {
            Inst::Unsupported { .. } => self.callees[id.index()] != Callee::Body,
            Inst::Intrinsic { op, .. } => !matches!(
                op,
                IntrinsicOp::SetJmp | IntrinsicOp::LongJmp | IntrinsicOp::OtherThreads
            ),
            Inst::Call { callee, .. } => match self.callees[callee.index()] {
                Callee::Builtin(Builtin::HandleFaults | Builtin::OtherThreads) => false,
                Callee::Builtin(
                    Builtin::Cond
                    | Builtin::Decision
                    | Builtin::Case
                    | Builtin::Reach
                    | Builtin::Label,
                ) => !triggers_of(inst, function, &numbers, &program.targets).is_empty(),
                _ => true,
            },
            _ => true,
        })
    }

    /// Is it a function that gives back what it gets, or one that calls what may do so?
    fn may_give_back(&self, program: &Program<'_>, graph: &CallGraph, id: FuncId) -> bool {
        let names = |id: FuncId| {
            let name = program.module.functions[id.index()].name.as_str();
            GIVES_BACK.contains(&name)
        };
        if graph.address_taken.contains(&id) && names(id) {
            return true;
        }
        let function = &program.module.functions[id.index()];
        let mut code = function.code.iter();
        self.callees[id.index()] == Callee::Body
            && code.any(|inst| match inst {
                Inst::Call { callee, .. } => {
                    let known = self.callees[callee.index()];
                    let gives_back =
                        matches!(known, Callee::Unknown | Callee::Builtin(Builtin::Free));
                    gives_back || names(*callee)
                }
                Inst::CallPointer { .. } => self.outside_is_taken,
                _ => false,
            })
    }

    /// What a function does to the program that is not gone through itself.
    fn look_outside(&mut self, program: &Program<'_>, id: FuncId) {
        let function = &program.module.functions[id.index()];
        if function.is_external() || self.callees[id.index()] == Callee::Body {
            return;
        }
        let numbers = Numbers::of(function);
        for inst in &function.code {
            let events = triggers_of(inst, function, &numbers, &program.targets);
            self.triggered_outside.extend(events);
            if let Inst::Call { callee, .. } = inst
                && self.callees[callee.index()] == Callee::Body
                && is_programs(program, *callee)
            {
                self.called_from_outside.insert(*callee);
            }
        }
        let pointers = Pointers::of(program, id, &|_, _| true);
        let is_generated = program.is_users_function(id);
        for origin in &pointers.named {
            if let PointerOrigin::Global(global) = origin {
                self.named_elsewhere[global.index()] = true;
                // Models may write what they name at any call; what is generated says so by itself.
                if !is_generated || pointers.given_away.contains(origin) {
                    self.given_away[global.index()] = true;
                }
            }
        }
    }

    /// Follows the pointers of all functions that are gone through, until it is clear which of them let a
    /// parameter go on.
    fn find_pointers(&mut self, program: &Program<'_>, graph: &CallGraph, strict: bool) {
        let count = self.callees.len();
        let ids = || (0..count as u32).map(FuncId);
        // Where a function begins with any state, nobody knows what its parameters point to.
        let is_open: Vec<bool> = ids()
            .map(|id| {
                let callees = &graph.callees[id.index()];
                strict
                    || self.callees[id.index()] != Callee::Body
                    || self.called_from_outside.contains(&id)
                    || self.taken.contains(&id)
                    || graph.reachable(callees).contains(&id)
            })
            .collect();
        let mut given: BTreeSet<(FuncId, u32)> = BTreeSet::new();
        loop {
            let gives_away =
                |id: FuncId, number| is_open[id.index()] || given.contains(&(id, number));
            self.pointers = ids()
                .map(|id| {
                    let is_body = self.callees[id.index()] == Callee::Body;
                    is_body.then(|| Pointers::of(program, id, &gives_away))
                })
                .collect();
            let before = given.len();
            for (id, pointers) in ids().zip(&self.pointers) {
                let away = pointers.iter().flat_map(|pointers| &pointers.given_away);
                given.extend(away.filter_map(|origin| match origin {
                    PointerOrigin::Parameter(number) => Some((id, *number)),
                    _ => None,
                }));
            }
            if given.len() == before {
                return;
            }
        }
    }

    fn find_given_away(&mut self, program: &Program<'_>) {
        let mut given: Vec<GlobalId> = Vec::new();
        for pointers in self.pointers.iter().flatten() {
            given.extend(
                pointers
                    .given_away
                    .iter()
                    .filter_map(|origin| match origin {
                        PointerOrigin::Global(global) => Some(*global),
                        PointerOrigin::Local(_) | PointerOrigin::Parameter(_) => None,
                    }),
            );
        }
        let relocs = program.module.globals.iter().flat_map(|g| &g.relocs);
        given.extend(relocs.filter_map(|reloc| match reloc.target {
            SymbolRef::Global { global, .. } => Some(global),
            _ => None,
        }));
        given.iter().for_each(|g| self.given_away[g.index()] = true);
    }

    /// Code that is not gone through may call every function that it can get a pointer to.
    fn find_callbacks(&mut self, program: &Program<'_>) {
        let module = program.module;
        let calls_back = module.functions.iter().enumerate().any(|(id, function)| {
            self.callees[id] != Callee::Body
                && function.code.iter().any(|inst| match inst {
                    Inst::CallPointer { .. } => true,
                    Inst::Call { callee, .. } => {
                        self.callees[callee.index()] == Callee::Unknown
                            && module.functions[callee.index()].is_external()
                    }
                    _ => false,
                })
        });
        let missing = |inst: &Inst| {
            matches!(inst, Inst::Call { callee, .. }
                if self.callees[callee.index()] == Callee::Unknown
                    && module.functions[callee.index()].is_external())
        };
        let mut bodies = module.functions.iter();
        if calls_back || bodies.any(|function| function.code.iter().any(missing)) {
            self.called_from_outside.extend(self.taken.iter().copied());
        }
        self.called_from_outside.extend(&module.constructors);
    }

    fn find_changes_by_callbacks(&mut self, program: &Program<'_>, graph: &CallGraph) {
        let constructors = &program.module.constructors;
        let called: Vec<FuncId> = (self.called_from_outside.iter())
            .filter(|id| !constructors.contains(id))
            .copied()
            .collect();
        for id in graph.reachable(&called) {
            if let Some(pointers) = &self.pointers[id.index()] {
                for origin in &pointers.named {
                    if let PointerOrigin::Global(global) = origin {
                        self.changed_by_callbacks[global.index()] = true;
                    }
                }
            }
        }
    }

    /// Does the whole program begin here, or is a function called that much may have happened before?
    fn is_program_start(&self, program: &Program<'_>, entry: FuncId) -> bool {
        let module = program.module;
        let says_more = |function: &labrys_ir::Function| {
            function.code.iter().any(|inst| {
                matches!(inst, Inst::Call { callee, .. }
                    if matches!(self.callees[callee.index()],
                        Callee::Builtin(Builtin::InitialState | Builtin::ExtraCall)))
            })
        };
        if !module.constructors.is_empty() || module.functions.iter().any(says_more) {
            return false;
        }
        if self.callees[entry.index()] == Callee::Body {
            return true;
        }
        // A harness that calls it once, outside of loops.
        let mut calls = 0;
        for (number, function) in module.functions.iter().enumerate() {
            if self.callees[number] == Callee::Body || function.is_external() {
                continue;
            }
            let here = function.code.iter().filter(|inst| {
                matches!(inst, Inst::Call { callee, .. }
                    if self.callees[callee.index()] == Callee::Body
                        && is_programs(program, *callee))
            });
            let here = here.count();
            let cfg = labrys_ir::Cfg::of(function);
            let forward = cfg
                .successors
                .iter()
                .enumerate()
                .all(|(source, targets)| targets.iter().all(|target| target.index() > source));
            if here > 0 && (number != entry.index() || !forward) {
                return false;
            }
            calls += here;
        }
        calls == 1
    }

    /// What callers of a function may bring along that is not the start of a program: pointers to variables and
    /// to functions. What stands for an address may be another one where the linker decides.
    fn look_at_callers(&mut self, program: &Program<'_>) {
        let assumes = program.module.functions.iter().any(|function| {
            let mut code = function.code.iter();
            code.any(|inst| {
                matches!(inst, Inst::Intrinsic { op: IntrinsicOp::Assumed, results, .. }
                    if function.list(*results).iter().any(|reg| function.width(*reg) == 64))
            })
        });
        self.outside_is_taken |= assumes || !self.starts_once;
        if self.starts_once {
            return;
        }
        for (global, given) in program.module.globals.iter().zip(&mut self.given_away) {
            *given |= !global.reach.is_empty();
        }
    }

    pub(super) fn pointers(&self, id: FuncId) -> Option<&Pointers> {
        self.pointers[id.index()].as_ref()
    }

    pub(super) fn is_given_away(&self, global: GlobalId) -> bool {
        self.given_away[global.index()]
    }

    /// Does it have its initial value when the program starts?
    pub(super) fn begins_as_written(&self, global: GlobalId) -> bool {
        self.starts_once && !self.named_elsewhere[global.index()]
    }
}
