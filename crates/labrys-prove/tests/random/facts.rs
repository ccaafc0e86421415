//! What the analysis hands over as facts holds in every state of every run, of all registers that are still
//! read, also where registers share places.

use crate::program::{Program, Shape, random};
use crate::run::{RunState, address_of, compare, mask, run_watched, signed};
use labrys_budget::Deadline;
use labrys_ir::{
    FactPlace, FactTerm, KnownFact, KnownFacts, Liveness, Module, NumberSet, separate_registers,
    share_registers,
};
use labrys_prove::{AnalysisScope, known_facts};
use std::collections::BTreeSet;

fn facts_of(module: &Module) -> KnownFacts {
    let scope = AnalysisScope {
        entries: vec!["harness".into()],
        ..AnalysisScope::default()
    };
    let mut separated = module.clone();
    (separated.functions.iter_mut()).for_each(separate_registers);
    assert_eq!(labrys_ir::verify(&separated), Ok(()));
    known_facts(&separated, &scope, &Deadline::never()).unwrap_or_default()
}

/// A state, with the registers that are still read.
struct Checked<'a> {
    module: &'a Module,
    state: RunState<'a>,
    live: Vec<bool>,
}

impl Checked<'_> {
    /// What a place holds, with its width; none if nothing is said of it here.
    fn value(&self, place: FactPlace) -> Option<(u64, u8)> {
        let function = &self.module.functions[self.state.function.index()];
        let (start, width) = match place {
            FactPlace::Register(reg) => {
                let is_live = self.live.get(reg.index()).copied().unwrap_or(false);
                let value = || (self.state.regs[reg.index()], function.width(reg));
                return is_live.then(value);
            }
            FactPlace::Global {
                global,
                offset,
                width,
            } => (address_of(global.0.into()) + offset, width),
            FactPlace::Local {
                made_by,
                offset,
                width,
            } => (self.state.locals.get(&made_by)? + offset, width),
        };
        let byte = |i: u64| self.state.memory.get(&(start + i)).copied().unwrap_or(0);
        let bytes = u64::from(width).div_ceil(8);
        let bits = (0..bytes).fold(0, |bits, i| bits | u64::from(byte(i)) << (8 * i));
        Some((bits & mask(width), width))
    }

    fn number(&self, term: FactTerm) -> Option<i128> {
        let (bits, width) = self.value(term.place)?;
        let number = match term.signed {
            true => i128::from(signed(width, bits)),
            false => i128::from(bits),
        };
        Some(if term.negative { -number } else { number })
    }

    /// None if nothing is said here.
    fn holds(&self, fact: &KnownFact) -> Option<bool> {
        Some(match fact {
            KnownFact::In(place, numbers) => is_in(self.value(*place)?.0, numbers),
            KnownFact::AtMost {
                first,
                second,
                bound,
            } => {
                let second = match second {
                    Some(second) => self.number(*second)?,
                    None => 0,
                };
                self.number(*first)? + second <= i128::from(*bound)
            }
            KnownFact::Stride { place, step, rest } => {
                let (bits, width) = self.value(*place)?;
                let distance = i128::from(signed(width, bits)) - i128::from(*rest);
                match step {
                    0 => distance == 0,
                    step => distance % i128::from(*step) == 0,
                }
            }
            KnownFact::Compared { op, a, b } => {
                let (a, width) = self.value(FactPlace::Register(*a))?;
                let (b, _) = self.value(FactPlace::Register(*b))?;
                compare(*op, width, a, b)
            }
        })
    }
}

fn is_in(bits: u64, numbers: &NumberSet) -> bool {
    let number = signed(numbers.width, bits);
    (numbers.umin..=numbers.umax).contains(&bits)
        && (numbers.smin..=numbers.smax).contains(&number)
        && bits & numbers.zeros == 0
        && bits & numbers.ones == numbers.ones
        && (numbers.members.is_empty() || numbers.members.contains(&bits))
}

/// Checks all facts in all states; how many were looked at.
fn check(program: &Program, seed: u64) -> u64 {
    let module = &program.module;
    let facts = facts_of(module);
    let liveness: Vec<Liveness> = module.functions.iter().map(Liveness::of).collect();
    let mut looked = 0;
    for input in 0..1u32 << (program.width * program.inputs) {
        let low = (1u32 << program.width) - 1;
        let values: Vec<u64> = (0..program.inputs)
            .map(|i| u64::from(input >> (i * program.width) & low))
            .collect();
        let mut watch = |state: RunState<'_>| {
            let id = state.function;
            let Some(known) = facts.at.get(&(id, state.pc)) else {
                return;
            };
            let place = format!("seed {seed}, inputs {values:?}, {id:?} at {}", state.pc);
            let live = liveness[id.index()].at(&module.functions[id.index()], state.pc);
            let state = Checked {
                module,
                state,
                live,
            };
            let Some(known) = known else {
                panic!("{place}: a run comes here\n{module}");
            };
            let registers = facts.registers[id.index()].iter();
            let registers = registers.map(|(reg, set)| (FactPlace::Register(*reg), set.clone()));
            let globals = facts.globals.iter().cloned();
            let always = registers.chain(globals);
            let always = always.map(|(place, set)| KnownFact::In(place, set));
            for fact in known.iter().cloned().chain(always) {
                match state.holds(&fact) {
                    Some(false) => panic!("{place}: {fact:?} does not hold\n{module}"),
                    Some(true) => looked += 1,
                    None => {}
                }
            }
        };
        let mut seen = BTreeSet::new();
        run_watched(module, "harness", &values, &mut seen, &mut watch);
    }
    looked
}

fn try_programs(count: u64, shape: Shape) {
    let mut looked = 0;
    for seed in 0..count {
        let mut program = random(seed, shape);
        if seed % 2 == 1 {
            for function in &mut program.module.functions {
                let blocks = function.blocks.len();
                share_registers(function, &vec![true; blocks]);
            }
        }
        looked += check(&program, seed);
    }
    assert!(looked > 1_000, "only {looked} facts were looked at");
}

#[test]
fn facts_of_branches_and_loops_hold() {
    try_programs(60, Shape::Branches);
    try_programs(60, Shape::Loops);
}

#[test]
fn facts_of_calls_hold() {
    try_programs(60, Shape::Calls);
}

#[test]
fn facts_of_memory_hold() {
    try_programs(80, Shape::Memory);
}

#[test]
fn facts_of_relations_hold() {
    try_programs(80, Shape::Relations);
}

#[test]
fn facts_of_tangled_programs_hold() {
    try_programs(60, Shape::Tangled);
}
