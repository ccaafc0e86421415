//! Whole functions of the harness: the one that calls the function under test, the one that
//! fills a global variable, and the stub of a function that nobody defines.

use super::{HarnessCode, HarnessContext, HarnessWriter};
use crate::ShapeWord;
use crate::types::{CType, FunctionType};
use labrys_ledger::protocol::limit;

/// A parameter of the function under test.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub ty: CType,
    /// `restrict`: nothing else leads to what it points to.
    pub restrict: bool,
}

/// What the harness of a function is written from.
pub(crate) struct FunctionHarness<'a> {
    /// The function under test, the name under which the annotated program knows it, and the
    /// name of the harness.
    pub function: &'a str,
    pub symbol: &'a str,
    pub harness: &'a str,
    pub result: &'a CType,
    pub parameters: &'a [Parameter],
    /// Functions that fill global variables.
    pub fills: &'a [String],
    /// Global variables to record, with their types.
    pub globals: &'a [(String, CType)],
    pub assumes: &'a [String],
    /// Whether the parameters are `argc` and `argv`.
    pub main: bool,
    /// Whether it takes more arguments than its parameters: it gets none.
    pub variadic: bool,
}

/// The file name that clang shows for errors in `--assume`.
pub const ASSUME_FILE: &str = "--assume";

/// The harness `labrys_harness_NAME`.
pub(crate) fn function_harness(context: HarnessContext, calls: &FunctionHarness) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, calls.function);
    let shapes = context.options.shapes.iter();
    let alone = shapes.filter(|shape| shape.says(ShapeWord::Alone));
    writer.alone.extend(alone.map(|shape| shape.name.clone()));
    let mut arguments = Vec::new();
    let mut variables = Vec::new();
    for (index, parameter) in calls.parameters.iter().enumerate() {
        let base = match parameter.name.as_str() {
            "" => format!("argument_{}", index + 1),
            name => name.to_owned(),
        };
        let name = if writer.names.insert(base.clone()) {
            base
        } else {
            writer.fresh(&base)
        };
        if parameter.restrict {
            writer.alone.insert(name.clone());
        }
        variables.push(name.clone());
        arguments.push(name);
    }
    if calls.main && variables.len() >= 2 {
        writer.arguments(&variables[0], &variables[1]);
        for extra in &variables[2..] {
            writer.statement(format!("{extra} = 0;"));
        }
    } else {
        for (parameter, name) in calls.parameters.iter().zip(&variables) {
            writer.fill(name, &parameter.ty.unqualified(), name, 0, false);
        }
    }
    if calls.variadic {
        let more = writer.fresh("more_arguments");
        writer.declare(format!("static int {more} = 0;"));
        writer.limit(&format!("&{more}"), &format!("sizeof {more}"), limit::MODEL);
        writer.statement(format!("labrys_assume(!{more});"));
    }
    writer.own_objects();
    // Objects first, so that no parameter hides the name of a type that they need.
    for (parameter, name) in calls.parameters.iter().zip(&variables) {
        let declaration = context.types.declare(&parameter.ty.unqualified(), name);
        writer.declare(format!("{declaration};"));
    }
    let result = writer.fresh("labrys_result");
    let call = format!("{}({})", calls.symbol, arguments.join(", "));
    let mut before = String::new();
    for fill in calls.fills {
        before.push_str(&format!("  extern void {fill}(void);\n  {fill}();\n"));
    }
    if !writer.declarations.is_empty() {
        writer.declarations.insert(
            0,
            "/* The parameters, and what their pointers may lead to. */".to_owned(),
        );
        writer.statements.insert(0, "/* The inputs. */".to_owned());
    }
    let inputs = writer.body();
    writer.declarations.clear();
    writer.statements.clear();
    writer.statement("/* The call, and what it produced. */");
    let mut assumes = String::new();
    for assume in calls.assumes {
        assumes.push_str(&format!(
            "#line 1 \"{ASSUME_FILE}\"\n  labrys_assume(!!({assume}));\n"
        ));
    }
    if !assumes.is_empty() {
        assumes.push_str("#line 100000 \"labrys-harness.c\"\n");
    }
    if !writer.objects.is_empty() || !calls.fills.is_empty() {
        assumes.push_str("  labrys_inputs_made();\n");
    }
    if calls.result.is_void() {
        writer.statement(format!("{call};"));
    } else if calls.result.is_pointer() || !context.types.is_spellable(calls.result) {
        let shown = calls.result.is_pointer() && context.types.is_spellable(calls.result);
        if shown {
            writer.statement(format!("int {result} = {call} != 0;"));
            writer.output(&result, &CType::INT, "return != NULL");
        } else {
            writer.statement(format!("{call};"));
        }
    } else {
        let ty = calls.result.unqualified();
        writer.statement(format!("{} = {call};", context.types.declare(&ty, &result)));
        writer.output(&result, &ty, "return");
    }
    writer.output_objects();
    for (name, ty) in calls.globals {
        if !variables.contains(name) {
            writer.output(name, ty, name);
        }
    }
    let after = writer.body();
    let text = format!(
        "/* Makes every input of {name}, calls it and records what it produced. */\n\
         void {harness}(void) {{\n{before}{inputs}{assumes}{after}}}\n",
        name = calls.function,
        harness = calls.harness
    );
    writer.finish(text)
}

