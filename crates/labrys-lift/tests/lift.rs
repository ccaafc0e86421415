//! Linking, pruning, errors and single constructs.
#![allow(clippy::unwrap_used)]

mod common;

use common::{lift_text, lift_texts, refusals};
use labrys_ir::{Const, Inst, Module, SymbolRef};
use labrys_lift::{LiftError, LiftOptions, lift};
use std::path::{Path, PathBuf};

fn function<'m>(module: &'m Module, name: &str) -> &'m labrys_ir::Function {
    &module.functions[module.function(name).unwrap().index()]
}

fn names(module: &Module) -> Vec<&str> {
    let mut names: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
    names.sort_unstable();
    names
}

#[test]
fn only_what_is_needed_is_kept() {
    let user = "int helper(int x){return x;} int unused(void){return 1;}
                int used_value = 3, unused_value = 4;
                int entry(void){return helper(used_value);}";
    let module = lift_texts(&[user], &["entry"]).unwrap();
    assert_eq!(names(&module), ["entry", "helper"]);
    assert_eq!(module.globals.len(), 1);
    let everything = lift_texts(&[user], &[]).unwrap();
    assert_eq!(names(&everything), ["entry", "helper", "unused"]);
}

/// `first` in one library needs `second` in another one, whatever their order.
#[test]
fn libraries_are_taken_on_demand() {
    let user = "int first(void); int main(void){return first();}";
    let one = "int second(void); __attribute__((weak)) int first(void){return second();}
               __attribute__((weak)) int other(void){return 0;}";
    let two = "static int state; static int step(void){return ++state;}
               __attribute__((weak)) int second(void){return step() + state;}
               __attribute__((weak)) int third(void){return state;}";
    for libraries in [[one, two], [two, one]] {
        let module = lift_texts(&[user, libraries[0], libraries[1]], &["main"]).unwrap();
        assert_eq!(names(&module), ["first", "main", "second", "step"]);
        assert_eq!(module.globals.len(), 1, "one `state` for all");
        assert!(module.functions.iter().all(|f| !f.is_external()));
    }
}

#[test]
fn merged_libraries_work_like_single_ones() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |name: &str, text: &str| common::compile_text(folder.path(), name, text);
    let user = compile("user", "int a(void); int main(void){return a();}");
    let a = compile(
        "a",
        "int b(void); __attribute__((weak)) int a(void){return b();}",
    );
    let b = compile("b", "__attribute__((weak)) int b(void){return 7;}");
    let merged = folder.path().join("merged.bc");
    labrys_lift::merge(&[a, b], &merged).unwrap();
    let options = LiftOptions {
        keep: vec!["main".to_owned()],
    };
    let module = lift(&[user, merged], &options).unwrap();
    assert_eq!(names(&module), ["a", "b", "main"]);
}

/// What the files of a library share need not be weak. It is taken on demand like the rest, but a
/// program may not replace it.
#[test]
fn merged_libraries_share_functions() {
    let folder = tempfile::tempdir().unwrap();
    let compile = |name: &str, text: &str| common::compile_text(folder.path(), name, text);
    let a = "int shared(void); __attribute__((weak)) int a(void){return shared();}
             __attribute__((weak)) int unused(void){return shared();}";
    let b = "int count = 3; int shared(void){return ++count;} int alone(void){return 0;}";
    let merged = folder.path().join("merged.bc");
    labrys_lift::merge(&[compile("a", a), compile("b", b)], &merged).unwrap();
    let options = LiftOptions {
        keep: vec!["main".to_owned()],
    };
    let user = compile("user", "int a(void); int main(void){return a();}");
    let module = lift(&[user, merged.clone()], &options).unwrap();
    assert_eq!(names(&module), ["a", "main", "shared"]);
    assert_eq!(module.globals.len(), 1);
    let user = compile(
        "clash",
        "int shared(void){return 1;} int main(void){return 0;}",
    );
    let error = lift(&[user, merged], &options).unwrap_err();
    assert!(matches!(error, LiftError::Duplicate { symbol, .. } if symbol == "shared"));
}

/// A program that uses little of a library must not pay for all of it, so a library that can only
/// be read as a whole is refused when it is made.
#[test]
fn libraries_that_must_be_read_as_a_whole_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = "__attribute__((constructor)) static void start(void){}";
    let unit = common::compile_text(folder.path(), "a", text);
    let error = labrys_lift::merge(&[unit], &folder.path().join("merged.bc")).unwrap_err();
    assert!(error.to_string().contains("on demand"), "{error}");
}

#[test]
fn definitions_of_the_user_win() {
    let user = "int twice(int x){return 2 * x;} int main(void){return twice(4);}";
    let model = "__attribute__((weak)) int twice(int x){return x + x;}";
    let module = lift_texts(&[user, model], &["main"]).unwrap();
    let code = &function(&module, "twice").code;
    assert!(code.iter().any(|inst| matches!(
        inst,
        Inst::Bin {
            op: labrys_ir::BinOp::Mul,
            ..
        }
    )));
}

