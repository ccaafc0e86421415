//! Random modules: well-formed ones survive printing and parsing unchanged, and no text makes
//! the parser panic.
#![allow(clippy::unwrap_used)]

use labrys_ir::{
    BinOp, Block, BlockId, CastOp, CmpOp, Const, FBinOp, FCmpOp, FUnOp, FuncId, Function, Global,
    GlobalId, Inst, IntrinsicOp, Module, Reg, Reloc, ScalarKinds, SourceLoc, SwitchTable,
    SwitchTableId, SymbolRef, TextId, parse, verify,
};
use proptest::prelude::*;

/// Draws numbers from a finite tape, so that proptest can shrink a module.
struct Tape<'a> {
    words: &'a [u64],
    next: usize,
}

impl Tape<'_> {
    fn word(&mut self) -> u64 {
        let word = self.words[self.next % self.words.len()];
        self.next += 1;
        word.wrapping_add(self.next as u64)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }

    fn coin(&mut self) -> bool {
        self.word().is_multiple_of(2)
    }
}

const WIDTHS: [u8; 7] = [1, 8, 32, 64, 80, 128, 33];
const FLOATS: [u8; 5] = [16, 32, 64, 80, 128];

struct Builder<'a, 'b> {
    tape: &'a mut Tape<'b>,
    function: Function,
}

impl Builder<'_, '_> {
    fn reg(&mut self, width: u8) -> Reg {
        let known: Vec<u32> = (0..self.function.widths.len() as u32)
            .filter(|r| self.function.widths[*r as usize] == width)
            .collect();
        if known.is_empty() || self.tape.below(4) == 0 {
            return self.function.add_reg(width);
        }
        Reg(known[self.tape.below(known.len())])
    }

    fn push(&mut self, inst: Inst) {
        self.function.code.push(inst);
        let loc = if self.tape.coin() {
            SourceLoc::default()
        } else {
            SourceLoc {
                file: 1,
                line: self.tape.below(100) as u32 + 1,
                column: self.tape.below(80) as u32,
            }
        };
        self.function.locs.push(loc);
    }

    fn plain(&mut self) {
        let width = WIDTHS[self.tape.below(WIDTHS.len())];
        let float = FLOATS[self.tape.below(FLOATS.len())];
        let inst = match self.tape.below(16) {
            0 => Inst::Bin {
                op: [BinOp::Add, BinOp::SDiv, BinOp::AShr, BinOp::Xor][self.tape.below(4)],
                width,
                nsw: self.tape.coin(),
                dst: self.reg(width),
                a: self.reg(width),
                b: self.reg(width),
            },
            1 => Inst::Cmp {
                op: [CmpOp::Eq, CmpOp::Ult, CmpOp::Sge][self.tape.below(3)],
                width,
                dst: self.reg(1),
                a: self.reg(width),
                b: self.reg(width),
            },
            2 => Inst::Cast {
                op: [CastOp::ZExt, CastOp::SExt][self.tape.below(2)],
                from: 8,
                to: 33,
                dst: self.reg(33),
                src: self.reg(8),
            },
            3 => Inst::FBin {
                op: [FBinOp::Add, FBinOp::Rem, FBinOp::CopySign][self.tape.below(3)],
                width: float,
                dst: self.reg(float),
                a: self.reg(float),
                b: self.reg(float),
            },
            4 => Inst::FUn {
                op: [FUnOp::Neg, FUnOp::RoundEven][self.tape.below(2)],
                width: float,
                dst: self.reg(float),
                src: self.reg(float),
            },
            5 => Inst::FCmp {
                op: [FCmpOp::Oeq, FCmpOp::Une][self.tape.below(2)],
                width: float,
                dst: self.reg(1),
                a: self.reg(float),
                b: self.reg(float),
            },
            6 => Inst::Select {
                dst: self.reg(width),
                cond: self.reg(1),
                a: self.reg(width),
                b: self.reg(width),
            },
            7 => Inst::Copy {
                dst: self.reg(width),
                src: self.reg(width),
            },
            8 => Inst::Offset {
                dst: self.reg(64),
                base: self.reg(64),
                offset: self.tape.word() as i32,
            },
            9 => Inst::Index {
                dst: self.reg(64),
                base: self.reg(64),
                index: self.reg(64),
                scale: self.tape.word() as u32,
            },
            10 => Inst::Alloca {
                dst: self.reg(64),
                size: self.tape.word() as u32,
                align: 16,
                element: 4,
            },
            11 => Inst::Load {
                dst: self.reg(width),
                addr: self.reg(64),
                width,
            },
            12 => Inst::Store {
                addr: self.reg(64),
                src: self.reg(width),
                width,
            },
            13 => Inst::MemCopy {
                dst: self.reg(64),
                src: self.reg(64),
                len: self.reg(64),
                moves: self.tape.coin(),
            },
            14 => {
                let operands = [self.reg(width), self.reg(width)];
                let outcome = [self.reg(width), self.reg(1)];
                Inst::Intrinsic {
                    op: IntrinsicOp::UMulOverflow,
                    args: self.function.add_list(&operands),
                    results: self.function.add_list(&outcome),
                }
            }
            _ => {
                let operand = [self.reg(32)];
                Inst::Call {
                    callee: FuncId(0),
                    args: self.function.add_list(&operand),
                    results: self.function.add_list(&[]),
                }
            }
        };
        self.push(inst);
    }

