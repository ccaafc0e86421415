//! Random functions of C whose truth can be found out natively: each with the code that calls it on
//! its inputs, layouts of memory, behaviours of what it calls, and histories.

mod calls;
mod expression;
pub mod flags;
mod kept;
mod numbers;
mod outside;
mod pointers;
pub mod program;
mod statement;

use crate::draw::Draw;
use expression::Scope;
use statement::Flavour;
use std::ops::Range;

/// What a function is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    Scalars,
    Loops,
    Switches,
    Jumps,
    Recursion,
    Unions,
    Floats,
    Wide,
    Arrays,
    Strings,
    Pairs,
    GlobalPointers,
    Structs,
    Addresses,
    Stubs,
    StubResults,
    Callbacks,
    State,
    KeptPointers,
    Library,
    Flags,
    Machines,
    Locals,
    LongLoops,
}

impl Kind {
    pub const ALL: [Kind; 24] = [
        Kind::Scalars,
        Kind::Loops,
        Kind::Switches,
        Kind::Jumps,
        Kind::Recursion,
        Kind::Unions,
        Kind::Floats,
        Kind::Wide,
        Kind::Arrays,
        Kind::Strings,
        Kind::Pairs,
        Kind::GlobalPointers,
        Kind::Structs,
        Kind::Addresses,
        Kind::Stubs,
        Kind::StubResults,
        Kind::Callbacks,
        Kind::State,
        Kind::KeptPointers,
        Kind::Library,
        Kind::Flags,
        Kind::Machines,
        Kind::Locals,
        Kind::LongLoops,
    ];

    /// Whether all inputs of its functions are tried.
    pub fn is_enumerated(self) -> bool {
        matches!(
            self,
            Kind::Scalars
                | Kind::Loops
                | Kind::Switches
                | Kind::Jumps
                | Kind::Recursion
                | Kind::Unions
                | Kind::Floats
                | Kind::Flags
                | Kind::Machines
                | Kind::Locals
                | Kind::LongLoops
        )
    }

    pub fn name(self) -> &'static str {
        match self {
            Kind::Scalars => "scalars",
            Kind::Loops => "loops",
            Kind::Switches => "switches",
            Kind::Jumps => "jumps",
            Kind::Recursion => "recursion",
            Kind::Unions => "unions",
            Kind::Floats => "floats",
            Kind::Wide => "wide",
            Kind::Arrays => "arrays",
            Kind::Strings => "strings",
            Kind::Pairs => "pairs",
            Kind::GlobalPointers => "global-pointers",
            Kind::Structs => "structs",
            Kind::Addresses => "addresses",
            Kind::Stubs => "stubs",
            Kind::StubResults => "stub-results",
            Kind::Callbacks => "callbacks",
            Kind::State => "state",
            Kind::KeptPointers => "kept-pointers",
            Kind::Library => "library",
            Kind::Flags => "flags",
            Kind::Machines => "machines",
            Kind::Locals => "locals",
            Kind::LongLoops => "long-loops",
        }
    }
}

/// A function with the code that finds out its truth.
#[derive(Clone, Debug)]
pub struct Subject {
    pub kind: Kind,
    pub name: String,
    /// Its text with everything that it needs, marked.
    pub text: String,
    /// Functions that only the native form needs.
    pub native: String,
    /// Definitions of what the function calls and does not define, and the function `drive_NAME`
    /// that calls it in all the ways.
    pub drive: String,
    pub marks: Range<usize>,
    /// Whether the calls are all there are, so that what they do not show is infeasible.
    pub complete: bool,
    /// Whether it has a loop or calls itself.
    pub has_loops: bool,
}

