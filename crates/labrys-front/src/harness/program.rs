//! The harness of a whole program: its arguments, standard input, files and environment, as far
//! as they are not given, are inputs. The sizes are bounds: what only they make impossible is a
//! limit that the run touches.

use super::{HarnessCode, HarnessContext, HarnessWriter, limit_call, quote};
use crate::types::CType;
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;
use labrys_ledger::world::{
    FileContents, ProgramArgument, STDIN, VariableValue, World, argument_input, count_input,
    file_inputs, variable_inputs,
};

/// What the harness must know of `main`.
pub(crate) struct MainSignature<'a> {
    pub result: &'a CType,
    pub parameters: usize,
    /// Whether it looks at its arguments.
    pub uses_arguments: bool,
    /// Functions that fill global variables.
    pub fills: &'a [String],
}

/// The harness `labrys_harness_main`.
pub(crate) fn program_harness(
    context: HarnessContext,
    main: &MainSignature,
    world: &World,
) -> HarnessCode {
    let mut writer = HarnessWriter::new(context, "main");
    for fill in main.fills {
        writer.statement(format!("extern void {fill}(void);"));
        writer.statement(format!("{fill}();"));
    }
    let name = quote(world.program.as_deref().unwrap_or("program"));
    writer.statement(format!("labrys_program({name});"));
    writer.program_arguments(&name, main.uses_arguments, world);
    writer.program_files(world);
    writer.program_environment(world);
    writer.outputs.insert(
        "exit".to_owned(),
        InputType::Int {
            name: "int".to_owned(),
            bits: 32,
            signed: true,
        },
    );
    let mut arguments = vec!["argc", "argv", "envp"];
    arguments.truncate(main.parameters);
    let call = format!("labrys_main({})", arguments.join(", "));
    if main.result.is_void() {
        writer.statement(format!("{call};"));
        writer.statement("labrys_end(0);");
    } else {
        writer.statement(format!("labrys_end({call});"));
    }
    let body = writer.body();
    writer.finish(format!(
        "/* Makes the arguments, files and environment of the program, and runs it. */\n\
         void labrys_harness_main(void) {{\n{body}}}\n"
    ))
}

