//! Pointers that the program compares, subtracts or moves between: they may lead into each other's
//! objects, to any element or behind the last one, and to global variables of their type.
//!
//! Which objects there are is known only when all are made, so these choices are written last, into
//! the place that was kept for them.

use super::own::Offered;
use super::{HarnessObject, HarnessWriter};
use crate::pointer_mixes::PointableVariable;
use crate::types::{CType, TypeShape};
use labrys_ledger::InputType;

/// A pointer may lead into at most so many objects besides its own; with more, the choices of all
/// pointers together are too many to try.
const MAX_TARGETS: usize = 6;

/// A choice that waits for the objects that are made after it.
pub(super) struct DeferredPick {
    /// The statement that is kept for it.
    statement: usize,
    lvalue: String,
    ty: CType,
    path: String,
    constant: bool,
    /// The address of its own object, if it has one.
    own: Option<String>,
    target: String,
}

/// Something that a pointer may lead to.
struct PointerChoice {
    address: String,
    /// Its elements, if a pointer may also lead to others than the first.
    elements: Option<u64>,
}

impl HarnessWriter<'_> {
    /// Does the program compare pointers to this type?
    pub(super) fn is_compared(&self, target: &str) -> bool {
        let mixes = self.context.mixes;
        mixes.is_some_and(|mixes| mixes.compared.contains(target))
    }

    /// Does the program ask for the order or the distance of pointers to this type? Only pointers
    /// into one object have these, so all lead into the first one.
    pub(super) fn is_ordered(&self, target: &str) -> bool {
        let mixes = self.context.mixes;
        mixes.is_some_and(|mixes| mixes.ordered.contains(target))
    }

    /// Is there an object that all pointers to this type share?
    pub(super) fn has_common_object(&self, target: &str) -> bool {
        let shares = |o: &HarnessObject| o.target == target && !self.alone.contains(&o.pointer);
        self.is_ordered(target) && self.objects.iter().any(shares)
    }

    /// Elements of an array, or characters of a string, of this type if one pointer alone needs
    /// `count`: an object that several share has room for two.
    pub(super) fn room_for(&self, target: &str, pointer: &str, count: u64) -> u64 {
        match self.is_ordered(target) && !self.is_alone(pointer) {
            true => 2 * count,
            false => count,
        }
    }

    /// Keeps a place for the choice of a pointer whose own object, if any, is at `own`.
    pub(super) fn pick_later(
        &mut self,
        lvalue: &str,
        ty: &CType,
        path: &str,
        target: &str,
        own: Option<String>,
        constant: bool,
    ) {
        self.deferred.push(DeferredPick {
            statement: self.statements.len(),
            lvalue: lvalue.to_owned(),
            ty: ty.clone(),
            path: path.to_owned(),
            constant,
            own,
            target: target.to_owned(),
        });
        self.statement("");
    }

    /// The variables that pointers to this type may lead to.
    pub(super) fn variables_of(&self, target: &str) -> Vec<PointableVariable> {
        let variables = self.context.mixes.map_or(&[][..], |mixes| &mixes.variables);
        let fitting = variables.iter().filter(|v| v.target == target);
        let fitting = fitting.filter(|_| !self.is_ordered(target));
        // A parameter of the same name hides the variable.
        fitting
            .filter(|v| !self.names.contains(&v.name))
            .cloned()
            .collect()
    }

    /// Says that the pointers of a group may also lead to a variable.
    pub(super) fn offer(&mut self, variable: &PointableVariable, offered: Offered) {
        let call = format!(
            "labrys_offer(&{name}, sizeof {name}{first}, {group}, \"{offered}\");",
            name = variable.name,
            first = if variable.array { "[0]" } else { "" },
            group = self.group(&variable.target),
            offered = offered.name(),
        );
        if !self.offers.contains(&call) {
            self.offers.push(call);
        }
    }

    /// Writes the choices that were kept for later.
    pub(super) fn write_deferred_picks(&mut self) {
        let deferred = std::mem::take(&mut self.deferred);
        for pick in &deferred {
            let offered = self.offered_for(&pick.target);
            for object in &mut self.objects {
                if object.target == pick.target {
                    object.offered = offered;
                }
            }
            for variable in self.variables_of(&pick.target) {
                self.offer(&variable, offered);
            }
        }
        for pick in deferred {
            let kept = self.statements.len();
            self.deferred_pick(&pick);
            let written = self.statements.split_off(kept);
            self.statements[pick.statement] = written.join("\n  ");
        }
        self.statements.retain(|statement| !statement.is_empty());
    }

    /// What the choices of pointers to a type amount to.
    fn offered_for(&self, target: &str) -> Offered {
        let choices = self.choices_of(target);
        if choices.len() > MAX_TARGETS + 1 {
            Offered::Nothing
        } else if choices.iter().all(|c| c.elements.is_some()) {
            Offered::Places
        } else {
            Offered::Whole
        }
    }

    /// Everything that pointers to a type may lead to.
    fn choices_of(&self, target: &str) -> Vec<PointerChoice> {
        let objects = self.objects.iter();
        let objects = objects.filter(|o| o.target == target && !self.alone.contains(&o.pointer));
        let mut choices: Vec<PointerChoice> = objects
            .map(|o| PointerChoice {
                address: o.address.clone(),
                elements: elements(o),
            })
            .collect();
        for variable in self.variables_of(target) {
            let record = matches!(variable.element.canonical().shape, TypeShape::Record(_));
            choices.push(PointerChoice {
                address: match variable.array {
                    true => variable.name.clone(),
                    false => format!("&{}", variable.name),
                },
                elements: (variable.array || !record).then_some(variable.count),
            });
        }
        choices
    }

    fn deferred_pick(&mut self, pick: &DeferredPick) {
        let mut choices = vec![("0".to_owned(), "NULL".to_owned())];
        let all = self.choices_of(&pick.target);
        let mut own = all
            .iter()
            .position(|c| Some(&c.address) == pick.own.as_ref());
        if self.is_ordered(&pick.target) && all.iter().all(|c| c.elements.is_some()) {
            // Its own object is the common one: it leads to any place of that, too.
            own = None;
        } else {
            choices.extend(pick.own.iter().map(|own| (own.clone(), own.clone())));
        }
        let few = all.len() <= MAX_TARGETS + 1;
        let variables = self.variables_of(&pick.target).len();
        let first_variable = all.len() - variables;
        for (number, choice) in all.iter().enumerate() {
            // A single structure is met by the later of two pointers, whichever it is.
            let earlier = own.is_none_or(|own| number < own) || number >= first_variable;
            if Some(number) == own || choice.elements.is_none() && !earlier {
                continue;
            }
            let address = &choice.address;
            match choice.elements {
                Some(count) if few => {
                    let place = self.place(&pick.path, count);
                    let shown = format!("{address} + place");
                    choices.push((format!("({address} + {place})"), shown));
                }
                _ if earlier => choices.push((address.clone(), address.clone())),
                _ => {}
            }
        }
        self.pick(&pick.lvalue, &pick.ty, &pick.path, &choices, pick.constant);
    }

    /// The input that says to which element of `count` a pointer leads; returns its C name.
    fn place(&mut self, path: &str, count: u64) -> String {
        let input = format!("{path} (place of {count})");
        if let Some((_, name)) = self.places.iter().find(|(known, _)| *known == input) {
            return name.clone();
        }
        let name = self.fresh(&format!("{path}_place"));
        self.declare(format!("unsigned short {name};"));
        let ty = InputType::Int {
            name: "unsigned short".to_owned(),
            bits: 16,
            signed: false,
        };
        let quoted = self.input(&input, ty);
        self.statement(format!("{name} = labrys_ushort({quoted});"));
        self.statement(format!("labrys_assume({name} <= {count});"));
        self.places.push((input, name.clone()));
        name
    }
}

/// The elements of an object that pointers may lead to one by one.
fn elements(object: &HarnessObject) -> Option<u64> {
    match &object.ty.canonical().shape {
        TypeShape::Array(_, Some(count)) => Some(*count),
        _ => None,
    }
}
