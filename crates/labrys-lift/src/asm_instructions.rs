//! The machine instructions of inline assembly that are translated: on registers, in
//! AT&T order, without jumps, memory and flags.

use crate::function::FunctionLifter;
use labrys_ir::{BinOp, CmpOp, IntrinsicOp, Reg};

/// One instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AsmInstruction {
    name: String,
    /// Bits, where the mnemonic says so.
    width: Option<u8>,
    operands: Vec<AsmOperand>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AsmOperand {
    /// A constraint's number.
    Numbered(usize),
    Immediate(u64),
}

const UNARY: [&str; 5] = ["bswap", "neg", "not", "inc", "dec"];
const BINARY: [&str; 13] = [
    "mov", "add", "sub", "and", "or", "xor", "rol", "ror", "shl", "sal", "shr", "sar", "bsr",
];

/// Can the template of an assembly statement be translated?
pub fn is_known_template(template: &str) -> bool {
    parse(template).is_some()
}

/// The instructions of a template; `None` if there is any other one.
pub(crate) fn parse(template: &str) -> Option<Vec<AsmInstruction>> {
    let lines = template.lines().flat_map(|line| line.split(';'));
    let lines = lines.map(|line| line.split('#').next().unwrap_or("").trim());
    lines
        .filter(|line| !line.is_empty())
        .map(asm_instruction)
        .collect()
}

fn asm_instruction(line: &str) -> Option<AsmInstruction> {
    let (mnemonic, rest) = line.split_once(char::is_whitespace)?;
    let operands: Vec<AsmOperand> = rest.split(',').map(operand).collect::<Option<_>>()?;
    if mnemonic == "xchgb" && line.contains(":b}") && line.contains(":h}") {
        // The two bytes of one register change places.
        let [AsmOperand::Numbered(a), AsmOperand::Numbered(b)] = operands[..] else {
            return None;
        };
        return (a == b).then(|| AsmInstruction {
            name: "rol".into(),
            width: Some(16),
            operands: vec![AsmOperand::Immediate(8), AsmOperand::Numbered(a)],
        });
    }
    if rest.contains(":h}") {
        return None;
    }
    let known = |name: &str| match operands.len() {
        1 => UNARY.contains(&name),
        2 => BINARY.contains(&name),
        _ => false,
    };
    let (name, width) = if known(mnemonic) {
        (mnemonic, None)
    } else {
        let width = match mnemonic.chars().last()? {
            'b' => 8,
            'w' => 16,
            'l' => 32,
            'q' => 64,
            _ => return None,
        };
        (&mnemonic[..mnemonic.len() - 1], Some(width))
    };
    known(name).then(|| AsmInstruction {
        name: name.into(),
        width,
        operands: operands.clone(),
    })
}

/// `$0`, `${0:w}` or `$$8`.
fn operand(text: &str) -> Option<AsmOperand> {
    let text = text.trim().strip_prefix('$')?;
    if let Some(number) = text.strip_prefix('$') {
        let value = match number.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16),
            None => number.parse(),
        };
        return value.ok().map(AsmOperand::Immediate);
    }
    let number = match text.strip_prefix('{') {
        Some(rest) => rest.split([':', '}']).next()?,
        None => text,
    };
    number.parse().ok().map(AsmOperand::Numbered)
}

impl FunctionLifter<'_, '_> {
    /// Translates one instruction; false if its operands are not registers of one width.
    pub(crate) fn machine_instruction(
        &mut self,
        step: &AsmInstruction,
        operands: &mut [Option<Reg>],
    ) -> bool {
        let Some(AsmOperand::Numbered(target)) = step.operands.last().copied() else {
            return false;
        };
        let Some(old) = operands.get(target).copied().flatten() else {
            return false;
        };
        let width = self.out.width(old);
        if step.width.is_some_and(|w| w != width) {
            return false;
        }
        let source = match step.operands[0] {
            AsmOperand::Immediate(value) => self.int(width, value.into()),
            AsmOperand::Numbered(number) => match operands.get(number).copied().flatten() {
                Some(reg) if self.out.width(reg) == width => reg,
                _ => return false,
            },
        };
        let new = match step.name.as_str() {
            "bswap" if width >= 32 => self.intrinsic(IntrinsicOp::ByteSwap, &[old], width),
            "neg" => {
                let zero = self.int(width, 0);
                self.bin(BinOp::Sub, width, zero, old)
            }
            "not" => {
                let ones = self.int(width, u128::MAX >> (128 - u32::from(width)));
                self.bin(BinOp::Xor, width, old, ones)
            }
            "inc" | "dec" => {
                let one = self.int(width, 1);
                let op = if step.name == "inc" {
                    BinOp::Add
                } else {
                    BinOp::Sub
                };
                self.bin(op, width, old, one)
            }
            "mov" => source,
            "add" => self.bin(BinOp::Add, width, old, source),
            "sub" => self.bin(BinOp::Sub, width, old, source),
            "and" => self.bin(BinOp::And, width, old, source),
            "or" => self.bin(BinOp::Or, width, old, source),
            "xor" => self.bin(BinOp::Xor, width, old, source),
            "rol" => self.intrinsic(IntrinsicOp::FunnelLeft, &[old, old, source], width),
            "ror" => self.intrinsic(IntrinsicOp::FunnelRight, &[old, old, source], width),
            "shl" | "sal" | "shr" | "sar" => {
                // The processor looks at the low bits of the count only.
                let mask = self.int(width, if width == 64 { 63 } else { 31 });
                let count = self.bin(BinOp::And, width, source, mask);
                let op = match step.name.as_str() {
                    "shr" => BinOp::LShr,
                    "sar" => BinOp::AShr,
                    _ => BinOp::Shl,
                };
                if width < 32 {
                    return false;
                }
                self.bin(op, width, old, count)
            }
            "bsr" => {
                let zeros = self.intrinsic(IntrinsicOp::LeadingZeros, &[source], width);
                let last = self.int(width, u128::from(width) - 1);
                let place = self.bin(BinOp::Sub, width, last, zeros);
                // Of zero there is none, and the target keeps its value.
                let zero = self.int(width, 0);
                let none = self.cmp(CmpOp::Eq, width, source, zero);
                self.select(none, old, place)
            }
            _ => return false,
        };
        operands[target] = Some(new);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_of_known_instructions_are_read() {
        let code = parse("bswap $0").unwrap_or_default();
        assert_eq!(code[0].operands, [AsmOperand::Numbered(0)]);
        let code = parse("rorw $$8, ${0:w}; addl $1, $0").unwrap_or_default();
        assert_eq!(code.len(), 2);
        assert_eq!((code[0].name.as_str(), code[0].width), ("ror", Some(16)));
        assert_eq!(code[0].operands[0], AsmOperand::Immediate(8));
        let code = parse("xchgb ${0:b},${0:h}").unwrap_or_default();
        assert_eq!(code[0].width, Some(16));
    }

    #[test]
    fn others_are_refused() {
        for template in [
            "cpuid",
            "rep movsb",
            "mov (%rdi), $0",
            "movl %eax, $0",
            "adcl $1, $0",
            "bswap ${0:h}",
            "jmp 1f",
        ] {
            assert!(parse(template).is_none(), "{template}");
        }
    }
}
