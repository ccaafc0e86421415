//! Small functions of C whose inputs can all be tried: at most 65,536 of them. Computations are masked,
//! conditions repeat each other and some values are never used, so that many mutants are equivalent.

use super::shape::InputShape;
use crate::draw::Draw;
use std::fmt::Write;

/// Statements of a function, at the outermost level.
const STATEMENTS: std::ops::RangeInclusive<usize> = 3..=6;
/// How deep statements and expressions are nested.
const STATEMENT_DEPTH: usize = 2;
const EXPRESSION_DEPTH: usize = 2;

/// A function with what must be said about its inputs.
pub struct SmallProgram {
    pub name: String,
    pub text: String,
    pub shape: InputShape,
    pub has_loops: bool,
}

/// The program of this number. Every second one has loops.
pub fn program(number: usize) -> SmallProgram {
    let has_loops = number % 2 == 1;
    let mut draw = Draw::new(0xe9_0000 + number as u64);
    let shape = InputShape::ALL[draw.below(InputShape::ALL.len())];
    let mut writer = FunctionWriter {
        draw,
        shape,
        has_loops,
        loops: 0,
        counters: Vec::new(),
        text: String::new(),
        depth: 1,
    };
    let text = writer.function();
    SmallProgram {
        name: format!("{}{number:03}", if has_loops { "loops" } else { "plain" }),
        text,
        shape,
        has_loops,
    }
}

struct FunctionWriter {
    draw: Draw,
    shape: InputShape,
    has_loops: bool,
    /// How many loops there are so far.
    loops: usize,
    /// The counters of the loops around the current place.
    counters: Vec<String>,
    text: String,
    depth: usize,
}

/// A function that some call, whose mutants count, too.
const HELPER: &str = "static int step(int v)
{
    if (v < 0)
        return -v;
    return v > 50 ? 50 : v;
}

";

/// The local variables, which every function has.
const LOCALS: [&str; 2] = ["x", "y"];

impl FunctionWriter {
    fn function(&mut self) -> String {
        for local in LOCALS {
            let value = self.expression(1);
            self.line(&format!("int {local} = {value};"));
        }
        self.line("int kept[4] = {0, 7};");
        let count = self.draw.within(*STATEMENTS.start(), *STATEMENTS.end());
        let loop_at = self.draw.below(count);
        for number in 0..count {
            match self.has_loops && number == loop_at {
                true => self.bounded_loop(),
                false => self.statement(STATEMENT_DEPTH),
            }
        }
        self.result();
        let body = std::mem::take(&mut self.text);
        let helper = if body.contains("step(") { HELPER } else { "" };
        format!(
            "{}unsigned char mode = 3;\nint total;\nunsigned char table[4] = {{1, 5, 20, 90}};\n\n\
             {helper}int f({})\n{{\n{body}}}\n",
            self.shape.declarations(),
            self.shape.parameters()
        )
    }

