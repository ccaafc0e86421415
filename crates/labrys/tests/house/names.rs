//! One type name means one thing: every struct, enum, union, trait and type alias of the workspace
//! has a name that no other one has, and none shadows a type or trait of the standard library.
//! Associated types and what exists only in test builds do not count.

use crate::syntax::{is_test_only, sources};
use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;
use syn::visit::{self, Visit};
use syn::{
    Ident, ItemEnum, ItemFn, ItemMacro, ItemMod, ItemStruct, ItemTrait, ItemType, ItemUnion,
};

/// The prelude, and what Rust files commonly import from `std`.
const STANDARD_NAMES: &[&str] = &[
    "Add",
    "Alignment",
    "Any",
    "Arc",
    "Args",
    "AsMut",
    "AsRef",
    "AtomicBool",
    "AtomicU64",
    "AtomicUsize",
    "BTreeMap",
    "BTreeSet",
    "Barrier",
    "BinaryHeap",
    "BitAnd",
    "BitOr",
    "BitXor",
    "Borrow",
    "Bound",
    "Box",
    "BufRead",
    "BufReader",
    "BufWriter",
    "Bytes",
    "CStr",
    "CString",
    "Cell",
    "Chain",
    "Chars",
    "Child",
    "Clone",
    "Command",
    "Condvar",
    "Context",
    "ControlFlow",
    "Copy",
    "Cow",
    "Cursor",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "DirEntry",
    "Display",
    "Div",
    "DoubleEndedIterator",
    "Drop",
    "Duration",
    "Entry",
    "Eq",
    "Error",
    "ErrorKind",
    "ExactSizeIterator",
    "ExitCode",
    "ExitStatus",
    "Extend",
    "File",
    "Filter",
    "Fn",
    "FnMut",
    "FnOnce",
    "Formatter",
    "From",
    "FromIterator",
    "FromStr",
    "Future",
    "Hash",
    "HashMap",
    "HashSet",
    "Hasher",
    "Index",
    "IndexMut",
    "Instant",
    "Into",
    "IntoIterator",
    "Iterator",
    "Layout",
    "LazyCell",
    "LazyLock",
    "Lines",
    "LinkedList",
    "Location",
    "Map",
    "Metadata",
    "Mul",
    "Mutex",
    "Neg",
    "NonNull",
    "Not",
    "OnceCell",
    "OnceLock",
    "OpenOptions",
    "Option",
    "Ord",
    "Ordering",
    "OsStr",
    "OsString",
    "Output",
    "PartialEq",
    "PartialOrd",
    "Path",
    "PathBuf",
    "Peekable",
    "PhantomData",
    "Pin",
    "Poll",
    "Range",
    "RangeBounds",
    "RangeFrom",
    "RangeInclusive",
    "RangeTo",
    "Rc",
    "Read",
    "Receiver",
    "RefCell",
    "Rem",
    "Result",
    "Rev",
    "Reverse",
    "RwLock",
    "Saturating",
    "Seek",
    "Send",
    "Sender",
    "Shl",
    "Shr",
    "Sized",
    "Split",
    "Stderr",
    "Stdin",
    "Stdio",
    "Stdout",
    "String",
    "Sub",
    "Sum",
    "Sync",
    "SystemTime",
    "Take",
    "Termination",
    "Thread",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "TypeId",
    "UnsafeCell",
    "Vec",
    "VecDeque",
    "Wake",
    "Waker",
    "Weak",
    "Wrapping",
    "Write",
    "Zip",
];

#[test]
fn every_type_name_is_defined_once() {
    let several = definitions().into_iter().filter(|(_, at)| at.len() > 1);
    let messages: Vec<String> = several
        .map(|(name, at)| format!("{name}: {}", at.join(", ")))
        .collect();
    assert!(
        messages.is_empty(),
        "rename these types after what they hold, one name for one type:\n{}",
        messages.join("\n")
    );
}

#[test]
fn no_type_has_the_name_of_a_standard_one() {
    let shadowing = definitions()
        .into_iter()
        .filter(|(name, _)| STANDARD_NAMES.contains(&name.as_str()));
    let messages: Vec<String> = shadowing
        .map(|(name, at)| format!("{name}: {}", at.join(", ")))
        .collect();
    assert!(
        messages.is_empty(),
        "these types have the names of standard ones:\n{}",
        messages.join("\n")
    );
}

/// The types of the workspace by name, each with the places (`file:line`) that define it.
fn definitions() -> BTreeMap<String, Vec<String>> {
    let mut found = BTreeMap::new();
    for file in sources().iter().filter(|file| !file.test_only) {
        let mut collector = TypeCollector {
            path: &file.path,
            found: &mut found,
        };
        collector.visit_file(&file.syntax);
    }
    found
}

struct TypeCollector<'a> {
    path: &'a str,
    found: &'a mut BTreeMap<String, Vec<String>>,
}

impl TypeCollector<'_> {
    fn add(&mut self, name: &Ident) {
        let place = format!("{}:{}", self.path, name.span().start().line);
        self.found.entry(name.to_string()).or_default().push(place);
    }

    /// Definitions in the text of a macro: the name after `struct`, `enum` or `trait`.
    fn add_from_macro(&mut self, tokens: TokenStream) {
        let mut after_keyword = false;
        for token in tokens {
            match token {
                TokenTree::Group(group) => self.add_from_macro(group.stream()),
                TokenTree::Ident(word) if after_keyword => {
                    self.add(&word);
                    after_keyword = false;
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    after_keyword = ["struct", "enum", "trait"].contains(&word.as_str());
                }
                _ => after_keyword = false,
            }
        }
    }
}

impl<'ast> Visit<'ast> for TypeCollector<'_> {
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        if !is_test_only(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_struct(&mut self, item: &'ast ItemStruct) {
        if !is_test_only(&item.attrs) {
            self.add(&item.ident);
        }
    }

    fn visit_item_enum(&mut self, item: &'ast ItemEnum) {
        if !is_test_only(&item.attrs) {
            self.add(&item.ident);
        }
    }

    fn visit_item_union(&mut self, item: &'ast ItemUnion) {
        self.add(&item.ident);
    }

    fn visit_item_trait(&mut self, item: &'ast ItemTrait) {
        if !is_test_only(&item.attrs) {
            self.add(&item.ident);
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast ItemType) {
        if !is_test_only(&item.attrs) {
            self.add(&item.ident);
        }
    }

    fn visit_item_macro(&mut self, item: &'ast ItemMacro) {
        // `id!(/// …  FuncId)` of labrys-ir and its like: a lone name is what they define.
        let words: Vec<TokenTree> = item.mac.tokens.clone().into_iter().collect();
        match words.last() {
            Some(TokenTree::Ident(name)) if item.mac.path.is_ident("id") => self.add(name),
            _ => self.add_from_macro(item.mac.tokens.clone()),
        }
    }
}
