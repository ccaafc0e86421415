//! What pointers are converted to: where the program turns a `void *`, or a pointer to the structure
//! with which others begin, into a pointer to a structure, the harness makes that structure.

use super::HarnessWriter;
use crate::types::{CType, TypeShape};

/// A pointer leads to objects of at most so many types that it is converted to.
const MAX_CONVERSIONS: usize = 3;

impl HarnessWriter<'_> {
    /// The structures to which the program converts the pointer of this path, beside what its own
    /// type says.
    pub(super) fn converted(&self, target: &CType, key: &str, path: &str) -> Vec<CType> {
        let Some(mixes) = self.context.mixes else {
            return Vec::new();
        };
        let types = mixes
            .conversions(key, last_name(path))
            .into_iter()
            .filter_map(|to| self.types().parse_name(to))
            .filter(|to| self.extends(to, target));
        types.take(MAX_CONVERSIONS).collect()
    }

    /// Is it a structure that begins with the other type? All begin with `void`.
    fn extends(&self, ty: &CType, start: &CType) -> bool {
        let TypeShape::Record(index) = ty.canonical().shape else {
            return false;
        };
        let record = &self.types().records[index];
        if !record.complete || self.is_private(ty) || !self.types().is_spellable(ty) {
            return false;
        }
        match &start.canonical().shape {
            TypeShape::Void => true,
            TypeShape::Record(wanted) if !self.types().records[*wanted].complete => true,
            TypeShape::Record(wanted) => self.begins_with(index, *wanted),
            _ => false,
        }
    }

    fn begins_with(&self, index: usize, wanted: usize) -> bool {
        let record = &self.types().records[index];
        let first = record.fields.first().filter(|_| !record.union);
        match first.map(|field| &field.ty.canonical().shape) {
            Some(TypeShape::Record(inner)) => *inner == wanted || self.begins_with(*inner, wanted),
            _ => false,
        }
    }

    /// The addresses of objects of these types for the pointer of a path, and of earlier ones.
    pub(super) fn converted_objects(
        &mut self,
        conversions: &[CType],
        (path, level, alone): (&str, u32, bool),
        makes: bool,
    ) -> Vec<String> {
        let mut addresses = Vec::new();
        for ty in conversions {
            let key = self.target_key(ty);
            let earlier = self.other_targets(&key, level, alone);
            if makes {
                let path = format!("(({key} *){path})");
                addresses.push(self.object(ty, &key, &path, level));
            }
            addresses.extend(earlier);
        }
        addresses
    }
}

/// The last name in a path: what a variable or member is called.
fn last_name(path: &str) -> &str {
    let elements = path.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '[' | ']'));
    let start = elements.rfind(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    &elements[start.map_or(0, |at| at + 1)..]
}

#[cfg(test)]
mod tests {
    use super::last_name;

    #[test]
    fn paths_end_with_the_name_of_what_they_lead_to() {
        assert_eq!(last_name("data"), "data");
        assert_eq!(last_name("job->data"), "data");
        assert_eq!(last_name("jobs[0].data[12]"), "data");
        assert_eq!(last_name("((struct job *)p)->next"), "next");
    }
}
