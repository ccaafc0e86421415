//! Every file of `tests/files/lir` is read, verified, printed and read again. A first line
//! `; error: TEXT` says that reading or verifying must fail with a message that holds the text.
#![allow(clippy::unwrap_used)]

use labrys_ir::{parse, verify};
use std::path::Path;

#[test]
fn text_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/files/lir");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "lir"))
        .collect();
    files.sort();
    assert!(files.len() >= 10, "the files are missing");
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text
            .lines()
            .next()
            .and_then(|line| line.strip_prefix("; error: "));
        let outcome =
            parse(&text)
                .map_err(|error| error.to_string())
                .and_then(|module| match verify(&module) {
                    Ok(()) => Ok(module),
                    Err(error) => Err(error.to_string()),
                });
        match (expected, outcome) {
            (None, Ok(module)) => {
                assert_eq!(parse(&module.to_string()), Ok(module), "{}", path.display());
            }
            (None, Err(error)) => panic!("{}: {error}", path.display()),
            (Some(expected), Err(error)) => {
                assert!(error.contains(expected), "{}: {error}", path.display());
            }
            (Some(expected), Ok(_)) => panic!("{}: no error '{expected}'", path.display()),
        }
    }
}
