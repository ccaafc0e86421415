//! Relations over calls: what holds between arguments and variables holds in the function that is
//! called, and what holds between its parameters, results and variables holds behind the call.

use super::constraints::Relations;
use super::terms::Atom;
use crate::definitions::{CodePoint, Definition};
use crate::state::AbstractState;
use crate::sweep::FunctionSweep;
use crate::value_set::ValueSet;
use labrys_ir::{FuncId, Inst, Reg, RegList};

impl FunctionSweep<'_> {
    /// What holds when the function starts.
    pub(crate) fn relations_at_call(&self) -> Relations {
        if !self.relates || self.call_values.is_open(self.id) || self.facts.pack.is_empty() {
            return Relations::default();
        }
        let known = self.memory.relations_at_call[self.id.index()].get();
        let is_own_local = |number| {
            let place = self.packed_cells.place(number);
            self.rules
                .is_some_and(|rules| rules.public.is_local_of(place.base, self.id))
        };
        known.renamed(|atom| match atom {
            Atom::Reg(reg) => self.own_atom(reg),
            Atom::Cell(number) if is_own_local(number) => None,
            atom => Some(atom),
        })
    }

    /// A function of the program is called; its parameters have got their values.
    pub(crate) fn pass_relations(
        &mut self,
        state: &AbstractState,
        point: CodePoint,
        callee: FuncId,
        args: RegList,
    ) {
        if !self.relates || self.call_values.is_open(callee) {
            return;
        }
        let target = &self.module.functions[callee.index()];
        let mut given: Vec<(Atom, Reg, Reg)> = Vec::new();
        for (i, (param, arg)) in target
            .params
            .iter()
            .zip(self.function.list(args))
            .enumerate()
        {
            if target.width(*param) == self.function.width(*arg) {
                given.push((Atom::Param(i as u32), *param, *arg));
            }
        }
        let view = self.view();
        let mut relations = state.relations.clone();
        let values = |atom| view.atom_value(state, atom);
        let is_given = |atom| {
            given
                .iter()
                .any(|(_, _, arg)| view.atom(*arg) == Some(atom))
        };
        relations.eliminate_all(|atom| !is_given(atom) && !self.is_shared(atom), &values);
        for (param, _, arg) in &given {
            if let Some(atom) = view.atom(*arg) {
                relations.assign(*param, atom, false);
            }
        }
        relations.eliminate_all(|atom| matches!(atom, Atom::Reg(_)), &values);
        let relations = relations.renamed(|atom| match atom {
            Atom::Param(i) => target.params.get(i as usize).map(|reg| Atom::Reg(*reg)),
            atom => Some(atom),
        });
        let now = |atom| match atom {
            Atom::Reg(reg) => {
                let arg = given.iter().find(|(_, param, _)| *param == reg);
                arg.map(|(_, _, arg)| view.read(state, *arg, point.at))
            }
            atom => view.atom_value(state, atom),
        };
        let params = self.call_values.params(callee, target);
        let cells = self.memory.at_call(callee);
        let always = |atom| match atom {
            Atom::Reg(reg) => {
                let i = target.params.iter().position(|param| *param == reg)?;
                params.get(i).copied()
            }
            Atom::Cell(number) => cells.get(self.packed_cells.place(number)).copied(),
            _ => None,
        };
        let mut passed = self.memory.relations_at_call[callee.index()].clone();
        let grown = passed.add(&relations, &always, &now, self.mode);
        self.memory.relations_at_call[callee.index()] = passed;
        if grown {
            self.memory.dirty.insert(callee);
        }
    }

    /// The function has returned, and its results are where they belong.
    pub(crate) fn take_relations(
        &self,
        state: &mut AbstractState,
        callee: FuncId,
        args: RegList,
        results: RegList,
    ) {
        if self.facts.pack.is_empty() {
            return;
        }
        let known = self.memory.relations_at_return[callee.index()].get();
        if known.is_empty() {
            return;
        }
        let target = &self.module.functions[callee.index()];
        let (args, results) = (self.function.list(args), self.function.list(results));
        let known = known.renamed(|atom| match atom {
            Atom::Reg(reg) => {
                let i = target.params.iter().position(|param| *param == reg)?;
                let arg = *args.get(i)?;
                let fits = target.width(reg) == self.function.width(arg);
                self.view().atom(arg).filter(|_| fits)
            }
            Atom::Result(i) => {
                let result = *results.get(i as usize)?;
                let width = *target.results.get(i as usize)?;
                let fits = width == self.function.width(result);
                self.own_atom(result).filter(|_| fits)
            }
            atom => Some(atom),
        });
        state.relations.add_all(&known);
    }

    /// Control leaves the function.
    pub(crate) fn return_relations(&mut self, state: &AbstractState, point: CodePoint) {
        let Inst::Return { values } = self.function.code[point.at as usize] else {
            return;
        };
        if !self.relates {
            return;
        }
        let view = self.view();
        let returned = self.function.list(values);
        let is_param = |atom| match atom {
            Atom::Reg(reg) => {
                let is_settled = view.definitions.def(reg) == Definition::Param;
                is_settled && self.function.params.contains(&reg)
            }
            _ => false,
        };
        let is_returned = |atom| returned.iter().any(|reg| view.atom(*reg) == Some(atom));
        let here = |atom| view.atom_value(state, atom);
        let mut relations = state.relations.clone();
        let keeps = |atom| self.is_shared(atom) || is_param(atom);
        relations.eliminate_all(|atom| !keeps(atom) && !is_returned(atom), &here);
        for (i, reg) in returned.iter().enumerate() {
            if let Some(atom) = view.atom(*reg)
                && self.function.results.get(i) == Some(&self.function.width(*reg))
            {
                relations.assign(Atom::Result(i as u32), atom, false);
            }
        }
        let stays = |atom| keeps(atom) || matches!(atom, Atom::Result(_));
        relations.eliminate_all(|atom| !stays(atom), &here);
        let now = |atom| match atom {
            Atom::Result(i) => {
                let reg = *returned.get(i as usize)?;
                Some(view.read(state, reg, point.at))
            }
            atom => view.atom_value(state, atom),
        };
        let results = self.call_values.results(self.id);
        let (params, cells) = (
            self.call_values.params(self.id, self.function),
            self.memory.at_return(self.id),
        );
        let always = |atom| self.value_at_return(atom, &params, &results, &cells);
        let mut passed = self.memory.relations_at_return[self.id.index()].clone();
        let grown = passed.add(&relations, &always, &now, self.mode);
        self.memory.relations_at_return[self.id.index()] = passed;
        if grown {
            self.memory.dirty.extend(self.call_values.callers(self.id));
        }
    }

    fn value_at_return(
        &self,
        atom: Atom,
        params: &[ValueSet],
        results: &[ValueSet],
        cells: &crate::cells::Cells,
    ) -> Option<ValueSet> {
        match atom {
            Atom::Reg(reg) => {
                let i = self
                    .function
                    .params
                    .iter()
                    .position(|param| *param == reg)?;
                params.get(i).copied()
            }
            Atom::Result(i) => results.get(i as usize).copied(),
            Atom::Cell(number) => cells.get(self.packed_cells.place(number)).copied(),
            Atom::Zero | Atom::Param(_) => None,
        }
    }

    /// Code that is missing may return in any state.
    pub(crate) fn return_nothing(&mut self) {
        if self.relates {
            let passed = &mut self.memory.relations_at_return[self.id.index()];
            let nothing = |_| None;
            if passed.add(&Relations::default(), &nothing, &nothing, self.mode) {
                self.memory.dirty.extend(self.call_values.callers(self.id));
            }
        }
    }
}