/// The harness of a program that asks for its inputs itself.
pub(crate) fn main_harness(
    context: HarnessContext,
    result: &CType,
    parameters: usize,
    fills: &[String],
) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, "main");
    for fill in fills {
        writer.statement(format!("extern void {fill}(void);"));
        writer.statement(format!("{fill}();"));
    }
    let mut arguments = vec![];
    if parameters > 0 {
        writer.statement("char *arguments[] = { (char *)\"program\", 0 };");
        arguments = vec!["1", "arguments", "arguments + 1"];
        arguments.truncate(parameters);
    }
    let call = format!("labrys_main({})", arguments.join(", "));
    if result.is_void() {
        writer.statement(format!("{call};"));
    } else {
        writer.statement(format!("int result = {call};"));
        writer.output("result", &CType::INT, "return");
    }
    let body = writer.body();
    writer.finish(format!(
        "/* Runs the program, which asks for its inputs itself. */\n\
         void labrys_harness_main(void) {{\n{body}}}\n"
    ))
}

/// A function that makes a global variable an input; `place` is what C code calls it, `guessed`
/// says that its size is not known.
pub(crate) fn fill_function(
    context: HarnessContext,
    variable: &str,
    place: &str,
    ty: &CType,
    guessed: bool,
    symbol: &str,
) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, variable);
    writer.storage = "static ";
    writer.fill(place, ty, variable, 0, false);
    if guessed {
        writer.guess(place);
    }
    writer.own_objects();
    let body = writer.body();
    writer.finish(format!(
        "/* Makes the global variable {variable} an input. */\nvoid {symbol}(void) {{\n{body}}}\n"
    ))
}

/// A `static` function that does nothing but return an input, a fresh one at each call; and its
/// declarator.
pub(crate) fn stub_definition(
    context: HarnessContext,
    function: &FunctionType,
    symbol: &str,
    input: &str,
    noreturn: bool,
) -> (HarnessCode, String) {
    let mut writer = HarnessWriter::new(context, symbol);
    writer.storage = "static ";
    let types = context.types;
    let mut params: Vec<String> = function
        .params
        .iter()
        .enumerate()
        .map(|(i, p)| types.declare(p, &format!("argument_{}", i + 1)))
        .collect();
    match (function.variadic, params.is_empty(), function.prototype) {
        (true, ..) => params.push("...".to_owned()),
        (false, true, true) => params.push("void".to_owned()),
        _ => {}
    }
    let result = function.result.unqualified();
    let body = if noreturn {
        // What led here has happened: the run ends, and counts.
        "  labrys_exit(1);\n".to_owned()
    } else if result.is_void() {
        String::new()
    } else {
        writer.fill("result", &result, input, 0, false);
        let declaration = types.declare(&result, "result");
        writer.declare(format!("{declaration};"));
        writer.own_objects();
        if !writer.objects.is_empty() {
            // It is the program that has called.
            writer.statement("labrys_inputs_made();");
        }
        writer.statement("return result;");
        writer.body()
    };
    let head = types.declare(
        &function.result.unqualified(),
        &format!("{symbol}({})", params.join(", ")),
    );
    (writer.finish(format!("static {head} {{\n{body}}}\n")), head)
}
