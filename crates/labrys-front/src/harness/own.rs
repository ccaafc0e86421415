//! Tells the engine which objects the harness has made (`labrys_own`): the kinds of scalars in each,
//! and in which ways other pointers of the harness may lead to it. What else could lie there, and
//! does not, is an assumption of every result that depends on it.

use super::{HarnessObject, HarnessWriter, quote};
use crate::types::{CType, TypeShape};
use std::collections::BTreeSet;

/// Structures in structures are followed this deep; C allows no circles there, but types that are
/// not understood may seem to have one.
const MAX_NESTING: u32 = 16;

/// In which ways pointers of the harness lead to an object, as `labrys_own` calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Offered {
    Nothing,
    /// Pointers to the same type may begin where it begins.
    Start,
    /// The same for a single structure, which cannot be met elsewhere.
    Whole,
    /// Pointers to the same type may lead to any of its elements and behind the last one.
    Places,
    /// Nothing else leads there, says the program or the user.
    Alone,
}

impl Offered {
    pub(super) fn name(self) -> &'static str {
        match self {
            Offered::Nothing => "",
            Offered::Start => "start",
            Offered::Whole => "whole",
            Offered::Places => "places",
            Offered::Alone => "alone",
        }
    }
}

impl HarnessWriter<'_> {
    /// Writes a call for each new object; the last statements before the objects are used.
    pub(super) fn own_objects(&mut self) {
        self.write_deferred_picks();
        let new = &self.objects[self.owned..];
        let offered = |object: &HarnessObject| match self.alone.contains(&object.pointer) {
            true => Offered::Alone,
            false => object.offered,
        };
        let calls: Vec<String> = new
            .iter()
            .map(|o| self.own_call(o, &quote(offered(o).name())))
            .collect();
        self.owned = self.objects.len();
        for call in calls {
            self.statement(call);
        }
        for offer in std::mem::take(&mut self.offers) {
            self.statement(offer);
        }
    }

    /// The group of pointers to a type, as a C string. Pointers of other harnesses (of stubs and of
    /// variables) lead to other objects.
    pub(super) fn group(&self, target: &str) -> String {
        quote(&format!("{} {target}", self.prefix))
    }

    /// The call for one object; `choices` is a C expression.
    pub(super) fn own_call(&self, object: &HarnessObject, choices: &str) -> String {
        let mut kinds = BTreeSet::new();
        self.scalar_kinds(&object.ty, &mut kinds, 0);
        let kinds: String = kinds.into_iter().collect();
        let mut records = Vec::new();
        self.records_inside(&object.ty, &mut records, 0);
        let stride = match &object.ty.canonical().shape {
            TypeShape::Array(..) => format!("sizeof {}[0]", object.lvalue),
            _ => format!("sizeof {}", object.lvalue),
        };
        format!(
            "labrys_own({}, {stride}, \"{kinds}\", {}, {choices}, {});",
            object.address,
            self.group(&object.target),
            quote(&records.join(","))
        )
    }

    /// The letters of the kinds of scalars in a type, as `runtime/labrys.h` has them.
    fn scalar_kinds(&self, ty: &CType, kinds: &mut BTreeSet<char>, depth: u32) {
        let letter = match &ty.canonical().shape {
            TypeShape::Int { bits, .. } => integer_letter(*bits),
            TypeShape::Enum(_) => integer_letter(8 * self.types().size(ty).unwrap_or(0) as u32),
            TypeShape::Float { bits: 32, .. } => 'f',
            TypeShape::Float { bits: 64, .. } => 'd',
            TypeShape::Float {
                name: "long double",
                ..
            } => 'x',
            TypeShape::Pointer(_) => 'p',
            TypeShape::Array(element, _) => {
                return self.scalar_kinds(element, kinds, depth);
            }
            TypeShape::Record(index)
                if !self.types().records[*index].union
                    && self.types().records[*index].complete
                    && depth < MAX_NESTING =>
            {
                for field in &self.types().records[*index].fields {
                    match field.bits {
                        // Bit-fields are accessed with what lies around them.
                        Some(_) => {
                            kinds.insert('u');
                        }
                        None => self.scalar_kinds(&field.ty, kinds, depth + 1),
                    }
                }
                return;
            }
            _ => 'u',
        };
        kinds.insert(letter);
    }

    /// The structures that a value of the type is or holds, the outermost first. A union may be
    /// seen as any of its members, so it counts as no structure at all.
    fn records_inside(&self, ty: &CType, records: &mut Vec<String>, depth: u32) {
        match &ty.canonical().shape {
            TypeShape::Array(element, _) => self.records_inside(element, records, depth),
            TypeShape::Record(index) if depth < MAX_NESTING => {
                let record = &self.types().records[*index];
                if depth == 0 && record.union {
                    return;
                }
                // A list of names is split at commas.
                let name = self.target_key(ty).replace(',', ";");
                if !records.contains(&name) {
                    records.push(name);
                }
                for field in &record.fields {
                    self.records_inside(&field.ty, records, depth + 1);
                }
            }
            _ => {}
        }
    }
}

fn integer_letter(bits: u32) -> char {
    match bits {
        1 | 8 => 'c',
        16 => 's',
        32 => 'i',
        64 => 'l',
        _ => 'u',
    }
}
