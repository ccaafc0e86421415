//! Checks what the engine relies on in a module: every index is in range,
//! every operand has the width that its instruction says, every block ends with a terminator.

use crate::{
    CastOp, Const, EdgeId, FuncId, Function, Inst, IntrinsicOp, Module, Reg, RegList,
    SwitchTableId, SymbolRef,
};
use rustc_hash::FxHashSet;
use thiserror::Error;

/// The first rule that a module was found to break.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct VerifyError {
    /// The global, function or instruction.
    pub place: String,
    pub what: String,
}

type CheckOutcome = Result<(), String>;

/// Checks a whole module.
pub fn verify(module: &Module) -> Result<(), VerifyError> {
    let mut names = FxHashSet::default();
    for name in module
        .functions
        .iter()
        .map(|f| &f.name)
        .chain(module.globals.iter().map(|g| &g.name))
    {
        if !names.insert(name) {
            return Err(VerifyError {
                place: format!("@{name}"),
                what: "two functions or globals have this name".to_owned(),
            });
        }
    }
    for global in &module.globals {
        check_global(module, global).map_err(|what| VerifyError {
            place: format!("global @{}", global.name),
            what,
        })?;
    }
    for id in &module.constructors {
        check_constructor(module, *id).map_err(|what| VerifyError {
            place: "constructors".to_owned(),
            what,
        })?;
    }
    for function in &module.functions {
        check_function(module, function)?;
    }
    Ok(())
}

fn ensure(condition: bool, what: impl FnOnce() -> String) -> CheckOutcome {
    if condition { Ok(()) } else { Err(what()) }
}

fn check_symbol(module: &Module, symbol: SymbolRef) -> CheckOutcome {
    match symbol {
        SymbolRef::Global { global, .. } => ensure(global.index() < module.globals.len(), || {
            format!("global {} does not exist", global.0)
        }),
        SymbolRef::Function(function) => check_function_id(module, function),
        SymbolRef::Block { function, block } => {
            check_function_id(module, function)?;
            let blocks = module.functions[function.index()].blocks.len();
            ensure(block.index() < blocks, || {
                format!(
                    "block b{} of function {} does not exist",
                    block.0, function.0
                )
            })
        }
    }
}

fn check_function_id(module: &Module, id: FuncId) -> CheckOutcome {
    ensure(id.index() < module.functions.len(), || {
        format!("function {} does not exist", id.0)
    })
}

fn check_global(module: &Module, global: &crate::Global) -> CheckOutcome {
    let size = global.size;
    ensure(
        global.init.is_empty() || global.init.len() as u64 == size,
        || format!("{} initial bytes for {size}", global.init.len()),
    )?;
    ensure(global.align.is_power_of_two(), || {
        format!("alignment {} is no power of two", global.align)
    })?;
    for reloc in &global.relocs {
        check_symbol(module, reloc.target)?;
        let end = reloc.offset.checked_add(8);
        ensure(end.is_some_and(|end| end <= size), || {
            format!("the address at {} lies outside", reloc.offset)
        })?;
    }
    ensure(
        global.relocs.is_sorted_by(|a, b| a.offset < b.offset),
        || "addresses are not in order".to_owned(),
    )
}

fn check_constructor(module: &Module, id: FuncId) -> CheckOutcome {
    check_function_id(module, id)?;
    let function = &module.functions[id.index()];
    ensure(!function.is_external(), || {
        format!("@{} has no body", function.name)
    })
}

fn check_function(module: &Module, function: &Function) -> Result<(), VerifyError> {
    let here = |what: String| VerifyError {
        place: format!("function @{}", function.name),
        what,
    };
    let checker = FunctionChecker { module, function };
    checker.tables().map_err(here)?;
    for (number, block) in function.blocks.iter().enumerate() {
        for place in block.start..block.end {
            let inst = &function.code[place as usize];
            let is_last = place + 1 == block.end;
            checker
                .inst(inst)
                .and_then(|()| {
                    ensure(inst.is_terminator() == is_last, || {
                        "a terminator ends its block, and nothing else does".to_owned()
                    })
                })
                .map_err(|what| VerifyError {
                    place: format!("function @{}, b{number}, {inst:?}", function.name),
                    what,
                })?;
        }
    }
    Ok(())
}

struct FunctionChecker<'a> {
    module: &'a Module,
    function: &'a Function,
}

