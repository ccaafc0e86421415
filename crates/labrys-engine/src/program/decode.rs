//! Instructions in the form that the fast loop runs: one operation for each instruction, at the
//! same position, with the operation, the width and frequent pairs folded into the tag. Register
//! and edge numbers are checked here once, so that the loop need not.

use super::annotations::{Annotation, LabelInst, Numbers, annotation_of, label_inst, label_skip};
use crate::program::Target;
use labrys_ir::{BinOp, CastOp, CmpOp, Function, Inst, IntrinsicOp, Reg};

/// Where an edge leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastEdge {
    pub(crate) target: u32,
    pub(crate) copies_start: u32,
    pub(crate) copies_end: u32,
}

/// A function ready for the fast loop.
#[derive(Debug, Default)]
pub(crate) struct FastCode {
    pub(crate) ops: Vec<Op>,
    pub(crate) edges: Vec<FastEdge>,
}

/// `dst = a op b`
#[derive(Clone, Copy, Debug)]
pub(crate) struct ThreeOperands {
    pub(crate) dst: u32,
    pub(crate) a: u32,
    pub(crate) b: u32,
}

/// A comparison whose only use is the branch behind it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CompareOperands {
    pub(crate) a: u32,
    pub(crate) b: u32,
    pub(crate) then: u32,
    pub(crate) other: u32,
}

/// An operation. Those of two instructions do the work of this position and the next.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Everything else: the instruction itself is looked at.
    Generic,
    /// An annotation with a value, which it returns.
    Annotated {
        dst: u32,
        value: u32,
        note: u32,
    },
    /// An annotation without a value.
    Reached {
        note: u32,
    },
    /// A label with a constant number; `plain` if its predicate is mere arithmetic.
    LabelBegin {
        dst: u32,
        id: u32,
        plain: bool,
    },
    /// The same with the jump over its predicate: operands instructions.
    LabelSkip {
        dst: u32,
        id: u32,
        plain: bool,
        other: u32,
    },
    /// The end of a label's predicate.
    LabelEnd {
        value: u32,
    },
    Add32(ThreeOperands),
    Add64(ThreeOperands),
    Sub32(ThreeOperands),
    Sub64(ThreeOperands),
    Mul32(ThreeOperands),
    Mul64(ThreeOperands),
    And(ThreeOperands),
    Or(ThreeOperands),
    Xor(ThreeOperands),
    Shl32(ThreeOperands),
    Shl64(ThreeOperands),
    LShr32(ThreeOperands),
    LShr64(ThreeOperands),
    AShr32(ThreeOperands),
    Eq(ThreeOperands),
    Ne(ThreeOperands),
    Ult(ThreeOperands),
    Slt32(ThreeOperands),
    Slt64(ThreeOperands),
    /// Two instructions: compare and branch.
    EqBranch(CompareOperands),
    UltBranch(CompareOperands),
    Slt32Branch(CompareOperands),
    Slt64Branch(CompareOperands),
    Extend {
        dst: u32,
        src: u32,
    },
    SExt {
        dst: u32,
        src: u32,
        from: u8,
        to: u8,
    },
    Trunc {
        dst: u32,
        src: u32,
        to: u8,
    },
    Offset {
        dst: u32,
        base: u32,
        offset: i32,
    },
    Index {
        dst: u32,
        base: u32,
        index: u32,
        scale: u32,
    },
    Load {
        dst: u32,
        addr: u32,
        len: u8,
    },
    Store {
        addr: u32,
        src: u32,
        len: u8,
    },
    /// Two instructions: address and access.
    IndexLoad {
        dst: u32,
        base: u32,
        index: u32,
        scale: u32,
        len: u8,
    },
    IndexStore {
        src: u32,
        base: u32,
        index: u32,
        scale: u32,
        len: u8,
    },
    OffsetLoad {
        dst: u32,
        base: u32,
        offset: i32,
        len: u8,
    },
    OffsetStore {
        src: u32,
        base: u32,
        offset: i32,
        len: u8,
    },
    /// Two pointers are about to be compared: nothing to do if they lead to different places of one
    /// object.
    PointerPair {
        a: u32,
        b: u32,
    },
    Copy {
        dst: u32,
        src: u32,
    },
    Select {
        dst: u32,
        cond: u32,
        a: u32,
        b: u32,
    },
    Jump {
        edge: u32,
    },
    Branch {
        cond: u32,
        then: u32,
        other: u32,
    },
}