#[test]
fn duplicate_definitions_are_named() {
    let error = lift_texts(&["int f(void){return 1;}", "int f(void){return 2;}"], &[]).unwrap_err();
    let LiftError::Duplicate { symbol, .. } = &error else {
        panic!("{error}");
    };
    assert_eq!(symbol, "f");
    let message = error.to_string();
    assert!(
        message.contains("unit0.bc") && message.contains("unit1.bc"),
        "{message}"
    );
}

#[test]
fn static_names_of_two_files_stay_apart() {
    let module = lift_texts(
        &[
            "static int f(void){return 1;} int a(void){return f();}",
            "static int f(void){return 2;} int b(void){return f();}",
        ],
        &[],
    )
    .unwrap();
    assert_eq!(module.functions.len(), 4);
}

#[test]
fn unreadable_files_are_named() {
    let options = LiftOptions::default();
    assert!(matches!(lift(&[], &options), Err(LiftError::Nothing)));
    let missing = PathBuf::from("/nonexistent/x.bc");
    let error = lift(&[missing], &options).unwrap_err().to_string();
    assert!(error.contains("/nonexistent/x.bc"), "{error}");

    let folder = tempfile::tempdir().unwrap();
    let garbage = folder.path().join("garbage.bc");
    for bytes in [
        &b""[..],
        b"BC",
        b"hello, world, this is no bitcode",
        b"BC\xc0\xde rest",
    ] {
        std::fs::write(&garbage, bytes).unwrap();
        let error = lift(std::slice::from_ref(&garbage), &options).unwrap_err();
        assert!(matches!(error, LiftError::Bitcode { .. }), "{error}");
        assert!(error.to_string().contains("garbage.bc"));
    }
}

#[test]
fn other_machines_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("x.c");
    let out = folder.path().join("x.bc");
    std::fs::write(&source, "int f(void){return 1;}").unwrap();
    common::compile(&source, &out, &["--target=i386-linux-gnu"]);
    let error = lift(&[out], &LiftOptions::default()).unwrap_err();
    assert!(matches!(error, LiftError::Target), "{error}");
}

#[test]
fn run_time_errors_are_not_optimised_away() {
    let module = lift_text(
        "void f(int *p){ *p; }
         int g(void){ int a[4]; a[5] = 1; return a[4]; }
         void h(int x){ 1 / x; }
         int u(void){ int x; return x; }",
    );
    let has = |name: &str, test: fn(&Inst) -> bool| function(&module, name).code.iter().any(test);
    assert!(has("f", |inst| matches!(inst, Inst::Load { .. })));
    assert!(has("g", |inst| matches!(inst, Inst::Load { .. })));
    assert!(has("g", |inst| matches!(inst, Inst::Store { .. })));
    assert!(has("h", |inst| matches!(
        inst,
        Inst::Bin {
            op: labrys_ir::BinOp::SDiv,
            ..
        }
    )));
    let constants = &function(&module, "u").constants;
    assert!(constants.iter().any(|(_, value)| *value == Const::Undef));
}

#[test]
fn locations_are_those_of_the_source() {
    let module =
        lift_text("\n#line 7 \"given/by user.c\"\nint f(int a, int b)\n{\n  return a / b;\n}\n");
    let f = function(&module, "f");
    assert_eq!((module.file(f.loc), f.loc.line), ("given/by user.c", 7));
    let place = f
        .code
        .iter()
        .position(|inst| matches!(inst, Inst::Bin { .. }))
        .unwrap();
    let loc = f.locs[place];
    assert_eq!(
        (module.file(loc), loc.line, loc.column),
        ("given/by user.c", 9, 12)
    );
}

