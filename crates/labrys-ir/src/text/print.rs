//! Prints a module in its text form.

use super::names::OperationWord;
use crate::{
    Const, EdgeId, Function, Global, Inst, Module, Reg, RegList, SourceLoc, SwitchTableId,
    SymbolRef,
};
use std::fmt::{self, Display, Formatter, Write};

impl Display for Module {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for text in &self.texts {
            writeln!(f, "text {}", QuotedText(text))?;
        }
        for global in &self.globals {
            self.global(f, global)?;
        }
        for id in &self.constructors {
            let name = self.functions.get(id.index()).map_or("", |f| &f.name);
            writeln!(f, "constructor {}", QuotedSymbol(name))?;
        }
        for function in &self.functions {
            writeln!(f)?;
            self.function_text(f, function)?;
        }
        Ok(())
    }
}

/// A text between quotes.
struct QuotedText<'a>(&'a str);

impl Display for QuotedText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_char('"')?;
        for c in self.0.chars() {
            match c {
                '"' | '\\' => write!(f, "\\{c}")?,
                c if c.is_control() => write!(f, "\\u{{{:x}}}", c as u32)?,
                c => f.write_char(c)?,
            }
        }
        f.write_char('"')
    }
}

/// The name of a function or global.
struct QuotedSymbol<'a>(&'a str);

impl Display for QuotedSymbol<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let plain = !self.0.is_empty()
            && self
                .0
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$'));
        if plain {
            write!(f, "@{}", self.0)
        } else {
            write!(f, "@{}", QuotedText(self.0))
        }
    }
}

impl Display for Reg {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "r{}", self.0)
    }
}

impl Display for EdgeId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

impl Display for SwitchTableId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "t{}", self.0)
    }
}

/// Items with commas between them.
struct CommaSeparated<'a, T>(&'a [T]);

impl<T: Display> Display for CommaSeparated<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, item) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{item}")?;
        }
        Ok(())
    }
}

impl Module {
    fn symbol(&self, f: &mut Formatter<'_>, symbol: SymbolRef) -> fmt::Result {
        match symbol {
            SymbolRef::Global { global, addend } => {
                let name = self.globals.get(global.index()).map_or("", |g| &g.name);
                write!(f, "{}", QuotedSymbol(name))?;
                if addend != 0 {
                    write!(f, " + {addend}")?;
                }
                Ok(())
            }
            SymbolRef::Function(id) => self.function_name(f, id),
            SymbolRef::Block { function, block } => {
                self.function_name(f, function)?;
                write!(f, ":b{}", block.0)
            }
        }
    }

    fn function_name(&self, f: &mut Formatter<'_>, id: crate::FuncId) -> fmt::Result {
        let name = self.functions.get(id.index()).map_or("", |f| &f.name);
        write!(f, "{}", QuotedSymbol(name))
    }

    fn global(&self, f: &mut Formatter<'_>, global: &Global) -> fmt::Result {
        write!(
            f,
            "global {} size {} align {} element {}",
            QuotedSymbol(&global.name),
            global.size,
            global.align,
            global.element
        )?;
        if global.constant {
            f.write_str(" const")?;
        }
        if global.mergeable {
            f.write_str(" mergeable")?;
        }
        if global.external {
            f.write_str(" external")?;
        }
        if global.changeable {
            f.write_str(" changeable")?;
        }
        if !global.reach.is_empty() {
            write!(f, " reach {}", global.reach)?;
        }
        if !global.init.is_empty() {
            f.write_str(" init x\"")?;
            for byte in &global.init {
                write!(f, "{byte:02x}")?;
            }
            f.write_char('"')?;
        }
        for reloc in &global.relocs {
            write!(f, "\n  reloc {} = ", reloc.offset)?;
            self.symbol(f, reloc.target)?;
        }
        writeln!(f)
    }

    fn function_text(&self, f: &mut Formatter<'_>, function: &Function) -> fmt::Result {
        write!(
            f,
            "function {}({})",
            QuotedSymbol(&function.name),
            CommaSeparated(&function.params)
        )?;
        if function.variadic {
            f.write_str(" variadic")?;
        }
        if function.frame != 0 {
            write!(f, " frame {}", function.frame)?;
        }
        if !function.results.is_empty() {
            write!(f, " -> {}", CommaSeparated(&function.results))?;
        }
        location(f, function.loc)?;
        f.write_str(" {\n")?;
        for widths in function.widths.chunks(32) {
            f.write_str("  regs")?;
            for width in widths {
                write!(f, " {width}")?;
            }
            writeln!(f)?;
        }
        for (reg, value) in &function.constants {
            write!(f, "  const {reg} = ")?;
            match value {
                Const::Int(number) => write!(f, "{number}")?,
                Const::Undef => f.write_str("undef")?,
                Const::Symbol(symbol) => self.symbol(f, *symbol)?,
            }
            writeln!(f)?;
        }
        for (i, edge) in function.edges.iter().enumerate() {
            write!(f, "  edge e{i} -> b{}", edge.target.0)?;
            let copies = function.edge_copies(EdgeId(i as u32));
            if !copies.is_empty() {
                f.write_str(" [")?;
                for (i, (to, from)) in copies.iter().enumerate() {
                    let comma = if i > 0 { ", " } else { "" };
                    write!(f, "{comma}{to} = {from}")?;
                }
                f.write_char(']')?;
            }
            writeln!(f)?;
        }
        for (i, table) in function.switches.iter().enumerate() {
            write!(f, "  table t{i} [")?;
            for (i, (value, edge)) in table.cases.iter().enumerate() {
                let comma = if i > 0 { ", " } else { "" };
                write!(f, "{comma}{value}: {edge}")?;
            }
            f.write_char(']')?;
            if let Some(default) = table.default {
                write!(f, " default {default}")?;
            }
            writeln!(f)?;
        }
        for (i, block) in function.blocks.iter().enumerate() {
            writeln!(f, "b{i}:")?;
            for place in block.start..block.end {
                f.write_str("  ")?;
                self.inst(f, function, &function.code[place as usize])?;
                location(f, function.locs[place as usize])?;
                writeln!(f)?;
            }
        }
        f.write_str("}\n")
    }

