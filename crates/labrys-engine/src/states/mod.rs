//! Sets of states at the joins of a program: what a search that looks at sets instead of single states
//! has seen.

mod graph;
mod relations;
mod value_set;

pub(crate) use graph::{KeptPlace, OpenPlace, SetPlace, StateGraph, StateSet, WayToSet, stops};
pub(crate) use relations::{ComparedTerms, NodeRelation, OrderSet, RelationTerms, TermPlace};
pub(crate) use value_set::{GrowingSet, MOST_NUMBERS};