#[test]
fn aliases_and_ifuncs_are_resolved() {
    let module = lift_text(
        "int real(int x){return x + 1;}
         int other(int x) __attribute__((alias(\"real\")));
         static void *pick(void){return real;}
         int chosen(int x) __attribute__((ifunc(\"pick\")));
         extern int optional(void) __attribute__((weak));
         int data[4]; extern int tail[4] __attribute__((alias(\"data\")));
         int (*address)(int) = other;
         int *at = &tail[2];
         int f(void){ return other(1) + chosen(2) + (optional ? optional() : 0); }",
    );
    let f = function(&module, "f");
    let real = module.function("real").unwrap();
    assert!(
        f.code
            .iter()
            .any(|inst| matches!(inst, Inst::Call { callee, .. } if *callee == real))
    );
    let target = |name: &str| {
        let global = module.globals.iter().find(|g| g.name == name).unwrap();
        global.relocs[0].target
    };
    assert_eq!(target("address"), SymbolRef::Function(real));
    assert!(matches!(target("at"), SymbolRef::Global { addend: 8, .. }));
    let chosen = f
        .constants
        .iter()
        .any(|(_, c)| *c == Const::Symbol(SymbolRef::Function(real)));
    assert!(chosen, "the ifunc is its function");
}

#[test]
fn what_is_unknown_is_refused_in_its_place_only() {
    let module = lift_text(
        "int f(int x){ if (x) { __asm__ volatile(\"cpuid\"); } return 3; }
         unsigned _BitInt(256) g(unsigned _BitInt(256) x){ return x + 1; }
         int h(void){ return (int)g(5uwb); }
         int fine(void){ return 1; }",
    );
    let messages = refusals(&module);
    assert!(
        messages
            .iter()
            .any(|m| m.contains("inline assembly 'cpuid'")),
        "{messages:?}"
    );
    assert!(
        messages.iter().any(|m| m.contains("256 bits")),
        "{messages:?}"
    );
    let f = function(&module, "f");
    assert!(
        f.code
            .iter()
            .any(|inst| matches!(inst, Inst::Return { .. }))
    );
    assert!(function(&module, "fine").code.len() == 1);
}

/// Everything that clang makes of the language tests is translated.
#[test]
fn language_tests_are_lifted_completely() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("tests/files/lang");
    let include = format!("-I{}", root.join("runtime").display());
    let work = tempfile::tempdir().unwrap();
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let out = work.path().join("unit.bc");
        common::compile(&path, &out, &[&include]);
        let module = lift(&[out], &LiftOptions::default()).unwrap();
        labrys_ir::verify(&module).unwrap();
        let messages = refusals(&module);
        assert!(messages.is_empty(), "{}: {messages:?}", path.display());
        // Names of the source are no part of the text.
        let mut module = module;
        module.functions.iter_mut().for_each(|f| f.names.clear());
        module.globals.iter_mut().for_each(|g| g.parts.clear());
        let text = module.to_string();
        assert_eq!(
            labrys_ir::parse(&text).as_ref(),
            Ok(&module),
            "{}",
            path.display()
        );
    }
}

/// How many operations of this kind a program has.
fn count(text: &str, op: labrys_ir::IntrinsicOp) -> usize {
    let module = lift_text(text);
    let code = module.functions.iter().flat_map(|f| &f.code);
    code.filter(|inst| matches!(inst, Inst::Intrinsic { op: found, .. } if *found == op))
        .count()
}

#[test]
fn bits_of_addresses_are_noted_only_where_they_are_needed() {
    use labrys_ir::IntrinsicOp::AddressBits;
    let head = "typedef unsigned long word; word keep; word pass(word w) { return w + 1; }\n";
    let needed = |body: &str| {
        count(
            &format!("{head}int f(char *p, int n) {{ {body} }}"),
            AddressBits,
        )
    };
    for harmless in [
        "return *(char *)((word)p + n);",
        "return (word)p == 0;",
        "return (word)(p + n) - (word)p;",
        "return *(char *)pass((word)p);",
        "word w = (word)p; if (n) w += 4; return *(char *)w;",
    ] {
        assert_eq!(needed(harmless), 0, "{harmless}");
    }
    for needing in [
        "return (word)p & 7;",
        "return (word)p % 8;",
        "return (int)(word)p & 3;",
        "return (word)p >> 4;",
        "keep = (word)p; return 0;",
        "return (word)p > 4096;",
        "return pass((word)p) * 31;",
        "return *(char *)((word)p & ~15ul);",
    ] {
        assert_eq!(needed(needing), 1, "{needing}");
    }
}

/// The header of one library and the function of another: what the caller hands over is not what
/// the function gets.
#[test]
fn numbers_are_not_followed_into_parameters_of_other_types() {
    use labrys_ir::IntrinsicOp::AddressBits;
    let text = "int grow(); int f(char *p) { return grow((unsigned long)p); }
                int grow(n) int n; { return n * 31; }";
    assert_eq!(count(text, AddressBits), 1);
}

#[test]
fn a_local_that_is_written_on_some_ways_stays_undefined_on_the_others() {
    let undefined = |text: &str| {
        let module = lift_text(text);
        let constants = &function(&module, "f").constants;
        constants.iter().any(|(_, value)| *value == Const::Undef)
    };
    assert!(undefined("int f(int c) { int x; if (c) x = 0; return x; }"));
    assert!(undefined("int f(int c) { if (c) return 1; }"));
    assert!(!undefined(
        "int f(int c) { int x; if (c) x = 0; else x = 1; return x; }"
    ));
    assert!(!undefined(
        "int f(int c) { int x, y = c; x = y; return x; }"
    ));
}

#[test]
fn frames_are_measured_before_locals_become_registers() {
    let module = lift_text("int f(int a) { int b = a; char c[100]; c[0] = b; return c[0]; }");
    let frame = function(&module, "f").frame;
    assert!((16 + 108..=16 + 144).contains(&frame), "{frame}");
}
