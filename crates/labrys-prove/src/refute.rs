//! Refutes triggers: those for which no annotation is ever reached with the value that they need. In
//! come a module and the triggers that are asked for, out come the refuted ones with a reason.

use crate::call_effects::{CallEffect, call_effects};
use crate::cases::CaseLooks;
use crate::certificate::{CertificateRequest, Certificates, certify};
use crate::compare::decide;
use crate::definitions::CodePoint;
use crate::errors::free_of_errors;
use crate::known_branches::{annotation, branches_around_calls, known_branches};
use crate::known_facts::FactCollector;
use crate::program::{AnalysisTask, ProgramAnalysis};
use crate::reason::{DecidedBranch, DecidedComparison, RefutationReason};
use crate::refine::FunctionView;
use crate::scope::AnalysisScope;
use crate::sites::{AnnotationSite, AnnotationSites, events};
use crate::state::{AbstractState, PendingSwitch};
use crate::static_rule::StaticRule;
use crate::sweep::AnnotationObserver;
use crate::unfold::unfold;
use crate::value_set::ValueSet;
use labrys_budget::Deadline;
use labrys_ir::{BinOp, BlockId, CallGraph, CastOp, CmpOp, FuncId, Inst, Module, Reg, RegList};
use labrys_ledger::Trigger;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Finds the triggers, among those asked for, that no run of an entry can fire, with all that the
/// analysis knows.
pub fn refute(
    module: &Module,
    scope: &AnalysisScope,
    wanted: &[Trigger],
) -> BTreeMap<Trigger, RefutationReason> {
    let rule = StaticRule::Relations;
    let found = refute_in_time(module, scope, wanted, rule, &Deadline::never());
    found.unwrap_or_default()
}

/// The same by a rule; none if the analysis is too much work or the deadline is over before it is
/// done.
pub fn refute_in_time(
    module: &Module,
    scope: &AnalysisScope,
    wanted: &[Trigger],
    rule: StaticRule,
    deadline: &Deadline,
) -> Option<BTreeMap<Trigger, RefutationReason>> {
    let found = refute_with_certificates(module, scope, wanted, rule, deadline, None);
    found.map(|found| found.reasons)
}

/// What was refuted.
#[derive(Default)]
pub struct Refutations {
    pub reasons: BTreeMap<Trigger, RefutationReason>,
    /// Formulas for it, if a solver was given that is asked for them.
    pub certificates: Certificates,
    /// The events that were asked for, refuted or not, that no error of the program can come before.
    pub free_of_errors: BTreeSet<Trigger>,
    /// What can go on with the events that were left open.
    pub cases: Option<CaseLooks>,
}

/// The same, with formulas by which others can check it.
pub fn refute_with_certificates(
    module: &Module,
    scope: &AnalysisScope,
    wanted: &[Trigger],
    rule: StaticRule,
    deadline: &Deadline,
    request: Option<CertificateRequest<'_>>,
) -> Option<Refutations> {
    let writes_out = rule >= StaticRule::Memory;
    let unfolded = writes_out.then(|| unfold(module, scope, &call_effects(module, scope)));
    let none = BTreeMap::new();
    let (module, locals) = match &unfolded {
        Some(unfolded) => (&unfolded.module, &unfolded.locals),
        None => (module, &none),
    };
    let known = call_effects(module, scope);
    let sites = AnnotationSites::of(module, &known);
    if sites.unnamed || wanted.is_empty() {
        return Some(Refutations::default());
    }
    let places = |trigger| sites.by_trigger.get(trigger).into_iter().flatten();
    let holders: Vec<FuncId> = wanted
        .iter()
        .flat_map(|trigger| places(trigger).map(|site| site.function))
        .collect();
    let task = AnalysisTask {
        module,
        scope,
        locals,
        rule,
        deadline,
    };
    let mut program = ProgramAnalysis::analyse(&task, &known, &holders)?;
    let mut judge = PossibleTriggers::default();
    program.observe(&mut judge);
    if program.cut_short || deadline.is_over() {
        return None;
    }
    let mut refuted = BTreeMap::new();
    for trigger in wanted {
        // What no single event covers is not looked at; its parts can be asked for.
        if matches!(trigger, Trigger::Pair { .. }) || judge.possible.contains(trigger) {
            continue;
        }
        let places = sites.by_trigger.get(trigger).map_or(&[][..], Vec::as_slice);
        if places.is_empty() && program.incomplete {
            continue;
        }
        // Several objectives may ask for one event.
        refuted
            .entry(*trigger)
            .or_insert_with(|| match judge.never.get(trigger) {
                Some(reason) => reason.clone(),
                None => why_unreached(&program, places),
            });
    }
    let graph = CallGraph::of(module);
    for (trigger, reason) in &mut refuted {
        let sites = sites.by_trigger.get(trigger).map_or(&[][..], Vec::as_slice);
        if let (RefutationReason::Never { known, .. }, [site]) = (reason, sites) {
            let mut around = branches_around_calls(&program, &graph, site.function);
            around.append(known);
            *known = around;
        }
    }
    let mut found = Refutations {
        reasons: refuted,
        ..Refutations::default()
    };
    if let Some(request) = request {
        found.free_of_errors = free_of_errors(&mut program, scope, locals, &sites, wanted);
        found.certificates = certificates(&mut program, scope, &sites, &found, wanted, request);
    }
    let bounds = program.bounds();
    let unfolded = unfolded.filter(|_| rule == StaticRule::Relations);
    found.cases = unfolded.map(|unfolded| {
        let scope = scope.clone();
        CaseLooks::new(unfolded, scope, known, sites, bounds)
    });
    if let Some(cases) = &mut found.cases {
        let is_open = |trigger: &&Trigger| !found.reasons.contains_key(*trigger);
        let open: BTreeSet<Trigger> = wanted.iter().filter(is_open).copied().collect();
        let news = cases.look_first(&open, found.reasons.keys().copied(), deadline);
        found.reasons.extend(news);
    }
    Some(found)
}

