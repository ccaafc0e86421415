//! What a command may use. One [`Deadline`] is made when the command starts and handed to every
//! phase; it ends with the time, with the memory, or when the user stops the command. Child
//! processes run by [`run_child`] end with it, and [`watch_memory`] compares the memory of the
//! process with its limit. [`in_place_of`] lets a child see a copy where the original is.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod child;
mod deadline;
mod in_place;
mod memory;

pub use child::{ChildError, ToolTrouble, run_child, run_into, tool_trouble, wait_for};
pub use deadline::{Deadline, EndCause};
pub use in_place::in_place_of;
pub use memory::{MemoryWatch, release_memory, resident_bytes, watch_memory};
