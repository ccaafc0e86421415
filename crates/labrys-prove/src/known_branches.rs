//! The branches that every way to a place takes in one direction: in its function, and in front of the
//! only call of it. They are for whoever reads a proof; no proof rests on them.

use crate::call_effects::CallEffect;
use crate::definitions::{CodePoint, Definitions};
use crate::program::ProgramAnalysis;
use crate::reason::DecidedBranch;
use crate::sites::events;
use labrys_ir::{BlockId, CallGraph, CmpOp, EdgeId, FuncId, Function, Inst, Reg};
use labrys_ledger::Trigger;

/// Calls are followed outward so often.
const MOST_CALLS: usize = 4;

/// The branches that every way to a block of a function takes in one direction.
pub(crate) fn known_branches(
    function: &Function,
    definitions: &Definitions,
    effects: &[CallEffect],
    block: BlockId,
) -> Vec<DecidedBranch> {
    let before = definitions.order.iter().copied();
    let before = before.filter(|b| *b != block && definitions.dominates(*b, block));
    let mut known = Vec::new();
    for gate in before {
        let last = function.blocks[gate.index()].end - 1;
        let Inst::Branch { cond, then, other } = function.code[last as usize] else {
            continue;
        };
        // The only way into what follows is this edge.
        let leads = |edge: EdgeId| {
            let target = function.edges[edge.index()].target;
            definitions.incoming[target.index()] == [edge] && definitions.dominates(target, block)
        };
        let value = match (leads(then), leads(other)) {
            (true, false) => true,
            (false, true) => false,
            _ => continue,
        };
        let point = CodePoint {
            block: gate,
            at: last,
        };
        known.push(DecidedBranch {
            annotation: annotation(function, definitions, effects, cond, point),
            loc: function
                .locs
                .get(last as usize)
                .copied()
                .unwrap_or_default(),
            value,
        });
    }
    known
}

/// The same for the calls of a function, as long as there is only one.
pub(crate) fn branches_around_calls(
    program: &ProgramAnalysis<'_>,
    graph: &CallGraph,
    function: FuncId,
) -> Vec<DecidedBranch> {
    let mut around = Vec::new();
    let mut callee = function;
    for _ in 0..MOST_CALLS {
        let Some((caller, block)) = only_call(program, graph, callee) else {
            break;
        };
        let Some(facts) = program.facts(caller) else {
            break;
        };
        let code = &program.module.functions[caller.index()];
        let mut known = known_branches(code, &facts.definitions, &program.effects, block);
        known.append(&mut around);
        around = known;
        callee = caller;
    }
    around
}

/// Where a function is called, if that is one place.
fn only_call(
    program: &ProgramAnalysis<'_>,
    graph: &CallGraph,
    callee: FuncId,
) -> Option<(FuncId, BlockId)> {
    let [caller] = graph.callers[callee.index()][..] else {
        return None;
    };
    if graph.address_taken.contains(&callee) || caller == callee {
        return None;
    }
    let function = &program.module.functions[caller.index()];
    let is_call =
        |inst: &Inst| matches!(inst, Inst::Call { callee: called, .. } if *called == callee);
    let mut calls = (0..function.code.len()).filter(|at| is_call(&function.code[*at]));
    let (at, None) = (calls.next()?, calls.next()) else {
        return None;
    };
    let mut blocks = function.blocks.iter();
    let block = blocks.position(|block| (block.start as usize..block.end as usize).contains(&at));
    Some((caller, BlockId(block? as u32)))
}

/// The condition or decision whose value a branch goes by.
pub(crate) fn annotation(
    function: &Function,
    definitions: &Definitions,
    effects: &[CallEffect],
    cond: Reg,
    point: CodePoint,
) -> Option<Trigger> {
    let mut reg = cond;
    for _ in 0..6 {
        let at = definitions.inst_at(reg, point)?;
        match function.code[at as usize] {
            Inst::Cast { src, .. } | Inst::Copy { src, .. } => reg = src,
            Inst::Cmp {
                op: CmpOp::Ne, a, ..
            } => reg = a,
            Inst::Call { callee, args, .. } => {
                return events(function, effects[callee.index()], args)?.pop();
            }
            _ => return None,
        }
    }
    None
}
