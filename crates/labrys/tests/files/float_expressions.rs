//! Random conditions on floats, made by a fixed rule: the engine's runs of them take the way that
//! the compiled program takes, and its solver finds both sides of most. `gen` compares the two.

use crate::common::generate;
use crate::expect;
use crate::trial;
use libtest_mimic::Trial;
use std::fmt::Write;

const PROGRAMS: u64 = 8;
const CONDITIONS: u64 = 40;

pub fn trials() -> Vec<Trial> {
    (0..PROGRAMS)
        .map(|seed| trial(format!("floats/random_{seed}"), move || check(seed)))
        .collect()
}

fn check(seed: u64) -> Result<Vec<String>, String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let file = dir.path().join("conditions.c");
    std::fs::write(&file, program(seed)).map_err(|e| e.to_string())?;
    let arguments = ["--main", "--paths", "100", "--time", "100s"];
    let generated = generate(&[&file], &arguments)?;
    let mut wrong = Vec::new();
    expect::empty(&mut wrong, &generated, "divergences");
    expect::empty(&mut wrong, &generated, "errors");
    let (covered, all) = (
        generated.total("branch", "covered"),
        generated.total("branch", "objectives"),
    );
    // A condition of constants alone has no sides.
    if all < CONDITIONS || covered * 4 < all * 3 {
        wrong.push(format!("{covered} of {all} sides were found"));
    }
    Ok(wrong)
}

/// Each condition has inputs of its own, so that they do not depend on each other.
fn program(seed: u64) -> String {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut text = String::from("#include \"labrys.h\"\n#include <math.h>\nint main(void) {\n");
    text.push_str("  unsigned long taken = 0;\n");
    for i in 0..CONDITIONS {
        let _ = writeln!(text, "  float x{i} = labrys_float(\"x{i}\");");
        let _ = writeln!(text, "  double y{i} = labrys_double(\"y{i}\");");
        let _ = writeln!(text, "  int n{i} = labrys_int(\"n{i}\");");
        let compare = random.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let not = random.pick(&["", "!"]);
        let (a, b) = (random.expression(i, 2), random.expression(i, 1));
        let _ = writeln!(text, "  if ({not}({a} {compare} {b})) taken |= 1ul << {i};");
    }
    text.push_str("  labrys_output(\"taken\", &taken, sizeof taken);\n  return 0;\n}\n");
    text
}

/// A linear congruential generator.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn pick(&mut self, texts: &[&'static str]) -> &'static str {
        texts[self.below(texts.len() as u64) as usize]
    }

    fn expression(&mut self, i: u64, depth: u64) -> String {
        if depth == 0 {
            return match self.below(6) {
                0 | 1 => format!("x{i}"),
                2 => format!("y{i}"),
                3 => format!("n{i}"),
                _ => self
                    .pick(&[
                        "0.0f",
                        "-0.0",
                        "1.5f",
                        "-2.0f",
                        "0.1",
                        "1e30f",
                        "16777216.0f",
                        "3",
                        "-7",
                        "(double)INFINITY",
                        "1e-40f",
                        "NAN",
                    ])
                    .to_owned(),
            };
        }
        let inner = self.expression(i, depth - 1);
        // Compilers convert constants that are out of range each in their own way.
        let varies = ["x", "y", "n"]
            .iter()
            .any(|v| inner.contains(&format!("{v}{i}")));
        match self.below(12) {
            0 => format!("({inner} + {})", self.expression(i, 0)),
            1 => format!("({inner} - {})", self.expression(i, 0)),
            2 => format!(
                "({inner} * {})",
                self.pick(&["2.0f", "-0.5f", "3.0f", "0.1f"])
            ),
            3 => format!(
                "({inner} / {})",
                self.pick(&["2.0f", "-4.0f", "0.0f", "10.0f"])
            ),
            4 => format!("(float)({inner})"),
            5 => format!("(double)({inner})"),
            6 if varies => format!("(int)({inner})"),
            7 if varies => format!("(long)({inner})"),
            8 => format!("-({inner})"),
            9 => format!("fabs({inner})"),
            10 => format!("floor({inner})"),
            _ => format!("copysign(1.0, {inner})"),
        }
    }
}
