//! Functions that call: themselves, functions that nobody has defined, functions that the caller
//! passes.

use super::super::marked;
use super::FunctionPlan;
use super::expression::Scope;

/// A helper that calls itself a few times, and a function that uses it.
pub fn recursion(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
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
        "for (int a = 0; a < 256; a++) for (int b = 0; b < 256; b++) \
         TRY({name}((unsigned char)a, (signed char)b));"
    );
    plan.complete = true;
    plan
}

/// Undefined functions, which may return anything, write through what they are given and change
/// what they can reach.
pub fn stubs(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
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

/// Undefined functions that return pointers: into what they got, to a variable, to objects of their
/// own; and that let pointers lead elsewhere.
pub fn stub_results(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!(
        "struct box_{name} {{ int a; unsigned char b[3]; }};\n\
         int *find_{name}(struct box_{name} *s, int k);\nvoid link_{name}(int **to);\n\
         int g_{name} = 1;\n"
    );
    plan.parameters = "unsigned char x".to_owned();
    plan.beginning =
        format!("struct box_{name} s = {{3, {{1, 2, 0}}}}; int o = 5; int *q = &o; int r = 0;\n");
    let scope = &mut plan.scope;
    let atoms = [
        "x",
        "s.a",
        "s.b[1]",
        "o",
        "r",
        "*q",
        "(q == &o)",
        "(q == &s.a)",
    ];
    scope.atoms.extend(atoms.map(str::to_owned));
    scope.atoms.push(format!("(q == &g_{name})"));
    scope.atoms.push(format!("g_{name}"));
    scope.places.extend(["r", "o", "s.a"].map(str::to_owned));
    scope.statements = vec![
        format!("q = find_{name}(&s, x & 3);"),
        format!("link_{name}(&q);"),
        "*q = x;".to_owned(),
        "q = &o;".to_owned(),
        "r = *q;".to_owned(),
    ];
    plan.definitions = format!(
        "static int pool_{name}[3]; static int *known_{name};\n\
         int *find_{name}(struct box_{name} *s, int k) {{ if (t_below(3) == 0) s->a = t_number(); \
         if (t_below(3) == 0) s->b[k % 3] = (unsigned char)t_number(); \
         if (t_below(4) == 0) g_{name} = t_number(); \
         if (known_{name} && t_below(3) == 0) *known_{name} = t_number(); \
         pool_{name}[k % 3] = t_number(); \
         switch (t_below(4)) {{ case 0: return &s->a; case 1: return &g_{name}; \
         case 2: return known_{name} ? known_{name} : pool_{name}; \
         default: return pool_{name} + t_below(3); }} }}\n\
         void link_{name}(int **to) {{ if (t_below(2)) known_{name} = *to; \
         if (t_below(2)) *to = t_below(2) ? pool_{name} + t_below(3) : &g_{name}; \
         if (known_{name} && t_below(2)) *known_{name} = t_number(); }}"
    );
    plan.calls = format!(
        "for (int n = 0; n < 3000; n++) {{ g_{name} = t_below(2) ? 1 : t_number(); known_{name} = 0; \
         TRY({name}((unsigned char)t_number())); }}"
    );
    plan.statements = 5;
    plan
}

/// A function that the caller passes, which may do what any function may.
pub fn callbacks(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
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
