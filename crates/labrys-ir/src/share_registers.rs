//! Lets registers that are used in one block only share a few slots.
//!
//! A function with thousands of labels has registers for each predicate, and whoever calls it or
//! keeps a snapshot of it copies them all. Inside the chosen blocks, values that nobody else
//! reads are put into a few registers by turns. The form is no longer that of single assignment:
//! analyses come first.

use crate::{Function, Reg};
use std::collections::BTreeMap;

/// A slot is used again so many instructions after its last use at the earliest. The engine executes
/// some pairs of instructions at once; and it measures how nearly a condition has had another outcome
/// by the numbers that were compared a few instructions before.
const REUSE_DELAY: usize = 8;

/// Where a register is written and read.
#[derive(Clone, Copy, Default)]
struct LiveRange {
    /// Instruction that writes it, and the last one that reads it.
    written: usize,
    read: usize,
    block: u32,
    writes: u32,
    /// It is used outside of its block.
    shared: bool,
}

/// Lets the registers of the chosen blocks share places.
pub fn share_registers(function: &mut Function, chosen: &[bool]) {
    let lives = live_ranges(function);
    let is_local = |life: &LiveRange| {
        life.writes == 1 && !life.shared && chosen.get(life.block as usize) == Some(&true)
    };
    let mut places: Vec<Option<Reg>> = vec![None; lives.len()];
    let mut widths = Vec::new();
    for (index, life) in lives.iter().enumerate() {
        if !is_local(life) {
            places[index] = Some(Reg(widths.len() as u32));
            widths.push(function.widths[index]);
        }
    }
    let mut free: BTreeMap<u8, Vec<Reg>> = BTreeMap::new();
    for (block, range) in function.blocks.iter().enumerate() {
        if chosen.get(block) != Some(&true) {
            continue;
        }
        let mut taken: Vec<(usize, u8, Reg)> = Vec::new();
        for at in range.start as usize..range.end as usize {
            taken.retain(|(read, width, place)| {
                let done = read + REUSE_DELAY <= at;
                if done {
                    free.entry(*width).or_default().push(*place);
                }
                !done
            });
            function.code[at].for_each_write(function, &mut |reg| {
                let life = &lives[reg.index()];
                if !is_local(life) || places[reg.index()].is_some() {
                    return;
                }
                let width = function.widths[reg.index()];
                let place = free.entry(width).or_default().pop().unwrap_or_else(|| {
                    widths.push(width);
                    Reg(widths.len() as u32 - 1)
                });
                places[reg.index()] = Some(place);
                taken.push((life.read.max(at), width, place));
            });
        }
        for (_, width, place) in taken {
            free.entry(width).or_default().push(place);
        }
    }
    // A register that is neither written nor read has no slot; any number will do.
    let place = |reg: Reg| places[reg.index()].unwrap_or(Reg(0));
    for inst in &mut function.code {
        inst.map_registers(&place, &place);
    }
    let lists = function.lists.iter_mut().chain(&mut function.params);
    lists.for_each(|reg| *reg = place(*reg));
    for (reg, _) in &mut function.constants {
        *reg = place(*reg);
    }
    // What shares a register with others has no name of its own.
    let names = std::mem::take(&mut function.names).into_iter();
    let names = names.filter(|(reg, _)| lives.get(reg.index()).is_some_and(|life| !is_local(life)));
    function.names = names.map(|(reg, name)| (place(reg), name)).collect();
    for (to, from) in &mut function.copies {
        (*to, *from) = (place(*to), place(*from));
    }
    function.widths = widths;
}

fn live_ranges(function: &Function) -> Vec<LiveRange> {
    let mut lives = vec![LiveRange::default(); function.widths.len()];
    for (number, block) in function.blocks.iter().enumerate() {
        for at in block.start as usize..block.end as usize {
            function.code[at].for_each_write(function, &mut |reg| {
                let life = &mut lives[reg.index()];
                life.written = at;
                life.block = number as u32;
                life.writes += 1;
            });
        }
    }
    for (number, block) in function.blocks.iter().enumerate() {
        for at in block.start as usize..block.end as usize {
            function.code[at].for_each_read(function, &mut |reg| {
                let life = &mut lives[reg.index()];
                life.read = life.read.max(at);
                life.shared |= life.block != number as u32 || at <= life.written;
            });
        }
    }
    let constants = function.constants.iter().map(|(reg, _)| *reg);
    let copied = function.copies.iter().flat_map(|(to, from)| [*to, *from]);
    for reg in function
        .params
        .iter()
        .copied()
        .chain(constants)
        .chain(copied)
    {
        lives[reg.index()].shared = true;
    }
    lives
}