impl Refutations {
    /// The events of which formulas are looked for.
    fn with_formulas(&self) -> Vec<Trigger> {
        let reasons = self.reasons.iter();
        let reasons = reasons.filter(|(_, reason)| has_formulas(reason));
        reasons.map(|(trigger, _)| *trigger).collect()
    }
}

/// Cases have no formulas yet, and that a case label is only fallen into has none.
fn has_formulas(reason: &RefutationReason) -> bool {
    !matches!(
        reason,
        RefutationReason::NoCase { .. } | RefutationReason::FallThrough
    )
}

/// Formulas for what was refuted.
fn certificates(
    program: &mut ProgramAnalysis<'_>,
    scope: &AnalysisScope,
    sites: &AnnotationSites,
    found: &Refutations,
    wanted: &[Trigger],
    mut request: CertificateRequest<'_>,
) -> Certificates {
    let events: Vec<Trigger> = match request.damage {
        Some(_) => wanted.to_vec(),
        None => found.with_formulas(),
    };
    let mut collector = FactCollector::of_everything();
    program.observe(&mut collector);
    if let Some(damage) = &mut request.damage {
        collector
            .at
            .values_mut()
            .for_each(|facts| damage.place(facts));
    }
    let events = events.iter();
    let events: Vec<_> = events
        .map(|trigger| {
            (
                *trigger,
                sites.by_trigger.get(trigger).cloned().unwrap_or_default(),
            )
        })
        .collect();
    let CertificateRequest { oracle, damage } = request;
    certify(
        program.module,
        program,
        scope,
        &collector.at,
        &events,
        oracle,
        damage,
    )
}

#[derive(Default)]
struct PossibleTriggers {
    possible: FxHashSet<Trigger>,
    /// Why a place that is reached does not give an event.
    never: BTreeMap<Trigger, RefutationReason>,
}

impl AnnotationObserver for PossibleTriggers {
    fn annotation(
        &mut self,
        view: &FunctionView<'_>,
        state: &AbstractState,
        point: CodePoint,
        known: CallEffect,
        args: RegList,
    ) {
        for trigger in events(view.function, known, args).unwrap_or_default() {
            if self.possible.contains(&trigger) {
                continue;
            }
            let args = view.function.list(args);
            match why_impossible(view, state, point, trigger, args) {
                None => {
                    self.possible.insert(trigger);
                }
                Some(reason) => {
                    self.never.entry(trigger).or_insert(reason);
                }
            }
        }
    }
}

/// Why a call that is reached in this state does not give the event; none if it can.
fn why_impossible(
    view: &FunctionView<'_>,
    state: &AbstractState,
    point: CodePoint,
    trigger: Trigger,
    args: &[Reg],
) -> Option<RefutationReason> {
    let (value, holds) = match trigger {
        // A pair is no event: see `refute`.
        Trigger::Reach { .. } | Trigger::Pair { .. } => return None,
        Trigger::Case { switch, .. } => {
            let jumped = match state.pending {
                PendingSwitch::Unknown => true,
                PendingSwitch::Switch(id) => id == switch,
                PendingSwitch::None => false,
            };
            return (!jumped).then_some(RefutationReason::FallThrough);
        }
        Trigger::Condition { value, .. } => (*args.get(2)?, value),
        Trigger::Decision { value, .. } => (*args.get(1)?, value),
        Trigger::Label { .. } => (*args.get(1)?, true),
    };
    let width = view.function.width(value);
    let want = match holds {
        true => ValueSet::not_zero(width),
        false => ValueSet::constant(width, 0),
    };
    let mut trial = state.clone();
    match view.assume(&mut trial, point, value, &want) {
        Ok(()) => None,
        Err(_) => Some(RefutationReason::Never {
            comparison: comparison(view, state, point, value).map(Box::new),
            always: !holds,
            known: known_branches(view.function, view.definitions, view.effects, point.block),
        }),
    }
}

