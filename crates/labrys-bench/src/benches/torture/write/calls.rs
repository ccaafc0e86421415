//! Functions that call: themselves, functions that nobody has defined, functions that the caller
//! passes; and functions that remember.

use super::super::marked;
use super::expression::Scope;
use super::{Plan, everything, loops};

/// A helper that calls itself a few times, and a function that uses it.
pub fn recursion(scope: Scope, name: &str) -> Plan {
    let mut plan = Plan::new(scope);
    let scope = &mut plan.scope;
    scope.atoms = vec!["n".to_owned(), "a".to_owned()];
    let id = scope.mark();
    let end = marked::condition(id, "n == 0");
    let decision = scope.decision();
    let (first, second) = (scope.value(1), scope.value(1));
    let again = match scope.draw.one_in(2) {
        true => format!("down_{name}(n - 1, (signed char)({first}))"),
        false => format!(
            "down_{name}(n / 2, (signed char)({first})) ^ down_{name}(n / 3, (signed char)({second}))"
        ),
    };
    let result = scope.value(1);
    plan.before = format!(
        "static int down_{name}(unsigned char n, signed char a) {{\nif ({end}) return a;\n\
         if ({decision}) return {again};\nreturn {result};\n}}\n"
    );
    scope.forget();
    scope.atoms = vec![
        "x".to_owned(),
        "y".to_owned(),
        format!("down_{name}(x & 7, y)"),
        format!("down_{name}((unsigned char)(y & 3), (signed char)x)"),
    ];
    scope.places = vec!["x".to_owned(), "y".to_owned()];
    plan.parameters = "unsigned char x, signed char y".to_owned();
    plan.calls = format!(
        "for (int a = 0; a < 256; a++) for (int b = 0; b < 256; b += 1 + t_below(4)) \
         TRY({name}((unsigned char)a, (signed char)b));"
    );
    plan
}

/// Undefined functions, which may return anything, write through what they are given and change
/// what they can reach.
pub fn stubs(scope: Scope, name: &str) -> Plan {
    let mut plan = Plan::new(scope);
    plan.before = format!(
        "int ask_{name}(void);\nint get_{name}(int *out);\nvoid fill_{name}(unsigned char *b, int n);\n\
         int g_{name} = 1;\n"
    );
    plan.parameters = "unsigned char x, int *p".to_owned();
    plan.beginning = "int o = 5; int r = 0; unsigned char b[4] = {0, 1, 2, 3};\n".to_owned();
    let scope = &mut plan.scope;
    let atoms = ["x", "o", "r", "b[1]", "b[x & 3]", "*p"];
    scope.atoms.extend(atoms.map(str::to_owned));
    scope.atoms.push(format!("g_{name}"));
    scope.places.extend(["r", "*p"].map(str::to_owned));
    scope.places.push(format!("g_{name}"));
    scope.statements = vec![
        format!("r = ask_{name}();"),
        format!("r = get_{name}(&o);"),
        format!("ask_{name}();"),
        format!("fill_{name}(b, 3);"),
        format!("r = get_{name}(p);"),
    ];
    plan.definitions = format!(
        "static int *seen_{name};\n\
         int ask_{name}(void) {{ if (t_below(2)) g_{name} = t_number(); \
         if (t_below(3) == 0 && seen_{name}) *seen_{name} = t_number(); return t_number(); }}\n\
         int get_{name}(int *out) {{ if (out && t_below(2)) *out = t_number(); \
         if (t_below(3) == 0) g_{name} = t_number(); return t_number(); }}\n\
         void fill_{name}(unsigned char *b, int n) {{ for (int k = 0; k < n; k++) \
         if (t_below(2)) b[k] = (unsigned char)t_number(); if (t_below(3) == 0) g_{name} = t_number(); }}"
    );
    plan.calls = format!(
        "for (int n = 0; n < 3000; n++) {{ t_fill(); g_{name} = t_below(2) ? 1 : t_number(); \
         seen_{name} = t_below(4) == 0 ? &g_{name} : t_ints(); \
         TRY({name}((unsigned char)t_number(), seen_{name})); }}"
    );
    plan.statements = 5;
    plan
}

/// A function that the caller passes, which may do what any function may.
pub fn callbacks(scope: Scope, name: &str) -> Plan {
    let mut plan = Plan::new(scope);
    plan.before = format!("int g_{name} = 1;\n");
    plan.parameters = "int (*call)(int), unsigned char x".to_owned();
    plan.beginning = "int r = 0;\n".to_owned();
    let id = plan.scope.mark();
    let null = marked::condition(id, "call == 0");
    plan.beginning += &format!("if ({null}) return -1;\n");
    let scope = &mut plan.scope;
    scope.atoms = vec!["x".to_owned(), "r".to_owned(), format!("g_{name}")];
    scope.places = vec!["r".to_owned(), format!("g_{name}")];
    scope.statements = vec!["r = call(x);".to_owned(), "r = call(r + 1);".to_owned()];
    plan.definitions = format!(
        "static int call_{name}(int a) {{ if (t_below(2)) g_{name} = t_number(); \
         return t_below(2) ? a : t_number(); }}\n\
         static int same_{name}(int a) {{ return a; }}"
    );
    plan.calls = format!(
        "for (int n = 0; n < 3000; n++) {{ if (t_below(2)) g_{name} = 1; \
         TRY({name}(t_below(8) == 0 ? 0 : t_below(2) ? call_{name} : same_{name}, \
         (unsigned char)t_number())); }}"
    );
    plan.statements = 4;
    plan
}

/// Static locals and globals with setters: what an earlier call left is there in the next.
pub fn state(scope: Scope, name: &str) -> Plan {
    let mut plan = Plan::new(scope);
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
