//! The inputs of a small function: their types in C, what Labrys must be told about them, and how the
//! native program makes each of them from its number.

/// What the inputs of a function are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputShape {
    TwoBytes,
    OneShort,
    ByValue,
    ByPointer,
    BoundedInts,
}

/// Each of three bounded numbers has so many values, from `LOWEST` on.
const BOUNDED: usize = 40;
const LOWEST: i32 = -15;

impl InputShape {
    pub const ALL: [InputShape; 5] = [
        InputShape::TwoBytes,
        InputShape::OneShort,
        InputShape::ByValue,
        InputShape::ByPointer,
        InputShape::BoundedInts,
    ];

    /// How many inputs there are.
    pub fn count(self) -> usize {
        match self {
            InputShape::BoundedInts => BOUNDED.pow(3),
            _ => 1 << 16,
        }
    }

    pub fn declarations(self) -> &'static str {
        match self {
            InputShape::ByValue | InputShape::ByPointer => {
                "struct pair {\n    unsigned char left;\n    signed char right;\n};\n\n"
            }
            _ => "",
        }
    }

    pub fn parameters(self) -> &'static str {
        match self {
            InputShape::TwoBytes => "unsigned char a, signed char b",
            InputShape::OneShort => "short a",
            InputShape::ByValue => "struct pair p",
            InputShape::ByPointer => "struct pair *p",
            InputShape::BoundedInts => "int a, int b, int c",
        }
    }

    /// Expressions that read the inputs.
    pub fn inputs(self) -> &'static [&'static str] {
        match self {
            InputShape::TwoBytes => &["a", "b"],
            InputShape::OneShort => &["a", "(a >> 6)"],
            InputShape::ByValue => &["p.left", "p.right"],
            InputShape::ByPointer => &["p->left", "p->right"],
            InputShape::BoundedInts => &["a", "b", "c"],
        }
    }

    /// What Labrys is told.
    pub fn flags(self) -> Vec<String> {
        let mut flags: Vec<String> = ["--function", "f", "--calls", "1"]
            .map(str::to_owned)
            .into();
        match self {
            InputShape::ByPointer => {
                let words = ["--array-len", "1", "--assume", "p != 0"];
                flags.extend(words.map(str::to_owned));
            }
            InputShape::BoundedInts => {
                let most = LOWEST + BOUNDED as i32 - 1;
                for name in ["a", "b", "c"] {
                    flags.push("--assume".into());
                    flags.push(format!("{name} >= {LOWEST} && {name} <= {most}"));
                }
            }
            _ => {}
        }
        flags
    }

    /// C that calls the function with the input of number `n`, and fills the record `seen`.
    pub fn call(self) -> String {
        match self {
            InputShape::TwoBytes => "seen->value = f(n & 255, (signed char)(n >> 8));".to_owned(),
            InputShape::OneShort => "seen->value = f((short)n);".to_owned(),
            InputShape::ByValue => "struct pair p = {n & 255, (signed char)(n >> 8)};\n    \
                 seen->value = f(p);"
                .to_owned(),
            InputShape::ByPointer => "static struct pair p;\n    \
                 p = (struct pair){n & 255, (signed char)(n >> 8)};\n    \
                 seen->value = f(&p);\n    \
                 memcpy(seen->behind, &p, sizeof p);"
                .to_owned(),
            InputShape::BoundedInts => {
                let number = |part: usize| {
                    format!(
                        "(int)(n / {} % {BOUNDED}) + {LOWEST}",
                        BOUNDED.pow(part as u32)
                    )
                };
                format!(
                    "seen->value = f({}, {}, {});",
                    number(0),
                    number(1),
                    number(2)
                )
            }
        }
    }
}
