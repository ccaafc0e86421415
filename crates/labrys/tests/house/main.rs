//! Tests of the tree itself: that what is written down in one place still agrees with the other
//! place that it speaks of, how types are named, and how long functions and files are. They read
//! files and the built program's help, nothing else.

#![allow(clippy::unwrap_used)]

mod arrows;
mod constants;
mod dependencies;
mod documents;
mod help;
mod names;
mod options;
mod paths;
mod protocol;
mod rooms;
mod sizes;
mod symbols;
mod syntax;
mod tree;
mod walk;
