//! Call strings: which calls a frame is in, from the function that is called from outside on. They are
//! complete, so that a local of a frame has one name. A recursion is cut: the call that would close it may
//! do anything, and the function begins once more with any state.

use super::callees::Callee;
use super::facts::Facts;
use labrys_ir::{FuncId, Inst, Module};
use std::collections::{BTreeMap, VecDeque};

/// A call string with the function that it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CallStringId(pub(super) u32);

/// At most so many call strings; further calls are cut like recursions.
const MOST_CONTEXTS: usize = 600;

#[derive(Debug)]
pub(super) struct CallString {
    pub(super) function: FuncId,
    /// The frame that has called it, and the call; none if it is called from outside.
    pub(super) caller: Option<(CallStringId, u32)>,
    /// Called from outside as the start of the program.
    pub(super) is_start: bool,
}

#[derive(Debug, Default)]
pub(super) struct CallStrings {
    all: Vec<CallString>,
    roots: BTreeMap<FuncId, CallStringId>,
    children: BTreeMap<(CallStringId, u32, FuncId), CallStringId>,
    /// There are more than are kept.
    pub(super) is_cut: bool,
}

/// Where a call leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    Into(CallStringId),
    /// Not gone through; what it may write is said by its kind.
    Over(Callee),
    /// Not gone through since it is a recursion: it may write every variable.
    Cut,
}

impl CallStrings {
    pub(super) fn new(module: &Module, facts: &Facts, entry: FuncId) -> CallStrings {
        let mut contexts = CallStrings::default();
        let mut open = VecDeque::new();
        let mut first = facts.called_from_outside.clone();
        if facts.callees[entry.index()] == Callee::Body {
            first.insert(entry);
        }
        for function in first {
            let is_start = facts.starts_once
                && !facts.taken.contains(&function)
                && !module.constructors.contains(&function);
            open.extend(contexts.root(function, is_start));
        }
        while let Some(id) = open.pop_front() {
            let function = &module.functions[contexts.get(id).function.index()];
            for (pc, inst) in function.code.iter().enumerate() {
                for callee in bodies(facts, module, inst) {
                    let is_full = contexts.all.len() >= MOST_CONTEXTS;
                    contexts.is_cut |= is_full;
                    let made = match is_full || contexts.is_active(id, callee) {
                        true => contexts.root(callee, false),
                        false => Some(contexts.child(id, pc as u32, callee)),
                    };
                    open.extend(made);
                }
            }
        }
        contexts
    }

    pub(super) fn get(&self, id: CallStringId) -> &CallString {
        &self.all[id.0 as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// All call strings that lead to a function.
    pub(super) fn of(&self, function: FuncId) -> impl Iterator<Item = CallStringId> + '_ {
        let ids = (0..self.all.len() as u32).map(CallStringId);
        ids.filter(move |id| self.get(*id).function == function)
    }

    pub(super) fn root_of(&self, function: FuncId) -> Option<CallStringId> {
        self.roots.get(&function).copied()
    }

    pub(super) fn child_of(
        &self,
        id: CallStringId,
        pc: u32,
        callee: FuncId,
    ) -> Option<CallStringId> {
        self.children.get(&(id, pc, callee)).copied()
    }

    /// Where a call instruction leads in a context.
    pub(super) fn ways(
        &self,
        module: &Module,
        facts: &Facts,
        id: CallStringId,
        pc: u32,
    ) -> Vec<Way> {
        let function = &module.functions[self.get(id).function.index()];
        let inst = &function.code[pc as usize];
        let mut ways: Vec<Way> = bodies(facts, module, inst)
            .into_iter()
            .map(|callee| self.child_of(id, pc, callee).map_or(Way::Cut, Way::Into))
            .collect();
        match inst {
            Inst::Call { callee, .. } if ways.is_empty() => {
                ways.push(Way::Over(facts.callees[callee.index()]));
            }
            Inst::CallPointer { .. } if facts.outside_is_taken => {
                ways.push(Way::Over(Callee::Unknown));
            }
            _ => {}
        }
        ways
    }

    /// The function of the frame and of those that have called it.
    fn is_active(&self, id: CallStringId, function: FuncId) -> bool {
        let mut next = Some(id);
        while let Some(id) = next {
            let context = self.get(id);
            if context.function == function {
                return true;
            }
            next = context.caller.map(|(caller, _)| caller);
        }
        false
    }

    fn root(&mut self, function: FuncId, is_start: bool) -> Option<CallStringId> {
        if let Some(known) = self.roots.get(&function) {
            self.all[known.0 as usize].is_start &= is_start;
            return None;
        }
        let id = self.add(function, None, is_start);
        self.roots.insert(function, id);
        Some(id)
    }

    fn child(&mut self, caller: CallStringId, pc: u32, function: FuncId) -> CallStringId {
        let id = self.add(function, Some((caller, pc)), false);
        self.children.insert((caller, pc, function), id);
        id
    }

    fn add(
        &mut self,
        function: FuncId,
        caller: Option<(CallStringId, u32)>,
        is_start: bool,
    ) -> CallStringId {
        let id = CallStringId(self.all.len() as u32);
        self.all.push(CallString {
            function,
            caller,
            is_start,
        });
        id
    }
}

/// The functions that an instruction may call and whose bodies are gone through.
pub(super) fn bodies(facts: &Facts, module: &Module, inst: &Inst) -> Vec<FuncId> {
    match inst {
        Inst::Call { callee, .. } if facts.callees[callee.index()] == Callee::Body => {
            vec![*callee]
        }
        Inst::CallPointer { args, .. } => {
            let fits = |id: &&FuncId| {
                let callee = &module.functions[id.index()];
                callee.params.len() == args.len as usize
            };
            facts.taken.iter().filter(fits).copied().collect()
        }
        _ => Vec::new(),
    }
}
