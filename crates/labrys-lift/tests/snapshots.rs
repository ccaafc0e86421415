//! Small C files and the exact form that they are lifted to. `LABRYS_BLESS=1` writes the lifted
//! forms anew; look at the difference before you commit it.
#![allow(clippy::unwrap_used)]

mod common;

use labrys_lift::{LiftOptions, lift};
use std::path::Path;

#[test]
fn snapshots() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let work = tempfile::tempdir().unwrap();
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "c"))
        .collect();
    files.sort();
    assert!(files.len() >= 8, "the files are missing");
    for path in files {
        let bitcode = work.path().join("unit.bc");
        common::compile(&path, &bitcode, &[]);
        let module = lift(&[bitcode], &LiftOptions::default()).unwrap();
        // File names depend on where the tests run, so they are cut and locations are left out.
        let mut module = module;
        for function in &mut module.functions {
            function.loc = labrys_ir::SourceLoc::default();
            function.locs.fill(labrys_ir::SourceLoc::default());
        }
        for text in &mut module.texts {
            if let Some((_, name)) = text.rsplit_once('/') {
                *text = name.to_owned();
            }
        }
        let text = module.to_string();
        let expected = path.with_extension("lir");
        if std::env::var_os("LABRYS_BLESS").is_some() {
            std::fs::write(&expected, &text).unwrap();
        }
        let known = std::fs::read_to_string(&expected).unwrap_or_default();
        assert!(
            known == text,
            "{} has changed; expected:\n{known}\nfound:\n{text}",
            path.display()
        );
    }
}
