//! Declares the objects that pointers of a harness lead to, where they live as long as they must. In
//! come a type and a name, out comes the C expression of the object.

use super::{HarnessWriter, ObjectStorage};
use crate::types::CType;

impl HarnessWriter<'_> {
    /// An object that is filled afterwards.
    pub(super) fn declare_object(&mut self, ty: &CType, name: &str) -> String {
        let declared = |place: &str| self.types().declare(ty, place);
        let text = match self.storage {
            ObjectStorage::Local => format!("{};", declared(name)),
            ObjectStorage::Static => format!("static {};", declared(name)),
            ObjectStorage::Fresh => fresh(&declared(&place(name)), name),
        };
        self.declare_as(text, name)
    }

    /// An object that begins as zero bytes.
    pub(super) fn declare_zero_object(&mut self, ty: &CType, name: &str) -> String {
        let declared = |place: &str| self.types().declare(ty, place);
        let text = match self.storage {
            ObjectStorage::Local => format!("{} = {{ 0 }};", declared(name)),
            ObjectStorage::Static => format!("static {} = {{ 0 }};", declared(name)),
            ObjectStorage::Fresh => fresh(&declared(&place(name)), name),
        };
        self.declare_as(text, name)
    }

    /// Bytes that are aligned for anything.
    pub(super) fn declare_bytes(&mut self, name: &str, count: u64) -> String {
        let aligned = "__attribute__((aligned(16)))";
        let text = match self.storage {
            ObjectStorage::Local => format!("unsigned char {name}[{count}] {aligned};"),
            ObjectStorage::Static => format!("static unsigned char {name}[{count}] {aligned};"),
            ObjectStorage::Fresh => match &self.room {
                Some(room) => format!(
                    "unsigned char {}[{count}] = labrys_fresh({room});",
                    place(name)
                ),
                None => fresh(&format!("unsigned char {}[{count}]", place(name)), name),
            },
        };
        self.declare_as(text, name)
    }

    /// A union that is given by its text, of zero bytes.
    pub(super) fn declare_union(&mut self, union: &str, name: &str) -> String {
        let text = match self.storage {
            ObjectStorage::Local => format!("{union} {name} = {{ {{ 0 }} }};"),
            ObjectStorage::Static => format!("static {union} {name} = {{ {{ 0 }} }};"),
            ObjectStorage::Fresh => fresh(&format!("{union} {}", place(name)), name),
        };
        self.declare_as(text, name)
    }

    fn declare_as(&mut self, text: String, name: &str) -> String {
        self.declare(text);
        match self.storage {
            ObjectStorage::Fresh => place(name),
            _ => name.to_owned(),
        }
    }
}

/// The object behind a pointer.
fn place(name: &str) -> String {
    format!("(*{name})")
}

/// The declaration of a pointer to a fresh object.
fn fresh(declaration: &str, name: &str) -> String {
    format!("{declaration} = labrys_fresh(sizeof *{name});")
}
