//! Undoes the sharing of places among registers: an analysis that comes behind it sees single assignment
//! again.

use crate::{Function, Inst, Reg, RegList};

/// Gives every value of a register that is only used in the blocks where it is written a register of its own,
/// behind those that there are. The others keep their numbers.
pub fn separate_registers(function: &mut Function) {
    let lasting = lasting(function);
    for block in function.blocks.clone() {
        let mut now: Vec<Option<Reg>> = vec![None; lasting.len()];
        for at in block.start as usize..block.end as usize {
            let inst = function.code[at];
            let place = |now: &[Option<Reg>], reg: Reg| now[reg.index()].unwrap_or(reg);
            let before = now.clone();
            let mut written = Vec::new();
            inst.for_each_write(function, &mut |reg| written.push(reg));
            for reg in written {
                if !lasting[reg.index()] {
                    now[reg.index()] = Some(Reg(function.widths.len() as u32));
                    function.widths.push(function.widths[reg.index()]);
                }
            }
            let mut changed = inst;
            let (read, made) = (|reg| place(&before, reg), |reg| place(&now, reg));
            changed.map_registers(&read, &made);
            map_lists(function, &mut changed, &read, &made);
            function.code[at] = changed;
        }
    }
}

/// The registers that are written once, or that hold something beyond a block or from the start.
fn lasting(function: &Function) -> Vec<bool> {
    let mut writes = vec![0u32; function.widths.len()];
    for inst in &function.code {
        inst.for_each_write(function, &mut |reg| writes[reg.index()] += 1);
    }
    let mut lasting: Vec<bool> = writes.iter().map(|writes| *writes <= 1).collect();
    let constants = function.constants.iter().map(|(reg, _)| *reg);
    let copied = function.copies.iter().flat_map(|(to, from)| [*to, *from]);
    for reg in function
        .params
        .iter()
        .copied()
        .chain(constants)
        .chain(copied)
    {
        lasting[reg.index()] = true;
    }
    for block in &function.blocks {
        let mut written = vec![false; lasting.len()];
        for inst in &function.code[block.start as usize..block.end as usize] {
            inst.for_each_read(function, &mut |reg| {
                lasting[reg.index()] |= !written[reg.index()];
            });
            inst.for_each_write(function, &mut |reg| written[reg.index()] = true);
        }
    }
    lasting
}

/// Gives an instruction lists of its own with other registers in them.
fn map_lists(
    function: &mut Function,
    inst: &mut Inst,
    read: &impl Fn(Reg) -> Reg,
    made: &impl Fn(Reg) -> Reg,
) {
    let mut renamed = |list: &mut RegList, place: &dyn Fn(Reg) -> Reg| {
        let all = function.list(*list).iter();
        let new: Vec<Reg> = all.map(|reg| place(*reg)).collect();
        if new != function.list(*list) {
            *list = function.add_list(&new);
        }
    };
    match inst {
        Inst::Call { args, results, .. }
        | Inst::CallPointer { args, results, .. }
        | Inst::Intrinsic { args, results, .. } => {
            renamed(args, read);
            renamed(results, made);
        }
        Inst::Return { values } => renamed(values, read),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{parse, share_registers, verify};

    const TEXT: &str = r#"
text "" text "t.c"
function @f(r0) -> 32 {
  regs 32 32 32 32 32 32 32 32 32 32 32 32 32 32
  edge e0 -> b1 []
b0:
  r1 = add.32 r0, r0
  r2 = mul.32 r1, r1
  r3 = add.32 r2, r2
  r4 = add.32 r3, r3
  r5 = add.32 r4, r4
  r6 = add.32 r5, r5
  r7 = add.32 r6, r6
  r8 = add.32 r7, r7
  r9 = add.32 r8, r8
  r10 = add.32 r9, r9
  r11 = add.32 r10, r10
  r12 = add.32 r11, r11
  jump e0
b1:
  r13 = add.32 r12, r0
  return (r13)
}"#;

    #[test]
    fn what_shared_a_place_has_its_own_again() {
        let mut module = parse(TEXT).unwrap();
        let function = &mut module.functions[0];
        share_registers(function, &[true, true]);
        let shared = function.widths.len();
        assert!(shared < 14);
        separate_registers(function);
        let mut writes = vec![0; function.widths.len()];
        for inst in &function.code {
            inst.for_each_write(function, &mut |reg| writes[reg.index()] += 1);
        }
        assert!(writes.iter().all(|writes| *writes <= 1), "{writes:?}");
        assert_eq!(verify(&module), Ok(()));
    }
}
