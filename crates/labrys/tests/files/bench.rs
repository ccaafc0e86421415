//! The programs that are measured: they must give the right answer before their speed counts. The
//! concrete ones have no inputs, the others all their paths; memory is too small for the
//! snapshots of some, which must lose nothing.

use crate::common::generate;
use crate::expect;
use std::path::Path;

pub fn check(file: &Path) -> Result<Vec<String>, String> {
    let expectations = expect::read(file);
    let paths = expect::number(&expectations, "paths");
    let mut arguments = vec!["--main", "--time", "120s"];
    if paths.is_some() {
        arguments.extend(["--criterion", "branch,path", "--memory", "1M"]);
    }
    // They run for seconds natively, too: that is what they are for.
    arguments.extend(["--max-steps", "2000000000", "--replay-time", "60s"]);
    let generated = generate(&[file], &arguments)?;
    let mut wrong = Vec::new();
    expect::same(&mut wrong, "paths", generated.distinct_paths(), paths);
    if expectations.iter().any(|words| words[0] == "result") {
        expect::result(&mut wrong, &generated, &expectations);
    }
    if paths.is_some() {
        expect::complete(&mut wrong, &generated);
    } else {
        expect::empty(&mut wrong, &generated, "divergences");
    }
    Ok(wrong)
}
