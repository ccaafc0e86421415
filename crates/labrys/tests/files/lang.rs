//! Programs for the language: what they compute is what gcc and clang compute. The predicted output
//! is compared with the native one by `gen` itself, the native one here with the oracle's.

use crate::common::generate;
use crate::expect;
use std::path::Path;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    expect::forms(&expectations, &["result *"], &[])?;
    let generated = generate(&[file], &["--main", "--criterion", "branch,path"])?;
    let mut wrong = Vec::new();
    expect::complete(&mut wrong, &generated);
    expect::empty(&mut wrong, &generated, "errors");
    expect::result(&mut wrong, &generated, "result", &expectations);
    Ok(wrong)
}
