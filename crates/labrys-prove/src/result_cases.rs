//! What memory holds behind a call, told apart by what the call has returned: `take(&x)` returns 0 and
//! has set the failure, or returns 1 and has not. A branch on the result settles it.

use crate::cells::Cells;
use crate::definitions::CodePoint;
use crate::refine::{AssumptionResult, FunctionView, ImpossibleAssumption};
use crate::state::AbstractState;
use crate::value_set::ValueSet;
use labrys_ir::Reg;
use std::rc::Rc;

/// The cases of one result. Nothing has been written to memory since.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ResultCases {
    pub(crate) reg: Reg,
    pub(crate) cases: Rc<Vec<(ValueSet, Cells)>>,
}

impl ResultCases {
    /// The cases, if there is something to tell apart.
    pub(crate) fn of(reg: Reg, cases: Vec<(ValueSet, Cells)>) -> Option<ResultCases> {
        let (first, others) = cases.split_first()?;
        others.iter().any(|(_, cells)| *cells != first.1).then(|| {
            let cases = Rc::new(cases);
            ResultCases { reg, cases }
        })
    }

    /// A register gets another value, so that what it led to is not known any more.
    pub(crate) fn without_pointer(mut self, reg: Reg) -> ResultCases {
        let leads = |(_, cells): &(ValueSet, Cells)| {
            let mut focused = cells.focused.iter();
            focused.any(|focused| focused.pointer() == Some(reg))
        };
        if self.cases.iter().any(leads) {
            for (_, cells) in Rc::make_mut(&mut self.cases) {
                (cells.focused).retain(|focused| focused.pointer() != Some(reg));
            }
        }
        self
    }
}

impl FunctionView<'_> {
    /// Leaves out of memory the cases that the result, as it is known by now, is not. They stay known:
    /// behind a join the program may ask again.
    pub(crate) fn settle_cases(
        &self,
        state: &mut AbstractState,
        point: CodePoint,
    ) -> AssumptionResult {
        let Some(known) = &state.cases else {
            return Ok(());
        };
        let now = self.read(state, known.reg, point.at);
        let fits = |value: &ValueSet| value.width != now.width || value.meet(&now).is_some();
        let left: Vec<(ValueSet, Cells)> = (known.cases.iter())
            .filter(|(value, _)| fits(value))
            .cloned()
            .collect();
        if left.len() == known.cases.len() {
            return Ok(());
        }
        let cells = left.iter().map(|(_, cells)| cells.clone());
        let joined = cells.reduce(|a, b| a.join(&b));
        let joined = joined.ok_or(ImpossibleAssumption)?;
        state.cells = state.cells.meet(&joined);
        Ok(())
    }
}