impl FunctionChecker<'_> {
    /// Everything but the instructions.
    fn tables(&self) -> CheckOutcome {
        let function = self.function;
        for width in function.widths.iter().chain(&function.results) {
            ensure((1..=128).contains(width), || {
                format!("a width of {width} bits")
            })?;
        }
        for param in &function.params {
            self.reg(*param)?;
        }
        if function.variadic {
            let area = function.params.last();
            ensure(area.is_some_and(|area| function.width(*area) == 64), || {
                "the area of variable arguments is no last parameter of 64 bits".to_owned()
            })?;
        }
        for (reg, value) in &function.constants {
            self.reg(*reg)?;
            let width = function.width(*reg);
            match value {
                Const::Int(number) => ensure(width == 128 || number >> width == 0, || {
                    format!("{number} does not fit into {width} bits")
                })?,
                Const::Symbol(symbol) => {
                    self.width(*reg, 64)?;
                    check_symbol(self.module, *symbol)?;
                }
                Const::Undef => {}
            }
        }
        for edge in &function.edges {
            ensure(edge.target.index() < function.blocks.len(), || {
                format!("block b{} does not exist", edge.target.0)
            })?;
            let (start, end) = (edge.copies_start as usize, edge.copies_end as usize);
            let Some(copies) = function.copies.get(start..end) else {
                return Err("an edge has copies that do not exist".to_owned());
            };
            for (to, from) in copies {
                self.reg(*to)?;
                self.reg(*from)?;
                self.width(*to, function.width(*from))?;
            }
        }
        for table in &function.switches {
            ensure(table.cases.is_sorted_by(|a, b| a.0 < b.0), || {
                "the cases of a table are not in order".to_owned()
            })?;
            for edge in table
                .cases
                .iter()
                .map(|(_, edge)| edge)
                .chain(&table.default)
            {
                self.edge(*edge)?;
            }
        }
        self.blocks()
    }

    fn blocks(&self) -> CheckOutcome {
        let function = self.function;
        ensure(function.locs.len() == function.code.len(), || {
            "not one location for each instruction".to_owned()
        })?;
        let mut next = 0;
        for (number, block) in function.blocks.iter().enumerate() {
            ensure(block.start == next && block.end > block.start, || {
                format!("block b{number} is empty or out of order")
            })?;
            next = block.end;
        }
        ensure(next as usize == function.code.len(), || {
            "the blocks do not cover the code".to_owned()
        })
    }

    fn reg(&self, reg: Reg) -> CheckOutcome {
        ensure(reg.index() < self.function.widths.len(), || {
            format!("{reg} does not exist")
        })
    }

    fn width(&self, reg: Reg, width: u8) -> CheckOutcome {
        self.reg(reg)?;
        let actual = self.function.width(reg);
        ensure(actual == width, || {
            format!("{reg} has {actual} bits, not {width}")
        })
    }

    fn all(&self, regs: &[Reg], width: u8) -> CheckOutcome {
        regs.iter().try_for_each(|reg| self.width(*reg, width))
    }

    fn edge(&self, edge: EdgeId) -> CheckOutcome {
        ensure(edge.index() < self.function.edges.len(), || {
            format!("{edge} does not exist")
        })
    }

    fn table(&self, table: SwitchTableId) -> Result<&crate::SwitchTable, String> {
        self.function
            .switches
            .get(table.index())
            .ok_or_else(|| format!("{table} does not exist"))
    }

    fn list(&self, list: RegList) -> Result<&[Reg], String> {
        let (start, len) = (list.start as usize, list.len as usize);
        let regs = start
            .checked_add(len)
            .and_then(|end| self.function.lists.get(start..end))
            .ok_or("a list of registers does not exist")?;
        regs.iter().try_for_each(|reg| self.reg(*reg))?;
        Ok(regs)
    }

    fn inst(&self, inst: &Inst) -> CheckOutcome {
        match *inst {
            Inst::Bin {
                width, dst, a, b, ..
            } => self.all(&[dst, a, b], width),
            Inst::Cmp {
                width, dst, a, b, ..
            } => {
                self.width(dst, 1)?;
                self.all(&[a, b], width)
            }
            Inst::FCmp {
                width, dst, a, b, ..
            } => {
                self.float(width)?;
                self.width(dst, 1)?;
                self.all(&[a, b], width)
            }
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            } => {
                self.width(src, from)?;
                self.width(dst, to)?;
                self.cast(op, from, to)
            }
            Inst::FBin {
                width, dst, a, b, ..
            } => {
                self.float(width)?;
                self.all(&[dst, a, b], width)
            }
            Inst::FUn {
                width, dst, src, ..
            } => {
                self.float(width)?;
                self.all(&[dst, src], width)
            }
            Inst::Select { dst, cond, a, b } => {
                self.width(cond, 1)?;
                self.reg(dst)?;
                self.all(&[a, b], self.function.width(dst))
            }
            Inst::Copy { dst, src } => {
                self.reg(src)?;
                self.width(dst, self.function.width(src))
            }
            Inst::Offset { dst, base, .. } => self.all(&[dst, base], 64),
            Inst::Index {
                dst, base, index, ..
            } => self.all(&[dst, base, index], 64),
            Inst::Alloca { dst, align, .. } => {
                ensure(align.is_power_of_two(), || {
                    format!("alignment {align} is no power of two")
                })?;
                self.width(dst, 64)
            }
            Inst::AllocaDynamic { dst, count, .. } => self.all(&[dst, count], 64),
            Inst::Load { dst, addr, width } => {
                self.width(addr, 64)?;
                self.width(dst, width)
            }
            Inst::Store { addr, src, width } => {
                self.width(addr, 64)?;
                self.width(src, width)
            }
            Inst::MemCopy { dst, src, len, .. } => self.all(&[dst, src, len], 64),
            Inst::MemSet { dst, byte, len } => {
                self.width(byte, 8)?;
                self.all(&[dst, len], 64)
            }
            Inst::Call {
                callee,
                args,
                results,
            } => self.call(callee, args, results),
            Inst::CallPointer {
                target,
                args,
                results,
            } => {
                self.width(target, 64)?;
                self.list(args)?;
                self.list(results).map(|_| ())
            }
            Inst::Intrinsic { op, args, results } => {
                self.intrinsic(op, self.list(args)?, self.list(results)?)
            }
            _ => self.terminator(inst),
        }
    }

    fn terminator(&self, inst: &Inst) -> CheckOutcome {
        match *inst {
            Inst::Jump { edge } => self.edge(edge),
            Inst::Branch { cond, then, other } => {
                self.width(cond, 1)?;
                self.edge(then)?;
                self.edge(other)
            }
            Inst::Switch { value, table } => {
                self.reg(value)?;
                let width = self.function.width(value);
                let table = self.table(table)?;
                ensure(table.default.is_some(), || {
                    "a switch needs a default".to_owned()
                })?;
                let fits = table
                    .cases
                    .iter()
                    .all(|(case, _)| width == 128 || case >> width == 0);
                ensure(fits, || format!("a case does not fit into {width} bits"))
            }
            Inst::JumpIndirect { address, table } => {
                self.width(address, 64)?;
                let table = self.table(table)?;
                let matches = table.cases.iter().all(|(block, edge)| {
                    u128::from(self.function.edges[edge.index()].target.0) == *block
                });
                ensure(matches, || {
                    "a case of an indirect jump leads to another block".to_owned()
                })
            }
            Inst::Return { values } => {
                let values = self.list(values)?;
                let results = &self.function.results;
                ensure(values.len() == results.len(), || {
                    format!("{} values for {} results", values.len(), results.len())
                })?;
                values
                    .iter()
                    .zip(results)
                    .try_for_each(|(reg, width)| self.width(*reg, *width))
            }
            Inst::Unsupported { message } => {
                ensure(message.index() < self.module.texts.len(), || {
                    format!("text {} does not exist", message.0)
                })
            }
            _ => Ok(()),
        }
    }

    fn float(&self, width: u8) -> CheckOutcome {
        ensure(matches!(width, 16 | 32 | 64 | 80 | 128), || {
            format!("there are no floats of {width} bits")
        })
    }

    fn cast(&self, op: CastOp, from: u8, to: u8) -> CheckOutcome {
        match op {
            CastOp::Trunc => ensure(to < from, || "does not get smaller".to_owned()),
            CastOp::ZExt | CastOp::SExt => ensure(to > from, || "does not get larger".to_owned()),
            CastOp::FToF => {
                self.float(from)?;
                self.float(to)
            }
            CastOp::FToS | CastOp::FToU => self.float(from),
            CastOp::SToF | CastOp::UToF => self.float(to),
        }
    }

    fn call(&self, callee: FuncId, args: RegList, results: RegList) -> CheckOutcome {
        check_function_id(self.module, callee)?;
        let callee = &self.module.functions[callee.index()];
        let args = self.list(args)?;
        let results = self.list(results)?;
        ensure(args.len() == callee.params.len(), || {
            format!(
                "{} arguments for {} parameters",
                args.len(),
                callee.params.len()
            )
        })?;
        ensure(results.len() == callee.results.len(), || {
            format!(
                "{} results taken of {}",
                results.len(),
                callee.results.len()
            )
        })?;
        for (arg, param) in args.iter().zip(&callee.params) {
            let Some(width) = callee.widths.get(param.index()) else {
                return Err(format!("the parameter {param} does not exist"));
            };
            self.width(*arg, *width)?;
        }
        results
            .iter()
            .zip(&callee.results)
            .try_for_each(|(reg, width)| self.width(*reg, *width))
    }

    fn intrinsic(&self, op: IntrinsicOp, args: &[Reg], results: &[Reg]) -> CheckOutcome {
        let (arg_count, result_count) = intrinsic_arity(op);
        ensure(
            args.len() == arg_count && results.len() == result_count,
            || {
                format!(
                    "{} operands and {} results for {arg_count} and {result_count}",
                    args.len(),
                    results.len()
                )
            },
        )?;
        match op {
            IntrinsicOp::SAddOverflow
            | IntrinsicOp::UAddOverflow
            | IntrinsicOp::SSubOverflow
            | IntrinsicOp::USubOverflow
            | IntrinsicOp::SMulOverflow
            | IntrinsicOp::UMulOverflow => {
                self.width(results[1], 1)?;
                let width = self.function.width(args[0]);
                self.all(&[args[1], results[0]], width)
            }
            IntrinsicOp::IsFpClass => {
                self.float(self.function.width(args[0]))?;
                self.width(args[1], 32)?;
                self.width(results[0], 1)
            }
            IntrinsicOp::Assumed | IntrinsicOp::SignOnly | IntrinsicOp::TruthOnly => {
                self.width(args[1], 32)?;
                self.width(results[0], self.function.width(args[0]))
            }
            IntrinsicOp::RestOn => self.width(args[0], 32),
            IntrinsicOp::ComparePointers => self.all(args, 64),
            IntrinsicOp::StackSave => self.width(results[0], 64),
            IntrinsicOp::StackRestore => self.width(args[0], 64),
            IntrinsicOp::SetJmp => {
                self.width(args[0], 64)?;
                self.width(results[0], 32)
            }
            IntrinsicOp::LongJmp => {
                self.width(args[0], 64)?;
                self.width(args[1], 32)
            }
            IntrinsicOp::Trap | IntrinsicOp::OtherThreads => Ok(()),
            IntrinsicOp::AddressBits
            | IntrinsicOp::AddressBytes
            | IntrinsicOp::PointersEqual
            | IntrinsicOp::PointersOrdered
            | IntrinsicOp::PointersSubtracted => self.all(args, 64),
            IntrinsicOp::Fma => {
                let width = self.function.width(args[0]);
                self.float(width)?;
                self.all(args, width)?;
                self.all(results, width)
            }
            IntrinsicOp::ByteSwap => {
                let width = self.function.width(args[0]);
                ensure(width.is_multiple_of(8), || {
                    format!("{width} bits are no whole bytes")
                })?;
                self.all(results, width)
            }
            _ => {
                let width = self.function.width(args[0]);
                self.all(args, width)?;
                self.all(results, width)
            }
        }
    }
}

