//! The chain of stages: a query goes to one stage after the other, cheapest first, until one
//! answers. A model is checked by evaluation before it is returned, unless it is read off a checked
//! set of values.

use crate::answer::{Answer, SolverError, UnknownReason};
use crate::bitwuzla::Bitwuzla;
use crate::blast::Blaster;
use crate::cache::CacheStage;
use crate::domain::{DomainAnswer, DomainStage};
use crate::external::ExternalStage;
use crate::limits::QueryLimits;
use crate::local::LocalStage;
use crate::log::QueryLog;
use crate::options::SolverOptions;
use crate::order::OrderStage;
use crate::path::{ConstraintList, PathCondition, for_each_conjunct};
use crate::query::{Query, Stage, StageOutcome};
use crate::stats::{SolverStats, StageStats};
use crate::validate;
use labrys_expr::{Arena, Evaluator, ExprId, ExprKind, ExprOp, Model, VarId, VarSetId};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// The time for checking one answer with `--validate`; what takes longer counts as not checked.
const VALIDATION_TIME: Duration = Duration::from_secs(1);

/// Answers queries. It keeps caches that belong to one [`Arena`]: call [`Solver::forget`] if
/// expressions were renumbered.
pub struct Solver {
    options: SolverOptions,
    stats: SolverStats,
    evaluator: Evaluator,
    pub(crate) domains: DomainStage,
    cache: CacheStage,
    order: OrderStage,
    local: LocalStage,
    pub(crate) blaster: Blaster,
    bitwuzla: Bitwuzla,
    external: Option<ExternalStage>,
    log: Option<QueryLog>,
    limits: QueryLimits,
    /// For `--validate`.
    validator: Bitwuzla,
    /// The variables of all goals, if somebody wants to know.
    asked: Option<FxHashSet<VarSetId>>,
}

/// Variables that goals had; nobody wants to know by default.
#[derive(Debug, Default)]
pub struct WatchedGoals(Option<FxHashSet<VarSetId>>);

impl Solver {
    pub fn new(options: SolverOptions) -> Result<Self, SolverError> {
        let limits = QueryLimits::new(&options);
        let external = options.external.as_deref();
        let external = external.map(|command| ExternalStage::new(command, limits.clone()));
        let log = options.log_queries.as_deref().map(QueryLog::new);
        Ok(Solver {
            external: external.transpose()?,
            log: log.transpose()?,
            stats: SolverStats::default(),
            evaluator: Evaluator::new(),
            domains: DomainStage::default(),
            cache: CacheStage::default(),
            order: OrderStage::default(),
            local: LocalStage::default(),
            blaster: Blaster::new(options.conflicts, limits.clone()),
            bitwuzla: Bitwuzla::new(limits.clone(), options.seed),
            validator: Bitwuzla::new(limits.within(VALIDATION_TIME), options.seed),
            limits,
            options,
            asked: None,
        })
    }

    /// From now on the variables of all goals are noted; says which were noted since the last call.
    pub fn watch_goals(&mut self, arena: &Arena) -> FxHashSet<VarId> {
        let asked = self.asked.replace(FxHashSet::default()).into_iter();
        let vars = asked.flatten().flat_map(|vars| arena.vars_iter(vars));
        vars.collect()
    }

    /// What is asked from here on is noted there, and no longer where it was noted so far.
    pub fn watch_elsewhere(&mut self, asked: WatchedGoals) -> WatchedGoals {
        WatchedGoals(std::mem::replace(&mut self.asked, asked.0))
    }

    /// Notes the variables of a condition as if it had been asked.
    pub fn note_goal(&mut self, arena: &Arena, goal: ExprId) {
        if let Some(asked) = &mut self.asked {
            asked.insert(arena.vars(goal));
        }
    }

    /// The counters.
    pub fn stats(&self) -> &SolverStats {
        &self.stats
    }

    /// Drops all caches.
    pub fn forget(&mut self) {
        self.domains.forget();
        self.cache.forget();
        self.blaster.forget();
        if let Some(recording) = &self.options.recording
            && let Ok(mut recording) = recording.lock()
        {
            recording.forget();
        }
    }

