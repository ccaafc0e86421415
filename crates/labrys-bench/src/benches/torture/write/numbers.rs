//! Functions of numbers: of few bits, where all inputs can be tried, and of many, where samples are.

use super::expression::Scope;
use super::statement::Flavour;
use super::{FunctionPlan, everything, loops};

/// Types of eight bits or less, with the number of their values.
const NARROW: [(&str, usize); 3] = [("unsigned char", 256), ("signed char", 256), ("_Bool", 2)];

/// Loops over all values of all parameters around a call.
fn all_calls(name: &str, parameters: &[(&str, usize)]) -> String {
    let mut text = String::new();
    let mut arguments = Vec::new();
    for (number, (declared, values)) in parameters.iter().enumerate() {
        text += &format!("for (int a{number} = 0; a{number} < {values}; a{number}++) ");
        arguments.push(format!("({declared})a{number}"));
    }
    format!("{text}TRY({name}({}));", arguments.join(", "))
}

/// Draws parameters of at most sixteen bits together, and makes them readable.
pub fn narrow(plan: &mut FunctionPlan, name: &str) {
    let scope = &mut plan.scope;
    let mut parameters = Vec::new();
    for _ in 0..scope.draw.within(1, 2) {
        parameters.push(NARROW[scope.draw.below(2)]);
    }
    if scope.draw.one_in(3) {
        parameters.push(NARROW[2]);
    }
    let declared: Vec<String> = (parameters.iter().enumerate())
        .map(|(number, (declared, _))| format!("{declared} x{number}"))
        .collect();
    for number in 0..parameters.len() {
        scope.atoms.push(format!("x{number}"));
        scope.places.push(format!("x{number}"));
    }
    plan.parameters = declared.join(", ");
    plan.calls = all_calls(name, &parameters);
    plan.complete = true;
}

pub fn scalars(scope: Scope, name: &str, flavour: Flavour) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    plan.flavour = flavour;
    plan.statements = 4;
    plan
}

/// Bytes seen through unions and bit-fields.
pub fn unions(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    plan.before = format!(
        "union mix_{name} {{ unsigned u; int i; unsigned char b[4]; signed char c[4]; \
         struct {{ unsigned low : 3; int mid : 5; unsigned high : 9; }} f; float r; }};\n"
    );
    let value = plan.scope.value(1);
    plan.beginning = format!("union mix_{name} m; m.u = (unsigned)({value}) * 0x10201u;\n");
    let parts = [
        "m.u",
        "m.i",
        "m.b[0]",
        "m.b[1]",
        "m.b[2]",
        "m.c[3]",
        "m.f.low",
        "m.f.mid",
        "m.f.high",
        "m.b[x0 & 3]",
    ];
    for part in parts {
        plan.scope.places.push(part.to_owned());
        plan.scope.atoms.push(part.to_owned());
    }
    plan.scope.atoms.push("(m.r < 1.0f)".to_owned());
    plan.flavour = loops();
    plan
}

/// Floating point numbers made of small integers, compared and turned back.
pub fn floats(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    let (a, b) = (plan.scope.value(1), plan.scope.value(1));
    let divisor = plan.scope.draw.of(&["4.0", "3.0", "0.5", "7.0", "10.0"]);
    plan.beginning =
        format!("double d = (double)({a}) / {divisor}; float e = (float)d * (float)({b});\n");
    let atoms = [
        "(d < e)",
        "(d == (double)e)",
        "(e > 2.5f)",
        "(d != d)",
        "(d * 3.0 > e - 1.0)",
        "((int)(signed char)x0 == (int)(float)(signed char)x0)",
    ];
    plan.scope.atoms.extend(atoms.map(str::to_owned));
    plan.scope.statements = vec![
        "d = d * 2.0 - (double)x0;".to_owned(),
        "e = e / (float)(x0 | 1);".to_owned(),
        "d = (double)(float)d;".to_owned(),
        "e = (float)(d + (double)e);".to_owned(),
    ];
    plan
}

/// Numbers of up to 64 bits: the calls are samples.
pub fn wide(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    let types = ["int", "unsigned", "short", "long", "unsigned long"];
    let mut parameters = Vec::new();
    let mut arguments = Vec::new();
    for number in 0..plan.scope.draw.within(1, 3) {
        let declared = plan.scope.draw.of(&types);
        parameters.push(format!("{declared} x{number}"));
        arguments.push(format!("({declared})t_wide()"));
        plan.scope.atoms.push(format!("x{number}"));
        plan.scope.places.push(format!("x{number}"));
    }
    let factor = plan.scope.draw.of(&["3u", "2654435761u", "65537u", "10u"]);
    plan.scope.atoms.push(format!("((unsigned)x0 * {factor})"));
    plan.scope.atoms.push("((x0 >> 3) & 31)".to_owned());
    plan.parameters = parameters.join(", ");
    plan.calls = format!(
        "for (int n = 0; n < 4000; n++) TRY({name}({}));",
        arguments.join(", ")
    );
    plan.flavour = everything();
    plan
}
