//! Proofs before the search: the objectives that an analysis of the whole program refutes, with
//! what each proof takes for granted.

use super::static_steps::{StaticFormulas, StaticSteps};
use super::trusted::{assumed_conditions, refused, said};
use crate::output::claims::ClaimText;
use crate::program::libraries::{Libraries, STUBS_FILE};
use crate::program::runtime::MODEL_FILES;
use crate::request::{ProofRule, Request};
use labrys_budget::Deadline;
use labrys_engine::FactSource;
use labrys_front::{ASSUME_FILE, AnnotatedProgram, HARNESS_FILE};
use labrys_ir::Module;
use labrys_ledger::protocol::STUB_PREFIX;
use labrys_ledger::{Assumption, Need, NeededAssumption, Objective, Proof, ProofKind, Trigger};
use labrys_prove::{
    AnalysisScope, CaseLooks, CertificateRequest, Certificates, RefutationReason, StaticRule,
    known_facts, refute_in_time, refute_with_certificates,
};
use labrys_solver::has_no_solution;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// What the analysis has proved.
#[derive(Default)]
pub struct Proofs {
    /// By the number of the objective.
    pub by_objective: BTreeMap<usize, Proof>,
    /// The formulas that their steps refer to.
    pub claims: Vec<ClaimText>,
    /// Events, also of objectives that are not proved, that no error of the program can come before.
    pub free_of_errors: BTreeSet<Trigger>,
    /// What can go on with what was left open.
    pub(super) cases: Option<CaseLooks>,
}

/// Makes proofs of what is refuted while searches run.
pub(super) struct ProofMaker<'a> {
    pub(super) program: &'a AnnotatedProgram,
    pub(super) module: &'a Module,
    pub(super) request: &'a Request,
}

impl ProofMaker<'_> {
    /// Adds proofs by relations of the objectives that have none.
    pub(super) fn add(&self, proofs: &mut Proofs, refuted: &BTreeMap<Trigger, RefutationReason>) {
        let (program, module) = (self.program, self.module);
        let certificates = Certificates::default();
        let mut steps = StaticSteps {
            program,
            module,
            refuted,
            certificates: &certificates,
            formulas: StaticFormulas::default(),
        };
        let objectives = program.objectives.iter().enumerate();
        for event in objectives.flat_map(|(index, objective)| questions(program, index, objective))
        {
            let Some(reason) = refuted.get(&event.trigger) else {
                continue;
            };
            if proofs.by_objective.contains_key(&event.objective) {
                continue;
            }
            let because = text(program, module, &event, reason);
            let objective = &program.objectives[event.objective];
            let steps = steps.of(objective, event.trigger, &because);
            let assumes = taken_for_granted(self.request);
            let mut proof = Proof::by(kind(StaticRule::Relations, because), assumes);
            proof.steps = steps;
            proof.needs = vec![need_of_errors(
                proofs.free_of_errors.contains(&event.trigger),
            )];
            let said = assumed_conditions(self.request).into_iter();
            proof.needs.extend(said.map(|assumption| NeededAssumption {
                assumption,
                needed: Need::MayBeNeeded,
            }));
            proofs.by_objective.insert(event.objective, proof);
        }
    }
}

/// What all proofs of the analysis rest on.
fn assumptions(request: &Request) -> Vec<Assumption> {
    // A value that only an error could give is left out by the analysis.
    let mut assumes = said(request);
    assumes.push(Assumption::FirstError);
    assumes
}

fn taken_for_granted(request: &Request) -> Vec<String> {
    let assumes = assumptions(request);
    assumes.iter().map(ToString::to_string).collect()
}

/// A formula that Bitwuzla cannot answer in this time is none.
pub(super) const TIME_FOR_A_FORMULA: Duration = Duration::from_secs(2);

/// The rules that need no search, cheapest first.
const STATIC: [(ProofRule, StaticRule); 4] = [
    (ProofRule::Constants, StaticRule::Constants),
    (ProofRule::Intervals, StaticRule::Intervals),
    (ProofRule::Memory, StaticRule::Memory),
    (ProofRule::Relations, StaticRule::Relations),
];

