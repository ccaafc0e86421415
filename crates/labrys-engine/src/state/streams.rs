//! What a path has written to standard output and standard error: bytes, strings whose end
//! depends on the input, and text that only shows the values of one model.
//!
//! Snapshots share it, so it is kept in chunks: writing copies at most one of them.

use crate::memory::Slot;
use labrys_expr::ExprId;
use std::rc::Rc;

/// Bytes of one stream that are kept; what follows is not predicted.
const MAX_BYTES: usize = 1 << 16;

/// Bytes in one chunk, as long as there is more than one.
const CHUNK: usize = 64;

/// Part of a stream.
#[derive(Clone, Debug)]
pub(crate) enum StreamChunk {
    Bytes(Vec<Slot>),
    /// A string that ends at its first zero byte, or with the last.
    Text(Vec<Slot>),
    /// Made from the values of a model that may no longer be the current one.
    Shown(ShownText),
}

/// Text that shows values of one model.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownText {
    /// What is shown.
    pub(crate) values: Vec<ExprId>,
    /// The text under the model with which it was made; cut if the stream is too long.
    pub(crate) bytes: Vec<Slot>,
    pub(crate) cut: bool,
}

/// The captured streams of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct Streams {
    chunks: [Rc<Vec<Rc<StreamChunk>>>; 2],
    sizes: [usize; 2],
    /// Text is being made that shows the values of the current model only.
    pub(crate) showing: bool,
    /// Values that were shown and not written yet.
    shown: Vec<ExprId>,
}

impl Streams {
    /// Which of the streams a descriptor means.
    pub(crate) fn index(descriptor: u64) -> Option<usize> {
        matches!(descriptor, 1 | 2).then(|| descriptor as usize - 1)
    }

    /// A value of the current model becomes text.
    pub(crate) fn show(&mut self, value: ExprId) {
        self.showing = true;
        self.shown.push(value);
    }

    /// From here on text is exact.
    pub(crate) fn show_no_more(&mut self) {
        self.showing = false;
        self.shown.clear();
    }

    pub(crate) fn write(&mut self, stream: usize, bytes: Vec<Slot>) {
        if self.showing || self.sizes[stream] + bytes.len() > MAX_BYTES {
            return self.write_shown(stream, bytes);
        }
        let chunks = Rc::make_mut(&mut self.chunks[stream]);
        self.sizes[stream] += bytes.len();
        match chunks.last_mut() {
            Some(chunk) if is_open(chunk) => {
                if let StreamChunk::Bytes(before) = Rc::make_mut(chunk) {
                    before.extend(bytes);
                }
            }
            _ => chunks.push(Rc::new(StreamChunk::Bytes(bytes))),
        }
    }

    fn write_shown(&mut self, stream: usize, bytes: Vec<Slot>) {
        let values = std::mem::take(&mut self.shown);
        let chunks = Rc::make_mut(&mut self.chunks[stream]);
        if !matches!(chunks.last().map(|c| &**c), Some(StreamChunk::Shown(_))) {
            let text = ShownText::default();
            chunks.push(Rc::new(StreamChunk::Shown(text)));
        }
        let Some(StreamChunk::Shown(text)) = chunks.last_mut().map(Rc::make_mut) else {
            return;
        };
        text.values.extend(values);
        match text.bytes.len() + bytes.len() > MAX_BYTES {
            true => text.cut = true,
            false => text.bytes.extend(bytes),
        }
    }

    pub(crate) fn write_text(&mut self, stream: usize, bytes: Vec<Slot>) {
        if self.showing || self.sizes[stream] + bytes.len() > MAX_BYTES {
            return self.write(stream, bytes);
        }
        self.sizes[stream] += bytes.len();
        Rc::make_mut(&mut self.chunks[stream]).push(Rc::new(StreamChunk::Text(bytes)));
    }

    pub(crate) fn chunks(&self, stream: usize) -> Rc<Vec<Rc<StreamChunk>>> {
        self.chunks[stream].clone()
    }

    /// Calls `each` for every expression; chunks that `fresh` has seen are left out.
    pub(crate) fn for_each_expr(
        &self,
        fresh: &mut dyn FnMut(*const u8) -> bool,
        each: &mut dyn FnMut(ExprId),
    ) {
        self.shown.iter().copied().for_each(&mut *each);
        for chunk in self.chunks.iter().flat_map(|chunks| chunks.iter()) {
            if !fresh(Rc::as_ptr(chunk).cast()) {
                continue;
            }
            let bytes = match &**chunk {
                StreamChunk::Bytes(bytes) | StreamChunk::Text(bytes) => bytes,
                StreamChunk::Shown(text) => {
                    text.values.iter().copied().for_each(&mut *each);
                    &text.bytes
                }
            };
            bytes.iter().filter_map(|b| b.expr).for_each(&mut *each);
        }
    }
}

fn is_open(chunk: &StreamChunk) -> bool {
    matches!(chunk, StreamChunk::Bytes(bytes) if bytes.len() < CHUNK)
}