    /// Can `goal` hold on the path? `hint` satisfies the path; the model in the answer is the
    /// hint with other values for the variables of the goal's slice.
    pub fn solve(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Answer {
        self.note_goal(arena, goal);
        let answer = self.answer(arena, path, goal, hint);
        self.count(&answer);
        self.note_sizes();
        self.record(arena, path, goal, hint, &answer);
        answer
    }

    pub(crate) fn count(&mut self, answer: &Answer) {
        self.stats.queries += 1;
        match answer {
            Answer::Sat(_) => self.stats.sat += 1,
            Answer::Unsat => self.stats.unsat += 1,
            Answer::Unknown(_) => self.stats.unknown += 1,
        }
    }

    /// May the executor ask [`Solver::cheap`] about this goal?
    pub(crate) fn is_cheap(&self, arena: &Arena, goal: ExprId) -> bool {
        self.options.domains && !arena.is_uninit(goal)
    }

    fn answer(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Answer {
        if let Some(value) = arena.as_const(goal) {
            self.stats.constant += 1;
            return if value == 1 {
                Answer::Sat(hint.clone())
            } else {
                Answer::Unsat
            };
        }
        if arena.is_uninit(goal) {
            return Answer::Unknown(UnknownReason::Uninitialised);
        }
        if self.options.domains
            && let Some(answer) = self.single_variable(arena, path, goal, hint)
        {
            return answer;
        }
        if self.options.slice && is_conjunction(arena, goal) {
            return self.conjunction(arena, path, goal, hint);
        }
        self.sliced(arena, path, goal, hint)
    }

    /// The fast way: the goal and everything that it is connected with is about one variable, or the
    /// goal contradicts what is about its variable alone.
    #[inline]
    pub(crate) fn single_variable(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Option<Answer> {
        let vars = arena.vars(goal);
        let var = only(arena.vars_iter(vars))?;
        let none = ConstraintList::default();
        let constraints = match path.group_of(var.index()) {
            None => &none,
            Some((_, group)) if group.vars == vars => &group.constraints,
            Some(_) => return self.excluded_alone(arena, path, goal, var),
        };
        self.stats.domains.asked += 1;
        let verdict = self.domains.solve(arena, var, constraints, goal);
        let answer = match verdict {
            DomainAnswer::Pass => return None,
            DomainAnswer::Unsat => Answer::Unsat,
            DomainAnswer::Value(value) => {
                let mut model = hint.clone();
                model.set(var, value);
                Answer::Sat(model)
            }
        };
        self.stats.domains.answered += 1;
        Some(answer)
    }

    /// Does a goal contradict what the path says of its only variable alone? Bytes of a text that were
    /// compared with words are connected with each other, and are looked at again and again.
    fn excluded_alone(
        &mut self,
        arena: &Arena,
        path: &PathCondition,
        goal: ExprId,
        var: VarId,
    ) -> Option<Answer> {
        let own = path.own(var.index())?;
        self.stats.domains.asked += 1;
        if !self.domains.excludes(arena, var, own, goal) {
            return None;
        }
        self.stats.domains.answered += 1;
        Some(Answer::Unsat)
    }

    /// Takes a conjunction one conjunct at a time, each on the path with those before it: they
    /// are often about different groups.
    fn conjunction(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Answer {
        let mut parts = Vec::new();
        for_each_conjunct(arena, goal, &mut |_, part| parts.push(part));
        let mut path = path.clone();
        let mut model = hint.clone();
        for part in parts {
            self.evaluator.reset();
            if self.evaluator.eval(arena, &model, part) != 1 || arena.is_uninit(part) {
                match self.answer(arena, &path, part, &model) {
                    Answer::Sat(found) => model = found,
                    other => return other,
                }
            }
            path.push(arena, part);
        }
        Answer::Sat(model)
    }

    fn sliced(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
    ) -> Answer {
        let query = Query::new(arena, path, goal, hint, !self.options.slice);
        if query.constraints.iter().any(|&c| arena.is_uninit(c)) {
            return Answer::Unknown(UnknownReason::Uninitialised);
        }
        let mut why = UnknownReason::Disabled;
        for kind in [Known, Ordered, Mended, Outside, Blasted, Embedded] {
            let Some(outcome) = self.run(kind, arena, &query) else {
                continue;
            };
            let stats = self.stage_stats(kind);
            match &outcome {
                StageOutcome::Pass(None) => continue,
                StageOutcome::Pass(Some(reason)) => {
                    why = *reason;
                    if kind == Blasted && why == UnknownReason::Limit && self.options.give_up {
                        break;
                    }
                    continue;
                }
                StageOutcome::Unsat(_) => {
                    stats.answered += 1;
                    self.learn(kind, &query, &outcome);
                    return Answer::Unsat;
                }
                StageOutcome::Sat(values) => {
                    let Some(model) = self.accept(arena, &query, values, hint) else {
                        why = UnknownReason::ModelRejected;
                        continue;
                    };
                    self.stage_stats(kind).answered += 1;
                    self.learn(kind, &query, &outcome);
                    return Answer::Sat(model);
                }
            }
        }
        Answer::Unknown(why)
    }

    /// Asks one stage, if it is switched on.
    fn run(&mut self, kind: StageKind, arena: &Arena, query: &Query<'_>) -> Option<StageOutcome> {
        let inside = self.external.is_none();
        let (on, stage): (bool, &mut dyn Stage) = match kind {
            Outside => match self.external.as_mut() {
                Some(external) => (true, external),
                None => return None,
            },
            Known => (self.options.cache, &mut self.cache),
            Ordered => (self.options.order, &mut self.order),
            Mended => (self.options.local, &mut self.local),
            Blasted => (self.options.blast && inside, &mut self.blaster),
            Embedded => (self.options.bitwuzla && inside, &mut self.bitwuzla),
        };
        if !on {
            return None;
        }
        // The clock is only read for stages that are slow beside it.
        let slow = matches!(kind, Outside | Blasted | Embedded);
        if slow && self.limits.is_over() {
            return Some(StageOutcome::Pass(Some(UnknownReason::Limit)));
        }
        let start = slow.then(Instant::now);
        let outcome = stage.answer(arena, query);
        let stats = self.stage_stats(kind);
        stats.asked += 1;
        if let Some(start) = start {
            stats.seconds += start.elapsed().as_secs_f64();
        }
        Some(outcome)
    }

    fn stage_stats(&mut self, kind: StageKind) -> &mut StageStats {
        match kind {
            Known => &mut self.stats.cache,
            Ordered => &mut self.stats.order,
            Mended => &mut self.stats.local,
            Outside => &mut self.stats.external,
            Blasted => &mut self.stats.blast,
            Embedded => &mut self.stats.bitwuzla,
        }
    }

    /// The hint with these values, if it satisfies the query.
    fn accept(
        &mut self,
        arena: &Arena,
        query: &Query<'_>,
        values: &[(VarId, u64)],
        hint: &Model,
    ) -> Option<Model> {
        let mut model = hint.clone();
        for &(var, value) in values {
            model.set(var, value);
        }
        self.evaluator.reset();
        let holds = query
            .all()
            .all(|c| self.evaluator.eval(arena, &model, c) == 1);
        if !holds {
            self.stats.rejected_models += 1;
            tracing::error!("a model of the solver does not satisfy its query");
        }
        holds.then_some(model)
    }

    fn note_sizes(&mut self) {
        self.stats.sat_rebuilds = self.blaster.rebuilds;
        self.stats.sat_clauses = self.blaster.clauses() as u64;
        self.stats.domain_entries = self.domains.len() as u64;
        self.stats.cache_entries = self.cache.len() as u64;
    }

    /// `--log-queries`, `--validate` and recordings, after the answer.
    pub(crate) fn record(
        &mut self,
        arena: &mut Arena,
        path: &PathCondition,
        goal: ExprId,
        hint: &Model,
        answer: &Answer,
    ) {
        if let Some(recording) = &self.options.recording
            && let Ok(mut recording) = recording.lock()
        {
            recording.add(arena, path, goal, hint);
        }
        if self.log.is_none() && !self.options.validate {
            return;
        }
        let query = Query::new(arena, path, goal, hint, false);
        if let Some(log) = self.log.as_mut() {
            log.write(arena, &query, answer);
        }
        if self.options.validate && !self.limits.is_over() {
            match validate::check(&mut self.validator, arena, path, &query, answer) {
                Ok(confirmed) => self.stats.validated += u64::from(confirmed),
                Err(message) => {
                    tracing::error!("{message}");
                    self.stats.validation_errors.push(message);
                }
            }
        }
    }

    fn learn(&mut self, kind: StageKind, query: &Query<'_>, outcome: &StageOutcome) {
        if kind != Known && self.options.cache {
            self.cache.learn(query, outcome);
        }
    }
}

/// The stages that answer sliced queries, cheapest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum StageKind {
    Known,
    Ordered,
    Mended,
    Outside,
    Blasted,
    Embedded,
}
use StageKind::{Blasted, Embedded, Known, Mended, Ordered, Outside};

fn is_conjunction(arena: &Arena, goal: ExprId) -> bool {
    match arena.kind(goal) {
        ExprKind::Binary(ExprOp::And, ..) => true,
        ExprKind::Unary(ExprOp::Not, inner) => {
            matches!(arena.kind(inner), ExprKind::Binary(ExprOp::Or, ..))
        }
        _ => false,
    }
}

fn only<T>(mut iter: impl Iterator<Item = T>) -> Option<T> {
    let first = iter.next()?;
    iter.next().is_none().then_some(first)
}
