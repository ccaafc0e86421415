//! What the source calls the places that predicates are about. Only for texts.

use super::places::{ObjectPart, StatePlace, StatePlaces};
use crate::memory::ObjectId;
use crate::program::Program;
use labrys_expr::VarId;
use labrys_ir::{Function, Reg};
use std::collections::{BTreeMap, BTreeSet};

/// Names that were given.
#[derive(Debug, Default)]
pub(super) struct Words {
    by_var: BTreeMap<VarId, String>,
    given: BTreeSet<String>,
}

impl Words {
    /// The name of a variable. No two of them have the same one.
    pub(super) fn name(
        &mut self,
        program: &Program<'_>,
        places: &StatePlaces,
        var: VarId,
    ) -> String {
        if let Some(known) = self.by_var.get(&var) {
            return known.clone();
        }
        let (mut name, function) = match places.place(var) {
            Some(place) => words(program, places, place),
            None => ("any value".to_owned(), None),
        };
        if let Some(function) = function.filter(|_| self.given.contains(&name)) {
            name = format!("{name} of {}", function.name);
        }
        // Registers with the same variable, and frames of the same function.
        while !self.given.insert(name.clone()) {
            name.push('\'');
        }
        self.by_var.insert(var, name.clone());
        name
    }
}

/// The name of a place, and the function that it belongs to.
fn words<'p>(
    program: &'p Program<'_>,
    places: &StatePlaces,
    place: StatePlace,
) -> (String, Option<&'p Function>) {
    match place {
        StatePlace::Register { frame, reg } => {
            let function = &program.module.functions[places.function_of(frame).index()];
            (register(program, function, reg), Some(function))
        }
        StatePlace::ObjectPart(part) => {
            let (name, function) = object(program, places, part.object);
            (format!("{name}{}", path(program, places, part)), function)
        }
        StatePlace::PendingSwitch => ("the switch that has jumped".to_owned(), None),
        StatePlace::Base(id) => {
            let (name, function) = object(program, places, id);
            (format!("&{name}"), function)
        }
    }
}

fn register(program: &Program<'_>, function: &Function, reg: Reg) -> String {
    match function.names.get(&reg) {
        Some(name) => program.module.text(name.text).to_owned(),
        None => format!("value {}", reg.0),
    }
}

fn object<'p>(
    program: &'p Program<'_>,
    places: &StatePlaces,
    id: ObjectId,
) -> (String, Option<&'p Function>) {
    if let Some(global) = program.global_at(id) {
        let name = global.name.rsplit('.').next().unwrap_or(&global.name);
        return (name.to_owned(), None);
    }
    let Some((frame, pc)) = places.local_of(id) else {
        let functions = program.module.functions.iter().enumerate();
        let mut functions = functions.map(|(at, f)| (labrys_ir::FuncId(at as u32), f));
        let found = functions.find(|(at, _)| Program::function_object(*at) == id);
        return match found {
            Some((_, function)) => (function.name.clone(), None),
            None => (format!("object {}", id.0), None),
        };
    };
    let function = &program.module.functions[places.function_of(frame).index()];
    let name = match function.code.get(pc as usize) {
        Some(labrys_ir::Inst::Alloca { dst, .. }) => register(program, function, *dst),
        Some(labrys_ir::Inst::Call { results, .. }) => match function.list(*results).first() {
            Some(dst) => format!("*{}", register(program, function, *dst)),
            None => format!("object {}", id.0),
        },
        _ => format!("object {}", id.0),
    };
    (name, Some(function))
}

/// The part of an object, as the source or as its distance says.
fn path(program: &Program<'_>, places: &StatePlaces, part: ObjectPart) -> String {
    let ObjectPart {
        object,
        offset,
        len,
    } = part;
    if let Some(global) = program.global_at(object) {
        let mut parts = global.parts.iter();
        if let Some(known) = parts.find(|p| p.offset == offset && p.size == len) {
            return known.path.clone();
        }
    }
    if let Some((frame, pc)) = places.local_of(object) {
        let function = &program.module.functions[places.function_of(frame).index()];
        if let Some(labrys_ir::Inst::Alloca { size, element, .. }) = function.code.get(pc as usize)
        {
            if u64::from(*size) == len {
                return String::new();
            }
            if u64::from(*element) == len && offset.is_multiple_of(len) {
                return format!("[{}]", offset / len);
            }
        }
    }
    format!("+{offset}")
}
