//! Loops in the text form of the IR: what is proved, what is not, and the invariants of definition 3.1.

use super::Frontier;
use super::graph::NodeState;
use crate::bitset::BitSet;
use crate::config::{Config, WorkAmount};
use crate::objectives::ObjectiveMap;
use crate::program::Program;
use labrys_ledger::{Criterion, Objective, Trigger};

const MOST: WorkAmount = WorkAmount {
    instructions: 1_000_000,
    queries: 2_000,
};

/// `for (i = 0; i < n; i += STEP) cond(i < LOW)` with an input `n`.
fn counting(step: i32, low: i32) -> String {
    format!(
        r#"
text "" text "t.c"
global @x size 2 align 1 element 1 const init x"7800"
function @labrys_int(r0) -> 32 {{ regs 64 }}
function @labrys_cond(r0, r1, r2) -> 32 {{ regs 32 32 32 }}
function @main() -> 32 {{
  regs 64 32 32 32 1 32 32 1 32 32
  const r0 = @x
  const r2 = 0
  const r3 = {}
  const r9 = {}
  edge e0 -> b1 [r1 = r2]
  edge e1 -> b2 []
  edge e2 -> b3 []
  edge e3 -> b1 []
b0:
  call @labrys_int(r0) -> (r8)
  jump e0
b1:
  r4 = cmp.slt.32 r1, r8
  branch r4, e1, e2
b2:
  r7 = cmp.slt.32 r1, r9
  r5 = cast.zext.1.32 r7
  call @labrys_cond(r2, r2, r5) -> (r6)
  r1 = add.32 r1, r3
  jump e3
b3:
  return (r1)
}}"#,
        step as u32, low as u32
    )
}

/// Looks backward from `i < low` being true, with a check of the invariants.
fn is_excluded(text: &str) -> bool {
    let module = labrys_ir::parse(text).unwrap();
    let program = Program::new(&module);
    let objective = Objective {
        id: "branch:1".into(),
        criterion: Criterion::Branch,
        function: "main".into(),
        file: "t.c".into(),
        line: 1,
        column: 1,
        text: String::new(),
        trigger: Trigger::Condition {
            decision: 0,
            index: 0,
            value: true,
        },
    };
    let objectives = ObjectiveMap::new(&[objective], &[], |_, _| true);
    let config = Config::default();
    let entry = module.function("main").unwrap();
    let frontier = Frontier::new(&program, entry, &objectives, &config).unwrap();
    let mut frontier = frontier.unwrap();
    frontier.search(&BitSet::default(), MOST, &config);
    frontier.check_invariants();
    frontier.excluded().contains_key(&0)
}

impl Frontier<'_> {
    /// The invariants of definition 3.1 that can be broken here. Inv1 holds by construction: a state that was
    /// seen can be.
    fn check_invariants(&mut self) {
        let targets = self.targets.values().flat_map(|target| &target.nodes);
        let mut open: Vec<_> = targets.copied().collect();
        let mut leading = std::collections::BTreeSet::new();
        while let Some(id) = open.pop() {
            if leading.insert(id) {
                open.extend(self.graph.get(id).links.iter().filter_map(|link| link.from));
            }
        }
        assert_eq!(
            leading.len(),
            self.graph.len(),
            "Inv4: all nodes lead to a target"
        );
        for id in leading {
            let node = self.graph.get(id);
            let (state, conjuncts) = (node.state, node.predicate.conjuncts.clone());
            let mut ways: Vec<_> = node.links.iter().map(|link| link.predecessor).collect();
            ways.dedup();
            assert_eq!(ways.len(), node.links.len(), "Inv5: one link for each way");
            if state != NodeState::Reached {
                assert!(self.can_hold(&conjuncts, &[]), "Inv2: predicates can hold");
                let is_seen = state == NodeState::Expanded && self.is_seen(id);
                assert!(!is_seen, "Inv3: no state reaches it");
            }
        }
    }
}

#[test]
fn a_counter_that_only_grows_is_never_negative() {
    assert!(is_excluded(&counting(1, 0)));
}

#[test]
fn one_more_is_reached_at_once() {
    assert!(!is_excluded(&counting(1, 1)));
}

#[test]
fn a_counter_that_shrinks_may_be_negative() {
    assert!(!is_excluded(&counting(-1, 0)));
}

#[test]
fn a_large_step_wraps_around() {
    assert!(!is_excluded(&counting(1 << 30, 0)));
}