const _: () = assert!(std::mem::size_of::<Op>() <= 20);

impl FastCode {
    /// `notes` takes in the annotations of all functions.
    pub(crate) fn new(
        function: &Function,
        targets: &[Target],
        annotations: &mut Vec<Annotation>,
    ) -> FastCode {
        if !is_sound(function) {
            // The generic loop checks every access.
            let ops = vec![Op::Generic; function.code.len()];
            return FastCode {
                ops,
                edges: Vec::new(),
            };
        }
        let uses = count_uses(function);
        let starts: Vec<u32> = function.blocks.iter().map(|b| b.start).collect();
        let mut ops: Vec<Op> = function.code.iter().map(single).collect();
        let mut is_start = vec![false; function.code.len() + 1];
        for start in &starts {
            if let Some(is_start) = is_start.get_mut(*start as usize) {
                *is_start = true;
            }
        }
        for (i, (op, two)) in ops.iter_mut().zip(function.code.windows(2)).enumerate() {
            if is_start[i + 1] {
                continue;
            }
            let once = |reg: Reg| uses[reg.index()] == 1;
            if let Some(joined) = pair(&two[0], &two[1], once) {
                *op = joined;
            }
        }
        for (op, inst) in ops.iter_mut().zip(&function.code) {
            if let Inst::Intrinsic {
                op:
                    IntrinsicOp::PointersEqual
                    | IntrinsicOp::PointersOrdered
                    | IntrinsicOp::PointersSubtracted,
                args,
                ..
            } = inst
                && let [a, b] = function.list(*args)
            {
                *op = Op::PointerPair { a: a.0, b: b.0 };
            }
        }
        let numbers = Numbers::of(function);
        for (i, (op, inst)) in ops.iter_mut().zip(&function.code).enumerate() {
            if let Some((note, operands)) = annotation_of(inst, function, &numbers, targets) {
                let number = annotations.len() as u32;
                *op = match operands {
                    Some((dst, value)) => Op::Annotated {
                        dst: dst.0,
                        value: value.0,
                        note: number,
                    },
                    None => Op::Reached { note: number },
                };
                annotations.push(note);
            }
            match label_inst(inst, function, &numbers, targets) {
                Some(LabelInst::Begin { dst, id, plain }) => {
                    let once = |reg: Reg| uses[reg.index()] == 1;
                    let rest = &function.code[i + 1..];
                    *op = match label_skip(dst, rest, &numbers, once) {
                        Some(edge) => Op::LabelSkip {
                            dst: dst.0,
                            id,
                            plain,
                            other: edge.0,
                        },
                        None => Op::LabelBegin {
                            dst: dst.0,
                            id,
                            plain,
                        },
                    };
                }
                Some(LabelInst::End { value }) => *op = Op::LabelEnd { value: value.0 },
                None => {}
            }
        }
        let edges = function
            .edges
            .iter()
            .map(|e| FastEdge {
                target: starts[e.target.index()],
                copies_start: e.copies_start,
                copies_end: e.copies_end,
            })
            .collect();
        FastCode { ops, edges }
    }
}

