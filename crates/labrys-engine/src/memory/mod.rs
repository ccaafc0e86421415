//! The memory of a state: objects by number, shared copy-on-write between snapshots.
//!
//! Objects hang in pages, pages in a vector; a snapshot copies the vector of page pointers, and a
//! write copies only the page and the chunk of the object that it touches, once.

mod address;
mod alias_table;
mod chunk;
mod object;
mod value;

pub(crate) use address::{HALF, MAX_OBJECT, ObjectId, split};
pub(crate) use alias_table::{AliasChoices, AliasObject, AliasTable};
pub(crate) use chunk::{CHUNK, RawChunk};
pub(crate) use object::{Object, ObjectInfo, ReadValue, Region, Watch, WatchKind};
pub(crate) use value::{Slot, low_mask, sign_extend};

use labrys_expr::ExprId;
use std::rc::Rc;

const PAGE: usize = 64;

/// What an object number stands for.
#[derive(Clone, Debug, Default)]
pub(crate) enum ObjectEntry {
    /// Never used on this path.
    #[default]
    Empty,
    Live(Rc<Object>),
    /// A heap object after `free`.
    Freed,
    /// A stack object whose function has returned.
    Gone,
}

type Page = [ObjectEntry; PAGE];

#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pages: Vec<Rc<Page>>,
}

impl Memory {
    #[inline(always)]
    pub(crate) fn entry(&self, id: ObjectId) -> &ObjectEntry {
        match self.pages.get(id.index() / PAGE) {
            Some(page) => &page[id.index() % PAGE],
            None => &ObjectEntry::Empty,
        }
    }

    #[inline(always)]
    pub(crate) fn object(&self, id: ObjectId) -> Option<&Rc<Object>> {
        match self.entry(id) {
            ObjectEntry::Live(object) => Some(object),
            _ => None,
        }
    }

    /// The object for writing; copied first if a snapshot shares it.
    #[inline(always)]
    pub(crate) fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let page = self.pages.get_mut(id.index() / PAGE)?;
        match &mut Rc::make_mut(page)[id.index() % PAGE] {
            ObjectEntry::Live(object) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, id: ObjectId, entry: ObjectEntry) {
        let page = id.index() / PAGE;
        if page >= self.pages.len() {
            let empty: Rc<Page> = Rc::new(std::array::from_fn(|_| ObjectEntry::Empty));
            self.pages.resize(page + 1, empty);
        }
        Rc::make_mut(&mut self.pages[page])[id.index() % PAGE] = entry;
    }

    /// Calls `visit` with every expression in it. Pages and objects that `first` has seen before
    /// are left out.
    pub(crate) fn for_each_expr(
        &self,
        first: &mut impl FnMut(*const u8) -> bool,
        visit: &mut impl FnMut(ExprId),
    ) {
        for page in &self.pages {
            if !first(Rc::as_ptr(page).cast()) {
                continue;
            }
            for entry in page.iter() {
                if let ObjectEntry::Live(object) = entry
                    && first(Rc::as_ptr(object).cast())
                {
                    object.for_each_expr(first, visit);
                }
            }
        }
    }

    /// Copies a range between two objects or within one, both ranges in bounds.
    pub(crate) fn copy(
        &mut self,
        arena: &mut labrys_expr::Arena,
        (to, to_offset): (ObjectId, u64),
        (from, from_offset): (ObjectId, u64),
        len: u64,
    ) {
        let Some(source) = self.object(from).cloned() else {
            return;
        };
        if let Some(target) = self.object_mut(to) {
            target.copy_from(arena, to_offset, &source, from_offset, len);
        }
    }
}
