//! The inputs that a program asks for. An input is named by its position on the path, its name
//! and its size, so the same request on two paths shares its variables.

mod current;
mod scalar;

pub(crate) use current::CurrentModel;
pub use scalar::Scalar;

use labrys_expr::{Arena, Model, VarId};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InputId(pub(crate) u32);

/// How an input was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    /// `labrys_symbolic`: bytes.
    Memory,
    /// `labrys_<type>`.
    Scalar(Scalar),
    /// `labrys_pick`: the number of the choice, 4 bytes, below the count.
    Pick { count: u32 },
}

/// An input of a test, in the order in which the program asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputValue {
    pub name: String,
    pub kind: InputKind,
    pub bytes: Vec<u8>,
}

impl InputValue {
    /// The scalar type, if the program asked for one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self.kind {
            InputKind::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct Input {
    key: InputKey,
    pub(crate) name: String,
    pub(crate) kind: InputKind,
    /// The variables from the lowest byte up, each with its size in bytes.
    pub(crate) pieces: Vec<(VarId, u32)>,
}

/// What names an input: the same in every thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InputKey {
    position: u32,
    name: String,
    kind: InputKind,
    size: u64,
    piece: u32,
}

/// All inputs ever asked for in this run of the engine.
#[derive(Default)]
pub(crate) struct Inputs {
    all: Vec<Input>,
    index: FxHashMap<InputKey, InputId>,
}

impl Inputs {
    pub(crate) fn get(&self, id: InputId) -> &Input {
        &self.all[id.0 as usize]
    }

    /// The input of `size` bytes at this position, cut into variables of `piece` bytes.
    pub(crate) fn request(
        &mut self,
        arena: &mut Arena,
        position: u32,
        name: &str,
        kind: InputKind,
        size: u64,
        piece: u32,
    ) -> InputId {
        let key = InputKey {
            position,
            name: name.to_owned(),
            kind,
            size,
            piece,
        };
        self.intern(arena, key)
    }

    fn intern(&mut self, arena: &mut Arena, key: InputKey) -> InputId {
        if let Some(&id) = self.index.get(&key) {
            return id;
        }
        let InputKey { size, piece, .. } = key;
        let mut pieces = Vec::new();
        let mut at = 0;
        while at < size {
            let bytes = u64::from(piece).min(size - at) as u32;
            let label = if size <= u64::from(piece) {
                key.name.clone()
            } else {
                format!("{}[{}]", key.name, at / u64::from(piece))
            };
            pieces.push((arena.new_var(&label, (bytes * 8) as u8), bytes));
            at += u64::from(bytes);
        }
        let id = InputId(self.all.len() as u32);
        self.all.push(Input {
            name: key.name.clone(),
            kind: key.kind,
            pieces,
            key: key.clone(),
        });
        self.index.insert(key, id);
        id
    }

    /// The values of these inputs, in a form that does not depend on this thread's variables.
    pub(crate) fn values(&self, ids: &[InputId], model: &Model) -> Vec<(InputKey, Vec<u64>)> {
        let value = |id: &InputId| {
            let input = self.get(*id);
            let values = input
                .pieces
                .iter()
                .map(|(var, _)| model.get(*var))
                .collect();
            (input.key.clone(), values)
        };
        ids.iter().map(value).collect()
    }

    /// These inputs as a test gives them.
    pub(crate) fn given(&self, ids: &[InputId], model: &Model) -> Vec<InputValue> {
        let value = |id: &InputId| {
            let input = self.get(*id);
            InputValue {
                name: input.name.clone(),
                kind: input.kind,
                bytes: self.bytes(*id, model),
            }
        };
        ids.iter().map(value).collect()
    }

    /// The model with these values.
    pub(crate) fn model(&mut self, arena: &mut Arena, inputs: &[(InputKey, Vec<u64>)]) -> Model {
        let mut model = Model::new();
        for (key, values) in inputs {
            let id = self.intern(arena, key.clone());
            for ((var, _), value) in self.get(id).pieces.iter().zip(values) {
                model.set(*var, *value);
            }
        }
        model
    }

    /// The bytes of an input under a model.
    pub(crate) fn bytes(&self, id: InputId, model: &Model) -> Vec<u8> {
        let pieces = &self.get(id).pieces;
        let size = pieces.iter().map(|(_, len)| *len as usize).sum();
        let mut bytes = Vec::with_capacity(size);
        for (var, len) in pieces {
            bytes.extend_from_slice(&model.get(*var).to_le_bytes()[..*len as usize]);
        }
        bytes
    }
}