/// One instruction on its own. A decode table: one arm for each instruction.
fn single(inst: &Inst) -> Op {
    match *inst {
        Inst::Bin {
            op,
            width,
            dst,
            a,
            b,
            ..
        } => bin(op, width, operands(dst, a, b)),
        Inst::Cmp {
            op,
            width,
            dst,
            a,
            b,
        } => {
            let (forward, backward) = (operands(dst, a, b), operands(dst, b, a));
            match (op, width) {
                (CmpOp::Eq, 1..=64) => Op::Eq(forward),
                (CmpOp::Ne, 1..=64) => Op::Ne(forward),
                (CmpOp::Ult, 1..=64) => Op::Ult(forward),
                (CmpOp::Ugt, 1..=64) => Op::Ult(backward),
                (CmpOp::Slt, 32) => Op::Slt32(forward),
                (CmpOp::Sgt, 32) => Op::Slt32(backward),
                (CmpOp::Slt, 64) => Op::Slt64(forward),
                (CmpOp::Sgt, 64) => Op::Slt64(backward),
                _ => Op::Generic,
            }
        }
        Inst::Cast {
            op,
            from,
            to: to @ 1..=64,
            dst,
            src,
        } if from <= 64 => match op {
            CastOp::ZExt => Op::Extend {
                dst: dst.0,
                src: src.0,
            },
            CastOp::SExt => Op::SExt {
                dst: dst.0,
                src: src.0,
                from,
                to,
            },
            CastOp::Trunc => Op::Trunc {
                dst: dst.0,
                src: src.0,
                to,
            },
            _ => Op::Generic,
        },
        Inst::Offset { dst, base, offset } => Op::Offset {
            dst: dst.0,
            base: base.0,
            offset,
        },
        Inst::Index {
            dst,
            base,
            index,
            scale,
        } => Op::Index {
            dst: dst.0,
            base: base.0,
            index: index.0,
            scale,
        },
        Inst::Load { dst, addr, width } => match whole_bytes(width) {
            Some(len) => Op::Load {
                dst: dst.0,
                addr: addr.0,
                len,
            },
            None => Op::Generic,
        },
        Inst::Store { addr, src, width } => match whole_bytes(width) {
            Some(len) => Op::Store {
                addr: addr.0,
                src: src.0,
                len,
            },
            None => Op::Generic,
        },
        Inst::Copy { dst, src } => Op::Copy {
            dst: dst.0,
            src: src.0,
        },
        Inst::Select { dst, cond, a, b } => Op::Select {
            dst: dst.0,
            cond: cond.0,
            a: a.0,
            b: b.0,
        },
        Inst::Jump { edge } => Op::Jump { edge: edge.0 },
        Inst::Branch { cond, then, other } => Op::Branch {
            cond: cond.0,
            then: then.0,
            other: other.0,
        },
        _ => Op::Generic,
    }
}

fn bin(op: BinOp, width: u8, operands: ThreeOperands) -> Op {
    match (op, width) {
        (BinOp::Add, 32) => Op::Add32(operands),
        (BinOp::Add, 64) => Op::Add64(operands),
        (BinOp::Sub, 32) => Op::Sub32(operands),
        (BinOp::Sub, 64) => Op::Sub64(operands),
        (BinOp::Mul, 32) => Op::Mul32(operands),
        (BinOp::Mul, 64) => Op::Mul64(operands),
        (BinOp::And, 1..=64) => Op::And(operands),
        (BinOp::Or, 1..=64) => Op::Or(operands),
        (BinOp::Xor, 1..=64) => Op::Xor(operands),
        (BinOp::Shl, 32) => Op::Shl32(operands),
        (BinOp::Shl, 64) => Op::Shl64(operands),
        (BinOp::LShr, 32) => Op::LShr32(operands),
        (BinOp::LShr, 64) => Op::LShr64(operands),
        (BinOp::AShr, 32) => Op::AShr32(operands),
        _ => Op::Generic,
    }
}

/// Two instructions as one, where the value between them has no other use.
fn pair(first: &Inst, second: &Inst, once: impl Fn(Reg) -> bool) -> Option<Op> {
    match (*first, *second) {
        (
            Inst::Cmp {
                op,
                width,
                dst,
                a,
                b,
            },
            Inst::Branch { cond, then, other },
        ) if dst == cond && once(dst) && width <= 64 => {
            compare_branch(op, width, (a, b), (then.0, other.0))
        }
        (
            Inst::Index {
                dst,
                base,
                index,
                scale,
            },
            Inst::Load {
                dst: value,
                addr,
                width,
            },
        ) if dst == addr && once(dst) => {
            let len = whole_bytes(width)?;
            Some(Op::IndexLoad {
                dst: value.0,
                base: base.0,
                index: index.0,
                scale,
                len,
            })
        }
        (
            Inst::Index {
                dst,
                base,
                index,
                scale,
            },
            Inst::Store { addr, src, width },
        ) if dst == addr && once(dst) => {
            let len = whole_bytes(width)?;
            Some(Op::IndexStore {
                src: src.0,
                base: base.0,
                index: index.0,
                scale,
                len,
            })
        }
        (
            Inst::Offset { dst, base, offset },
            Inst::Load {
                dst: value,
                addr,
                width,
            },
        ) if dst == addr && once(dst) => {
            let len = whole_bytes(width)?;
            Some(Op::OffsetLoad {
                dst: value.0,
                base: base.0,
                offset,
                len,
            })
        }
        (Inst::Offset { dst, base, offset }, Inst::Store { addr, src, width })
            if dst == addr && once(dst) =>
        {
            let len = whole_bytes(width)?;
            Some(Op::OffsetStore {
                src: src.0,
                base: base.0,
                offset,
                len,
            })
        }
        _ => None,
    }
}

