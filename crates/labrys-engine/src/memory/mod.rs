//! The memory of a state: objects by number, shared copy-on-write between snapshots.
//!
//! Objects hang in pages, pages in a vector; a snapshot copies the vector of page pointers, and a
//! write copies only the page and the chunk of the object that it touches, once.

mod address;
mod alias_table;
mod chunk;
mod difference;
mod object;
mod object_numbers;
mod value;
mod words;

pub(crate) use address::{HALF, MAX_OBJECT, ObjectId, split};
pub(crate) use alias_table::{AliasChoices, AliasObject, AliasTable};
pub(crate) use chunk::{CHUNK, RawChunk};
pub(crate) use difference::ObjectChange;
pub(crate) use object::{Object, ObjectInfo, ReadValue, Region, Watch, WatchKind};
pub(crate) use object_numbers::ObjectNumbers;
pub(crate) use value::{Slot, low_mask, sign_extend};
pub(crate) use words::{WORD, Word};

use labrys_expr::ExprId;
use std::rc::Rc;

const PAGE: usize = 64;

/// What an object number stands for.
#[derive(Clone, Debug)]
pub(crate) enum ObjectEntry<O = Rc<Object>> {
    /// Never used on this path.
    Empty,
    Live(O),
    /// A heap object after `free`.
    Freed,
    /// A stack object whose function has returned.
    Gone,
}

/// Most candidates of a search have a page of their own, so it is small: which of the numbers without
/// an object were freed, and which are gone, is one bit each.
#[derive(Clone, Debug)]
struct Page {
    objects: [Option<Rc<Object>>; PAGE],
    freed: u64,
    gone: u64,
}

impl Page {
    fn empty() -> Self {
        Page {
            objects: std::array::from_fn(|_| None),
            freed: 0,
            gone: 0,
        }
    }

    fn set(&mut self, place: usize, entry: ObjectEntry) {
        let bit = 1 << place;
        self.freed &= !bit;
        self.gone &= !bit;
        self.objects[place] = match entry {
            ObjectEntry::Live(object) => Some(object),
            ObjectEntry::Freed => {
                self.freed |= bit;
                None
            }
            ObjectEntry::Gone => {
                self.gone |= bit;
                None
            }
            ObjectEntry::Empty => None,
        };
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Memory {
    pages: Vec<Rc<Page>>,
}

impl Memory {
    #[inline(always)]
    pub(crate) fn entry(&self, id: ObjectId) -> ObjectEntry<&Rc<Object>> {
        let Some(page) = self.pages.get(id.index() / PAGE) else {
            return ObjectEntry::Empty;
        };
        let place = id.index() % PAGE;
        match &page.objects[place] {
            Some(object) => ObjectEntry::Live(object),
            None if page.freed >> place & 1 == 1 => ObjectEntry::Freed,
            None if page.gone >> place & 1 == 1 => ObjectEntry::Gone,
            None => ObjectEntry::Empty,
        }
    }

    #[inline(always)]
    pub(crate) fn object(&self, id: ObjectId) -> Option<&Rc<Object>> {
        let page = self.pages.get(id.index() / PAGE)?;
        page.objects[id.index() % PAGE].as_ref()
    }

    /// The object for writing; copied first if a snapshot shares it.
    #[inline(always)]
    pub(crate) fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        let page = self.pages.get_mut(id.index() / PAGE)?;
        let object = &mut Rc::make_mut(page).objects[id.index() % PAGE];
        object.as_mut().map(Rc::make_mut)
    }

    pub(crate) fn set(&mut self, id: ObjectId, entry: ObjectEntry) {
        let page = id.index() / PAGE;
        if page >= self.pages.len() {
            self.pages.resize(page + 1, Rc::new(Page::empty()));
        }
        Rc::make_mut(&mut self.pages[page]).set(id.index() % PAGE, entry);
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
            for object in page.objects.iter().flatten() {
                if first(Rc::as_ptr(object).cast()) {
                    object.for_each_expr(first, visit);
                }
            }
        }
    }

    /// Calls `visit` with every symbolic part of every object: its offset and its length.
    pub(crate) fn for_each_symbolic(&self, visit: &mut impl FnMut(ObjectId, u64, u32)) {
        for (number, page) in self.pages.iter().enumerate() {
            for (place, object) in page.objects.iter().enumerate() {
                if let Some(object) = object {
                    let id = ObjectId((number * PAGE + place) as u32);
                    object.for_each_symbolic(&mut |offset, len| visit(id, offset, len));
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