    fn edge(&mut self, blocks: usize) -> labrys_ir::EdgeId {
        let mut copies = Vec::new();
        for _ in 0..self.tape.below(3) {
            copies.push((self.reg(32), self.reg(32)));
        }
        let target = BlockId(self.tape.below(blocks) as u32);
        self.function.add_edge(target, &copies)
    }

    fn terminator(&mut self, blocks: usize) {
        let inst = match self.tape.below(6) {
            0 => Inst::Jump {
                edge: self.edge(blocks),
            },
            1 => Inst::Branch {
                cond: self.reg(1),
                then: self.edge(blocks),
                other: self.edge(blocks),
            },
            2 => {
                let cases = (0..self.tape.below(4) as u128)
                    .map(|value| (value * 7, self.edge(blocks)))
                    .collect();
                let default = Some(self.edge(blocks));
                self.function.switches.push(SwitchTable { cases, default });
                Inst::Switch {
                    value: self.reg(32),
                    table: SwitchTableId(self.function.switches.len() as u32 - 1),
                }
            }
            3 => Inst::Unreachable,
            4 => Inst::Unsupported { message: TextId(2) },
            _ => {
                let value = [self.reg(32)];
                Inst::Return {
                    values: self.function.add_list(&value),
                }
            }
        };
        self.push(inst);
    }
}

fn module(words: &[u64]) -> Module {
    let mut tape = Tape { words, next: 0 };
    let mut module = Module {
        texts: vec![
            String::new(),
            "a \"quoted\"\\ file\n.c".to_owned(),
            "asm 'é'".to_owned(),
        ],
        ..Module::default()
    };
    let mut external = Function {
        name: "external".to_owned(),
        ..Function::default()
    };
    let param = external.add_reg(32);
    external.params.push(param);
    module.functions.push(external);
    module.globals.push(Global {
        name: "odd name\"".to_owned(),
        size: 16,
        align: 8,
        init: (0..16).map(|i| i * 17).collect(),
        relocs: vec![Reloc {
            offset: 8,
            target: SymbolRef::Function(FuncId(0)),
        }],
        constant: tape.coin(),
        mergeable: tape.coin(),
        external: tape.coin(),
        changeable: tape.coin(),
        element: 8,
        reach: ScalarKinds::parse(if tape.coin() { "ip" } else { "" }),
        parts: Vec::new(),
    });
    for number in 0..=tape.below(3) {
        let mut builder = Builder {
            tape: &mut tape,
            function: Function {
                name: format!("f{number}"),
                results: vec![32],
                ..Function::default()
            },
        };
        let param = builder.function.add_reg(64);
        builder.function.params.push(param);
        builder.function.variadic = builder.tape.coin();
        builder.function.frame = builder.tape.below(3) as u32 * 16;
        let blocks = 1 + builder.tape.below(4);
        for value in [
            Const::Undef,
            Const::Int(u128::from(u64::MAX)),
            Const::Symbol(SymbolRef::Global {
                global: GlobalId(0),
                addend: -5,
            }),
            Const::Symbol(SymbolRef::Block {
                function: FuncId(1),
                block: BlockId(0),
            }),
        ] {
            let reg = builder.function.add_reg(64);
            builder.function.constants.push((reg, value));
        }
        for _ in 0..blocks {
            let start = builder.function.code.len() as u32;
            for _ in 0..builder.tape.below(6) {
                builder.plain();
            }
            builder.terminator(blocks);
            let end = builder.function.code.len() as u32;
            builder.function.blocks.push(Block { start, end });
        }
        let function = builder.function;
        module.functions.push(function);
    }
    module.constructors.push(FuncId(1));
    module
}

proptest! {
    #[test]
    fn printing_and_parsing_are_inverse(words in prop::collection::vec(any::<u64>(), 1..200)) {
        let module = module(&words);
        prop_assert_eq!(verify(&module), Ok(()));
        let text = module.to_string();
        let parsed = parse(&text);
        prop_assert_eq!(parsed.as_ref(), Ok(&module), "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC*") {
        let _ = parse(&text);
    }

    /// Damaged texts get further into the parser than arbitrary ones; whatever is read can be
    /// verified and, if sound, analysed.
    #[test]
    fn no_damage_makes_the_parser_panic(
        words in prop::collection::vec(any::<u64>(), 1..60),
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, "[a-z0-9@{}:=,! ]{0,4}"), 1..4),
    ) {
        let mut text: Vec<char> = module(&words).to_string().chars().collect();
        for (place, length, insert) in cuts {
            let start = place.index(text.len());
            let end = (start + length).min(text.len());
            text.splice(start..end, insert.chars());
        }
        let text: String = text.into_iter().collect();
        if let Ok(module) = parse(&text)
            && verify(&module).is_ok()
        {
            let graph = labrys_ir::CallGraph::of(&module);
            labrys_ir::Distances::to(&module, &graph, &[]);
            let again = parse(&module.to_string());
            prop_assert_eq!(again, Ok(module));
        }
    }
}
