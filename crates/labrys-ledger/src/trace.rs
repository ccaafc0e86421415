//! The trace of a run: the sequence of its annotation events, folded into one number. The engine
//! predicts it, the native replay (`runtime/replay.c`) measures it, and both must agree.

use crate::protocol::{TRACE_FACTOR, TRACE_START, event};

/// One annotation event of a run. Labels are no events: whether one holds does not change the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceEvent {
    Condition {
        decision: u32,
        index: u32,
        value: bool,
    },
    Decision {
        decision: u32,
        value: bool,
    },
    /// A case that its switch really jumped to; falling into a case is no event.
    Case {
        switch: u32,
        case: u32,
    },
    Reach {
        id: u32,
    },
}

/// FNV-1a over the events, one 64-bit word each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceHash(pub u64);

impl Default for TraceHash {
    fn default() -> Self {
        TraceHash(TRACE_START)
    }
}

impl TraceHash {
    #[inline]
    pub fn add(&mut self, event: TraceEvent) {
        self.add_word(event.word());
    }

    /// As `add`, for an event whose word is known.
    #[inline]
    pub fn add_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(TRACE_FACTOR);
    }
}

impl TraceEvent {
    /// The event as the number that enters the hash.
    pub fn word(self) -> u64 {
        let (kind, a, b, value) = match self {
            TraceEvent::Condition {
                decision,
                index,
                value,
            } => (event::EVENT_CONDITION, decision, index, value),
            TraceEvent::Decision { decision, value } => (event::EVENT_DECISION, decision, 0, value),
            TraceEvent::Case { switch, case } => (event::EVENT_CASE, switch, case, false),
            TraceEvent::Reach { id } => (event::EVENT_REACH, id, 0, false),
        };
        (u64::from(kind) << 56) ^ (u64::from(a) << 24) ^ (u64::from(b) << 1) ^ u64::from(value)
    }
}
