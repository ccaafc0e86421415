//! Functions of pointers. The native calls try layouts: NULL, arrays, pointers into one buffer,
//! pointers to globals, structures that lead to themselves and to their own members.

use super::super::marked;
use super::expression::Scope;
use super::{FunctionPlan, loops};

/// Calls with so many samples around the arguments.
fn samples(before: &str, call: &str) -> String {
    format!("for (int n = 0; n < 3000; n++) {{ t_fill(); {before} TRY({call}); }}")
}

/// Types of elements with the native function that gives a pointer to some.
const ELEMENTS: [(&str, &str); 3] = [
    ("unsigned char", "t_bytes"),
    ("signed char", "(signed char *)t_bytes"),
    ("int", "t_ints"),
];

fn elements(scope: &mut Scope, pointer: &str, writable: bool) {
    for index in ["0", "1", "2", "(x & 3)"] {
        scope.atoms.push(format!("{pointer}[{index}]"));
        if writable {
            scope.places.push(format!("{pointer}[{index}]"));
        }
    }
}

/// One array and its length.
pub fn arrays(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    let (element, pointer) = ELEMENTS[plan.scope.draw.below(3)];
    plan.parameters = format!("{element} *p, unsigned char x");
    elements(&mut plan.scope, "p", true);
    plan.scope.atoms.push("x".to_owned());
    if plan.scope.draw.one_in(2) {
        let id = plan.scope.mark();
        let text = marked::condition(id, "p == 0");
        plan.beginning = format!("if ({text}) return -1;\n");
    }
    plan.flavour = loops();
    plan.calls = samples(
        "",
        &format!("{name}({pointer}(), (unsigned char)t_number())"),
    );
    plan
}

/// A string, by its bytes and by the C library.
pub fn strings(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = "#include <string.h>\n".to_owned();
    plan.parameters = "const char *s, unsigned char x".to_owned();
    plan.beginning = "int n = (int)strlen(s);\n".to_owned();
    let atoms = [
        "x",
        "n",
        "s[0]",
        "(s[n / 2] == 'a')",
        "strncmp(s, \"ab\", 2)",
        "(strchr(s, 'b') != 0)",
        "strcmp(s, \"abc\")",
        "(int)strspn(s, \"ab\")",
    ];
    plan.scope.atoms.extend(atoms.map(str::to_owned));
    plan.flavour = loops();
    plan.calls = samples(
        "",
        &format!("{name}(t_string(), (unsigned char)t_number())"),
    );
    plan
}

/// Two or three pointers of one type; what is written through one may be read through another.
pub fn pairs(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    let (element, pointer) = ELEMENTS[plan.scope.draw.below(3)];
    let third = plan.scope.draw.one_in(3);
    plan.parameters = format!("{element} *p, {element} *q, unsigned char x");
    plan.scope.atoms.push("x".to_owned());
    elements(&mut plan.scope, "p", true);
    elements(&mut plan.scope, "q", true);
    let mut call = format!("{name}({pointer}(), {pointer}(), (unsigned char)t_number()");
    if third {
        plan.parameters += ", int *out";
        plan.scope.places.push("*out".to_owned());
        plan.scope.atoms.push("*out".to_owned());
        call += ", t_ints()";
    }
    plan.statements = 4;
    plan.calls = samples("", &format!("{call})"));
    plan
}

/// Pointers that may lead to the globals that the function uses.
pub fn globals(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!("int g_{name} = 3;\nint h_{name}[4] = {{1, 2, 3, 4}};\n");
    plan.parameters = "int *p, unsigned char x".to_owned();
    let parts = [
        format!("g_{name}"),
        format!("h_{name}[1]"),
        format!("h_{name}[x & 3]"),
        "*p".to_owned(),
    ];
    for part in parts {
        plan.scope.atoms.push(part.clone());
        plan.scope.places.push(part);
    }
    plan.scope.atoms.push("x".to_owned());
    let pointer =
        format!("t_below(3) == 0 ? &g_{name} : t_below(2) == 0 ? &h_{name}[t_below(4)] : t_ints()");
    plan.calls = samples("", &format!("{name}({pointer}, (unsigned char)t_number())"));
    plan
}

/// Structures with links and with pointers to what may be their own members.
pub fn structs(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!(
        "struct s_{name} {{ signed char a; unsigned char b; int n; int *r; \
         struct s_{name} *next; }};\n"
    );
    plan.parameters = format!("struct s_{name} *s, struct s_{name} *t");
    let id = plan.scope.mark();
    let null = marked::condition(id, "s == 0");
    let id = plan.scope.mark();
    let other = marked::condition(id, "t == 0");
    let id = plan.scope.mark();
    let link = marked::condition(id, "s->next == 0");
    let id = plan.scope.mark();
    let number = marked::condition(id, "s->r == 0");
    plan.beginning = format!("if ({null} || {other} || {link} || {number}) return -1;\n");
    let parts = [
        "s->a",
        "s->b",
        "s->n",
        "t->a",
        "t->n",
        "*s->r",
        "s->next->b",
        "s->next->n",
    ];
    for part in parts {
        plan.scope.atoms.push(part.to_owned());
        plan.scope.places.push(part.to_owned());
    }
    plan.scope.atoms.push("(s == t)".to_owned());
    plan.scope.atoms.push("(s->next == s)".to_owned());
    plan.scope.statements.push("s = s->next;".to_owned());
    plan.definitions = format!(
        "static struct s_{name} a_{name}[3];\n\
         static struct s_{name} *pick_{name}(void) {{ return t_below(8) == 0 ? 0 : a_{name} + t_below(3); }}"
    );
    let fill = format!(
        "for (int k = 0; k < 3; k++) {{ a_{name}[k].a = (signed char)t_number(); \
         a_{name}[k].b = (unsigned char)t_number(); a_{name}[k].n = t_number(); \
         a_{name}[k].r = t_below(2) ? &a_{name}[t_below(3)].n : t_ints(); \
         a_{name}[k].next = pick_{name}(); }}"
    );
    plan.calls = samples(&fill, &format!("{name}(pick_{name}(), pick_{name}())"));
    plan
}

/// Addresses as numbers: order, distance, alignment.
pub fn addresses(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before = format!("#include <stdint.h>\n#include <stdlib.h>\nunsigned char g_{name}[8];\n");
    plan.parameters = "unsigned char *p, unsigned char *q, unsigned char x".to_owned();
    let atoms = [
        "x".to_owned(),
        "((uintptr_t)p < (uintptr_t)q)".to_owned(),
        "(int)((uintptr_t)p & 7)".to_owned(),
        "(int)((uintptr_t)q & 3)".to_owned(),
        "(p == q)".to_owned(),
        format!("(p == g_{name} + (x & 7))"),
        format!("((uintptr_t)p > (uintptr_t)g_{name})"),
        "(int)(((uintptr_t)p ^ (uintptr_t)q) & 255)".to_owned(),
        "(int)(((uintptr_t)p >> 12) & 15)".to_owned(),
    ];
    plan.scope.atoms.extend(atoms);
    let pointer = format!(
        "t_below(3) == 0 ? g_{name} + t_below(8) : t_below(2) == 0 ? t_far + t_below(65536) : t_bytes()"
    );
    plan.calls = samples(
        "",
        &format!("{name}({pointer}, {pointer}, (unsigned char)t_number())"),
    );
    plan
}
