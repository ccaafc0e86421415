//! Pointers that a stub writes through the pointers that it got: `char **out`, and members that are
//! pointers. Each stays as it is, or becomes null or leads to a new object.

use super::pointers::pointer_input;
use super::{HarnessWriter, MAX_INPUTS};
use crate::types::{CType, TypeShape};
use labrys_ledger::InputType;

/// Members of a structure that are pointers and that a stub writes, at most.
const MAX_WRITTEN_POINTERS: usize = 4;

/// A new object has at most so many inputs: a stub may be called many times.
const MAX_OBJECT_INPUTS: u64 = 32;

impl HarnessWriter<'_> {
    /// Writes pointers to where the argument `place` leads.
    pub(super) fn write_pointers(&mut self, place: &str, target: &CType, input: &str) {
        let mut pointers = Vec::new();
        match &target.canonical().shape {
            TypeShape::Pointer(_) => {
                pointers.push((format!("*{place}"), format!("{input} *{place}"), target));
            }
            // The library alone knows what is in a stream or a directory.
            TypeShape::Record(index)
                if !self.types().records[*index].union
                    && !self.is_stream(target)
                    && !self.is_opaque_record(*index) =>
            {
                for field in &self.types().records[*index].fields {
                    let member = format!("{place}->{}", field.name);
                    let path = format!("{input} {member}");
                    if field.ty.is_pointer() && !field.ty.is_const() && !field.name.is_empty() {
                        pointers.push((member, path, &field.ty));
                    }
                }
            }
            _ => {}
        }
        pointers.retain(|(_, _, ty)| ty.pointee().is_some_and(|to| self.is_new_object(to)));
        pointers.truncate(MAX_WRITTEN_POINTERS);
        if pointers.is_empty() {
            return;
        }
        self.statement(format!("if ({place}) {{"));
        for (lvalue, path, ty) in pointers {
            self.write_pointer(&lvalue, &path, ty);
        }
        self.own_new_objects(None);
        self.statement("}");
    }

    /// Can a new object of the type be made for each call?
    fn is_new_object(&self, target: &CType) -> bool {
        self.is_made_up(target)
            && self.types().is_spellable(target)
            && self.input_count(target) <= MAX_OBJECT_INPUTS
            && self.inputs.len() < MAX_INPUTS
    }

    fn write_pointer(&mut self, lvalue: &str, path: &str, ty: &CType) {
        let Some(target) = ty.pointee() else { return };
        let key = self.target_key(target);
        // What its own pointers lead to is beyond the depth.
        let level = self.context.options.depth.max(1);
        let object = self.object(target, &key, path, level);
        let shown = ["unchanged", "NULL", "a new object"];
        let name = self.input(
            &pointer_input(path),
            InputType::Pick {
                name: self.types().spell(&ty.unqualified()),
                choices: shown.map(str::to_owned).to_vec(),
            },
        );
        self.statement(format!(
            "{{ void *const choices[] = {{ 0, (void *){object} }}; labrys_assign((void *)&{lvalue}, {name}, 2, choices); }}"
        ));
    }
}
