//! Writes the C statements that make a union an input. Where some of its members hold pointers, each
//! member that matters is made on its own, and an input says which of them the union holds. The bytes
//! become a choice without a branch, so that a path is split only where the union is used.

use super::HarnessWriter;
use super::fill::symbolic;
use crate::types::{CType, FieldInfo};
use labrys_ledger::InputType;

/// A union holds one of at most so many members: each has inputs of its own.
const MAX_MEMBERS: usize = 4;

/// A union, or the structure around an anonymous one.
#[derive(Clone, Copy)]
struct UnionPlace<'a> {
    lvalue: &'a str,
    path: &'a str,
    /// C expressions of the bytes of the union.
    size: &'a str,
    anonymous: bool,
}

impl<'a> HarnessWriter<'a> {
    pub(super) fn union(
        &mut self,
        lvalue: &str,
        ty: &CType,
        index: usize,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        if !self.types().has_pointers(ty) {
            let path = path.trim_end_matches("->");
            let size = self.types().size(ty).unwrap_or(0);
            let name = self.input(path, InputType::Bytes { size });
            return self.statement(symbolic(lvalue, &name));
        }
        let place = UnionPlace {
            lvalue,
            path,
            size: &format!("sizeof {lvalue}"),
            anonymous: false,
        };
        self.one_member(place, index, level, constant);
    }

    /// A union whose members are members of the structure around it, which is at `lvalue`.
    pub(super) fn anonymous_union(
        &mut self,
        lvalue: &str,
        field: &FieldInfo,
        index: usize,
        path: &str,
        level: u32,
        constant: bool,
    ) {
        let size = self.types().size(&field.ty).unwrap_or(0);
        let place = UnionPlace {
            lvalue,
            path,
            size: &size.to_string(),
            anonymous: true,
        };
        self.one_member(place, index, level, constant);
    }

    /// Makes the members that the union may hold, and the choice among them.
    fn one_member(&mut self, place: UnionPlace, index: usize, level: u32, constant: bool) {
        let UnionPlace { lvalue, path, .. } = place;
        let members = self.members_to_choose(index, place.anonymous);
        if let [only] = members[..] {
            return self.member(lvalue, only, path, level, constant);
        }
        let mut addresses = Vec::new();
        self.statement("{");
        for member in &members {
            let copy = self.fresh(&format!("{path}_{}", member.name));
            self.statement(format!("__typeof__({lvalue}) {copy};"));
            self.statement(format!(
                "__builtin_memset((void *)&{copy}, 0, sizeof {copy});"
            ));
            self.member(&copy, member, path, level, constant);
            addresses.push(match place.anonymous {
                true => format!("(void *)&{copy}.{}", member.name),
                false => format!("(void *)&{copy}"),
            });
        }
        if let Some(first) = members.first() {
            let input = InputType::Pick {
                name: "member".to_owned(),
                choices: members.iter().map(|m| m.name.to_string()).collect(),
            };
            let whose = match place.anonymous {
                true => format!("{path}{}", if path.ends_with("->") { "" } else { "." }),
                false => path.to_owned(),
            };
            let whose = match place.anonymous {
                true => format!("{whose}{} (member)", first.name),
                false => format!("{} (member)", whose.trim_end_matches("->")),
            };
            let name = self.input(&whose, input);
            let to = match place.anonymous {
                true => format!("(void *)&{lvalue}.{}", first.name),
                false => format!("(void *)&{lvalue}"),
            };
            self.statement(format!(
                "{{ void *const choices[] = {{ {} }}; labrys_choose({to}, labrys_pick({name}, {}, choices), {}); }}",
                addresses.join(", "),
                addresses.len(),
                place.size
            ));
        }
        self.statement("}");
    }

    /// The members of a union that it may hold: the largest without pointers, which stands for all of
    /// these, and those with pointers.
    fn members_to_choose(&self, index: usize, anonymous: bool) -> Vec<&'a FieldInfo> {
        let types = self.types();
        let fields = types.records[index].fields.iter();
        // Nobody can take the address of a bit-field.
        let named = fields.filter(|f| !(f.name.is_empty() || anonymous && f.bits.is_some()));
        let (pointers, plain): (Vec<_>, Vec<_>) =
            named.partition(|f| self.types().has_pointers(&f.ty));
        let size = |f: &&&FieldInfo| types.size(&f.ty).unwrap_or(0);
        let largest = plain.iter().max_by_key(size).copied();
        let mut members: Vec<&FieldInfo> = largest.into_iter().collect();
        let mut seen = Vec::new();
        for member in pointers {
            let spelled = types.spell(&member.ty.unqualified());
            if members.len() < MAX_MEMBERS && !seen.contains(&spelled) {
                seen.push(spelled);
                members.push(member);
            }
        }
        members
    }
}
