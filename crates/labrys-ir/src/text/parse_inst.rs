//! Parses single instructions of the text form: the word says which kind it is, the operands
//! follow.

use super::lex::IrToken;
use super::names::OperationWord;
use super::parse::{IrParser, ParseResult};
use crate::{
    BinOp, CastOp, CmpOp, FBinOp, FCmpOp, FUnOp, Function, Inst, IntrinsicOp, Reg, RegList, TextId,
};

impl IrParser {
    pub(super) fn inst(&mut self, function: &mut Function) -> ParseResult<Inst> {
        let is_value = matches!(
            self.tokens.get(self.next + 1),
            Some((IrToken::Sign('='), _))
        );
        if is_value {
            let dst = self.reg()?;
            self.sign('=')?;
            let word = self.word()?;
            return self.value(dst, &word);
        }
        let word = self.word()?;
        self.effect(function, &word)
    }

    fn pair(&mut self) -> ParseResult<(Reg, Reg)> {
        let a = self.reg()?;
        self.comma()?;
        Ok((a, self.reg()?))
    }

    fn triple(&mut self) -> ParseResult<(Reg, Reg, Reg)> {
        let (a, b) = self.pair()?;
        self.comma()?;
        Ok((a, b, self.reg()?))
    }

    fn width(&self, word: Option<&str>) -> ParseResult<u8> {
        match word.and_then(|word| word.parse().ok()) {
            Some(width) => Ok(width),
            None => self.error("expected the width in bits, as in add.32"),
        }
    }

    /// `dst = word …`
    fn value(&mut self, dst: Reg, word: &str) -> ParseResult<Inst> {
        let mut parts = word.split('.');
        let head = parts.next().unwrap_or("");
        match head {
            "cmp" => {
                let Some(op) = parts.next().and_then(CmpOp::from_word) else {
                    return self.error(format!("'{word}' is no comparison"));
                };
                let width = self.width(parts.next())?;
                let (a, b) = self.pair()?;
                Ok(Inst::Cmp {
                    op,
                    width,
                    dst,
                    a,
                    b,
                })
            }
            "fcmp" => {
                let Some(op) = parts.next().and_then(FCmpOp::from_word) else {
                    return self.error(format!("'{word}' is no comparison"));
                };
                let width = self.width(parts.next())?;
                let (a, b) = self.pair()?;
                Ok(Inst::FCmp {
                    op,
                    width,
                    dst,
                    a,
                    b,
                })
            }
            "cast" => {
                let Some(op) = parts.next().and_then(CastOp::from_word) else {
                    return self.error(format!("'{word}' is no conversion"));
                };
                let from = self.width(parts.next())?;
                let to = self.width(parts.next())?;
                let src = self.reg()?;
                Ok(Inst::Cast {
                    op,
                    from,
                    to,
                    dst,
                    src,
                })
            }
            "load" => {
                let width = self.width(parts.next())?;
                let addr = self.reg()?;
                Ok(Inst::Load { dst, addr, width })
            }
            "select" => {
                let (cond, a, b) = self.triple()?;
                Ok(Inst::Select { dst, cond, a, b })
            }
            "copy" => Ok(Inst::Copy {
                dst,
                src: self.reg()?,
            }),
            _ => match self.address_value(dst, head)? {
                Some(inst) => Ok(inst),
                None => self.arithmetic(dst, word),
            },
        }
    }

    /// Instructions that make addresses.
    fn address_value(&mut self, dst: Reg, head: &str) -> ParseResult<Option<Inst>> {
        Ok(Some(match head {
            "offset" => {
                let base = self.reg()?;
                self.comma()?;
                let offset = self.number()?;
                Inst::Offset { dst, base, offset }
            }
            "index" => {
                let (base, index) = self.pair()?;
                self.comma()?;
                let scale = self.number()?;
                Inst::Index {
                    dst,
                    base,
                    index,
                    scale,
                }
            }
            "alloca" => {
                self.keyword("size")?;
                let size = self.number()?;
                self.keyword("align")?;
                let align = self.number()?;
                self.keyword("element")?;
                let element = self.number()?;
                Inst::Alloca {
                    dst,
                    size,
                    align,
                    element,
                }
            }
            "alloca_dynamic" => {
                let count = self.reg()?;
                self.comma()?;
                let element = self.number()?;
                Inst::AllocaDynamic {
                    dst,
                    count,
                    element,
                }
            }
            _ => return Ok(None),
        }))
    }

