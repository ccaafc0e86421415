//! What annotated text begins with: the declarations of `runtime/labrys.h`, written out and not
//! included, so that no header comes between the user's own declarations.

use crate::evaluation_order;
use std::sync::OnceLock;

const HEADER: &str = include_str!("../../../runtime/labrys.h");

/// The part of the header that annotated text needs is between these comments.
const FIRST: &str = "/* ---- Inputs:";
const END: &str = "/* ---- Labels of the source,";

/// The text was preprocessed for clang, for which the C library defines types that are keywords of
/// GCC: there they get other names.
pub(crate) const FOR_GCC: &str = "\
#ifndef __clang__
#define _Float32 labrys_float32
#define _Float64 labrys_float64
#define _Float128 labrys_float128
#define _Float32x labrys_float32x
#define _Float64x labrys_float64x
#endif
";

/// The head of an annotated unit.
pub fn runtime_declarations() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        let part = HEADER.split_once(FIRST).map_or(HEADER, |(_, rest)| rest);
        let part = part.split_once(END).map_or(part, |(before, _)| before);
        let code = without_comments(&format!("{FIRST}{part}"));
        // `size_t` needs a header.
        let code = code.replace("size_t", "unsigned long");
        let lines = code.lines().filter(|line| !line.trim().is_empty());
        let mut text: String = lines.map(|line| format!("{line}\n")).collect();
        text.push_str(FOR_GCC);
        text.push_str(&evaluation_order::definition());
        text
    })
}

fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_declarations_are_those_of_the_header() {
        let text = runtime_declarations();
        for needed in [
            "\nint labrys_cond(unsigned decision, unsigned index, int value);\n",
            "void labrys_symbolic(void *ptr, unsigned long size, const char *name);\n",
            "unsigned labrys_mutant(unsigned point);\n",
            "#define LABRYS_HALF_SAFE(id, ...) LABRYS_LABEL_SAFE(id, __VA_ARGS__)\n",
        ] {
            assert!(text.contains(needed), "{needed} is missing in:\n{text}");
        }
        for other in ["pc_label", "#include", "size_t", "extern \"C\""] {
            assert!(!text.contains(other), "{other} is in:\n{text}");
        }
    }
}
