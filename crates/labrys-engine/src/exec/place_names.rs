//! The names that the source has for what loops change: variables in registers, global variables with
//! their members and elements, locals in memory. Only for texts.

use super::Machine;
use crate::memory::ObjectId;
use crate::state::{Frame, LoopPlace, MemoryRange};
use labrys_ir::Global;

/// A place in the words of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PlaceName {
    pub(crate) text: String,
    /// Is the text an expression of C?
    pub(crate) is_c: bool,
    pub(crate) unsigned: bool,
    pub(crate) width: u8,
}

impl Machine<'_> {
    /// What the source calls a place of the current function.
    pub(in crate::exec) fn place_name(&self, place: LoopPlace) -> PlaceName {
        match place {
            LoopPlace::Register(reg) => {
                let function = self.function();
                let width = function.width(reg);
                match function.names.get(&reg) {
                    Some(name) => PlaceName {
                        text: self.program.module.text(name.text).to_owned(),
                        is_c: true,
                        unsigned: name.unsigned,
                        width,
                    },
                    None => PlaceName {
                        text: format!("value {}", reg.0),
                        is_c: false,
                        unsigned: false,
                        width,
                    },
                }
            }
            LoopPlace::Memory(range) => self.memory_name(range),
        }
    }

    fn memory_name(&self, range: MemoryRange) -> PlaceName {
        let width = u8::try_from(range.len * 8).unwrap_or(u8::MAX);
        let named = |text: String, is_c: bool, unsigned: bool| PlaceName {
            text,
            is_c,
            unsigned,
            width,
        };
        if let Some(global) = self.program.global_at(range.object) {
            let name = plain_name(global);
            let len = u64::from(range.len);
            let mut parts = global.parts.iter();
            return match parts.find(|p| p.offset == range.offset && p.size == len) {
                Some(part) => named(format!("{name}{}", part.path), true, part.unsigned),
                None => named(format!("{name}+{}", range.offset), false, false),
            };
        }
        let Some(name) = self.local_name(range.object) else {
            let text = format!("object {}+{}", range.object.0, range.offset);
            return named(text, false, false);
        };
        let object = self.state.memory.object(range.object);
        let element = object.map_or(0, |object| u64::from(object.info.element));
        let size = object.map_or(0, |object| object.size());
        let len = u64::from(range.len);
        match () {
            () if len == size => named(name, true, false),
            () if element == len && range.offset.is_multiple_of(len) => {
                named(format!("{name}[{}]", range.offset / len), true, false)
            }
            () => named(format!("{name}+{}", range.offset), false, false),
        }
    }

    /// What an object is called: a global variable, or a local of a call that has not returned.
    pub(super) fn object_name(&self, object: ObjectId) -> Option<String> {
        match self.program.global_at(object) {
            Some(global) => Some(plain_name(global).to_owned()),
            None => self.local_name(object),
        }
    }

    fn local_name(&self, object: ObjectId) -> Option<String> {
        let mut next: Option<&Frame> = Some(&self.state.frame);
        while let Some(frame) = next {
            let function = &self.program.module.functions[frame.function.index()];
            let holds = |reg: &labrys_ir::Reg| {
                let slot = frame.regs.get(reg.index());
                slot.is_some_and(|slot| slot.expr.is_none() && slot.bits == object.base())
            };
            if frame.objects.contains(&object) {
                let found = function.names.iter().find(|(reg, _)| holds(reg));
                return found.map(|(_, name)| self.program.module.text(name.text).to_owned());
            }
            next = frame.parent.as_deref();
        }
        None
    }
}

/// A static variable of a function has the name of the function before its own.
fn plain_name(global: &Global) -> &str {
    global.name.rsplit('.').next().unwrap_or(&global.name)
}
