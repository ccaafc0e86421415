//! Records what the function produced: its result, the memory behind its pointers and the
//! globals it may have changed. Pointers themselves are addresses and mean nothing in a test.

use super::{HarnessWriter, MAX_UNROLLED, quote};
use crate::types::{CType, TypeShape};

/// Bytes of an object at most for it to be recorded as an output.
const MAX_OUTPUT_BYTES: u64 = 256;

impl HarnessWriter<'_> {
    /// Records the object `lvalue`, member by member so that padding stays out.
    pub(super) fn output(&mut self, lvalue: &str, ty: &CType, path: &str) {
        if self.is_private(ty) {
            return;
        }
        match &ty.canonical().shape {
            TypeShape::Int { .. } | TypeShape::Float { .. } | TypeShape::Enum(_) => {
                self.output_whole(lvalue, ty, path);
            }
            TypeShape::Array(element, Some(count)) => {
                let small = self
                    .types()
                    .size(ty)
                    .is_some_and(|s| s > 0 && s <= MAX_OUTPUT_BYTES);
                match &element.canonical().shape {
                    TypeShape::Int { .. } | TypeShape::Float { .. } | TypeShape::Enum(_)
                        if small =>
                    {
                        self.output_whole(lvalue, ty, path);
                    }
                    TypeShape::Record(_) | TypeShape::Array(..)
                        if self.input_count(ty) <= MAX_UNROLLED =>
                    {
                        for i in 0..*count {
                            let (lvalue, path) = (format!("{lvalue}[{i}]"), format!("{path}[{i}]"));
                            self.output(&lvalue, element, &path);
                        }
                    }
                    _ => {}
                }
            }
            TypeShape::Record(index) if !self.types().records[*index].union => {
                self.output_members(lvalue, *index, path);
            }
            _ => {}
        }
    }

    fn output_members(&mut self, lvalue: &str, index: usize, path: &str) {
        let types = self.types();
        for field in &types.records[index].fields {
            let place = format!("{lvalue}.{}", field.name);
            let name = match path.strip_suffix("->") {
                Some(pointer) => format!("{pointer}->{}", field.name),
                None => format!("{path}.{}", field.name),
            };
            match &field.ty.canonical().shape {
                TypeShape::Record(inner) if field.name.is_empty() => {
                    if !types.records[*inner].union {
                        self.output_members(lvalue, *inner, path);
                    }
                }
                _ if field.name.is_empty() => {}
                _ if field.bits.is_some() => {
                    let name = format!("{name}{}", self.suffix);
                    self.outputs
                        .insert(name.clone(), types.input_type(&field.ty));
                    let ty = types.spell(&field.ty.unqualified());
                    self.statement(format!(
                        "{{ {ty} bits = {place}; labrys_output({}, &bits, sizeof bits); }}",
                        quote(&name)
                    ));
                }
                _ => self.output(&place, &field.ty, &name),
            }
        }
    }

    fn output_whole(&mut self, lvalue: &str, ty: &CType, path: &str) {
        let name = format!("{path}{}", self.suffix);
        self.statement(format!(
            "labrys_output({}, (const void *)&{lvalue}, sizeof {lvalue});",
            quote(&name)
        ));
        self.outputs.insert(name, self.types().input_type(ty));
    }

    /// Records the objects behind the pointer parameters.
    pub(super) fn output_objects(&mut self) {
        let objects = std::mem::take(&mut self.objects);
        for object in objects.iter().filter(|o| o.writable) {
            self.output(&object.lvalue, &object.ty, &object.path);
        }
        self.objects = objects;
    }
}