/// The comparison behind a truth value, if its operands alone decide it.
fn comparison(
    view: &FunctionView<'_>,
    state: &AbstractState,
    point: CodePoint,
    value: Reg,
) -> Option<DecidedComparison> {
    let mut reg = value;
    for _ in 0..8 {
        let at = view.definitions.inst_at(reg, point)?;
        match view.function.code[at as usize] {
            Inst::Cast {
                op: CastOp::ZExt | CastOp::SExt,
                src,
                ..
            }
            | Inst::Copy { src, .. } => reg = src,
            // `!x` of a truth value.
            Inst::Bin {
                op: BinOp::Xor, a, ..
            } if view.function.width(a) == 1 => reg = a,
            Inst::Cmp { op, a, b, .. } => {
                let (left, right) = (view.read(state, a, at), view.read(state, b, at));
                let is_zero = right.as_constant() == Some(0);
                let is_truth = left.is_tracked() && left.umax <= 1;
                // `!!x`: what counts is x.
                if op == CmpOp::Ne && is_zero && is_truth && left.as_constant().is_none() {
                    reg = a;
                    continue;
                }
                if op == CmpOp::Ne
                    && is_zero
                    && view.definitions.inst_at(a, point).is_some_and(|inner| {
                        matches!(
                            view.function.code[inner as usize],
                            Inst::Cast { .. } | Inst::Cmp { .. }
                        )
                    })
                {
                    reg = a;
                    continue;
                }
                let (relation, truth) = match decide(op, &left, &right) {
                    Some(truth) => (None, truth),
                    None => {
                        let (relation, truth) = view.deciding_relation(state, op, (a, b), at)?;
                        (Some(relation), truth)
                    }
                };
                return Some(DecidedComparison {
                    op,
                    left,
                    right,
                    relation,
                    truth,
                });
            }
            _ => return None,
        }
    }
    None
}

/// Why none of these places is reached.
fn why_unreached(program: &ProgramAnalysis<'_>, places: &[AnnotationSite]) -> RefutationReason {
    // Copies of a function that nobody calls any more say nothing.
    let is_reached = |site: &&AnnotationSite| program.is_reached(site.function);
    let Some(site) = places.iter().find(is_reached).or(places.first()) else {
        return RefutationReason::Absent;
    };
    let function = &program.module.functions[site.function.index()];
    let facts = match program.facts(site.function) {
        Some(facts) if program.is_reached(site.function) => facts,
        _ => {
            return RefutationReason::NotCalled {
                function: function.name.clone(),
            };
        }
    };
    let block = function
        .blocks
        .iter()
        .position(|block| block.start <= site.at && site.at < block.end);
    let Some(block) = block.map(|number| BlockId(number as u32)) else {
        return RefutationReason::Behind { gate: None };
    };
    let taken = |edge: labrys_ir::EdgeId| facts.edges[edge.index()].is_some();
    let definitions = &facts.definitions;
    let reached = |block: BlockId| {
        let mut incoming = definitions.incoming[block.index()].iter();
        block == BlockId(0) || incoming.any(|edge| taken(*edge))
    };
    // The last block on the way that is reached.
    let gate = definitions
        .order
        .iter()
        .filter(|before| reached(**before) && definitions.dominates(**before, block))
        .fold(None, |best: Option<BlockId>, next| match best {
            Some(best) if definitions.dominates(*next, best) => Some(best),
            _ => Some(*next),
        });
    let Some(gate) = gate else {
        return RefutationReason::Behind { gate: None };
    };
    let last = function.blocks[gate.index()].end - 1;
    let loc = function.locs.get(last as usize).copied();
    let gate = match function.code[last as usize] {
        Inst::Branch { cond, then, other } => {
            let always = match (taken(then), taken(other)) {
                (true, false) => Some(true),
                (false, true) => Some(false),
                _ => None,
            };
            always.map(|value| DecidedBranch {
                annotation: annotation(
                    function,
                    definitions,
                    &program.effects,
                    cond,
                    CodePoint {
                        block: gate,
                        at: last,
                    },
                ),
                loc: loc.unwrap_or_default(),
                value,
            })
        }
        _ => None,
    };
    RefutationReason::Behind { gate }
}
