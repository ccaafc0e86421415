//! Which facts are worth stating: what the analysis holds to be true at the starts of blocks and behind calls.

use super::builder::FactsByPlace;
use super::code::CertifiedCode;
use super::facts::StatedFact;
use crate::definitions::{CodePoint, Definition};
use labrys_ir::{FuncId, KnownFact, NumberSet, Reg};
use std::collections::BTreeMap;

/// At most so many facts are stated at a place.
const MOST_FACTS: usize = 400;

/// What holds at places, as facts about registers that are settled there.
pub(super) fn stated(
    code: &CertifiedCode<'_>,
    known: &BTreeMap<(FuncId, u32), Option<Vec<KnownFact>>>,
) -> FactsByPlace {
    let mut facts = FactsByPlace::new();
    for ((id, at), found) in known {
        let Some(found) = found else { continue };
        let Some(block) = code.block_of(*id, *at) else {
            continue;
        };
        let point = CodePoint { block, at: *at };
        let found = found.iter().map(|fact| StatedFact::Known(fact.clone()));
        let settled = found.chain(held(code, *id, point)).filter(|fact| {
            let mut registers = fact.registers().into_iter();
            registers.all(|reg| code.is_settled(*id, reg, point))
        });
        facts.insert((*id, *at), settled.take(MOST_FACTS).collect());
    }
    facts
}

/// Places that hold what a register holds at the start of a block, on all ways into it.
fn held(code: &CertifiedCode<'_>, id: FuncId, point: CodePoint) -> Vec<StatedFact> {
    let Some(facts) = code.program.facts(id) else {
        return Vec::new();
    };
    let start = code.function(id).blocks[point.block.index()].start;
    let definitions = &facts.definitions;
    let at_end = |edge: &labrys_ir::EdgeId| {
        let from = definitions.source[edge.index()];
        facts.numbers.at_end.get(from.index())
    };
    let mut ways = definitions.incoming[point.block.index()].iter().map(at_end);
    let Some(Some(first)) = ways.next().filter(|_| point.at == start) else {
        return Vec::new();
    };
    let others: Vec<_> = ways.collect();
    let everywhere = first.iter().filter(|entry| {
        let mut others = others.iter();
        others.all(|list| list.is_some_and(|list| list.contains(entry)))
    });
    everywhere
        .map(|(place, reg)| StatedFact::Held(*place, *reg))
        .collect()
}

impl CertifiedCode<'_> {
    /// Does the register hold at a place what its definition gave it?
    fn is_settled(&self, id: FuncId, reg: Reg, point: CodePoint) -> bool {
        let Some(facts) = self.program.facts(id) else {
            return false;
        };
        let definitions = &facts.definitions;
        !definitions.is_unsettled(reg)
            && match definitions.def(reg) {
                Definition::Param | Definition::Const => true,
                Definition::Inst(_) => definitions.inst_at(reg, point).is_some(),
                Definition::Phi(_) => definitions.phi_at(reg, point).is_some(),
                Definition::Other => false,
            }
    }

    /// What a register holds whenever it is written.
    pub(super) fn always(&self, id: FuncId, reg: Reg) -> Option<NumberSet> {
        let facts = self.program.facts(id)?;
        let is_plain = self.constant(id, reg).is_none() && !facts.definitions.is_unsettled(reg);
        let value = facts.base[reg.index()].filter(|_| is_plain)?;
        crate::known_facts::number_set(&value)
    }
}
