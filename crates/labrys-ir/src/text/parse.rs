//! Reads the text form. The result is well formed as text only; whether it makes sense is for
//! the verifier to say.

use super::lex::{IrToken, lex};
use crate::{
    Block, BlockId, Const, EdgeId, FuncId, Function, Global, GlobalId, Module, Reg, Reloc,
    ScalarKinds, SourceLoc, SwitchTable, SwitchTableId, SymbolRef,
};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {what}")]
pub struct ParseError {
    pub line: u32,
    pub what: String,
}

/// Reads a module.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let mut parser = IrParser {
        tokens: lex(text)?,
        next: 0,
        module: Module::default(),
        symbols: FxHashMap::default(),
    };
    parser.declare()?;
    parser.module()?;
    Ok(parser.module)
}

#[derive(Clone, Copy)]
enum DeclaredSymbol {
    Function(FuncId),
    Global(GlobalId),
}

pub(super) struct IrParser {
    pub(super) tokens: Vec<(IrToken, u32)>,
    pub(super) next: usize,
    pub(super) module: Module,
    symbols: FxHashMap<String, DeclaredSymbol>,
}

pub(super) type ParseResult<T> = Result<T, ParseError>;

impl IrParser {
    // ---- Words ----

    pub(super) fn error<T>(&self, what: impl Into<String>) -> ParseResult<T> {
        let place = self.next.saturating_sub(1).min(self.tokens.len());
        let line = self.tokens.get(place).map_or(1, |(_, line)| *line);
        Err(ParseError {
            line,
            what: what.into(),
        })
    }

    fn peek(&self) -> Option<&IrToken> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    pub(super) fn take(&mut self) -> Option<IrToken> {
        let token = self.peek().cloned();
        self.next += 1;
        token
    }

    fn take_sign(&mut self, sign: char) -> bool {
        let found = self.peek() == Some(&IrToken::Sign(sign));
        if found {
            self.next += 1;
        }
        found
    }

