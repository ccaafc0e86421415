//! Functions and programs about variables that are set far away: flags behind calls, states in a
//! loop, locals behind pointers. All of their inputs can be tried.

use super::super::marked;
use super::FunctionPlan;
use super::expression::Scope;
use super::numbers::narrow;
use super::statement::{self, Flavour};
use crate::draw::Draw;

/// The states of machines lie far apart, so that an interval of them says little.
const STATES: [i32; 12] = [0, 3, 7, 10, 37, 100, 101, 200, 512, 1000, 4096, -1];

/// Inputs of a whole program, two bits each.
const EVENTS: usize = 4;

/// Variables of a unit that the function sets at its beginning and that helpers change.
pub(super) fn flags(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    let scope = &mut plan.scope;
    let [first, second, third] = [0; 3].map(|_| state(scope));
    plan.before = format!(
        "static int mode_{name};\nstatic unsigned char flag_{name};\n\
         static struct {{ int level; signed char kind; }} box_{name};\n\
         static void raise_{name}(void) {{ mode_{name} = {second}; flag_{name} |= 2; }}\n\
         static void clear_{name}(int level) {{ mode_{name} = {first}; box_{name}.level = level; }}\n\
         static int is_{name}(int wanted) {{ return mode_{name} == wanted; }}\n"
    );
    plan.beginning = format!(
        "int *level = &box_{name}.level;\nmode_{name} = {first}; flag_{name} = 1;\n\
         box_{name}.level = 5; box_{name}.kind = -1;\n"
    );
    let values = [
        format!("mode_{name}"),
        format!("flag_{name}"),
        format!("box_{name}.level"),
        format!("box_{name}.kind"),
    ];
    scope.atoms.extend(values);
    scope.atoms.push(format!("is_{name}({third})"));
    scope.atoms.push("*level".to_owned());
    scope.places.push(format!("box_{name}.kind"));
    scope.places.push(format!("flag_{name}"));
    scope.statements = vec![
        format!("raise_{name}();"),
        format!("clear_{name}({second} & 15);"),
        format!("mode_{name} = {third};"),
        "*level = 2;".to_owned(),
        format!("flag_{name} = 0;"),
    ];
    plan.statements = 5;
    plan
}

/// A machine in a function: a loop over the bits of its parameter, states that are constants.
pub(super) fn machine(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    let states = states(&mut plan.scope);
    let state = format!("state_{name}");
    plan.before = format!("static int {state}; static unsigned char armed_{name};\n");
    let steps = steps(&mut plan.scope, &state, &format!("armed_{name}"), &states);
    let again = again(&mut plan.scope);
    plan.beginning = format!(
        "{state} = {}; armed_{name} = 0;\nfor (int t = 0; {again}; t++) {{\n\
         int e = (x0 >> (2 * t)) & 3;\n{steps}}}\n",
        states[0]
    );
    plan.scope.atoms.push(state);
    plan.scope.atoms.push(format!("armed_{name}"));
    plan.statements = 2;
    plan
}

/// Locals that pointers lead to: aliases, a copy of a structure, elements by index.
pub(super) fn locals(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    narrow(&mut plan, name);
    plan.before = format!("struct part_{name} {{ int n; unsigned char b[3]; signed char c; }};\n");
    let id = plan.scope.mark();
    let odd = marked::condition(id, "(x0 & 1) != 0");
    plan.beginning = format!(
        "struct part_{name} s = {{4, {{1, 2, 3}}, -2}}, other = {{7, {{0}}, 1}};\n\
         unsigned char a[4] = {{9, 8, 7, 6}}; int o = 5;\n\
         int *p = {odd} ? &o : &s.n; unsigned char *q = a + (x0 & 3);\n"
    );
    let scope = &mut plan.scope;
    let atoms = [
        "*p",
        "*q",
        "a[1]",
        "a[x0 & 3]",
        "s.n",
        "s.b[1]",
        "s.c",
        "o",
        "(p == &o)",
    ];
    scope.atoms.extend(atoms.map(str::to_owned));
    let places = ["*p", "*q", "a[2]", "s.n", "s.c", "o"];
    scope.places.extend(places.map(str::to_owned));
    let statements = [
        "p = &o;",
        "p = &s.n;",
        "q = a + 1;",
        "q = s.b;",
        "s = other;",
        "other = s;",
    ];
    scope.statements = statements.map(str::to_owned).to_vec();
    plan.flavour = Flavour {
        loops: scope.draw.one_in(2),
        ..Flavour::default()
    };
    plan.statements = 5;
    plan
}

