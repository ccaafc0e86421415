//! Tests of the tree itself: that what is written down in one place still agrees with the other
//! place that it speaks of. They read files and the built program's help, nothing else.

#![allow(clippy::unwrap_used)]

mod dependencies;
mod tree;
