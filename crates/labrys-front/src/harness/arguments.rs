//! The arguments of `main` where it is tested like any function: how many there are is an input without
//! a bound, and of the first ones the texts are inputs. A run that looks at a further one has touched
//! a limit.

use super::HarnessWriter;
use crate::types::{CType, TypeShape};
use labrys_ledger::InputType;
use labrys_ledger::protocol::limit;

impl HarnessWriter<'_> {
    /// How many texts are made: with the name of the program one less than the elements of an array.
    fn text_count(&self) -> u32 {
        self.context.options.array_len.saturating_sub(1).max(1)
    }

    /// `argc` and `argv`. The texts include the name of the program, which may be empty or missing
    /// as well. Up to their number the vector ends with a null pointer, beyond it is a guess.
    pub(super) fn arguments(&mut self, argc: &str, argv: &str) {
        let count = self.text_count();
        let texts: Vec<String> = (0..count)
            .map(|i| self.argument_text(&format!("{argv}[{i}]")))
            .collect();
        let vector = self.fresh(&format!("{argv}_vector"));
        let longer = self.fresh(&format!("{argv}_longer"));
        self.declare(format!("char *{vector}[{}];", count + 1));
        self.declare(format!("char *{longer}[{count}];"));
        let input = self.input(argc, self.types().input_type(&CType::INT));
        self.statement(format!("{argc} = labrys_int({input});"));
        self.statement(format!("labrys_assume({argc} >= 0);"));
        for (i, text) in texts.iter().enumerate() {
            self.statement(format!("{vector}[{i}] = {longer}[{i}] = {text};"));
        }
        self.statement(format!("{vector}[{count}] = 0;"));
        self.guess(&longer);
        self.statement(format!("if ({argc} <= {count}) {{"));
        self.statement(format!("  {vector}[{argc}] = 0;"));
        self.statement(format!("  {argv} = (void *){vector};"));
        self.statement("} else {");
        self.statement(format!("  {argv} = (void *){longer};"));
        self.statement("}");
    }

    /// The environment, the third parameter of `main`: some texts and a null pointer, where the last
    /// place is a limit.
    pub(super) fn environment(&mut self, envp: &str) {
        let count = self.text_count();
        let texts: Vec<String> = (0..count)
            .map(|i| self.argument_text(&format!("{envp}[{i}]")))
            .collect();
        let vector = self.fresh(&format!("{envp}_vector"));
        let number = self.fresh(&format!("{envp}_count"));
        self.declare(format!("char *{vector}[{}];", count + 1));
        self.declare(format!("unsigned int {number};"));
        for (i, text) in texts.iter().enumerate() {
            self.statement(format!("{vector}[{i}] = {text};"));
        }
        let unsigned = CType::from(TypeShape::Int {
            name: "unsigned int",
            bits: 32,
            signed: false,
        });
        let input = self.input(
            &format!("{envp} (variables)"),
            self.types().input_type(&unsigned),
        );
        self.statement(format!("{number} = labrys_uint({input});"));
        self.statement(format!("labrys_assume({number} <= {count});"));
        self.statement(format!("{vector}[{number}] = 0;"));
        self.statement(format!("{vector}[{count}] = 0;"));
        self.limit(
            &format!("&{vector}[{count}]"),
            "sizeof(char *)",
            limit::ARRAY_LEN,
        );
        self.statement(format!("{envp} = (void *){vector};"));
    }

    /// A text of any characters; its last end is a limit.
    fn argument_text(&mut self, path: &str) -> String {
        let length = self.context.options.string_len.max(1);
        let name = self.fresh(&format!("{path}_text"));
        self.declare(format!("char {name}[{}];", length + 1));
        let element = CType::from(TypeShape::Int {
            name: "char",
            bits: 8,
            signed: true,
        });
        let ty = InputType::Array {
            element: Box::new(self.types().input_type(&element)),
            count: u64::from(length),
        };
        let input = self.input(path, ty);
        self.statement(format!("labrys_symbolic({name}, {length}, {input});"));
        self.statement(format!("{name}[{length}] = 0;"));
        self.limit(&format!("&{name}[{length}]"), "1", limit::ARRAY_LEN);
        self.guess(&name);
        name
    }
}