fn compare_branch(op: CmpOp, width: u8, (a, b): (Reg, Reg), edges: (u32, u32)) -> Option<Op> {
    let yes = |a: Reg, b: Reg| CompareOperands {
        a: a.0,
        b: b.0,
        then: edges.0,
        other: edges.1,
    };
    let no = |a: Reg, b: Reg| CompareOperands {
        a: a.0,
        b: b.0,
        then: edges.1,
        other: edges.0,
    };
    Some(match (op, width) {
        (CmpOp::Eq, _) => Op::EqBranch(yes(a, b)),
        (CmpOp::Ne, _) => Op::EqBranch(no(a, b)),
        (CmpOp::Ult, _) => Op::UltBranch(yes(a, b)),
        (CmpOp::Ugt, _) => Op::UltBranch(yes(b, a)),
        (CmpOp::Uge, _) => Op::UltBranch(no(a, b)),
        (CmpOp::Ule, _) => Op::UltBranch(no(b, a)),
        (CmpOp::Slt, 32) => Op::Slt32Branch(yes(a, b)),
        (CmpOp::Sgt, 32) => Op::Slt32Branch(yes(b, a)),
        (CmpOp::Sge, 32) => Op::Slt32Branch(no(a, b)),
        (CmpOp::Sle, 32) => Op::Slt32Branch(no(b, a)),
        (CmpOp::Slt, 64) => Op::Slt64Branch(yes(a, b)),
        (CmpOp::Sgt, 64) => Op::Slt64Branch(yes(b, a)),
        (CmpOp::Sge, 64) => Op::Slt64Branch(no(a, b)),
        (CmpOp::Sle, 64) => Op::Slt64Branch(no(b, a)),
        _ => return None,
    })
}

fn operands(dst: Reg, a: Reg, b: Reg) -> ThreeOperands {
    ThreeOperands {
        dst: dst.0,
        a: a.0,
        b: b.0,
    }
}

/// The length of a value that fills its bytes, up to 8 of them.
fn whole_bytes(width: u8) -> Option<u8> {
    (width <= 64 && width.is_multiple_of(8)).then_some(width / 8)
}

/// How often each register is read.
fn count_uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0u32; function.widths.len()];
    let mut count = |reg: Reg| uses[reg.index()] += 1;
    for inst in &function.code {
        inst.for_each_read(function, &mut count);
    }
    for (_, src) in &function.copies {
        count(*src);
    }
    uses
}

/// Are all register, edge and block numbers within their tables?
fn is_sound(function: &Function) -> bool {
    let registers = function.widths.len();
    let mut sound = true;
    let mut check = |reg: Reg| sound &= reg.index() < registers;
    for inst in &function.code {
        if !inst.lists_within(function) {
            return false;
        }
        inst.for_each_read(function, &mut check);
        inst.for_each_write(function, &mut check);
    }
    for (dst, src) in &function.copies {
        check(*dst);
        check(*src);
    }
    let edge = |e: labrys_ir::EdgeId| e.index() < function.edges.len();
    sound
        && function.edges.iter().all(|e| {
            e.target.index() < function.blocks.len()
                && e.copies_start <= e.copies_end
                && e.copies_end as usize <= function.copies.len()
        })
        && function
            .blocks
            .iter()
            .all(|b| (b.start as usize) < function.code.len())
        && function.code.iter().all(|inst| match *inst {
            Inst::Jump { edge: e } => edge(e),
            Inst::Branch { then, other, .. } => edge(then) && edge(other),
            _ => true,
        })
        && function.code.last().is_some_and(Inst::is_terminator)
}
