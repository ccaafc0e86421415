//! The harness of a function: makes its inputs, calls it and records what it produced. Where the
//! function keeps state it is called again, after a function that writes the same state.

use super::{HarnessCode, HarnessContext, HarnessWriter};
use crate::ShapeWord;
use crate::types::CType;
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;

/// A parameter of a function that a harness calls.
#[derive(Debug)]
pub(crate) struct Parameter {
    pub name: String,
    pub ty: CType,
    /// `restrict`: nothing else leads to what it points to.
    pub restrict: bool,
}

/// A function of the program that is called before the one under test, to set up state.
#[derive(Debug)]
pub(crate) struct EarlierCall {
    pub name: String,
    pub parameters: Vec<Parameter>,
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
    /// Whether it reads streams or descriptors.
    pub reads: bool,
    /// Global variables to record, with their types.
    pub globals: &'a [(String, CType)],
    pub assumes: &'a [String],
    /// Whether it is `main`, whose parameters are `argc` and `argv`.
    pub main: bool,
    /// Whether it takes more arguments than its parameters: it gets none.
    pub variadic: bool,
    /// How often it is called, at most.
    pub calls: u32,
    /// The functions of which one may be called before.
    pub earlier: &'a [EarlierCall],
}

/// The file name that clang shows for errors in `--assume`.
pub const ASSUME_FILE: &str = "--assume";

/// The harness `labrys_harness_NAME`.
pub(crate) fn function_harness(context: HarnessContext, calls: &FunctionHarness) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, calls.function);
    let mut text = String::new();
    if !calls.main {
        // A program starts with `main`; any other function may be called when much has happened.
        text.push_str("  labrys_initial_state();\n");
    }
    for fill in calls.fills {
        text.push_str(&format!("  extern void {fill}(void);\n  {fill}();\n"));
    }
    let names = parameter_names(&mut writer, calls.parameters);
    if calls.reads {
        writer.rest_of_stdin();
    }
    writer.earlier_call(calls.earlier);
    text.push_str(&writer.take_body());
    if calls.variadic {
        let more = writer.fresh("more_arguments");
        writer.declare(format!("static int {more} = 0;"));
        writer.limit(&format!("&{more}"), &format!("sizeof {more}"), limit::MODEL);
        writer.statement(format!("labrys_assume(!{more});"));
    }
    for number in 1..=calls.calls {
        if number > 1 {
            writer.suffix = format!(" (call {number})");
            text.push_str(&again(&mut writer));
        }
        text.push_str(&one_call(&mut writer, calls, &names));
    }
    for _ in 1..calls.calls {
        text.push_str("  }\n");
    }
    let text = format!(
        "/* Makes every input of {name}, calls it and records what it produced. */\n\
         void {harness}(void) {{\n{text}}}\n",
        name = calls.function,
        harness = calls.harness
    );
    writer.finish(text)
}

/// C names for parameters: their own, as preconditions speak of them.
fn parameter_names(writer: &mut HarnessWriter, parameters: &[Parameter]) -> Vec<String> {
    let named = parameters.iter().enumerate();
    named
        .map(|(index, parameter)| {
            let base = match parameter.name.as_str() {
                "" => format!("argument_{}", index + 1),
                name => name.to_owned(),
            };
            if writer.names.insert(base.clone()) {
                base
            } else {
                writer.fresh(&base)
            }
        })
        .collect()
}

/// The head of the block in which the function is called once more.
fn again(writer: &mut HarnessWriter) -> String {
    let input = writer.input("again", InputType::truth());
    format!(
        "  /* The state that the call has left is that of the next one. */\n  if (labrys_has_input({input}) && labrys_bool({input})) {{\n  labrys_extra_call();\n"
    )
}