/// Finds the objectives that no entry can meet, by the rules that may be used; none if the deadline
/// is over before that.
pub fn find(
    program: &AnnotatedProgram,
    module: &Module,
    libraries: &Libraries,
    request: &Request,
    deadline: &Deadline,
) -> Proofs {
    let scopes = program.entries.iter().flat_map(|entry| &entry.scope);
    let scopes: BTreeSet<&String> = scopes.collect();
    let looked_at = |objective: &Objective| scopes.contains(&objective.function);
    let objectives = program.objectives.iter().enumerate();
    let asked: Vec<RefutableEvent> = objectives
        .filter(|(_, objective)| looked_at(objective))
        .flat_map(|(index, objective)| questions(program, index, objective))
        .collect();
    let mut proofs = Proofs::default();
    if refused(assumptions(request).iter(), request.report.trust).is_some() {
        return proofs;
    }
    let scope = scope(program, libraries);
    let allowed = STATIC
        .iter()
        .filter(|(name, _)| request.search.proves_by(*name));
    let rules: Vec<StaticRule> = allowed.map(|(_, rule)| *rule).collect();
    let refute = |wanted: &[Trigger], rule| refute_in_time(module, &scope, wanted, rule, deadline);
    let all: Vec<Trigger> = asked.iter().map(|question| question.trigger).collect();
    // The last rule knows most: what it cannot refute, no other is asked about. The others say
    // which rule is enough.
    let mut oracle = |script: &str| has_no_solution(script, TIME_FOR_A_FORMULA, deadline);
    let most = rules.last().and_then(|rule| {
        let formulas = CertificateRequest {
            oracle: &mut oracle,
            damage: None,
        };
        refute_with_certificates(module, &scope, &all, *rule, deadline, Some(formulas))
    });
    let (most, certificates) = match most {
        Some(found) => {
            proofs.free_of_errors = found.free_of_errors;
            proofs.cases = found.cases;
            (Some(found.reasons), found.certificates)
        }
        None => (None, Certificates::default()),
    };
    let mut formulas = StaticFormulas::default();
    let mut refuted = BTreeMap::new();
    for rule in &rules {
        let is_open = |question: &&RefutableEvent| {
            let known = most.as_ref();
            !proofs.by_objective.contains_key(&question.objective)
                && known.is_none_or(|known| known.contains_key(&question.trigger))
        };
        let open: Vec<&RefutableEvent> = asked.iter().filter(is_open).collect();
        let wanted: Vec<Trigger> = open.iter().map(|question| question.trigger).collect();
        let news = match &most {
            Some(known) if Some(rule) == rules.last() => known.clone(),
            None if Some(rule) == rules.last() => break,
            _ => refute(&wanted, *rule).unwrap_or_default(),
        };
        for (trigger, reason) in news {
            refuted.entry(trigger).or_insert(reason);
        }
        let mut steps = StaticSteps {
            program,
            module,
            refuted: &refuted,
            certificates: &certificates,
            formulas,
        };
        for question in open {
            if proofs.by_objective.contains_key(&question.objective) {
                continue;
            }
            if let Some(reason) = refuted.get(&question.trigger) {
                let because = text(program, module, question, reason);
                let objective = &program.objectives[question.objective];
                let steps = steps.of(objective, question.trigger, &because);
                let mut proof = Proof::by(kind(*rule, because), taken_for_granted(request));
                proof.steps = steps;
                let no_error_before = proofs.free_of_errors.contains(&question.trigger);
                proof.needs = vec![need_of_errors(no_error_before)];
                proofs.by_objective.insert(question.objective, proof);
            }
        }
        formulas = steps.formulas;
    }
    proofs.claims = formulas.claims;
    note_unneeded(&mut proofs, &asked, request, |wanted| {
        let scope = AnalysisScope {
            ignores_assumptions: true,
            ..scope.clone()
        };
        let rule = *rules.last()?;
        refute_in_time(module, &scope, wanted, rule, deadline)
    });
    proofs
}

/// Does a proof need that runs end at their first error?
fn need_of_errors(no_error_before: bool) -> NeededAssumption {
    NeededAssumption {
        assumption: Assumption::FirstError.to_string(),
        needed: match no_error_before {
            true => Need::NotNeeded,
            false => Need::MayBeNeeded,
        },
    }
}

/// Says of each `--assume` whether the proofs stand without it: they do if the same is refuted where nothing is
/// assumed.
fn note_unneeded(
    proofs: &mut Proofs,
    asked: &[RefutableEvent],
    request: &Request,
    refute: impl Fn(&[Trigger]) -> Option<BTreeMap<Trigger, RefutationReason>>,
) {
    let assumptions = assumed_conditions(request);
    if assumptions.is_empty() || proofs.by_objective.is_empty() {
        return;
    }
    let is_proved = |event: &&RefutableEvent| proofs.by_objective.contains_key(&event.objective);
    let events: Vec<&RefutableEvent> = asked.iter().filter(is_proved).collect();
    let wanted: Vec<Trigger> = events.iter().map(|event| event.trigger).collect();
    let still = refute(&wanted).unwrap_or_default();
    let stands = |event: &&&RefutableEvent| still.contains_key(&event.trigger);
    let unneeded: BTreeSet<usize> = events.iter().filter(stands).map(|e| e.objective).collect();
    for (objective, proof) in &mut proofs.by_objective {
        let needed = match unneeded.contains(objective) {
            true => Need::NotNeeded,
            false => Need::MayBeNeeded,
        };
        let said = assumptions.iter().map(|assumption| NeededAssumption {
            assumption: assumption.clone(),
            needed,
        });
        proof.needs.extend(said);
    }
}

