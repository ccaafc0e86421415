//! Control flow, dominators, loops, calls and distances on a small program.
#![allow(clippy::unwrap_used)]

use labrys_ir::{
    BlockId, CallGraph, Cfg, CodePosition, Distances, Dominators, FuncId, Inst, Module, back_edges,
    loops, parse, verify,
};

/// `main` loops over b1..b4 and calls `helper` in b3; b6 is unreachable.
const PROGRAM: &str = r#"
text ""
global @table size 8 align 8 element 8 init x"0000000000000000"
  reloc 0 = @taken
function @main(r0) -> 32 {
  regs 32 32 1 32 64 64
  const r1 = 0
  edge e0 -> b1 [r3 = r1]
  edge e1 -> b2
  edge e2 -> b5
  edge e3 -> b3
  edge e4 -> b4
  edge e5 -> b4
  edge e6 -> b1 [r3 = r0]
b0:
  jump e0
b1:
  r2 = cmp.slt.32 r3, r0
  branch r2, e1, e2
b2:
  branch r2, e3, e4
b3:
  call @helper(r3) -> (r1)
  jump e5
b4:
  jump e6
b5:
  return (r3)
b6:
  call_pointer r4 (r0) -> (r1)
  unreachable
}
function @helper(r0) -> 32 {
  regs 32 1
  edge e0 -> b1
  edge e1 -> b2
b0:
  r1 = cmp.eq.32 r0, r0
  branch r1, e0, e1
b1:
  call @deep()
  return (r0)
b2:
  return (r0)
}
function @deep() {
b0:
  return ()
}
function @taken(r0) -> 32 {
  regs 32
b0:
  return (r0)
}
function @other(r0, r1) {
  regs 32 32
}
"#;

fn program() -> Module {
    let module = parse(PROGRAM).unwrap();
    verify(&module).unwrap();
    module
}

fn blocks(numbers: &[u32]) -> Vec<BlockId> {
    numbers.iter().map(|n| BlockId(*n)).collect()
}

#[test]
fn control_flow() {
    let module = program();
    let cfg = Cfg::of(&module.functions[0]);
    assert_eq!(cfg.successors[1], blocks(&[2, 5]));
    assert_eq!(cfg.predecessors[4], blocks(&[2, 3]));
    assert_eq!(cfg.order, blocks(&[0, 1, 2, 3, 4, 5]));
    assert!(!cfg.is_reachable(BlockId(6)));
}

#[test]
fn dominators_and_loops() {
    let module = program();
    let cfg = Cfg::of(&module.functions[0]);
    let dominators = Dominators::of(&cfg);
    assert_eq!(dominators.immediate(BlockId(0)), None);
    assert_eq!(dominators.immediate(BlockId(4)), Some(BlockId(2)));
    assert_eq!(dominators.immediate(BlockId(5)), Some(BlockId(1)));
    assert!(dominators.dominates(BlockId(1), BlockId(3)));
    assert!(!dominators.dominates(BlockId(3), BlockId(4)));
    assert!(!dominators.dominates(BlockId(0), BlockId(6)));
    assert_eq!(
        back_edges(&cfg, &dominators),
        vec![(BlockId(4), BlockId(1))]
    );
    let found = loops(&cfg, &dominators);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].head, BlockId(1));
    assert_eq!(found[0].body, blocks(&[1, 2, 3, 4]));
}

#[test]
fn calls() {
    let module = program();
    let graph = CallGraph::of(&module);
    // The call through a pointer may reach `taken`, which is as wide, but not `other`.
    assert_eq!(graph.address_taken, vec![FuncId(3)]);
    assert_eq!(graph.callees[0], vec![FuncId(1), FuncId(3)]);
    assert_eq!(graph.callers[2], vec![FuncId(1)]);
    assert_eq!(graph.reachable(&[FuncId(1)]), vec![FuncId(1), FuncId(2)]);
}

#[test]
fn distances() {
    let module = program();
    let graph = CallGraph::of(&module);
    let target = module.functions[1]
        .code
        .iter()
        .position(|inst| matches!(inst, Inst::Call { .. }))
        .unwrap() as u32;
    let place = |function: u32, place: u32| CodePosition {
        function: FuncId(function),
        place,
    };
    let distances = Distances::to(&module, &graph, &[place(1, target)]);
    assert_eq!(distances.from_place(place(1, target)), Some(0));
    // cmp, branch, call.
    assert_eq!(distances.from_place(place(1, 0)), Some(2));
    // jump, cmp, branch, branch, call into helper, then two more.
    assert_eq!(distances.from_place(place(0, 0)), Some(7));
    // Behind the return there is no way; but the frame below can come back.
    let last = module.functions[1].code.len() as u32 - 1;
    assert_eq!(distances.from_place(place(1, last)), None);
    let call = module.functions[0]
        .code
        .iter()
        .position(|inst| matches!(inst, Inst::Call { .. }))
        .unwrap() as u32;
    // return, jump, jump, cmp, branch, branch, call, cmp, branch.
    let stack = [place(0, call + 1), place(1, last)];
    assert_eq!(distances.from_stack(&stack), Some(9));
    // `deep` cannot come back to the target on its own.
    assert_eq!(distances.from_place(place(2, 0)), None);
}
