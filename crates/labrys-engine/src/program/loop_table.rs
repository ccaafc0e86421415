//! The loops of a program, with a call on every edge into their heads, so that runs can be stopped
//! there: one on the edges by which a loop is entered, another on those by which it goes on.

use super::address_guesses::{AddressGuesses, AddressRoot, ExpectedWrite};
use labrys_ir::{
    Block, BlockId, Cfg, Const, Dominators, Edge, EdgeId, FuncId, Function, Inst, Liveness, Module,
    Reg, RegList, SourceLoc, block_edges, loops, separate_registers,
};

/// The calls that are put on edges; their argument is the number of the loop. No C function has such a
/// name.
pub(crate) const ENTER: &str = "labrys loop enter";
pub(crate) const AGAIN: &str = "labrys loop again";

/// Part of the file name of every model of the library: their loops are left as they are.
const MODEL_FILES: &str = "labrys-runtime";

/// What a loop changes is compared with at most so many registers that it does not change.
const MOST_COMPARED: usize = 16;

/// A loop of the program under test.
#[derive(Clone, Debug)]
pub(crate) struct MarkedLoop {
    pub(crate) function: FuncId,
    /// The registers that a turn may change and that are needed at its head.
    pub(crate) changed: Vec<Reg>,
    /// Other registers that are needed there, to compare with.
    pub(crate) compared: Vec<Reg>,
    /// The memory that a turn is expected to change.
    pub(crate) writes: Vec<ExpectedWrite>,
    pub(crate) loc: SourceLoc,
    /// Its blocks, as ranges of code.
    body: Vec<Block>,
}

impl MarkedLoop {
    /// Is this instruction of its function in the loop?
    pub(crate) fn contains(&self, pc: u32) -> bool {
        let mut body = self.body.iter();
        body.any(|block| (block.start..block.end).contains(&pc))
    }
}

/// By their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct LoopTable(pub(crate) Vec<MarkedLoop>);

impl LoopTable {
    /// Puts the calls into a module.
    pub(crate) fn mark(module: &mut Module) -> LoopTable {
        let mut table = LoopTable::default();
        let mut separated = module.clone();
        (separated.functions.iter_mut()).for_each(separate_registers);
        let guesses = AddressGuesses::of(&separated);
        let enter = FuncId(module.functions.len() as u32);
        let again = FuncId(enter.0 + 1);
        let is_model: Vec<bool> = (module.functions.iter())
            .map(|function| module.file(function.loc).contains(MODEL_FILES))
            .collect();
        for (number, function) in module.functions.iter_mut().enumerate() {
            if !is_model[number] {
                let id = FuncId(number as u32);
                let written = |body: &[BlockId]| guesses.written_in(id, body);
                table.mark_function(id, function, [enter, again], written);
            }
        }
        for name in [ENTER, AGAIN] {
            module.functions.push(Function {
                name: name.to_owned(),
                widths: vec![32],
                params: vec![Reg(0)],
                ..Function::default()
            });
        }
        table
    }

    fn mark_function(
        &mut self,
        id: FuncId,
        function: &mut Function,
        calls: [FuncId; 2],
        written: impl Fn(&[BlockId]) -> Vec<ExpectedWrite>,
    ) {
        let cfg = Cfg::of(function);
        let found = loops(&cfg, &Dominators::of(&cfg));
        if found.is_empty() {
            return;
        }
        let liveness = Liveness::of(function);
        for found in found {
            let head = function.blocks[found.head.index()].start;
            let live = liveness.at(function, head);
            let mut changed = changed_in(function, &found.body);
            // Where a register of the function leads is known if it is set before the loop.
            let is_known = |bytes: &ExpectedWrite| match bytes.root {
                AddressRoot::Global(_) => true,
                AddressRoot::Register(reg) => {
                    reg.index() < function.widths.len() && !changed.contains(&reg)
                }
            };
            let writes = written(&found.body).into_iter().filter(is_known).collect();
            changed.retain(|reg| live[reg.index()]);
            let compared = compared_with(function, &live, &changed);
            let number = self.0.len() as u32;
            self.0.push(MarkedLoop {
                function: id,
                changed,
                compared,
                writes,
                loc: function
                    .locs
                    .get(head as usize)
                    .copied()
                    .unwrap_or_default(),
                body: (found.body.iter())
                    .map(|block| function.blocks[block.index()])
                    .collect(),
            });
            let number = constant(function, number);
            for source in 0..cfg.successors.len() {
                let source = BlockId(source as u32);
                let callee = calls[usize::from(found.body.contains(&source))];
                for edge in block_edges(function, source) {
                    if function.edges[edge.index()].target == found.head {
                        put_on_edge(function, edge, callee, number);
                    }
                }
            }
        }
    }
}

