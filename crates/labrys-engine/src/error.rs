//! What Labrys could not do for the whole run. What the program under test did is a
//! [`crate::PathEnd`]; the two are never mixed.

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error("the program has no function '{0}'")]
    NoFunction(String),
    #[error("a thread of the search has met an error of its own")]
    WorkerPanicked,
    #[error("{0}")]
    Solver(#[from] labrys_solver::SolverError),
}
