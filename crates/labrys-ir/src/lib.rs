//! The compact program form that the engine runs.
