//! `--validate`: every answer is checked again, models by evaluation of the whole path and
//! refutations by a fresh Bitwuzla.

use crate::answer::Answer;
use crate::bitwuzla::Bitwuzla;
use crate::path::PathCondition;
use crate::query::{Query, Stage, StageOutcome};
use labrys_expr::{Arena, Evaluator};

/// Whether the answer was confirmed; it is neither confirmed nor wrong if Bitwuzla cannot tell.
pub(crate) fn check(
    bitwuzla: &mut Bitwuzla,
    arena: &Arena,
    path: &PathCondition,
    query: &Query<'_>,
    answer: &Answer,
) -> Result<bool, String> {
    let goal = query.goal.index();
    if let Answer::Sat(model) = answer {
        let mut evaluator = Evaluator::new();
        let mut all = std::iter::once(query.goal).chain(path.iter());
        if let Some(broken) = all.find(|&c| evaluator.eval(arena, model, c) != 1) {
            return Err(format!(
                "the model for goal {goal} breaks constraint {} of its path",
                broken.index()
            ));
        }
    }
    match (answer, bitwuzla.answer(arena, query)) {
        (Answer::Sat(_), StageOutcome::Unsat(_)) => {
            Err(format!("goal {goal} has a model, but Bitwuzla says unsat"))
        }
        (Answer::Unsat, StageOutcome::Sat(values)) => Err(format!(
            "goal {goal} was called unsat, but Bitwuzla has the model {values:?}"
        )),
        (Answer::Sat(_), StageOutcome::Sat(_)) | (Answer::Unsat, StageOutcome::Unsat(_)) => {
            Ok(true)
        }
        _ => Ok(false),
    }
}