    /// A dispatch table: one short arm for each kind of instruction. Splitting it would only
    /// spread the kinds over several functions.
    fn inst(&self, f: &mut Formatter<'_>, function: &Function, inst: &Inst) -> fmt::Result {
        match *inst {
            Inst::Bin {
                op,
                width,
                nsw,
                dst,
                a,
                b,
            } => {
                let nsw = if nsw { ".nsw" } else { "" };
                write!(f, "{dst} = {}.{width}{nsw} {a}, {b}", op.word())
            }
            Inst::Cmp {
                op,
                width,
                dst,
                a,
                b,
            } => write!(f, "{dst} = cmp.{}.{width} {a}, {b}", op.word()),
            Inst::Cast {
                op,
                from,
                to,
                dst,
                src,
            } => write!(f, "{dst} = cast.{}.{from}.{to} {src}", op.word()),
            Inst::FBin {
                op,
                width,
                dst,
                a,
                b,
            } => write!(f, "{dst} = {}.{width} {a}, {b}", op.word()),
            Inst::FUn {
                op,
                width,
                dst,
                src,
            } => write!(f, "{dst} = {}.{width} {src}", op.word()),
            Inst::FCmp {
                op,
                width,
                dst,
                a,
                b,
            } => write!(f, "{dst} = fcmp.{}.{width} {a}, {b}", op.word()),
            Inst::Select { dst, cond, a, b } => write!(f, "{dst} = select {cond}, {a}, {b}"),
            Inst::Copy { dst, src } => write!(f, "{dst} = copy {src}"),
            Inst::Offset { dst, base, offset } => write!(f, "{dst} = offset {base}, {offset}"),
            Inst::Index {
                dst,
                base,
                index,
                scale,
            } => write!(f, "{dst} = index {base}, {index}, {scale}"),
            Inst::Alloca {
                dst,
                size,
                align,
                element,
            } => write!(
                f,
                "{dst} = alloca size {size} align {align} element {element}"
            ),
            Inst::AllocaDynamic {
                dst,
                count,
                element,
            } => write!(f, "{dst} = alloca_dynamic {count}, {element}"),
            Inst::Load { dst, addr, width } => write!(f, "{dst} = load.{width} {addr}"),
            Inst::Store { addr, src, width } => write!(f, "store.{width} {addr}, {src}"),
            Inst::MemCopy {
                dst,
                src,
                len,
                moves,
            } => {
                let word = if moves { "memmove" } else { "memcpy" };
                write!(f, "{word} {dst}, {src}, {len}")
            }
            Inst::MemSet { dst, byte, len } => write!(f, "memset {dst}, {byte}, {len}"),
            Inst::Call {
                callee,
                args,
                results,
            } => {
                f.write_str("call ")?;
                self.function_name(f, callee)?;
                operands(f, function, args, results)
            }
            Inst::CallPointer {
                target,
                args,
                results,
            } => {
                write!(f, "call_pointer {target} ")?;
                operands(f, function, args, results)
            }
            Inst::Intrinsic { op, args, results } => {
                write!(f, "intrinsic {}", op.word())?;
                operands(f, function, args, results)
            }
            Inst::Jump { edge } => write!(f, "jump {edge}"),
            Inst::Branch { cond, then, other } => write!(f, "branch {cond}, {then}, {other}"),
            Inst::Switch { value, table } => write!(f, "switch {value}, {table}"),
            Inst::JumpIndirect { address, table } => write!(f, "jump_indirect {address}, {table}"),
            Inst::Return { values } => {
                write!(f, "return ({})", CommaSeparated(function.list(values)))
            }
            Inst::Unreachable => f.write_str("unreachable"),
            Inst::Unsupported { message } => {
                write!(f, "unsupported {}", QuotedText(self.text(message)))
            }
        }
    }
}

fn operands(
    f: &mut Formatter<'_>,
    function: &Function,
    args: RegList,
    results: RegList,
) -> fmt::Result {
    write!(f, "({})", CommaSeparated(function.list(args)))?;
    if results.len > 0 {
        write!(f, " -> ({})", CommaSeparated(function.list(results)))?;
    }
    Ok(())
}

fn location(f: &mut Formatter<'_>, loc: SourceLoc) -> fmt::Result {
    if loc == SourceLoc::default() {
        return Ok(());
    }
    write!(f, " !{}:{}:{}", loc.file, loc.line, loc.column)
}
