//! Answers of the tools that Labrys calls.

use crate::{Reader, texts};
use labrys_expr::float_text;
use std::ffi::CString;

pub(crate) const READERS: &[Reader] = &[
    Reader {
        name: "gcov",
        seeds: || texts(&[include_str!("seeds/gcov.json")]),
        read: labrys_suite::readers::gcov,
    },
    Reader {
        name: "llvm-cov",
        seeds: || texts(&[include_str!("seeds/llvm-cov.json")]),
        read: labrys_suite::readers::llvm_cov,
    },
    Reader {
        name: "syntax tree",
        seeds: || texts(&[include_str!("seeds/syntax-tree.json")]),
        read: labrys_front::readers::syntax_tree,
    },
    Reader {
        name: "solver answer",
        seeds: || texts(&["((v1 #x0f))", "((v1 #b101))"]),
        read: |bytes| labrys_solver::external_value(&String::from_utf8_lossy(bytes)).is_some(),
    },
    Reader {
        name: "float text",
        seeds: || texts(&["-0x1.8p3", "1e-400", "nan(12)", "infinity", "%-+8.3Lf"]),
        read: float,
    },
];

/// A number as the program under test writes it, or a conversion of `printf`.
fn float(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let _ = float_text::is_conversion(&text, "L");
    let Ok(number) = CString::new(bytes) else {
        return false;
    };
    for format in [32, 64, 80] {
        let _ = float_text::parse(format, &number);
    }
    true
}