fn kind(rule: StaticRule, because: String) -> ProofKind {
    match rule {
        StaticRule::Constants => ProofKind::Constants { because },
        StaticRule::Intervals => ProofKind::Static { because },
        StaticRule::Memory => ProofKind::Memory { because },
        StaticRule::Relations => ProofKind::Relations { because },
    }
}

/// An event without which an objective cannot be covered.
pub(super) struct RefutableEvent {
    pub(super) objective: usize,
    pub(super) trigger: Trigger,
    /// For half a pair: the text of its condition, and what never happens.
    half: Option<(String, String)>,
}

/// The events that an objective needs. A pair needs both outcomes of its condition and, where the
/// decision has labels for them, both halves.
pub(super) fn questions(
    program: &AnnotatedProgram,
    index: usize,
    objective: &Objective,
) -> Vec<RefutableEvent> {
    let Trigger::Pair {
        decision,
        condition,
        ..
    } = objective.trigger
    else {
        return vec![RefutableEvent {
            objective: index,
            trigger: objective.trigger,
            half: None,
        }];
    };
    let mut decisions = program.decisions.iter();
    let Some(found) = decisions.find(|d| d.number == decision) else {
        return Vec::new();
    };
    let mut questions = Vec::new();
    for value in [true, false] {
        let text = found.conditions.get(condition as usize).map(|c| &c.text);
        let half = |what: &str| Some((text?.clone(), format!("{} is never {value}{what}", text?)));
        questions.push(RefutableEvent {
            objective: index,
            trigger: Trigger::Condition {
                decision,
                index: condition,
                value,
            },
            half: half(""),
        });
        let label = found.half_label(condition, value);
        questions.extend(label.map(|id| RefutableEvent {
            objective: index,
            trigger: Trigger::Label { id },
            half: half(" where it decides"),
        }));
    }
    questions
}

/// Where the search asks what holds in all runs of an entry. It rests on what the proofs of this file rest on.
pub fn fact_source(program: &AnnotatedProgram, libraries: &Libraries) -> FactSource {
    let scope = scope(program, libraries);
    FactSource::new(move |module, entry, deadline| {
        let scope = AnalysisScope {
            entries: vec![entry.to_owned()],
            ..scope.clone()
        };
        known_facts(module, &scope, deadline)
    })
}

fn scope(program: &AnnotatedProgram, libraries: &Libraries) -> AnalysisScope {
    let entries = program.entries.iter();
    let stubs = program.stubs.iter();
    let stubs = stubs.map(|stub| format!("{STUB_PREFIX}{}", stub.name));
    AnalysisScope {
        entries: entries.map(|entry| entry.harness.clone()).collect(),
        // A function without a body may call whatever it can reach.
        opaque: libraries.provided.iter().cloned().chain(stubs).collect(),
        opaque_files: MODEL_FILES.to_owned(),
        made_up: vec![HARNESS_FILE.to_owned(), STUBS_FILE.to_owned()],
        given: ASSUME_FILE.to_owned(),
        ignores_assumptions: false,
    }
}

/// The reason in words, with the source texts of the conditions.
fn text(
    program: &AnnotatedProgram,
    module: &Module,
    question: &RefutableEvent,
    reason: &RefutationReason,
) -> String {
    let source = |objective: &Objective| plain(&objective.text).to_owned();
    let describe = |trigger: Trigger| {
        let mut objectives = program.objectives.iter();
        objectives.find(|o| o.trigger == trigger).map(source)
    };
    let own = source(&program.objectives[question.objective]);
    match &question.half {
        Some((_, never))
            if matches!(
                reason,
                RefutationReason::Never {
                    comparison: None,
                    ..
                }
            ) =>
        {
            format!("{never}: its decision and what holds here exclude that")
        }
        Some((source, never)) => format!("{never}: {}", reason.text(module, source, describe)),
        None => reason.text(module, &own, describe),
    }
}

/// The source text of an objective without the outcome that is asked for.
pub(super) fn plain(text: &str) -> &str {
    let outcomes = [" is true", " is false"];
    let mut outcomes = outcomes.iter().filter_map(|end| text.strip_suffix(end));
    outcomes.next().unwrap_or(text)
}
