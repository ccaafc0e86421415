//! The arena: interned nodes, variables and tables.
//!
//! Nodes are made by the builder methods in `build/`, which fold and canonicalise; this file only
//! stores them, each distinct node once, with its variables and flags.

use crate::assumed::{AssumptionId, Assumptions};
use crate::node::{ExprKind, ExprNode, ExprOp, Rounding, flag, mask};
use crate::varset::{VarSetId, VarSets};
use crate::{ExprId, TableId, VarId};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// So many bits of a hash choose one of the nodes that were found last.
const RECENT_BITS: u32 = 15;

/// All expressions of a run.
pub struct Arena {
    pub(crate) nodes: Vec<ExprNode>,
    /// The variables below each node.
    vars_of: Vec<VarSetId>,
    index: HashTable<u32>,
    /// The node that was found last for each number of a few bits of a hash. Paths of a program have
    /// most of their nodes in common, and the whole index is larger than the caches of the processor.
    recent: Box<[u32]>,
    wide: Vec<u128>,
    wide_index: FxHashMap<u128, u32>,
    vars: Vec<VarInfo>,
    tables: Vec<Arc<[ExprId]>>,
    table_index: FxHashMap<Arc<[ExprId]>, TableId>,
    /// Numbers of collected tables, to be used again.
    free_tables: Vec<TableId>,
    /// Entries of all tables.
    table_cells: usize,
    pub(crate) sets: VarSets,
    pub(crate) assumptions: Assumptions,
    hasher: FxBuildHasher,
    yes: ExprId,
    no: ExprId,
    /// Ids of collected nodes, to be used again.
    pub(crate) free: Vec<u32>,
}

#[derive(Clone, Debug)]
struct VarInfo {
    name: String,
    width: u8,
    expr: ExprId,
}

impl Default for Arena {
    fn default() -> Self {
        Arena::new()
    }
}

impl Arena {
    pub fn new() -> Self {
        let filler = ExprNode {
            op: ExprOp::Uninit,
            width: 0,
            flags: 0,
            a: 0,
            b: 0,
            c: 0,
        };
        let mut arena = Arena {
            nodes: vec![filler],
            vars_of: vec![VarSetId::EMPTY],
            index: HashTable::new(),
            recent: vec![0; 1 << RECENT_BITS].into(),
            wide: Vec::new(),
            wide_index: FxHashMap::default(),
            vars: Vec::new(),
            tables: Vec::new(),
            table_index: FxHashMap::default(),
            free_tables: Vec::new(),
            table_cells: 0,
            sets: VarSets::default(),
            assumptions: Assumptions::default(),
            hasher: FxBuildHasher,
            yes: ExprId::new(1),
            no: ExprId::new(1),
            free: Vec::new(),
        };
        arena.no = arena.constant(1, 0);
        arena.yes = arena.constant(1, 1);
        arena
    }

    /// Number of ids in use or free to be used again.
    pub fn len(&self) -> usize {
        self.nodes.len() - 1
    }

    /// Number of nodes.
    pub fn live(&self) -> usize {
        self.len() - self.free.len()
    }

    /// Number of nodes and of entries of tables: what collecting may give back.
    pub fn collectable_size(&self) -> usize {
        self.live() + self.table_cells
    }