/// The function of a seed. Marks are numbered from `next`.
pub fn subject(kind: Kind, name: &str, seed: u64, next: usize) -> Subject {
    let scope = Scope::new(Draw::new(seed), next);
    let plan = match kind {
        Kind::Scalars => numbers::scalars(scope, name, Flavour::default()),
        Kind::Loops => numbers::scalars(scope, name, loops()),
        Kind::Switches => numbers::scalars(scope, name, switches()),
        Kind::Jumps => numbers::scalars(scope, name, everything()),
        Kind::Recursion => calls::recursion(scope, name),
        Kind::Unions => numbers::unions(scope, name),
        Kind::Floats => numbers::floats(scope, name),
        Kind::Wide => numbers::wide(scope, name),
        Kind::Arrays => pointers::arrays(scope, name),
        Kind::Strings => pointers::strings(scope, name),
        Kind::Pairs => pointers::pairs(scope, name),
        Kind::GlobalPointers => pointers::globals(scope, name),
        Kind::Structs => pointers::structs(scope, name),
        Kind::Addresses => pointers::addresses(scope, name),
        Kind::Stubs => calls::stubs(scope, name),
        Kind::StubResults => calls::stub_results(scope, name),
        Kind::Callbacks => calls::callbacks(scope, name),
        Kind::State => kept::state(scope, name),
        Kind::KeptPointers => kept::pointers(scope, name),
        Kind::Library => outside::library(scope, name),
        Kind::Flags => flags::flags(scope, name),
        Kind::Machines => flags::machine(scope, name),
        Kind::Locals => flags::locals(scope, name),
        Kind::LongLoops => numbers::scalars(scope, name, long_loops()),
    };
    finish(plan, kind, name, next)
}

fn loops() -> Flavour {
    Flavour {
        loops: true,
        ..Flavour::default()
    }
}

fn switches() -> Flavour {
    Flavour {
        switches: true,
        ..Flavour::default()
    }
}

fn everything() -> Flavour {
    Flavour {
        loops: true,
        switches: true,
        jumps: true,
        long: false,
    }
}

fn long_loops() -> Flavour {
    Flavour {
        loops: true,
        long: true,
        ..Flavour::default()
    }
}

/// What a kind decides; the rest of the function is the same for all.
struct FunctionPlan {
    scope: Scope,
    /// Declarations and functions in front of the function.
    before: String,
    /// Its parameters.
    parameters: String,
    /// Declarations and statements at its beginning.
    beginning: String,
    flavour: Flavour,
    /// About so many statements.
    statements: usize,
    /// Native definitions of what is undefined.
    definitions: String,
    /// The body of the function that calls it.
    calls: String,
    complete: bool,
}

impl FunctionPlan {
    fn new(scope: Scope) -> FunctionPlan {
        FunctionPlan {
            scope,
            before: String::new(),
            parameters: String::new(),
            beginning: String::new(),
            flavour: Flavour::default(),
            statements: 3,
            definitions: String::new(),
            calls: String::new(),
            complete: false,
        }
    }
}

fn finish(plan: FunctionPlan, kind: Kind, name: &str, first: usize) -> Subject {
    let mut scope = plan.scope;
    let mut locals = String::new();
    for (local, declared) in [
        ("v0", "signed char"),
        ("v1", "unsigned char"),
        ("v2", "int"),
    ] {
        let value = scope.value(1);
        locals += &format!("{declared} {local} = {value};\n");
        scope.places.push(local.to_owned());
        scope.atoms.push(local.to_owned());
    }
    let body = statement::body(&mut scope, plan.flavour, plan.statements);
    let result = scope.value(1);
    let text = format!(
        "{}int {name}({}) {{\n{}{}{locals}{}{}return {result};\n}}\n",
        plan.before,
        plan.parameters,
        body.counters,
        plan.beginning,
        body.text,
        if body.text.contains("goto out;") {
            "out:\n"
        } else {
            ""
        },
    );
    let mut numbers: Vec<i32> = scope.numbers.iter().copied().chain([0, 1]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let letters: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    let drive = format!(
        "{}\nstatic void drive_{name}(void) {{ static const int letters[] = {{{}}}; \
         t_use(letters, sizeof letters / sizeof *letters);\n{}\n}}\n",
        plan.definitions,
        letters.join(", "),
        plan.calls,
    );
    let has_loops = kind == Kind::Recursion || text.contains("for (");
    Subject {
        kind,
        has_loops,
        name: name.to_owned(),
        text,
        native: scope.native,
        drive,
        marks: first..scope.next,
        complete: plan.complete,
    }
}
