//! Inline assembly. Templates that compute nothing (compiler barriers, `nop`) are translated, and so
//! are those made of a few instructions on registers (`bswap`, rotations, arithmetic); everything
//! else is refused with the template in the message.

use crate::asm_instructions;
use crate::error::{LiftResult, unsupported};
use crate::function::{FunctionLifter, ScalarRegs};
use crate::llvm::{LlvmType, LlvmTypeKind, LlvmValue};
use labrys_ir::Reg;

/// Instructions without an effect that a program of one thread can see.
const NO_EFFECT: [&str; 7] = [
    "nop", "pause", "rep nop", "rep; nop", "mfence", "lfence", "sfence",
];

impl<'m> FunctionLifter<'_, 'm> {
    pub(crate) fn inline_assembly(
        &mut self,
        inst: LlvmValue<'m>,
        called: LlvmValue<'m>,
    ) -> LiftResult<()> {
        let (template, constraints) = called.assembly();
        let code = match (is_empty(&template), asm_instructions::parse(&template)) {
            (true, _) => Vec::new(),
            (false, Some(code)) => code,
            (false, None) => return refuse(&template),
        };
        let outputs = output_types(inst.called_type().result());
        let mut tied: Vec<Option<ScalarRegs>> = vec![None; outputs.len()];
        let mut output = 0;
        let mut argument = 0;
        // The registers of all operands, by number; `None` for those in memory.
        let mut operands: Vec<Option<Reg>> = Vec::new();
        // Which result each output constraint (counting indirect ones) stands for.
        let mut results = Vec::new();
        for constraint in split_constraints(&constraints) {
            if constraint.starts_with('~') || constraint.starts_with('!') {
                continue;
            }
            if let Some(rest) = constraint.strip_prefix('=') {
                if rest.trim_start_matches('&').starts_with('*') {
                    results.push(None);
                    argument += 1;
                } else {
                    results.push(Some(output));
                    output += 1;
                }
                operands.push(None);
                continue;
            }
            if !constraint.starts_with('*') {
                let values = self.get(inst.operand(argument))?;
                operands.push(values.first().copied().filter(|_| values.len() == 1));
            } else {
                operands.push(None);
            }
            if let Ok(number) = constraint.parse::<usize>()
                && let Some(Some(result)) = results.get(number)
                && let Some(place) = tied.get_mut(*result)
            {
                *place = Some(self.get(inst.operand(argument))?);
            }
            argument += 1;
        }
        let mut regs = ScalarRegs::new();
        for (ty, tied) in outputs.into_iter().zip(tied) {
            let shape = self.program.shape(ty)?;
            match tied {
                Some(values) if values.len() == shape.parts.len() => {
                    for (value, leaf) in values.into_iter().zip(&shape.parts) {
                        regs.push(self.resize(value, leaf.width));
                    }
                }
                _ => regs.extend(self.undef_of(ty)?),
            }
        }
        if !code.is_empty() {
            // An output starts with the input that it is tied to. Each has one register.
            if results.len() > operands.len() || regs.len() != output {
                return refuse(&template);
            }
            for (operand, result) in operands.iter_mut().zip(&results) {
                *operand = result.map(|result| regs[result]);
            }
            for step in &code {
                if !self.machine_instruction(step, &mut operands) {
                    return refuse(&template);
                }
            }
            for (operand, result) in operands.iter().zip(&results) {
                if let (Some(operand), Some(result)) = (operand, result) {
                    regs[*result] = *operand;
                }
            }
        }
        self.values.insert(inst, regs);
        Ok(())
    }
}

fn refuse<T>(template: &str) -> LiftResult<T> {
    let shown: String = template.trim().chars().take(60).collect();
    unsupported(format!("inline assembly '{shown}'"))
}

fn output_types(result: LlvmType<'_>) -> Vec<LlvmType<'_>> {
    match result.kind() {
        LlvmTypeKind::Void => Vec::new(),
        LlvmTypeKind::Struct => result.fields(),
        _ => vec![result],
    }
}

/// Comments and harmless instructions only.
fn is_empty(template: &str) -> bool {
    template
        .lines()
        .map(|line| line.split('#').next().unwrap_or("").trim())
        .flat_map(|line| {
            if NO_EFFECT.contains(&line) {
                vec![""]
            } else {
                line.split(';').map(str::trim).collect()
            }
        })
        .all(|part| part.is_empty() || NO_EFFECT.contains(&part) || is_alignment(part))
}

/// Directives that only place the code.
fn is_alignment(part: &str) -> bool {
    let directive = part.split_whitespace().next().unwrap_or("");
    matches!(directive, ".p2align" | ".align" | ".balign")
}

/// Constraints are separated by commas; register names in braces may not hold any.
fn split_constraints(constraints: &str) -> impl Iterator<Item = &str> {
    constraints.split(',').filter(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::is_empty;

    #[test]
    fn only_templates_without_effect_are_empty() {
        for template in [
            "",
            "  \n\t",
            "nop",
            "# a comment",
            "rep; nop",
            "nop; nop\n\tpause",
            ".p2align 5",
        ] {
            assert!(is_empty(template), "{template:?}");
        }
        for template in ["mov $1, $0", "nop; cpuid", "hlt"] {
            assert!(!is_empty(template), "{template:?}");
        }
    }
}
