//! What given inputs will do: tests as a search proposes them.

use super::followed_run::{RunInput, Runner};
use crate::config::Config;
use crate::end::PathEnd;
use crate::error::EngineError;
use crate::inputs::InputValue;
use crate::objectives::ObjectiveMap;
use crate::program::{Program, entry_of};
use crate::report::{Fault, Test};
use labrys_ir::Module;

/// Runs these inputs. The faults name their tests by place; an input whose run does not count has
/// no test.
pub fn predict(
    module: &Module,
    entry: &str,
    objectives: &ObjectiveMap,
    inputs: &[Vec<InputValue>],
    config: &Config,
) -> Result<(Vec<Option<Test>>, Vec<Fault>), EngineError> {
    let entry = entry_of(module, entry)?;
    let program = Program::new(module);
    let mut runner = Runner::new(&program, entry, objectives, config)?;
    let mut tests = Vec::new();
    let mut faults = Vec::new();
    for (place, inputs) in inputs.iter().enumerate() {
        let course = runner.run(RunInput::Inputs(inputs), &[], None);
        if !course.is_valid() {
            tests.push(None);
            continue;
        }
        let m = &mut runner.machine;
        if let PathEnd::Fault(kind) = course.end {
            let stack = m.stack();
            let loc = m.blamed(&stack);
            faults.push(Fault {
                kind,
                loc,
                stack,
                test: place,
            });
        }
        tests.push(Some(m.proposed(course.end, Vec::new())));
        runner.collect();
    }
    Ok((tests, faults))
}