impl HarnessWriter<'_> {
    fn program_arguments(&mut self, name: &str, used: bool, world: &World) {
        let most: u32 = world.arguments.iter().map(most_arguments).sum();
        self.declare(format!("static char *argv[{}];", most + 2));
        self.declare("int argc = 0;");
        self.statement(format!("argv[argc++] = (char *){name};"));
        let (mut group, mut number) = (0, 0);
        for argument in &world.arguments {
            match argument {
                ProgramArgument::Text(text) => {
                    let text = literal(text.as_bytes());
                    self.statement(format!("argv[argc++] = (char *){text};"));
                }
                ProgramArgument::Symbolic { min, max, length } => {
                    self.argument_group(group, (*min, *max), *length, number);
                    group += 1;
                    number += max;
                }
            }
        }
        if used {
            // Looking at the arguments is looking at how many there can be.
            self.declare(format!("static int most_arguments = {};", most + 1));
            self.limit("&most_arguments", "sizeof most_arguments", limit::SYM_ARGS);
            self.statement("labrys_assume(argc <= most_arguments);");
        }
    }

    fn argument_group(&mut self, group: usize, (min, max): (u32, u32), length: u32, before: u32) {
        let count = self.fresh(&format!("count_{}", group + 1));
        let input = self.input(&count_input(group), unsigned("unsigned char", 8));
        self.declare(format!("unsigned char {count};"));
        self.statement(format!("/* --sym-args {min}..{max}:{length} */"));
        self.statement(format!("{count} = labrys_uchar({input});"));
        self.statement(format!(
            "labrys_assume(({count} >= {min}) & ({count} <= {max}));"
        ));
        for i in 1..=max {
            let name = argument_input(before + i);
            let place = self.fresh(&name);
            let input = self.input(&name, text_type(length));
            self.declare(format!("static char {place}[{}];", length + 1));
            self.statement(format!("if ({count} >= {i}) {{"));
            if length > 0 {
                self.statement(format!("  labrys_symbolic({place}, {length}, {input});"));
            }
            let end = limit_call(&format!("&{place}[{length}]"), "1", limit::SYM_ARGS);
            self.statement(format!("  {end}"));
            self.statement(format!("  argv[argc++] = {place};"));
            self.statement("}");
        }
    }

    fn program_files(&mut self, world: &World) {
        match &world.stdin {
            FileContents::Symbolic { most } => {
                self.contents_inputs(STDIN, &format!("{STDIN}.size"), *most);
                self.statement(format!("labrys_stdin({most});"));
            }
            FileContents::Bytes(bytes) => {
                let text = literal(bytes);
                self.statement(format!("labrys_stdin_bytes({text}, {});", bytes.len()));
            }
        }
        for file in &world.files {
            let name = quote(&file.name);
            match &file.contents {
                FileContents::Symbolic { most } => {
                    let [bytes, size, missing] = file_inputs(&file.name);
                    self.input(&missing, unsigned("_Bool", 8));
                    self.contents_inputs(&bytes, &size, *most);
                    self.statement(format!("labrys_file({name}, {most});"));
                }
                FileContents::Bytes(bytes) => {
                    let text = literal(bytes);
                    self.statement(format!(
                        "labrys_file_bytes({name}, {text}, {});",
                        bytes.len()
                    ));
                }
            }
        }
    }

    fn contents_inputs(&mut self, bytes: &str, size: &str, most: u32) {
        self.input(bytes, text_type(most));
        self.input(size, unsigned("unsigned int", 32));
    }

    fn program_environment(&mut self, world: &World) {
        self.declare(format!(
            "static char *envp[{}];",
            world.environment.len() + 1
        ));
        if !world.environment.is_empty() {
            self.declare("int variables = 0;");
        }
        for variable in &world.environment {
            match &variable.value {
                VariableValue::Text(text) => {
                    let text = literal(format!("{}={text}", variable.name).as_bytes());
                    self.statement(format!("envp[variables++] = (char *){text};"));
                }
                VariableValue::Symbolic { length } => {
                    self.variable(&variable.name, *length);
                }
            }
        }
        self.statement("labrys_environment(envp);");
    }

    fn variable(&mut self, name: &str, length: u32) {
        let [value, set] = variable_inputs(name);
        let place = self.fresh(&value);
        let value = self.input(&value, text_type(length));
        let set = self.input(&set, unsigned("_Bool", 8));
        let start = name.len() as u32 + 1;
        let end = start + length;
        self.declare(format!(
            "static char {place}[{}] = {};",
            end + 1,
            literal(format!("{name}=").as_bytes())
        ));
        self.statement(format!("if (labrys_bool({set})) {{"));
        if length > 0 {
            self.statement(format!(
                "  labrys_symbolic({place} + {start}, {length}, {value});"
            ));
        }
        let end = limit_call(&format!("&{place}[{end}]"), "1", limit::SYM_ENV);
        self.statement(format!("  {end}"));
        self.statement(format!("  envp[variables++] = {place};"));
        self.statement("}");
    }
}

fn most_arguments(argument: &ProgramArgument) -> u32 {
    match argument {
        ProgramArgument::Text(_) => 1,
        ProgramArgument::Symbolic { max, .. } => *max,
    }
}

pub(super) fn unsigned(name: &str, bits: u32) -> InputType {
    InputType::Int {
        name: name.to_owned(),
        bits,
        signed: false,
    }
}

pub(super) fn text_type(length: u32) -> InputType {
    InputType::Array {
        element: Box::new(InputType::Int {
            name: "char".to_owned(),
            bits: 8,
            signed: true,
        }),
        count: length.into(),
    }
}

/// Any bytes as a C string literal.
fn literal(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' | b'?' => {
                out.push('\\');
                out.push(char::from(*byte));
            }
            0x20..=0x7e => out.push(char::from(*byte)),
            // Three digits always, so that a digit may follow.
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
