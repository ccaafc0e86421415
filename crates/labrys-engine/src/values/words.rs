//! The words of a program: its string literals that a reader would type in.

use crate::program::Program;
use labrys_ir::{Const, Global, SymbolRef};

/// Words that are kept, and the length of the longest.
const MOST: usize = 64;
const LONGEST: usize = 32;

/// Part of the file name of every model of the library.
const MODEL_FILES: &str = "labrys-runtime";

/// The words that functions of the program mention, each once, in the order of the functions.
pub(crate) fn words(program: &Program<'_>) -> Vec<Vec<u8>> {
    let module = program.module;
    let mut words: Vec<Vec<u8>> = Vec::new();
    for function in &module.functions {
        let own = !function.name.starts_with("labrys_");
        if !own || module.file(function.loc).contains(MODEL_FILES) {
            continue;
        }
        for (_, constant) in &function.constants {
            if let Const::Symbol(SymbolRef::Global { global, addend: 0 }) = constant
                && let Some(word) = word(&module.globals[global.index()])
                && !words.iter().any(|known| known == word)
            {
                words.push(word.to_vec());
                if words.len() == MOST {
                    return words;
                }
            }
        }
    }
    words
}

/// The word that a constant holds.
fn word(global: &Global) -> Option<&[u8]> {
    let (end, text) = global.init.split_last()?;
    let typed = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.+:/=".contains(byte);
    let fits = global.constant
        && *end == 0
        && (1..=LONGEST).contains(&text.len())
        && text.iter().all(typed)
        && text.iter().any(u8::is_ascii_alphanumeric);
    fits.then_some(text)
}
