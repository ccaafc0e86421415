//! Functions that remember: in static locals, in variables that others set, behind pointers that an
//! earlier call got.

use super::super::marked;
use super::expression::Scope;
use super::{FunctionPlan, everything, loops};

/// Static locals and globals with setters: what an earlier call left is there in the next.
pub fn state(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!(
        "static int mode_{name};\nstatic unsigned char count_{name} = 2;\n\
         void set_{name}(int m) {{ mode_{name} = m; }}\n"
    );
    plan.parameters = "unsigned char x".to_owned();
    plan.beginning = "static int calls = 0; static signed char last = -1;\ncalls++;\n".to_owned();
    let scope = &mut plan.scope;
    scope
        .atoms
        .extend(["x", "calls", "last"].map(str::to_owned));
    scope.atoms.push(format!("mode_{name}"));
    scope.atoms.push(format!("count_{name}"));
    scope
        .places
        .extend(["last".to_owned(), format!("count_{name}")]);
    scope.statements = vec![
        "last = (signed char)x;".to_owned(),
        format!("count_{name}++;"),
        format!("mode_{name} += 1;"),
    ];
    plan.flavour = match scope.draw.one_in(2) {
        true => everything(),
        false => loops(),
    };
    plan.calls = format!(
        "for (int n = 0; n < 1500; n++) {{ if (t_below(3) == 0) set_{name}(t_number()); \
         TRY({name}((unsigned char)t_number())); }}"
    );
    plan
}

/// A pointer that an earlier call got, an array that calls have filled, and counters.
pub fn pointers(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!(
        "static int *kept_{name};\nstatic int sum_{name};\nstatic unsigned char seen_{name}[4];\n\
         void keep_{name}(int *p) {{ kept_{name} = p; }}\n\
         void see_{name}(unsigned char i) {{ seen_{name}[i & 3] = i; }}\n"
    );
    plan.parameters = "unsigned char x, int *p".to_owned();
    let [null, nothing] = [plan.scope.mark(), plan.scope.mark()];
    let null = marked::condition(null, "p == 0");
    let nothing = marked::condition(nothing, &format!("kept_{name} == 0"));
    plan.beginning = format!(
        "int r = 0;\nsum_{name} += x;\nif ({null}) return -1;\n\
         if ({nothing}) kept_{name} = p;\n"
    );
    let scope = &mut plan.scope;
    scope.atoms.extend(["x", "r", "*p"].map(str::to_owned));
    scope.atoms.extend([
        format!("*kept_{name}"),
        format!("(kept_{name} == p)"),
        format!("seen_{name}[x & 3]"),
    ]);
    scope.places.extend(["r", "*p"].map(str::to_owned));
    scope.statements = vec![
        format!("kept_{name} = p;"),
        format!("*kept_{name} = x;"),
        format!("seen_{name}[x & 3]++;"),
        format!("r = *kept_{name};"),
    ];
    plan.calls = format!(
        "for (int n = 0; n < 2000; n++) {{ t_fill(); if (t_below(4) == 0) keep_{name}(t_words + t_below(4)); \
         if (t_below(4) == 0) see_{name}((unsigned char)t_number()); \
         TRY({name}((unsigned char)t_number(), t_ints())); }}"
    );
    plan
}
