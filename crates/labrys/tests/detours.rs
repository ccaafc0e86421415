//! Detours run paths that waiting candidates lead to as well: a proof that speaks of all paths counts each
//! of them once.

#![allow(clippy::unwrap_used)]

mod common;

use common::{labrys, run};
use serde_json::Value;

/// What was chosen first matters only for one of the counts, and the last return is never reached.
const VOTES: &str = "
#include <labrys.h>
int main(void) {
  int room = labrys_int(\"room\");
  int yes = 0;
  if (room > 10)
    yes = 100;
  for (int i = 0; i < 9; i++)
    if (labrys_int(\"vote\") > 0)
      yes++;
  if (yes % 100 == 9) {
    if (room > 20)
      return 1;
    if (room < -20)
      return 2;
  }
  if (yes > 109)
    return 3;
  return 0;
}
";

/// The number of paths that a proof by exhaustion speaks of, and the statistics of the run.
fn paths_of_proof(search: &str) -> (u64, String) {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("votes.c"), VOTES).unwrap();
    let mut command = labrys(dir.path());
    command.args(["gen", "votes.c", "--main", "--search", search, "--stats"]);
    command.args(["--proof-rules", "exhausted", "--out", "out"]);
    let ended = run(&mut command);
    let text = std::fs::read_to_string(dir.path().join("out/objectives.json")).unwrap();
    let record: Value = serde_json::from_str(&text).unwrap();
    let mut objectives = record["objectives"].as_array().unwrap().iter();
    let proved = objectives.find(|o| o["status"] == "infeasible").unwrap();
    assert_eq!(proved["proof"]["kind"], "exhausted");
    (proved["proof"]["paths"].as_u64().unwrap(), ended.stderr)
}

#[test]
fn paths_of_detours_are_not_counted_twice() {
    let (paths, _) = paths_of_proof("dfs");
    let (with_detours, stats) = paths_of_proof("mix");
    assert!(stats.contains("paths among them from detours"), "{stats}");
    assert_eq!(with_detours, paths);
}
