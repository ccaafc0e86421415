//! Sets of states at the joins of a program: what a search that looks at sets instead of single states
//! has seen.

mod facts;
mod flow_order;
mod graph;
mod live_registers;
mod relations;
mod returned;
mod value_set;

pub(crate) use flow_order::FlowOrder;
pub(crate) use graph::{
    KeptPlace, OpenPlace, SetPlace, StateGraph, StateSet, WayToSet, most_numbers, stops,
};
pub(crate) use live_registers::LiveRegisters;
pub(crate) use relations::{ComparedTerms, NodeRelation, PossibleOrders, RelationTerms, TermPlace};
pub(crate) use value_set::GrowingSet;
