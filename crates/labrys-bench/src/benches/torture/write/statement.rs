//! Random statements of C: assignments, decisions, loops that end, switches that fall through,
//! jumps out.

use super::super::marked;
use super::expression::Scope;
use std::fmt::Write;

/// Which statements a function has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flavour {
    pub loops: bool,
    pub switches: bool,
    pub jumps: bool,
    /// Loops of hundreds of turns, which no search goes through on all paths.
    pub long: bool,
}

/// The body of a function between its declarations and its end.
pub struct FunctionBody {
    pub text: String,
    /// Declarations of loop counters.
    pub counters: String,
}

/// Writes a body of about so many statements.
pub fn body(scope: &mut Scope, flavour: Flavour, statements: usize) -> FunctionBody {
    let mut writer = BodyWriter {
        scope,
        flavour,
        text: String::new(),
        counters: String::new(),
        loops: 0,
        inside: 0,
    };
    for _ in 0..statements {
        writer.statement(2);
    }
    FunctionBody {
        text: writer.text,
        counters: writer.counters,
    }
}

struct BodyWriter<'a> {
    scope: &'a mut Scope,
    flavour: Flavour,
    text: String,
    counters: String,
    loops: usize,
    /// How many loops are open here.
    inside: usize,
}

impl BodyWriter<'_> {
    fn line(&mut self, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..self.scope.draw.within(1, 2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let own = !self.scope.statements.is_empty();
        match self.scope.draw.below(10) {
            0 | 1 if own => self.own(),
            2..=5 if depth > 0 => self.decision(depth),
            6 if depth > 0 && self.flavour.loops && self.inside < self.nesting() => {
                self.looped(depth);
            }
            7 if depth > 0 && self.flavour.switches => self.switch(depth),
            8 if self.flavour.jumps && depth < 2 => self.jump(),
            _ => self.assignment(),
        }
    }

    fn own(&mut self) {
        let which = self.scope.draw.below(self.scope.statements.len());
        let text = self.scope.statements[which].clone();
        self.line(&text);
    }

    fn assignment(&mut self) {
        if self.scope.places.is_empty() {
            return;
        }
        let place = self.scope.places[self.scope.draw.below(self.scope.places.len())].clone();
        let value = self.scope.value(2);
        let operator = self.scope.draw.of(&["=", "=", "=", "+=", "^=", "-="]);
        self.line(&format!("{place} {operator} {value};"));
    }

    fn decision(&mut self, depth: usize) {
        let decision = self.scope.decision();
        self.line(&format!("if ({decision}) {{"));
        self.block(depth - 1);
        if self.scope.draw.one_in(2) {
            self.line("} else {");
            self.block(depth - 1);
        }
        self.line("}");
    }

    /// Loops in loops; long ones would take too long natively.
    fn nesting(&self) -> usize {
        if self.flavour.long { 1 } else { 2 }
    }

    /// A loop of at most seven turns, or of 200 if loops are long, whatever its body does to the rest
    /// of its condition.
    fn looped(&mut self, depth: usize) {
        self.loops += 1;
        let counter = format!("i{}", self.loops);
        let _ = write!(self.counters, "int {counter} = 0; ");
        let limit = match self.scope.draw.one_in(2) {
            true if self.flavour.long => self.scope.draw.within(40, 190).to_string(),
            true => self.scope.draw.within(1, 5).to_string(),
            false if self.flavour.long => format!("(50 + ({} & 127))", self.scope.atom()),
            false => format!(
                "({} & {})",
                self.scope.atom(),
                self.scope.draw.of(&["3", "7"])
            ),
        };
        let id = self.scope.mark();
        let mut condition = marked::condition(id, &format!("{counter} < {limit}"));
        // The limit may change in the body; so many turns are enough in any case.
        let id = self.scope.mark();
        let most = if self.flavour.long { 200 } else { 7 };
        let enough = format!("{counter} < {most}");
        condition += &format!(" && {}", marked::condition(id, &enough));
        if self.scope.draw.one_in(2) {
            condition += &format!(" && {}", self.scope.leaf(1));
        }
        self.line(&format!("for ({counter} = 0; {condition}; {counter}++) {{"));
        self.scope.atoms.push(counter);
        self.inside += 1;
        self.block(depth - 1);
        self.inside -= 1;
        self.line("}");
    }

    fn switch(&mut self, depth: usize) {
        let id = self.scope.mark();
        let operand = format!("(int)({})", self.scope.value(1));
        let mut numbers: Vec<i32> = (0..self.scope.draw.within(2, 4))
            .map(|_| self.scope.number())
            .collect();
        numbers.sort_unstable();
        numbers.dedup();
        self.line(&format!("switch ({}) {{", marked::operand(id, &operand)));
        // The native form looks up by itself which label the switch takes.
        let mut lookup = String::new();
        for number in &numbers {
            let case = self.scope.mark();
            self.line(&marked::label(case, &format!("case {number}:")));
            let _ = write!(lookup, "case {number}: torture_see({case}, 1); return v; ");
            self.block(depth - 1);
            if !self.scope.draw.one_in(4) {
                self.line("break;");
            }
        }
        let mut other = id;
        if self.scope.draw.one_in(2) {
            other = self.scope.mark();
            self.line(&marked::label(other, "default:"));
            self.block(depth - 1);
        }
        self.line("}");
        let _ = write!(
            self.scope.native,
            "static inline int torture_switch_{id}(int v) {{ switch (v) {{ {lookup}default: \
             torture_see({other}, 1); return v; }} }} "
        );
    }

    fn jump(&mut self) {
        let text = match (self.inside > 0, self.scope.draw.below(3)) {
            (true, 0) => "continue;".to_owned(),
            (true, 1) => "break;".to_owned(),
            (_, 2) => "goto out;".to_owned(),
            _ => format!("return {};", self.scope.value(1)),
        };
        self.line(&text);
    }
}