    pub(super) fn sign(&mut self, sign: char) -> ParseResult<()> {
        if self.take_sign(sign) {
            return Ok(());
        }
        self.next += 1;
        self.error(format!("expected '{sign}'"))
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(IrToken::Word(w)) if w == word);
        if found {
            self.next += 1;
        }
        found
    }

    pub(super) fn keyword(&mut self, word: &str) -> ParseResult<()> {
        if self.take_word(word) {
            return Ok(());
        }
        self.next += 1;
        self.error(format!("expected '{word}'"))
    }

    pub(super) fn word(&mut self) -> ParseResult<String> {
        match self.take() {
            Some(IrToken::Word(word)) => Ok(word),
            _ => self.error("expected a word"),
        }
    }

    pub(super) fn take_arrow(&mut self) -> bool {
        let found = self.peek() == Some(&IrToken::Arrow);
        if found {
            self.next += 1;
        }
        found
    }

    /// A number of a Rust integer type.
    pub(super) fn number<T: TryFrom<i128>>(&mut self) -> ParseResult<T> {
        if let Some(IrToken::Number {
            negative,
            magnitude,
        }) = self.take()
        {
            let value = i128::try_from(magnitude)
                .ok()
                .map(|value| if negative { -value } else { value });
            if let Some(value) = value.and_then(|value| T::try_from(value).ok()) {
                return Ok(value);
            }
            return self.error("the number is out of range");
        }
        self.error("expected a number")
    }

    fn wide_number(&mut self) -> ParseResult<u128> {
        match self.take() {
            Some(IrToken::Number {
                negative: false,
                magnitude,
            }) => Ok(magnitude),
            _ => self.error("expected a number"),
        }
    }

    /// A numbered thing: `r3`, `b0`, `e7`, `t1`.
    fn numbered(&mut self, letter: char, what: &str) -> ParseResult<u32> {
        if let Some(IrToken::Word(word)) = self.take()
            && let Some(digits) = word.strip_prefix(letter)
            && let Ok(number) = digits.parse()
        {
            return Ok(number);
        }
        self.error(format!("expected {what} such as {letter}0"))
    }

    pub(super) fn reg(&mut self) -> ParseResult<Reg> {
        Ok(Reg(self.numbered('r', "a register")?))
    }

    fn block_number(&mut self) -> ParseResult<BlockId> {
        Ok(BlockId(self.numbered('b', "a block")?))
    }

    pub(super) fn edge(&mut self) -> ParseResult<EdgeId> {
        Ok(EdgeId(self.numbered('e', "an edge")?))
    }

    pub(super) fn table(&mut self) -> ParseResult<SwitchTableId> {
        Ok(SwitchTableId(self.numbered('t', "a table")?))
    }

    pub(super) fn comma(&mut self) -> ParseResult<()> {
        self.sign(',')
    }

    /// `(r1, r2)`
    pub(super) fn regs(&mut self) -> ParseResult<Vec<Reg>> {
        self.sign('(')?;
        let mut regs = Vec::new();
        while !self.take_sign(')') {
            if !regs.is_empty() {
                self.comma()?;
            }
            regs.push(self.reg()?);
        }
        Ok(regs)
    }

    /// `!file:line:column`, if there is one.
    fn location(&mut self) -> ParseResult<SourceLoc> {
        if !self.take_sign('!') {
            return Ok(SourceLoc::default());
        }
        let file = self.number()?;
        self.sign(':')?;
        let line = self.number()?;
        self.sign(':')?;
        let column = self.number()?;
        Ok(SourceLoc { file, line, column })
    }

    // ---- The module ----

    /// Numbers all functions and globals first, so that they can be referred to anywhere.
    fn declare(&mut self) -> ParseResult<()> {
        let mut depth = 0u32;
        let (mut functions, mut globals) = (0, 0);
        for i in 0..self.tokens.len() {
            self.next = i + 1;
            match &self.tokens[i].0 {
                IrToken::Sign('{') => depth += 1,
                IrToken::Sign('}') => depth = depth.saturating_sub(1),
                IrToken::Word(word) if depth == 0 && (word == "function" || word == "global") => {
                    let declared = if word == "function" {
                        functions += 1;
                        DeclaredSymbol::Function(FuncId(functions - 1))
                    } else {
                        globals += 1;
                        DeclaredSymbol::Global(GlobalId(globals - 1))
                    };
                    let Some((IrToken::Symbol(name), _)) = self.tokens.get(i + 1) else {
                        return self.error("expected a name such as @f");
                    };
                    let name = name.clone();
                    if self.symbols.insert(name.clone(), declared).is_some() {
                        return self.error(format!("@{name} is defined twice"));
                    }
                }
                _ => {}
            }
        }
        self.next = 0;
        Ok(())
    }

    fn module(&mut self) -> ParseResult<()> {
        while self.peek().is_some() {
            match self.word()?.as_str() {
                "text" => match self.take() {
                    Some(IrToken::Text(text)) => self.module.texts.push(text),
                    _ => return self.error("expected a text in quotes"),
                },
                "global" => {
                    let global = self.global()?;
                    self.module.globals.push(global);
                }
                "constructor" => {
                    let id = self.function_name()?;
                    self.module.constructors.push(id);
                }
                "function" => {
                    let function = self.function()?;
                    self.module.functions.push(function);
                }
                other => {
                    return self.error(format!(
                        "'{other}' is unknown; expected text, global, constructor or function"
                    ));
                }
            }
        }
        Ok(())
    }

    fn name(&mut self) -> ParseResult<String> {
        match self.take() {
            Some(IrToken::Symbol(name)) => Ok(name),
            _ => self.error("expected a name such as @f"),
        }
    }

    fn declared(&mut self) -> ParseResult<DeclaredSymbol> {
        let name = self.name()?;
        match self.symbols.get(&name) {
            Some(declared) => Ok(*declared),
            None => self.error(format!("@{name} is not defined")),
        }
    }

    pub(super) fn function_name(&mut self) -> ParseResult<FuncId> {
        match self.declared()? {
            DeclaredSymbol::Function(id) => Ok(id),
            DeclaredSymbol::Global(_) => self.error("expected a function, this is a global"),
        }
    }

    /// `@global`, `@global + 4`, `@function` or `@function:b2`
    fn symbol(&mut self) -> ParseResult<SymbolRef> {
        match self.declared()? {
            DeclaredSymbol::Global(global) => {
                let addend = if self.take_sign('+') {
                    self.number()?
                } else {
                    0
                };
                Ok(SymbolRef::Global { global, addend })
            }
            DeclaredSymbol::Function(function) => {
                if self.take_sign(':') {
                    let block = self.block_number()?;
                    Ok(SymbolRef::Block { function, block })
                } else {
                    Ok(SymbolRef::Function(function))
                }
            }
        }
    }

    fn global(&mut self) -> ParseResult<Global> {
        let name = self.name()?;
        self.keyword("size")?;
        let size = self.number()?;
        self.keyword("align")?;
        let align = self.number()?;
        self.keyword("element")?;
        let element = self.number()?;
        let constant = self.take_word("const");
        let mergeable = self.take_word("mergeable");
        let external = self.take_word("external");
        let changeable = self.take_word("changeable");
        let mut reach = ScalarKinds::NONE;
        if self.take_word("reach") {
            match self.take() {
                Some(IrToken::Word(letters)) => reach = ScalarKinds::parse(&letters),
                _ => return self.error("expected kinds of scalars such as ip"),
            }
        }
        let mut init = Vec::new();
        if self.take_word("init") {
            match self.take() {
                Some(IrToken::Bytes(bytes)) => init = bytes,
                _ => return self.error("expected bytes such as x\"00ff\""),
            }
        }
        let mut relocs = Vec::new();
        while self.take_word("reloc") {
            let offset = self.number()?;
            self.sign('=')?;
            let target = self.symbol()?;
            relocs.push(Reloc { offset, target });
        }
        Ok(Global {
            name,
            size,
            align,
            init,
            relocs,
            constant,
            mergeable,
            external,
            changeable,
            element,
            reach,
            parts: Vec::new(),
        })
    }

    // ---- Functions ----

    fn function(&mut self) -> ParseResult<Function> {
        let mut function = Function {
            name: self.name()?,
            params: self.regs()?,
            variadic: self.take_word("variadic"),
            ..Function::default()
        };
        if self.take_word("frame") {
            function.frame = self.number()?;
        }
        if self.take_arrow() {
            loop {
                function.results.push(self.number()?);
                if !self.take_sign(',') {
                    break;
                }
            }
        }
        function.loc = self.location()?;
        self.sign('{')?;
        self.tables(&mut function)?;
        while !self.take_sign('}') {
            let number = self.block_number()?;
            if number.index() != function.blocks.len() {
                return self.error(format!("expected block b{}", function.blocks.len()));
            }
            self.sign(':')?;
            let start = function.code.len() as u32;
            while !self.at_block_end() {
                let inst = self.inst(&mut function)?;
                function.code.push(inst);
                let loc = self.location()?;
                function.locs.push(loc);
            }
            function.blocks.push(Block {
                start,
                end: function.code.len() as u32,
            });
        }
        Ok(function)
    }

    /// At the end of the function, of the text, or at the label of the next block.
    fn at_block_end(&self) -> bool {
        match self.peek() {
            None | Some(IrToken::Sign('}')) => true,
            Some(IrToken::Word(_)) => {
                matches!(
                    self.tokens.get(self.next + 1),
                    Some((IrToken::Sign(':'), _))
                )
            }
            _ => false,
        }
    }

    /// Everything before the first block.
    fn tables(&mut self, function: &mut Function) -> ParseResult<()> {
        loop {
            if self.take_word("regs") {
                while matches!(self.peek(), Some(IrToken::Number { .. })) {
                    let width = self.number()?;
                    function.widths.push(width);
                }
            } else if self.take_word("const") {
                let reg = self.reg()?;
                self.sign('=')?;
                let value = self.constant()?;
                function.constants.push((reg, value));
            } else if self.take_word("edge") {
                let number = self.edge()?;
                if number.index() != function.edges.len() {
                    return self.error(format!("expected edge e{}", function.edges.len()));
                }
                if !self.take_arrow() {
                    return self.error("expected '->'");
                }
                let target = self.block_number()?;
                let copies = self.copies()?;
                function.add_edge(target, &copies);
            } else if self.take_word("table") {
                let number = self.table()?;
                if number.index() != function.switches.len() {
                    return self.error(format!("expected table t{}", function.switches.len()));
                }
                let table = self.switch_table()?;
                function.switches.push(table);
            } else {
                return Ok(());
            }
        }
    }

    fn constant(&mut self) -> ParseResult<Const> {
        if self.take_word("undef") {
            return Ok(Const::Undef);
        }
        if matches!(self.peek(), Some(IrToken::Symbol(_))) {
            return Ok(Const::Symbol(self.symbol()?));
        }
        Ok(Const::Int(self.wide_number()?))
    }

    fn copies(&mut self) -> ParseResult<Vec<(Reg, Reg)>> {
        let mut copies = Vec::new();
        if !self.take_sign('[') {
            return Ok(copies);
        }
        while !self.take_sign(']') {
            if !copies.is_empty() {
                self.comma()?;
            }
            let to = self.reg()?;
            self.sign('=')?;
            copies.push((to, self.reg()?));
        }
        Ok(copies)
    }

    fn switch_table(&mut self) -> ParseResult<SwitchTable> {
        let mut cases = Vec::new();
        self.sign('[')?;
        while !self.take_sign(']') {
            if !cases.is_empty() {
                self.comma()?;
            }
            let value = self.wide_number()?;
            self.sign(':')?;
            cases.push((value, self.edge()?));
        }
        let default = if self.take_word("default") {
            Some(self.edge()?)
        } else {
            None
        };
        Ok(SwitchTable { cases, default })
    }
}
