//! What has to be known of the path of a test to choose its values again when the search is over.

use super::{TestConstraints, Values};
use crate::exec::Machine;
use crate::inputs::InputId;
use crate::report::{Test, TestValues};
use crate::state::{IncidentalHits, ProgramOutput, Roots, Streams};
use labrys_expr::{Arena, ExprId, ExprKind, Model, VarId, VarSetId};
use labrys_solver::PathCondition;
use std::rc::Rc;

/// The end of a test's path.
pub(crate) struct TestPath {
    path: PathCondition,
    inputs: Rc<Vec<InputId>>,
    outputs: Rc<Vec<ProgramOutput>>,
    streams: Streams,
    /// Labels that hold under the model without a reason in the path, and why.
    incidental: Rc<IncidentalHits>,
    model: Rc<Model>,
}

impl TestPath {
    /// The path that the machine has just run to its end.
    pub(crate) fn of(machine: &Machine<'_>) -> Self {
        let state = &machine.state;
        TestPath {
            path: state.path.clone(),
            inputs: state.inputs.clone(),
            outputs: state.outputs.clone(),
            streams: state.streams.clone(),
            incidental: state.incidental.clone(),
            model: machine.current.model.clone(),
        }
    }

    /// Marks the expressions that it needs.
    pub(crate) fn mark(&self, roots: &mut Roots<'_>) {
        roots.path(&self.path);
        roots.incidental(&self.incidental);
        roots.outputs(&self.outputs);
        roots.streams(&self.streams);
    }

    /// Other values on this path, if there are any that are easier to read. These conditions hold
    /// for them, too.
    pub(crate) fn nicer(
        &self,
        values: &mut Values,
        machine: &mut Machine<'_>,
        conditions: &[ExprId],
    ) -> Option<Model> {
        if values.is_spent() {
            return None;
        }
        let incidental = self.incidental.reasons.iter().flat_map(|r| r.iter());
        let keep: Vec<ExprId> = incidental.chain(conditions).copied().collect();
        let scene = TestConstraints {
            path: &self.path,
            keep: &keep,
            inputs: &self.inputs,
            shown: self.shown(&mut machine.arena),
        };
        values.nicer(&mut machine.arena, &machine.inputs, &scene, &self.model)
    }

    /// Gives the test values that are easier to read. Whatever it covers and shows, it still does.
    pub(crate) fn improve(&self, values: &mut Values, machine: &mut Machine<'_>, test: &mut Test) {
        let Some(model) = self.nicer(values, machine, &[]) else {
            return;
        };
        machine.state.outputs = self.outputs.clone();
        machine.state.streams = self.streams.clone();
        machine.current.set(Rc::new(model));
        let inputs = test.inputs.clone();
        for (value, id) in test.inputs.iter_mut().zip(self.inputs.iter()) {
            value.bytes = machine.inputs.bytes(*id, &machine.current.model);
        }
        let streams = [machine.predicted_stream(0), machine.predicted_stream(1)];
        test.found_with = Some(Box::new(TestValues {
            inputs,
            outputs: std::mem::replace(&mut test.outputs, machine.predicted_outputs()),
            streams: std::mem::replace(&mut test.streams, streams),
        }));
    }

    /// The variables that the outputs depend on. What is still where the input has put it does not
    /// count.
    fn shown(&self, arena: &mut Arena) -> VarSetId {
        let mut shown = VarSetId::EMPTY;
        let mut add = |arena: &mut Arena, e: ExprId| {
            let vars = arena.vars(e);
            shown = arena.vars_union(shown, vars);
        };
        for output in self.outputs.iter() {
            let own = output.name.trim_start_matches('*');
            for e in output.bytes.iter().filter_map(|slot| slot.expr) {
                if !is_untouched(arena, e, own) {
                    add(arena, e);
                }
            }
        }
        let mut written = Vec::new();
        self.streams
            .for_each_expr(&mut |_| true, &mut |e| written.push(e));
        written.into_iter().for_each(|e| add(arena, e));
        shown
    }
}

/// Is it a byte of the input of this name?
fn is_untouched(arena: &Arena, e: ExprId, name: &str) -> bool {
    let own = |var: VarId| {
        let rest = arena.var_name(var).strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    match arena.kind(e) {
        ExprKind::Var(var) => own(var),
        ExprKind::Extract(inner, _) => matches!(arena.kind(inner), ExprKind::Var(var) if own(var)),
        _ => false,
    }
}
