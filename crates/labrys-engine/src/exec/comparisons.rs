//! Texts with which a run has compared words of its input, by calls such as `strcmp`: what a program
//! expects at that place of its input is known then, however long the word was that stood there.

use super::Machine;
use super::readings::InputPosition;
use crate::memory::{ObjectId, ReadValue, Slot, split};
use labrys_ir::FuncId;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// Parameters that are looked at.
const PARAMETERS: usize = 4;

/// Longer texts are no words.
const LONGEST_TEXT: u64 = 32;

/// Of a run so many comparisons are noted.
const MOST_COMPARISONS: usize = 1_024;

/// So many calls are the context of a comparison.
const MOST_CALLS: usize = 16;

/// A word of the input was compared with a constant text.
#[derive(Clone, Debug)]
pub(crate) struct Comparison {
    /// A number that stands for the calls and the text.
    pub(crate) key: u64,
    pub(crate) text: Rc<[u8]>,
    /// Where the word begins, and its bytes.
    pub(crate) position: InputPosition,
    pub(crate) length: u32,
    pub(crate) is_equal: bool,
}

impl Machine<'_> {
    /// A function is called with these registers.
    pub(super) fn note_comparison(&mut self, callee: FuncId, regs: &[Slot]) {
        let function = &self.program.module.functions[callee.index()];
        let params = function.params.iter().take(PARAMETERS);
        let pointers: Vec<Option<(ObjectId, u64)>> = params
            .map(|param| {
                let slot = regs[param.index()];
                (function.width(*param) == 64 && !slot.is_symbolic()).then(|| split(slot.bits))
            })
            .collect();
        for (at, constant) in pointers.iter().enumerate() {
            let Some(text) = constant.and_then(|place| self.constant_text(place)) else {
                continue;
            };
            for (other, word) in pointers.iter().enumerate() {
                if let Some(word) = word.filter(|_| other != at) {
                    self.note_word(word, &text);
                }
            }
        }
    }

    /// The text that a constant object holds, if it is one.
    fn constant_text(&self, (id, offset): (ObjectId, u64)) -> Option<Rc<[u8]>> {
        let object = self.state.memory.object(id)?;
        if !object.is_constant() {
            return None;
        }
        let mut text = Vec::new();
        for at in offset..object.size().min(offset + LONGEST_TEXT) {
            match object.plain(at, 1)? as u8 {
                0 => return (!text.is_empty()).then(|| text.into()),
                byte => text.push(byte),
            }
        }
        None
    }

    /// Notes a comparison if there is a word of the input at this place, or an empty one.
    fn note_word(&mut self, (id, offset): (ObjectId, u64), text: &Rc<[u8]>) {
        let Some(object) = self.state.memory.object(id).cloned() else {
            return;
        };
        if object.is_constant() || offset >= object.size() {
            return;
        }
        let mut word = Vec::new();
        let mut first = None;
        for at in offset..object.size().min(offset + LONGEST_TEXT) {
            let byte = match object.read(&mut self.arena, at, 1) {
                ReadValue::Concrete(byte) => byte as u8,
                ReadValue::Symbolic(e) if self.arena.defined(e).is_none() => break,
                ReadValue::Symbolic(e) => {
                    if word.is_empty() {
                        first = self.arena.vars_iter(self.arena.vars(e)).next();
                    }
                    self.current.value(&self.arena, e) as u8
                }
            };
            if byte == 0 {
                break;
            }
            word.push(byte);
        }
        let key = self.key_of_comparison(text);
        let Some(readings) = &mut self.readings else {
            return;
        };
        let position = match (first, word.is_empty()) {
            (Some(var), _) => readings.position_of(var),
            (None, true) => readings.last(),
            (None, false) => None,
        };
        if let Some(position) = position
            && readings.comparisons.len() < MOST_COMPARISONS
        {
            readings.comparisons.push(Comparison {
                key,
                text: text.clone(),
                position,
                length: word.len() as u32,
                is_equal: word == **text,
            });
        }
    }

    fn key_of_comparison(&self, text: &[u8]) -> u64 {
        let mut hasher = FxHasher::default();
        text.hash(&mut hasher);
        let frames = std::iter::successors(Some(&self.state.frame), |f| f.parent.as_deref());
        for frame in frames.take(MOST_CALLS) {
            (frame.function, frame.pc).hash(&mut hasher);
        }
        hasher.finish()
    }
}
