//! Random expressions and conditions of C over what is in scope. Their values are defined whatever
//! the operands are (arithmetic wraps: natively by `-fwrapv`), except for a division that may
//! divide by zero now and then, which ends a run natively and in Labrys alike.

use super::super::marked;
use crate::draw::Draw;

/// Numbers that programs like to compare with.
const NUMBERS: [i32; 24] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 15, 16, 31, 42, 64, 100, 127, 128, 200, 255, -1, -2, -5, -128,
];

/// What the code of one function may use, and what it has used.
pub struct Scope {
    pub draw: Draw,
    /// Expressions that can be read.
    pub atoms: Vec<String>,
    /// Places that can be written.
    pub places: Vec<String>,
    /// Statements of the kind, such as a call of a stub; each may stand several times.
    pub statements: Vec<String>,
    /// The next number of a mark.
    pub next: usize,
    /// Helper functions that only the native form has: one for each switch.
    pub native: String,
    /// Numbers that conditions compare with: interesting inputs.
    pub numbers: Vec<i32>,
    /// Left sides of comparisons so far; comparing them again gives conditions that exclude each
    /// other.
    compared: Vec<String>,
}

impl Scope {
    pub fn new(draw: Draw, next: usize) -> Scope {
        Scope {
            draw,
            atoms: Vec::new(),
            places: Vec::new(),
            statements: Vec::new(),
            next,
            native: String::new(),
            numbers: Vec::new(),
            compared: Vec::new(),
        }
    }

    /// Another function begins: what was compared in the last one is not in scope.
    pub fn forget(&mut self) {
        self.compared.clear();
        self.atoms.clear();
        self.places.clear();
    }

    pub fn mark(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub fn number(&mut self) -> i32 {
        let number = match self.draw.one_in(4) && !self.numbers.is_empty() {
            true => {
                let near = self.numbers[self.draw.below(self.numbers.len())];
                near.saturating_add(self.draw.below(3) as i32 - 1)
            }
            false => NUMBERS[self.draw.below(NUMBERS.len())],
        };
        self.numbers.push(number);
        number
    }

    pub fn atom(&mut self) -> String {
        match self.atoms.is_empty() {
            true => self.number().to_string(),
            false => self.atoms[self.draw.below(self.atoms.len())].clone(),
        }
    }

    /// A value of at most this depth.
    pub fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.draw.one_in(3) {
            return match self.draw.one_in(4) {
                true => format!("({})", self.number()),
                false => self.atom(),
            };
        }
        let left = self.value(depth - 1);
        match self.draw.below(16) {
            0 | 1 => format!("({left} + {})", self.value(depth - 1)),
            2 | 3 => format!("({left} - {})", self.value(depth - 1)),
            4 => format!("({left} * {})", self.value(depth - 1)),
            5 | 6 => format!("({left} & {})", self.value(depth - 1)),
            7 => format!("({left} | {})", self.value(depth - 1)),
            8 => format!("({left} ^ {})", self.value(depth - 1)),
            9 => format!("(~{left})"),
            10 => format!("({left} >> {})", self.draw.below(6)),
            11 => format!("(({left} & 15) << {})", self.draw.below(6)),
            12 => match self.draw.one_in(6) {
                true => format!("({left} / {})", self.value(depth - 1)),
                false => format!("({left} / ({} | 1))", self.value(depth - 1)),
            },
            13 => format!("({left} % (({} & 7) + 1))", self.value(depth - 1)),
            14 => {
                let of = ["(signed char)", "(unsigned char)", "(short)", "(unsigned)"];
                let cast = self.draw.of(&of);
                format!("({cast}({left}))")
            }
            _ => {
                let condition = self.leaf(0);
                let right = self.value(depth - 1);
                format!("({condition} ? {left} : {right})")
            }
        }
    }

    /// One condition, marked.
    pub fn leaf(&mut self, depth: usize) -> String {
        let id = self.mark();
        let old = !self.compared.is_empty() && self.draw.one_in(2);
        let left = match old {
            true => self.compared[self.draw.below(self.compared.len())].clone(),
            false => self.value(depth),
        };
        if !marked::is_marked(&left) {
            self.compared.push(left.clone());
        }
        let text = match self.draw.below(12) {
            0 => format!("!({left})"),
            // Bare, but not a `?:`: as a condition that would begin where its own condition does.
            1 if !marked::is_marked(&left) => format!("({left})"),
            2 => format!("({left} & {}) == {}", self.draw.within(1, 15), {
                let number = self.number();
                number & 31
            }),
            3 => {
                let right = self.value(depth);
                format!("{left} {} {right}", self.comparison())
            }
            _ => {
                let comparison = self.comparison();
                format!("{left} {comparison} {}", self.number())
            }
        };
        marked::condition(id, &text)
    }

    fn comparison(&mut self) -> &'static str {
        self.draw.of(&["<", "<=", ">", ">=", "==", "=="])
    }

    /// A decision of one to three conditions.
    pub fn decision(&mut self) -> String {
        let first = self.leaf(2);
        match self.draw.below(8) {
            0 | 1 => format!("{first} && {}", self.leaf(1)),
            2 => format!("{first} || {}", self.leaf(1)),
            3 => {
                let second = self.leaf(1);
                format!("({first} && {second}) || {}", self.leaf(1))
            }
            4 => format!("!({first} || {})", self.leaf(1)),
            _ => first,
        }
    }
}
