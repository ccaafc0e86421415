//! A package of one small program, for the short form of the benchmarks that need packages: built
//! by `labrys cc`, and by `cc` for gcov, in the directories that the real ones have.

use super::clock::run_child;
use super::corpus::compiler;
use super::corpus::sample::Chosen;
use super::lab::Lab;
use labrys_driver::{Failure, Outcome};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const NAME: &str = "miniature";

const TEXT: &str = include_str!("programs/miniature.c");

/// The function of the sample.
pub fn function() -> Chosen {
    Chosen {
        package: NAME.to_owned(),
        source: "src/miniature.c".to_owned(),
        function: "classify".to_owned(),
        complexity: 8,
    }
}

/// Builds the package in both ways; the directory of the corpus.
pub fn build(lab: &Lab) -> Outcome<PathBuf> {
    let corpus = lab.path().join("corpus");
    let cc = compiler()?;
    let cc: Vec<&str> = cc.split(' ').collect();
    for (package, cc) in [
        (NAME.to_owned(), &cc[..]),
        (format!("{NAME}-coverage"), &["cc", "--coverage"][..]),
    ] {
        let tree = corpus.join("src").join(package);
        std::fs::create_dir_all(tree.join("src")).map_err(Failure::usage)?;
        std::fs::write(tree.join("src/miniature.c"), TEXT).map_err(Failure::usage)?;
        compile(
            cc,
            &["-c", "src/miniature.c", "-o", "src/miniature.o"],
            &tree,
        )?;
        compile(cc, &["src/miniature.o", "-o", "src/miniature"], &tree)?;
    }
    Ok(corpus)
}

fn compile(cc: &[&str], arguments: &[&str], tree: &Path) -> Outcome<()> {
    let mut command = Command::new(cc[0]);
    command.args(&cc[1..]).args(arguments).current_dir(tree);
    run_child(&mut command).map(|_| ())
}