/// The registers that the blocks of a loop write, and the edges that leave them.
fn changed_in(function: &Function, body: &[BlockId]) -> Vec<Reg> {
    let mut changed = vec![false; function.widths.len()];
    for block in body {
        let Block { start, end } = function.blocks[block.index()];
        for inst in &function.code[start as usize..end as usize] {
            inst.for_each_write(function, &mut |reg| changed[reg.index()] = true);
        }
        for edge in block_edges(function, *block) {
            let copies = function.edge_copies(edge).iter();
            copies.for_each(|(to, _)| changed[to.index()] = true);
        }
    }
    let changed = changed.into_iter().enumerate().filter(|(_, is)| *is);
    changed.map(|(reg, _)| Reg(reg as u32)).collect()
}

/// Registers that are needed at the head of a loop and stay as they are.
fn compared_with(function: &Function, live: &[bool], changed: &[Reg]) -> Vec<Reg> {
    let all = (0..function.widths.len() as u32).map(Reg);
    let is_constant = |reg: &Reg| function.constants.iter().any(|(known, _)| known == reg);
    let wanted = all.filter(|reg| live[reg.index()] && !changed.contains(reg));
    let wanted = wanted.filter(|reg| !is_constant(reg) && (8..=64).contains(&function.width(*reg)));
    wanted.take(MOST_COMPARED).collect()
}

pub(super) fn constant(function: &mut Function, value: u32) -> Reg {
    let reg = Reg(function.widths.len() as u32);
    function.widths.push(32);
    function.constants.push((reg, Const::Int(value.into())));
    reg
}

/// A block with a call on the way to the target of an edge.
pub(super) fn put_on_edge(function: &mut Function, edge: EdgeId, callee: FuncId, number: Reg) {
    let target = function.edges[edge.index()].target;
    let onward = EdgeId(function.edges.len() as u32);
    let none = function.copies.len() as u32;
    function.edges.push(Edge {
        target,
        copies_start: none,
        copies_end: none,
    });
    let args = RegList {
        start: function.lists.len() as u32,
        len: 1,
    };
    function.lists.push(number);
    let head = function.blocks[target.index()].start as usize;
    let loc = function.locs.get(head).copied().unwrap_or_default();
    let start = function.code.len() as u32;
    function.code.push(Inst::Call {
        callee,
        args,
        results: RegList::default(),
    });
    function.code.push(Inst::Jump { edge: onward });
    function.locs.extend([loc; 2]);
    function.edges[edge.index()].target = BlockId(function.blocks.len() as u32);
    function.blocks.push(Block {
        start,
        end: start + 2,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use labrys_ir::{parse, verify};

    #[test]
    fn ways_into_and_around_a_loop_are_told_apart() {
        let text = "function @f(r0) -> 32 { regs 32 32 1 32 32\n const r3 = 0\n const r4 = 1\n\
                    edge e0 -> b1 [r1 = r3]\nedge e1 -> b2 []\n edge e2 -> b3 []\n edge e3 -> b1 []\n\
                    b0: jump e0\nb1: r2 = cmp.slt.32 r1, r0 branch r2, e1, e2\n\
                    b2: r1 = add.32 r1, r4 jump e3\nb3: return (r1) }";
        let mut module = parse(text).unwrap();
        let table = LoopTable::mark(&mut module);
        assert_eq!(verify(&module), Ok(()));
        assert_eq!(table.0.len(), 1);
        assert_eq!(table.0[0].changed, [Reg(1)]);
        let f = &module.functions[0];
        let call_behind = |edge: usize| {
            let block = f.blocks[f.edges[edge].target.index()];
            match f.code[block.start as usize] {
                Inst::Call { callee, .. } => module.functions[callee.index()].name.as_str(),
                _ => "",
            }
        };
        assert_eq!(call_behind(0), ENTER);
        assert_eq!(call_behind(3), AGAIN);
    }
}
