//! Small functions of the harness: the one that runs a program which asks for its inputs itself, and
//! the one that fills a global variable.

use super::{HarnessCode, HarnessContext, HarnessWriter, ObjectStorage, quote};
use crate::types::CType;

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

/// A function that makes a global variable hold what other functions may have left in it. They have
/// allocated what its pointers lead to.
pub(crate) fn state_function(
    context: HarnessContext,
    variable: &str,
    ty: &CType,
    symbol: &str,
) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, variable);
    writer.storage = ObjectStorage::Fresh;
    writer.fill(variable, ty, variable, 0, false);
    writer.own_objects();
    // A test that was written before says nothing of it: then it stays as it is.
    if let Some(name) = writer.inputs.keys().next() {
        let known = format!("if (!labrys_has_input({})) return;", quote(name));
        writer.statements.insert(0, known);
    }
    let body = writer.body();
    writer.finish(format!(
        "/* Makes {variable} what other functions may have left in it. */\n\
         void {symbol}(void) {{\n{body}}}\n"
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
    writer.storage = ObjectStorage::Static;
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