    /// `add.32.nsw`, `fadd.64`, `fneg.64` and the like.
    fn arithmetic(&mut self, dst: Reg, word: &str) -> ParseResult<Inst> {
        let mut parts = word.split('.');
        let head = parts.next().unwrap_or("");
        if let Some(op) = BinOp::from_word(head) {
            let width = self.width(parts.next())?;
            let nsw = match parts.next() {
                None => false,
                Some("nsw") => true,
                Some(other) => return self.error(format!("'{other}' is no flag of {head}")),
            };
            let (a, b) = self.pair()?;
            return Ok(Inst::Bin {
                op,
                width,
                nsw,
                dst,
                a,
                b,
            });
        }
        if let Some(op) = FBinOp::from_word(head) {
            let width = self.width(parts.next())?;
            let (a, b) = self.pair()?;
            return Ok(Inst::FBin {
                op,
                width,
                dst,
                a,
                b,
            });
        }
        if let Some(op) = FUnOp::from_word(head) {
            let width = self.width(parts.next())?;
            let src = self.reg()?;
            return Ok(Inst::FUn {
                op,
                width,
                dst,
                src,
            });
        }
        self.error(format!("'{word}' is no instruction with a result"))
    }

    fn operands(&mut self, function: &mut Function) -> ParseResult<(RegList, RegList)> {
        let args = self.regs()?;
        let results = if self.take_arrow() {
            self.regs()?
        } else {
            Vec::new()
        };
        Ok((function.add_list(&args), function.add_list(&results)))
    }

    /// Instructions that do not start with a register.
    fn effect(&mut self, function: &mut Function, word: &str) -> ParseResult<Inst> {
        if let Some(width) = word.strip_prefix("store.") {
            let width = self.width(Some(width))?;
            let (addr, src) = self.pair()?;
            return Ok(Inst::Store { addr, src, width });
        }
        match word {
            "memcpy" | "memmove" => {
                let (dst, src, len) = self.triple()?;
                Ok(Inst::MemCopy {
                    dst,
                    src,
                    len,
                    moves: word == "memmove",
                })
            }
            "memset" => {
                let (dst, byte, len) = self.triple()?;
                Ok(Inst::MemSet { dst, byte, len })
            }
            "call" => {
                let callee = self.function_name()?;
                let (args, results) = self.operands(function)?;
                Ok(Inst::Call {
                    callee,
                    args,
                    results,
                })
            }
            "call_pointer" => {
                let target = self.reg()?;
                let (args, results) = self.operands(function)?;
                Ok(Inst::CallPointer {
                    target,
                    args,
                    results,
                })
            }
            "intrinsic" => {
                let name = self.word()?;
                let Some(op) = IntrinsicOp::from_word(&name) else {
                    return self.error(format!("'{name}' is no intrinsic"));
                };
                let (args, results) = self.operands(function)?;
                Ok(Inst::Intrinsic { op, args, results })
            }
            _ => self.terminator(function, word),
        }
    }

    fn terminator(&mut self, function: &mut Function, word: &str) -> ParseResult<Inst> {
        match word {
            "jump" => Ok(Inst::Jump { edge: self.edge()? }),
            "branch" => {
                let cond = self.reg()?;
                self.comma()?;
                let then = self.edge()?;
                self.comma()?;
                let other = self.edge()?;
                Ok(Inst::Branch { cond, then, other })
            }
            "switch" => {
                let value = self.reg()?;
                self.comma()?;
                let table = self.table()?;
                Ok(Inst::Switch { value, table })
            }
            "jump_indirect" => {
                let address = self.reg()?;
                self.comma()?;
                let table = self.table()?;
                Ok(Inst::JumpIndirect { address, table })
            }
            "return" => {
                let values = self.regs()?;
                Ok(Inst::Return {
                    values: function.add_list(&values),
                })
            }
            "unreachable" => Ok(Inst::Unreachable),
            "unsupported" => match self.take() {
                Some(IrToken::Text(text)) => Ok(Inst::Unsupported {
                    message: self.message(text),
                }),
                _ => self.error("expected a text in quotes"),
            },
            other => self.error(format!("'{other}' is no instruction")),
        }
    }

    fn message(&mut self, text: String) -> TextId {
        let known = self.module.texts.iter().position(|known| *known == text);
        let index = known.unwrap_or_else(|| {
            self.module.texts.push(text);
            self.module.texts.len() - 1
        });
        TextId(index as u32)
    }
}