    /// Expressions that are never collected: truth values and variables.
    pub(crate) fn permanent(&self) -> impl Iterator<Item = ExprId> + '_ {
        let vars = self.vars.iter().map(|var| var.expr);
        [self.yes, self.no].into_iter().chain(vars)
    }

    /// Gives the tables back that no node has any more.
    pub(crate) fn collect_tables(&mut self) {
        let mut live = vec![false; self.tables.len()];
        for node in &self.nodes {
            if node.op == ExprOp::Table {
                live[node.a as usize] = true;
            }
        }
        for (number, _) in live.iter().enumerate().filter(|(_, live)| !**live) {
            let table = std::mem::take(&mut self.tables[number]);
            if !table.is_empty() {
                self.table_index.remove(&table);
                self.table_cells -= table.len();
                self.free_tables.push(TableId(number as u32));
            }
        }
    }

    /// Takes a node out of the index.
    pub(crate) fn forget_index(&mut self, index: u32) {
        let hash = self.hash(&self.nodes[index as usize]);
        if let Ok(entry) = self.index.find_entry(hash, |&i| i == index) {
            entry.remove();
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn yes(&self) -> ExprId {
        self.yes
    }

    #[inline]
    pub fn no(&self) -> ExprId {
        self.no
    }

    /// A new variable of 1 to 64 bits. Names need not be unique.
    pub fn new_var(&mut self, name: &str, width: u8) -> VarId {
        let id = VarId(self.vars.len() as u32);
        let set = self.sets.single(id);
        let node = ExprNode {
            op: ExprOp::Var,
            width,
            flags: 0,
            a: id.0,
            b: 0,
            c: 0,
        };
        let expr = self.intern_with(node, set);
        self.vars.push(VarInfo {
            name: name.to_owned(),
            width,
            expr,
        });
        id
    }

    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    pub fn var_expr(&self, var: VarId) -> ExprId {
        self.vars[var.index()].expr
    }

    pub fn var_name(&self, var: VarId) -> &str {
        &self.vars[var.index()].name
    }

    pub fn var_width(&self, var: VarId) -> u8 {
        self.vars[var.index()].width
    }

    #[inline]
    pub fn constant(&mut self, width: u8, value: u128) -> ExprId {
        let value = value & mask(width);
        let node = if width <= 64 {
            let (b, c) = (value as u32, (value >> 32) as u32);
            ExprNode {
                op: ExprOp::Const,
                width,
                flags: 0,
                a: 0,
                b,
                c,
            }
        } else {
            let b = self.wide_constant(value);
            ExprNode {
                op: ExprOp::Const,
                width,
                flags: 0,
                a: 0,
                b,
                c: 0,
            }
        };
        self.intern_with(node, VarSetId::EMPTY)
    }

    #[inline]
    pub fn boolean(&self, value: bool) -> ExprId {
        if value { self.yes } else { self.no }
    }

    /// An indeterminate value.
    pub fn uninit(&mut self, width: u8) -> ExprId {
        let node = ExprNode {
            op: ExprOp::Uninit,
            width,
            flags: flag::UNINIT,
            a: 0,
            b: 0,
            c: 0,
        };
        self.intern_with(node, VarSetId::EMPTY)
    }

    /// A table of expressions of the same width, at least one.
    pub fn table(&mut self, entries: &[ExprId]) -> TableId {
        if let Some(&id) = self.table_index.get(entries) {
            return id;
        }
        let table: Arc<[ExprId]> = entries.into();
        self.table_cells += table.len();
        let id = match self.free_tables.pop() {
            Some(id) => {
                self.tables[id.0 as usize] = table.clone();
                id
            }
            None => {
                self.tables.push(table.clone());
                TableId((self.tables.len() - 1) as u32)
            }
        };
        self.table_index.insert(table, id);
        id
    }

    #[inline]
    pub fn table_entries(&self, table: TableId) -> &[ExprId] {
        &self.tables[table.0 as usize]
    }

    #[inline]
    pub fn width(&self, e: ExprId) -> u8 {
        self.nodes[e.index()].width
    }

    #[inline]
    pub fn op(&self, e: ExprId) -> ExprOp {
        self.nodes[e.index()].op
    }

    /// The value if the expression is a constant.
    #[inline]
    pub fn as_const(&self, e: ExprId) -> Option<u128> {
        let node = &self.nodes[e.index()];
        (node.op == ExprOp::Const).then(|| self.const_value(node))
    }

    #[inline]
    pub(crate) fn const_value(&self, node: &ExprNode) -> u128 {
        if node.width <= 64 {
            u128::from(node.b) | u128::from(node.c) << 32
        } else {
            self.wide[node.b as usize]
        }
    }

    /// The node with its operands spelled out.
    pub fn kind(&self, e: ExprId) -> ExprKind {
        let n = self.nodes[e.index()];
        let (a, b, c) = (ExprId::new(n.a), ExprId::new(n.b), ExprId::new(n.c));
        match n.op {
            ExprOp::Const => ExprKind::Const(self.const_value(&n)),
            ExprOp::Var => ExprKind::Var(VarId(n.a)),
            ExprOp::Uninit => ExprKind::Uninit,
            ExprOp::Assumed => ExprKind::Assumed(AssumptionId::of(&n)),
            ExprOp::Not | ExprOp::Neg | ExprOp::FSqrt => ExprKind::Unary(n.op, a),
            ExprOp::Ite => ExprKind::Ite(a, b, c),
            ExprOp::Extract => ExprKind::Extract(a, n.b),
            ExprOp::ZExt
            | ExprOp::SExt
            | ExprOp::FToF
            | ExprOp::FToS
            | ExprOp::FToU
            | ExprOp::SToF
            | ExprOp::UToF => ExprKind::Convert(n.op, a),
            ExprOp::Table => ExprKind::Table(TableId(n.a), b),
            ExprOp::FFma => ExprKind::Fma(a, b, c),
            ExprOp::FRound => ExprKind::Round(Rounding::from_code(n.b), a),
            _ => ExprKind::Binary(n.op, a, b),
        }
    }

    /// Calls `visit` with every direct operand.
    #[inline]
    pub fn for_each_operand(&self, e: ExprId, mut visit: impl FnMut(ExprId)) {
        let n = self.nodes[e.index()];
        match n.op {
            ExprOp::Const | ExprOp::Var | ExprOp::Uninit | ExprOp::Assumed => {}
            ExprOp::Not
            | ExprOp::Neg
            | ExprOp::FSqrt
            | ExprOp::Extract
            | ExprOp::ZExt
            | ExprOp::SExt
            | ExprOp::FToF
            | ExprOp::FToS
            | ExprOp::FToU
            | ExprOp::SToF
            | ExprOp::UToF
            | ExprOp::FRound => visit(ExprId::new(n.a)),
            ExprOp::Ite | ExprOp::FFma => {
                visit(ExprId::new(n.a));
                visit(ExprId::new(n.b));
                visit(ExprId::new(n.c));
            }
            ExprOp::Table => {
                visit(ExprId::new(n.b));
                for &entry in self.table_entries(TableId(n.a)) {
                    visit(entry);
                }
            }
            _ => {
                visit(ExprId::new(n.a));
                visit(ExprId::new(n.b));
            }
        }
    }

    /// Does the value depend on uninitialised memory?
    #[inline]
    pub fn is_uninit(&self, e: ExprId) -> bool {
        self.nodes[e.index()].flags & flag::UNINIT != 0
    }

    /// Is there a float operation in it?
    #[inline]
    pub fn has_float(&self, e: ExprId) -> bool {
        self.nodes[e.index()].flags & flag::FLOAT != 0
    }

    /// The set of variables in it.
    #[inline]
    pub fn vars(&self, e: ExprId) -> VarSetId {
        self.vars_of[e.index()]
    }

    pub fn vars_iter(&self, set: VarSetId) -> impl Iterator<Item = VarId> + '_ {
        self.sets.iter(set)
    }

    pub fn vars_len(&self, set: VarSetId) -> usize {
        self.sets.len(set)
    }

    pub fn vars_union(&mut self, a: VarSetId, b: VarSetId) -> VarSetId {
        self.sets.union(a, b)
    }

    #[inline]
    pub fn vars_intersect(&self, a: VarSetId, b: VarSetId) -> bool {
        self.sets.intersects(a, b)
    }

    /// Sizes of the tables, for `--stats`.
    pub fn sizes(&self) -> [(&'static str, usize); 4] {
        [
            ("expressions", self.len()),
            ("variables", self.vars.len()),
            ("variable sets", self.sets.count()),
            ("tables", self.tables.len() - self.free_tables.len()),
        ]
    }

    fn wide_constant(&mut self, value: u128) -> u32 {
        if let Some(&i) = self.wide_index.get(&value) {
            return i;
        }
        let i = self.wide.len() as u32;
        self.wide.push(value);
        self.wide_index.insert(value, i);
        i
    }

    pub(crate) fn intern(&mut self, op: ExprOp, width: u8, a: u32, b: u32, c: u32) -> ExprId {
        let mut node = ExprNode {
            op,
            width,
            flags: 0,
            a,
            b,
            c,
        };
        if let Some(id) = self.find(&node) {
            return id;
        }
        let mut flags = if op >= ExprOp::FAdd { flag::FLOAT } else { 0 };
        let mut set = VarSetId::EMPTY;
        // The operands are read off a node that is not in the arena yet.
        self.nodes.push(node);
        let probe = ExprId::new((self.nodes.len() - 1) as u32);
        let mut operands = [VarSetId::EMPTY; 3];
        let mut count = 0;
        if op == ExprOp::Table {
            let mut all = Vec::new();
            self.for_each_operand(probe, |e| {
                flags |= self.nodes[e.index()].flags;
                all.push(self.vars_of[e.index()]);
            });
            for s in all {
                set = self.sets.union(set, s);
            }
        } else {
            self.for_each_operand(probe, |e| {
                flags |= self.nodes[e.index()].flags;
                operands[count] = self.vars_of[e.index()];
                count += 1;
            });
            for s in &operands[..count] {
                set = self.sets.union(set, *s);
            }
        }
        self.nodes.pop();
        node.flags = flags;
        self.insert(node, set)
    }

    /// Looks a node up by everything but its flags.
    #[inline]
    fn find(&mut self, node: &ExprNode) -> Option<ExprId> {
        let hash = self.hash(node);
        let recent = &mut self.recent[(hash >> (u64::BITS - RECENT_BITS)) as usize];
        if same(&self.nodes[*recent as usize], node) {
            return Some(ExprId::new(*recent));
        }
        let nodes = &self.nodes;
        let found = self.index.find(hash, |&i| same(&nodes[i as usize], node))?;
        *recent = *found;
        Some(ExprId::new(*found))
    }

    #[inline]
    fn hash(&self, n: &ExprNode) -> u64 {
        self.hasher.hash_one((n.op as u8, n.width, n.a, n.b, n.c))
    }

    #[inline]
    pub(crate) fn intern_with(&mut self, node: ExprNode, set: VarSetId) -> ExprId {
        match self.find(&node) {
            Some(id) => id,
            None => self.insert(node, set),
        }
    }

    /// Adds a node that is not there yet.
    fn insert(&mut self, node: ExprNode, set: VarSetId) -> ExprId {
        let hash = self.hash(&node);
        let id = match self.free.pop() {
            Some(id) => {
                self.nodes[id as usize] = node;
                self.vars_of[id as usize] = set;
                id
            }
            None => {
                self.nodes.push(node);
                self.vars_of.push(set);
                (self.nodes.len() - 1) as u32
            }
        };
        let (nodes, hasher) = (&self.nodes, &self.hasher);
        self.index.insert_unique(hash, id, |&i| {
            let n = &nodes[i as usize];
            hasher.hash_one((n.op as u8, n.width, n.a, n.b, n.c))
        });
        ExprId::new(id)
    }
}

#[inline]
fn same(x: &ExprNode, y: &ExprNode) -> bool {
    x.op == y.op && x.width == y.width && x.a == y.a && x.b == y.b && x.c == y.c
}