/// A whole program with `main`: its text, marked, the number of its marks, and whether it has a loop.
pub fn program(seed: u64) -> (String, usize, bool) {
    let mut scope = Scope::new(Draw::new(seed), 0);
    let has_loop = scope.draw.one_in(2);
    let states = states(&mut scope);
    let steps = steps(&mut scope, "state", "armed", &states);
    scope.forget();
    let names = ["state", "armed", "total", "limit", "e"];
    scope.atoms.extend(names.map(str::to_owned));
    scope.places.push("armed".to_owned());
    scope.statements = vec!["raise();".to_owned(), "total += e;".to_owned()];
    let body = statement::body(&mut scope, Flavour::default(), 3);
    let turn = format!("e = labrys_uchar(\"e\") & 3;\nstep();\n{}", body.text);
    let turns = match has_loop {
        true => format!("for (int t = 0; {}; t++) {{\n{turn}}}\n", again(&mut scope)),
        // Marked text may stand only once.
        false => {
            format!("e = labrys_uchar(\"e\") & 3;\nstep();\ne = labrys_uchar(\"e\") & 3;\n{turn}")
        }
    };
    let text = format!(
        "unsigned char labrys_uchar(const char *name);\n\
         static int state = {}; int armed; static int total; static int limit = 9;\n\
         static unsigned char e;\nstatic void raise(void) {{ armed = 1; }}\n\
         static void step(void) {{\n{steps}}}\n\
         int main(void) {{\n{}{turns}return state;\n}}\n",
        states[0], body.counters,
    );
    (text, scope.next, has_loop)
}

/// The condition of a loop over the events.
fn again(scope: &mut Scope) -> String {
    let id = scope.mark();
    marked::condition(id, &format!("t < {EVENTS}"))
}

fn state(scope: &mut Scope) -> i32 {
    STATES[scope.draw.below(STATES.len())]
}

fn states(scope: &mut Scope) -> Vec<i32> {
    let count = scope.draw.within(3, 5);
    (0..count).map(|_| state(scope)).collect()
}

/// What a machine does with an event `e`: from each state to another one, in its turn.
fn steps(scope: &mut Scope, state: &str, armed: &str, states: &[i32]) -> String {
    let mut text = String::new();
    for (number, from) in states.iter().enumerate() {
        let [here, event, armed_is] = [0; 3].map(|_| scope.mark());
        let here = marked::condition(here, &format!("{state} == {from}"));
        let event = marked::condition(event, &format!("e == {}", scope.draw.below(4)));
        let armed_is = marked::condition(armed_is, &format!("{armed} > {}", scope.draw.below(2)));
        let to = states[scope.draw.below(states.len())];
        let other = states[(number + 1) % states.len()];
        let arm = scope.draw.below(2);
        let word = if number == 0 { "if" } else { "else if" };
        text += &format!(
            "{word} ({here}) {{ if ({event}) {state} = {to};\n\
             else if ({armed_is}) {{ {state} = {other}; {armed} = {arm}; }} }}\n"
        );
    }
    let lost = scope.mark();
    let never = STATES[scope.draw.below(STATES.len())];
    let lost = marked::condition(lost, &format!("{state} == {never}"));
    format!("{text}if ({lost}) {armed} = 1;\n")
}