/// One call: its inputs, preconditions, the call itself and its outputs.
fn one_call(writer: &mut HarnessWriter, calls: &FunctionHarness, names: &[String]) -> String {
    writer.begin_call();
    let shapes = writer.context.options.shapes.iter();
    for shape in shapes.filter(|shape| shape.says(ShapeWord::Alone)) {
        writer.nothing_else_leads_to(&shape.name);
    }
    for (parameter, name) in calls.parameters.iter().zip(names) {
        if parameter.restrict {
            writer.nothing_else_leads_to(name);
        }
    }
    if calls.main && names.len() >= 2 {
        writer.arguments(&names[0], &names[1]);
        for (number, extra) in names[2..].iter().enumerate() {
            match number {
                0 => writer.environment(extra),
                _ => writer.zero(extra),
            }
        }
    } else {
        for (parameter, name) in calls.parameters.iter().zip(names) {
            writer.fill(name, &parameter.ty.unqualified(), name, 0, false);
        }
    }
    writer.own_objects();
    // Objects first, so that no parameter hides the name of a type that they need.
    for (parameter, name) in calls.parameters.iter().zip(names) {
        let declaration = writer.types().declare(&parameter.ty.unqualified(), name);
        writer.declare(format!("{declaration};"));
    }
    if !writer.declarations.is_empty() {
        writer.declarations.insert(
            0,
            "/* The parameters, and what their pointers may lead to. */".to_owned(),
        );
        writer.statements.insert(0, "/* The inputs. */".to_owned());
    }
    let mut text = writer.take_body();
    for (number, assume) in calls.assumes.iter().enumerate() {
        let line = number + 1;
        text.push_str(&format!(
            "#line {line} \"{ASSUME_FILE}\"\n  labrys_assume(!!({assume}));\n"
        ));
    }
    if !calls.assumes.is_empty() {
        text.push_str("#line 100000 \"labrys-harness.c\"\n");
    }
    if !writer.objects.is_empty() || !calls.fills.is_empty() {
        writer.statement("labrys_inputs_made();");
    }
    writer.statement("/* The call, and what it produced. */");
    writer.call_and_record(calls, names);
    text.push_str(&writer.take_body());
    text
}

impl HarnessWriter<'_> {
    /// What follows are the inputs of another call.
    fn begin_call(&mut self) {
        self.made_records = 0;
        self.made_objects = 0;
        self.inputs_before = self.inputs.len();
        self.places.clear();
    }

    /// The declarations and statements so far, which are then forgotten.
    fn take_body(&mut self) -> String {
        let body = self.body();
        self.declarations.clear();
        self.statements.clear();
        body
    }

    fn call_and_record(&mut self, calls: &FunctionHarness, names: &[String]) {
        let result = self.fresh("labrys_result");
        let call = format!("{}({})", calls.symbol, names.join(", "));
        let spellable = self.types().is_spellable(calls.result);
        if calls.result.is_void() || !spellable {
            self.statement(format!("{call};"));
        } else if calls.result.is_pointer() {
            self.statement(format!("int {result} = {call} != 0;"));
            self.output(&result, &CType::INT, "return != NULL");
        } else {
            let ty = calls.result.unqualified();
            let declaration = self.types().declare(&ty, &result);
            self.statement(format!("{declaration} = {call};"));
            self.output(&result, &ty, "return");
        }
        self.output_objects();
        for (name, ty) in calls.globals {
            if !names.contains(name) {
                self.output(name, ty, name);
            }
        }
    }

    /// Calls one of the functions that write the state, or none. The objects that it gets live as
    /// long as the harness: it may keep their addresses.
    fn earlier_call(&mut self, earlier: &[EarlierCall]) {
        if earlier.is_empty() {
            return;
        }
        let chosen = self.fresh("earlier");
        let mut choices = vec!["none".to_owned()];
        choices.extend(earlier.iter().map(|call| call.name.clone()));
        let name = self.input(
            "earlier call",
            InputType::Pick {
                name: "function".to_owned(),
                choices,
            },
        );
        let functions: Vec<String> = earlier
            .iter()
            .map(|call| format!("(void *){}", call.name))
            .collect();
        self.declare(format!("void *{chosen};"));
        self.statement("/* A call that sets up state. */");
        self.statement(format!(
            "{{ void *const choices[] = {{ 0, {} }}; {chosen} = labrys_has_input({name}) ? labrys_pick({name}, {}, choices) : 0; }}",
            functions.join(", "),
            earlier.len() + 1
        ));
        self.statement(format!("if ({chosen}) labrys_extra_call();"));
        for call in earlier {
            let path = |parameter: &Parameter| match parameter.name.as_str() {
                "" => "argument".to_owned(),
                name => name.to_owned(),
            };
            self.begin_call();
            self.suffix = format!(" (earlier {})", call.name);
            self.statement(format!("if ({chosen} == (void *){}) {{", call.name));
            let mut arguments = Vec::new();
            for parameter in &call.parameters {
                if parameter.restrict {
                    self.nothing_else_leads_to(&path(parameter));
                }
                let variable = self.fresh(&format!("{}_{}", call.name, parameter.name));
                let ty = parameter.ty.unqualified();
                let declaration = self.types().declare(&ty, &variable);
                self.fill(&variable, &ty, &path(parameter), 0, false);
                self.declare(format!("{declaration};"));
                arguments.push(variable);
            }
            self.own_objects();
            self.statement("labrys_inputs_made();");
            self.statement(format!("{}({});", call.name, arguments.join(", ")));
            self.statement("}");
            // Nobody fills its objects where another call is chosen. And they are no part of what the
            // function under test produces.
            self.objects.clear();
            self.owned = 0;
        }
        self.suffix = String::new();
    }
}