/// How many operands and results an operation has.
fn intrinsic_arity(op: IntrinsicOp) -> (usize, usize) {
    match op {
        IntrinsicOp::PopCount
        | IntrinsicOp::LeadingZeros
        | IntrinsicOp::TrailingZeros
        | IntrinsicOp::ByteSwap
        | IntrinsicOp::BitReverse
        | IntrinsicOp::Abs
        | IntrinsicOp::SetJmp => (1, 1),
        IntrinsicOp::FunnelLeft | IntrinsicOp::FunnelRight | IntrinsicOp::Fma => (3, 1),
        IntrinsicOp::SAddOverflow
        | IntrinsicOp::UAddOverflow
        | IntrinsicOp::SSubOverflow
        | IntrinsicOp::USubOverflow
        | IntrinsicOp::SMulOverflow
        | IntrinsicOp::UMulOverflow => (2, 2),
        IntrinsicOp::SAddSat
        | IntrinsicOp::UAddSat
        | IntrinsicOp::SSubSat
        | IntrinsicOp::USubSat
        | IntrinsicOp::SMin
        | IntrinsicOp::SMax
        | IntrinsicOp::UMin
        | IntrinsicOp::UMax
        | IntrinsicOp::IsFpClass
        | IntrinsicOp::Assumed
        | IntrinsicOp::SignOnly
        | IntrinsicOp::TruthOnly => (2, 1),
        IntrinsicOp::StackSave => (0, 1),
        IntrinsicOp::StackRestore | IntrinsicOp::RestOn => (1, 0),
        IntrinsicOp::LongJmp
        | IntrinsicOp::ComparePointers
        | IntrinsicOp::AddressBits
        | IntrinsicOp::AddressBytes
        | IntrinsicOp::PointersEqual
        | IntrinsicOp::PointersOrdered
        | IntrinsicOp::PointersSubtracted => (2, 0),
        IntrinsicOp::Trap | IntrinsicOp::OtherThreads => (0, 0),
    }
}
