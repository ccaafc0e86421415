//! The chain that answers: give me an input for these constraints.
