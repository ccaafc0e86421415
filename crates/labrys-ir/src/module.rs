//! The data of a program: modules, functions, blocks, edges, constants and globals, with the
//! numbers that name them.

use crate::{Inst, ScalarKinds};
use std::collections::BTreeMap;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A function of the module.
    FuncId
);
id!(
    /// A global variable of the module.
    GlobalId
);
id!(
    /// A basic block of a function.
    BlockId
);
id!(
    /// A register of a function.
    Reg
);
id!(
    /// A control-flow edge of a function.
    EdgeId
);
id!(
    /// A switch table of a function.
    SwitchTableId
);
id!(
    /// A text of the module (messages, file names).
    TextId
);

/// A range in [`Function::lists`]: arguments, results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RegList {
    pub start: u32,
    pub len: u32,
}

/// A whole program: all functions and globals after linking.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Module {
    pub functions: Vec<Function>,
    pub globals: Vec<Global>,
    /// File names and messages.
    pub texts: Vec<String>,
    /// Functions to be called, in this order and without arguments, before the program starts.
    pub constructors: Vec<FuncId>,
}

/// A function; without a body it is external (`blocks` is empty).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    pub name: String,
    pub params: Vec<Reg>,
    /// A variadic function has one hidden last parameter: the address of the area that holds
    /// its variable arguments, each in slots of 8 bytes as in the memory area of the ABI.
    pub variadic: bool,
    /// The bytes that a call takes on the stack of the compiled program at least; 0 if unknown.
    pub frame: u32,
    /// Widths of the results; empty for `void`, several for expanded aggregates.
    pub results: Vec<u8>,
    /// Width in bits of every register.
    pub widths: Vec<u8>,
    /// Registers that hold a constant from the start.
    pub constants: Vec<(Reg, Const)>,
    /// Block 0 is the entry.
    pub blocks: Vec<Block>,
    pub code: Vec<Inst>,
    /// One location an instruction.
    pub locs: Vec<SourceLoc>,
    pub edges: Vec<Edge>,
    /// Copies `(destination, source)` of all edges, executed one after the other.
    pub copies: Vec<(Reg, Reg)>,
    pub lists: Vec<Reg>,
    pub switches: Vec<SwitchTable>,
    /// Where the function is defined in the source.
    pub loc: SourceLoc,
    /// The variables of the source that registers hold, or whose addresses they are; of many registers
    /// that is not known. Only for texts.
    pub names: BTreeMap<Reg, VariableName>,
}

/// A run of instructions `code[start..end]`; the last one is the terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    pub start: u32,
    pub end: u32,
}

/// An edge to a block, with the copies (`copies[start..end]`) that replace its phis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub target: BlockId,
    pub copies_start: u32,
    pub copies_end: u32,
}

/// The targets of a `switch` by value, or of an indirect jump (values are block numbers).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchTable {
    /// Sorted by value, each value once.
    pub cases: Vec<(u128, EdgeId)>,
    /// An indirect jump has no default.
    pub default: Option<EdgeId>,
}

/// Source position; line 0 means unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct SourceLoc {
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

/// The value that a constant register starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    Int(u128),
    Symbol(SymbolRef),
    /// An indeterminate value.
    Undef,
}

/// An address known only when the program is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SymbolRef {
    Global {
        global: GlobalId,
        addend: i64,
    },
    Function(FuncId),
    /// `&&label`
    Block {
        function: FuncId,
        block: BlockId,
    },
}

/// A global variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub name: String,
    pub size: u64,
    /// What the type promises, in bytes; where the variable lies may be aligned better.
    pub align: u32,
    /// Initial bytes, empty if all are zero.
    pub init: Vec<u8>,
    /// Addresses inside the initial bytes.
    pub relocs: Vec<Reloc>,
    pub constant: bool,
    /// A literal: it may share its bytes with other such objects of the same contents.
    pub mergeable: bool,
    /// Declared but not defined in the program.
    pub external: bool,
    /// A variable of the program that somebody may write, here or in a unit that is not here.
    pub changeable: bool,
    /// Width in bytes of its scalar elements where they are all the same (an array of `int`: 4),
    /// else 0. Decides how an input stored there is cut into variables.
    pub element: u32,
    /// The kinds of scalars in it if a pointer that a caller brings along may lead to it, else
    /// none.
    pub reach: ScalarKinds,
    /// What the scalars inside of it are called. Only for texts.
    pub parts: Vec<GlobalPart>,
}

/// A variable of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VariableName {
    pub text: TextId,
    pub unsigned: bool,
}

/// A scalar that is a global variable, or inside of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GlobalPart {
    pub offset: u64,
    pub size: u64,
    /// What follows the name of the variable: `.bar[2].used`.
    pub path: String,
    pub unsigned: bool,
}

/// An 8-byte address at `offset` of a global's initial value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reloc {
    pub offset: u64,
    pub target: SymbolRef,
}

impl Module {
    pub fn function(&self, name: &str) -> Option<FuncId> {
        let index = self.functions.iter().position(|f| f.name == name)?;
        Some(FuncId(index as u32))
    }

    pub fn text(&self, id: TextId) -> &str {
        self.texts.get(id.index()).map_or("", String::as_str)
    }

    /// The file name of a location.
    pub fn file(&self, loc: SourceLoc) -> &str {
        self.text(TextId(loc.file))
    }
}

impl Function {
    pub fn is_external(&self) -> bool {
        self.blocks.is_empty()
    }

    #[inline]
    pub fn list(&self, list: RegList) -> &[Reg] {
        &self.lists[list.start as usize..(list.start + list.len) as usize]
    }

    #[inline]
    pub fn width(&self, reg: Reg) -> u8 {
        self.widths[reg.index()]
    }

    /// A new register.
    pub fn add_reg(&mut self, width: u8) -> Reg {
        self.widths.push(width);
        Reg(self.widths.len() as u32 - 1)
    }

    pub fn add_list(&mut self, regs: &[Reg]) -> RegList {
        if regs.is_empty() {
            return RegList::default();
        }
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(regs);
        RegList {
            start,
            len: regs.len() as u32,
        }
    }

    /// A new edge whose copies are executed in the order given.
    pub fn add_edge(&mut self, target: BlockId, copies: &[(Reg, Reg)]) -> EdgeId {
        let copies_start = self.copies.len() as u32;
        self.copies.extend_from_slice(copies);
        self.edges.push(Edge {
            target,
            copies_start,
            copies_end: self.copies.len() as u32,
        });
        EdgeId(self.edges.len() as u32 - 1)
    }

    /// The copies `(destination, source)` of an edge.
    pub fn edge_copies(&self, edge: EdgeId) -> &[(Reg, Reg)] {
        let edge = self.edges[edge.index()];
        &self.copies[edge.copies_start as usize..edge.copies_end as usize]
    }
}