    /// Most variables are part of the result.
    fn result(&mut self) {
        let value = self.leaf();
        let result = match self.draw.below(4) {
            0 => format!("x + (y ^ {value})"),
            1 => "x * 3 - y".to_owned(),
            2 => format!("({} ? x + y : x - y)", self.condition(0)),
            _ => format!("x ^ ({value} & 7)"),
        };
        self.line(&format!("return {result};"));
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 4 * self.depth);
    }

    fn block(&mut self, head: &str, depth: usize) {
        self.line(&format!("{head} {{"));
        self.depth += 1;
        for _ in 0..self.draw.within(1, 2) {
            self.statement(depth);
        }
        self.depth -= 1;
    }

    fn statement(&mut self, depth: usize) {
        let most = if depth == 0 { 9 } else { 15 };
        match self.draw.below(most) {
            0..=1 => self.assignment(),
            2 => self.global(),
            3 => self.clamp(),
            4 => self.dead_store(),
            5 => self.compound(),
            6 => self.pointer(),
            7 => self.kept_element(),
            8 => self.called(),
            9 if self.draw.one_in(2) => self.early_return(),
            9..=10 => self.choice(depth),
            11 => self.switch(depth),
            12 => self.nested_bounds(),
            13 => self.side_effects(depth),
            _ if self.has_loops && self.loops < 2 => self.bounded_loop(),
            _ => self.choice(depth),
        }
    }

    fn local(&mut self) -> &'static str {
        LOCALS[self.draw.below(LOCALS.len())]
    }

    fn assignment(&mut self) {
        let (local, value) = (self.local(), self.expression(EXPRESSION_DEPTH));
        match self.draw.one_in(3) {
            true => self.line(&format!("{local} = {value};")),
            false => self.line(&format!("{local} = {local} + {value};")),
        }
    }

    fn compound(&mut self) {
        let (local, value) = (self.local(), self.leaf());
        let operator = self.draw.of(&["+=", "-=", "^=", "|=", "&="]);
        self.line(&format!("{local} {operator} {value};"));
    }

    fn global(&mut self) {
        let value = self.expression(1);
        let line = match self.draw.below(5) {
            0 => format!("mode = {value};"),
            4 if self.shape == InputShape::ByPointer => format!("p->right = {value};"),
            1 => format!("total = {value};"),
            2 => format!("total += {value};"),
            _ => {
                let index = self.leaf();
                format!("table[({index}) & 3] = {value};")
            }
        };
        self.line(&line);
    }

    /// A value that is never read, or read only under a condition.
    fn dead_store(&mut self) {
        let (local, first, second) = (self.local(), self.expression(1), self.expression(1));
        self.line(&format!("{local} = {first};"));
        self.line(&format!("{local} = {second};"));
    }

    fn clamp(&mut self) {
        let (local, most) = (self.local(), self.draw.within(3, 60));
        self.line(&format!("if ({local} > {most})"));
        self.depth += 1;
        self.line(&format!("{local} = {most};"));
        self.depth -= 1;
    }

    /// A write through a pointer to one of two variables.
    fn pointer(&mut self) {
        let (condition, value) = (self.condition(0), self.leaf());
        self.line(&format!("*({condition} ? &x : &y) += {value};"));
    }

    /// A local array: some of its elements are never read.
    fn kept_element(&mut self) {
        let (index, value, other) = (self.leaf(), self.expression(1), self.draw.below(4));
        self.line(&format!("kept[({index}) & 3] = {value};"));
        if self.draw.one_in(2) {
            let local = self.local();
            self.line(&format!("{local} ^= kept[{other}];"));
        }
    }

    fn called(&mut self) {
        let (local, value) = (self.local(), self.expression(1));
        self.line(&format!("{local} = step({value});"));
    }

    /// A condition that changes variables, the second one only sometimes.
    fn side_effects(&mut self, depth: usize) {
        let (one, other) = (self.draw.within(0, 30), self.draw.within(0, 30));
        let operator = self.draw.of(&["&&", "||"]);
        let head = format!("if (x++ > {one} {operator} --y < {other})");
        self.block(&head, depth.saturating_sub(1));
        self.line("}");
    }

    /// A condition that the one around it decides.
    fn nested_bounds(&mut self) {
        let (local, low) = (self.local(), self.draw.within(5, 40));
        let (other, value) = (self.local(), self.expression(1));
        self.line(&format!("if ({local} > {low}) {{"));
        self.depth += 1;
        let less = low - self.draw.within(0, 5);
        self.line(&format!("if ({local} > {less})"));
        self.depth += 1;
        self.line(&format!("{other} = {value};"));
        self.depth -= 2;
        self.line("}");
    }

    fn early_return(&mut self) {
        let (condition, value) = (self.condition(1), self.expression(1));
        self.line(&format!("if ({condition})"));
        self.depth += 1;
        self.line(&format!("return {value};"));
        self.depth -= 1;
    }

    fn choice(&mut self, depth: usize) {
        let condition = self.condition(1);
        self.block(&format!("if ({condition})"), depth.saturating_sub(1));
        if self.draw.one_in(2) {
            self.block("} else", depth.saturating_sub(1));
        }
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let on = self.leaf();
        self.line(&format!("switch (({on}) & 3) {{"));
        for case in ["case 0:", "case 2:", "default:"] {
            self.line(case);
            self.depth += 1;
            self.statement(depth.saturating_sub(1).min(1));
            if case == "default:" || !self.draw.one_in(4) {
                self.line("break;");
            }
            self.depth -= 1;
        }
        self.line("}");
    }

    fn bounded_loop(&mut self) {
        self.loops += 1;
        let counter = format!("i{}", self.loops);
        let most = self.draw.within(2, 4);
        let bound = match self.draw.below(3) {
            0 => most.to_string(),
            1 => format!("({} & 3)", self.leaf()),
            _ => format!("{most} && {} < {}", self.local(), self.draw.within(20, 90)),
        };
        self.counters.push(counter.clone());
        let head = format!("for (int {counter} = 0; {counter} < {bound}; {counter}++)");
        self.block(&head, 1);
        if self.draw.one_in(3) {
            let condition = self.condition(0);
            let leave = self.draw.of(&["break;", "continue;"]);
            self.depth += 1;
            self.line(&format!("if ({condition})"));
            self.line(&format!("    {leave}"));
            let (local, value) = (self.local(), self.leaf());
            self.line(&format!("{local} += {value};"));
            self.depth -= 1;
        }
        self.line("}");
        self.counters.pop();
    }

    fn condition(&mut self, depth: usize) -> String {
        let number = self.draw.within(0, 60);
        match self.draw.below(if depth == 0 { 5 } else { 8 }) {
            0..=1 => {
                let relation = self.draw.of(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {relation} {number}", self.expression(1))
            }
            2 => {
                let relation = self.draw.of(&["<", ">", "=="]);
                format!("{} {relation} {}", self.leaf(), self.leaf())
            }
            // Always or never true for many numbers.
            3 => format!("({} & 15) < {}", self.leaf(), self.draw.within(10, 18)),
            4 => format!("!({} & {})", self.leaf(), self.draw.within(1, 9)),
            5..=6 => {
                let (left, right) = (self.condition(0), self.condition(0));
                format!("{left} && {right}")
            }
            _ => {
                let (left, right) = (self.condition(0), self.condition(0));
                format!("{left} || {right}")
            }
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw.one_in(5) {
            return self.leaf();
        }
        let left = self.expression(depth - 1);
        let right = self.expression(depth - 1);
        match self.draw.below(14) {
            0..=2 => format!("({left} + {right})"),
            3..=4 => format!("({left} - {right})"),
            5 => format!("({left} * {})", self.draw.within(2, 5)),
            6..=7 => format!("({left} & {})", self.draw.of(&["1", "7", "15", "60"])),
            8 => format!("({left} | {})", self.draw.within(1, 16)),
            9 => format!("({left} ^ {right})"),
            10 => format!("({left} >> {})", self.draw.within(1, 4)),
            11 => format!("({left} % {})", self.draw.within(2, 9)),
            12 => format!("table[{left} & 3]"),
            _ => format!("({} ? {left} : {right})", self.condition(0)),
        }
    }

    fn leaf(&mut self) -> String {
        let inputs = self.shape.inputs();
        match self.draw.below(10) {
            0..=4 => self.draw.of(inputs).to_owned(),
            5..=6 => self.known_local(),
            7 if !self.counters.is_empty() => {
                self.counters[self.draw.below(self.counters.len())].clone()
            }
            7 => "mode".to_owned(),
            _ => self.draw.within(0, 20).to_string(),
        }
    }

    /// A local variable that is declared already.
    fn known_local(&mut self) -> String {
        let known: Vec<&str> = LOCALS
            .into_iter()
            .filter(|local| self.text.contains(&format!("int {local} =")))
            .collect();
        match known.is_empty() {
            true => self.draw.of(self.shape.inputs()).to_owned(),
            false => self.draw.of(&known).to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_the_same_program_and_half_of_them_have_loops() {
        for number in 0..40 {
            let one = program(number);
            assert_eq!(one.text, program(number).text);
            assert_eq!(one.has_loops, one.text.contains("for ("));
            assert_ne!(one.text, program(number + 2).text);
        }
    }
}
