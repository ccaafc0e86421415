//! The functions that the engine understands by name: annotations, inputs, and the primitives
//! that the C models of the library stand on.

use super::{cut_table, loop_table, marked_blocks};
use crate::inputs::Scalar;

/// A function that is executed by the engine itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Builtin {
    // Annotations.
    Cond,
    Decision,
    Vector,
    Switch,
    Case,
    Reach,
    LabelOpen,
    LabelBegin,
    Label,
    Mutant,
    Joined,
    LoopEnter,
    LoopAgain,
    Cut,
    BlockBegins,
    // Inputs and harness.
    Symbolic,
    Scalar(Scalar),
    Assume,
    Pick,
    Choose,
    Limit,
    Guess,
    Own,
    Offer,
    InputsMade,
    Output,
    InitialState,
    ExtraCall,
    HasInput,
    Reveal,
    Effects,
    OtherThreads,
    Fresh,
    Havoc,
    Interior,
    Assign,
    // Primitives of the library models.
    Error,
    Exit,
    Malloc,
    MallocAligned,
    Free,
    ObjectSize,
    Write,
    WriteText,
    Exact,
    Touch,
    Assumed,
    Truth,
    IsAssumed,
    CompilerKnows,
    Plain,
    HandleFaults,
    Unsupported,
    Select,
    Current,
    IsSymbolic,
    IsUninit,
    Pin,
    FormatDouble,
    FormatLongDouble,
    ParseFloat,
    WideProperty,
}

impl Builtin {
    /// Can it be called in a label's predicate, of which nothing lasts?
    pub(crate) fn leaves_no_trace(self) -> bool {
        matches!(
            self,
            Builtin::Cond
                | Builtin::Decision
                | Builtin::Vector
                | Builtin::Switch
                | Builtin::Case
                | Builtin::Reach
                | Builtin::LabelOpen
                | Builtin::LabelBegin
                | Builtin::Label
                | Builtin::Mutant
                | Builtin::Joined
                | Builtin::LoopEnter
                | Builtin::LoopAgain
                | Builtin::Cut
                | Builtin::BlockBegins
                | Builtin::Error
                | Builtin::ObjectSize
                | Builtin::Touch
                | Builtin::Assumed
                | Builtin::IsAssumed
                | Builtin::CompilerKnows
                | Builtin::Plain
                | Builtin::Unsupported
                | Builtin::Select
                | Builtin::Current
                | Builtin::IsSymbolic
                | Builtin::IsUninit
                | Builtin::Pin
                | Builtin::WideProperty
        )
    }

    pub(crate) fn by_name(name: &str) -> Option<Builtin> {
        // Calls that only the engine makes.
        if name == loop_table::ENTER {
            return Some(Builtin::LoopEnter);
        }
        if name == loop_table::AGAIN {
            return Some(Builtin::LoopAgain);
        }
        if name == cut_table::CUT {
            return Some(Builtin::Cut);
        }
        if name == marked_blocks::BLOCK {
            return Some(Builtin::BlockBegins);
        }
        let name = name.strip_prefix("labrys_")?;
        if let Some((_, scalar)) = Scalar::NAMES.iter().find(|(n, _)| *n == name) {
            return Some(Builtin::Scalar(*scalar));
        }
        Some(match name {
            "cond" => Builtin::Cond,
            "decision" => Builtin::Decision,
            "vector" => Builtin::Vector,
            "switch" => Builtin::Switch,
            "case" => Builtin::Case,
            "reach" => Builtin::Reach,
            "label_open" => Builtin::LabelOpen,
            "label_begin" => Builtin::LabelBegin,
            "label" => Builtin::Label,
            "mutant" => Builtin::Mutant,
            "mutant_joined" => Builtin::Joined,
            "symbolic" => Builtin::Symbolic,
            "assume" => Builtin::Assume,
            "pick" => Builtin::Pick,
            "choose" => Builtin::Choose,
            "limit" => Builtin::Limit,
            "guess" => Builtin::Guess,
            "own" => Builtin::Own,
            "offer" => Builtin::Offer,
            "inputs_made" => Builtin::InputsMade,
            "output" => Builtin::Output,
            "initial_state" => Builtin::InitialState,
            "extra_call" => Builtin::ExtraCall,
            "has_input" => Builtin::HasInput,
            "reveal" => Builtin::Reveal,
            "effects" => Builtin::Effects,
            "other_threads" => Builtin::OtherThreads,
            "fresh" => Builtin::Fresh,
            "havoc" => Builtin::Havoc,
            "interior" => Builtin::Interior,
            "assign" => Builtin::Assign,
            "error" => Builtin::Error,
            "exit" => Builtin::Exit,
            "malloc" => Builtin::Malloc,
            "malloc_aligned" => Builtin::MallocAligned,
            "select" => Builtin::Select,
            "free" => Builtin::Free,
            "object_size" => Builtin::ObjectSize,
            "write" => Builtin::Write,
            "write_text" => Builtin::WriteText,
            "exact" => Builtin::Exact,
            "touch" => Builtin::Touch,
            "assumed" => Builtin::Assumed,
            "truth" => Builtin::Truth,
            "compiler_knows" => Builtin::CompilerKnows,
            "is_assumed" => Builtin::IsAssumed,
            "plain" | "plain_pointer" => Builtin::Plain,
            "handle_faults" => Builtin::HandleFaults,
            "unsupported" => Builtin::Unsupported,
            "current" => Builtin::Current,
            "is_symbolic" => Builtin::IsSymbolic,
            "is_uninit" => Builtin::IsUninit,
            "pin" => Builtin::Pin,
            "format_double" => Builtin::FormatDouble,
            "format_long_double" => Builtin::FormatLongDouble,
            "parse_float" => Builtin::ParseFloat,
            "wide_property" => Builtin::WideProperty,
            _ => return None,
        })
    }
}
