//! Rooms: a room is a folder or a file at the top of a crate's `src`. Rooms are in an order: none
//! uses, even by way of others, a room that uses it.
//!
//! The test reads the paths in the source text: `crate::room::…`, `crate::{room::…, …}` and
//! `super::super::room`. A path to a name that the crate's root exports counts as a use of the
//! root, which uses every room.

use crate::tree::{files, read, top};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The crates whose rooms are in order.
const CHECKED: &[&str] = &["labrys-engine", "labrys-driver", "labrys", "labrys-bench"];

/// The room of the crate's root (`lib.rs`, `main.rs`).
const ROOT: &str = "(root)";

/// From a room to the rooms that it uses, each with one place where it does.
type Uses = BTreeMap<String, BTreeMap<String, String>>;

#[test]
fn rooms_have_no_cycle() {
    for name in CHECKED {
        let uses = read_crate(&top().join("crates").join(name).join("src"));
        if let Some(cycle) = find_cycle(&uses) {
            let mut lines = String::new();
            for pair in cycle.windows(2) {
                let place = &uses[&pair[0]][&pair[1]];
                lines += &format!("  {} uses {}: {place}\n", pair[0], pair[1]);
            }
            panic!("the rooms of {name} use each other in a circle:\n{lines}");
        }
    }
}

/// The uses between the rooms of a crate.
fn read_crate(src: &Path) -> Uses {
    let files = files(src, "rs").into_iter();
    let inside = |file: PathBuf| file.strip_prefix(src).unwrap().to_str().unwrap().to_owned();
    let files: Vec<String> = files.map(inside).collect();
    let rooms: BTreeSet<String> = files.iter().map(|file| room_of(file)).collect();
    let mut uses = Uses::new();
    let inner = rooms.iter().filter(|room| *room != ROOT);
    let of_root = inner.map(|room| (room.clone(), "declared there".to_owned()));
    uses.insert(ROOT.to_owned(), of_root.collect());
    for file in &files {
        let room = room_of(file);
        if room == ROOT {
            continue;
        }
        let text = read(&src.join(file));
        for used in paths(&strip(&text), depth_of(file)) {
            let used = match rooms.contains(&used) {
                true => used,
                false => ROOT.to_owned(),
            };
            if used != room {
                let to = uses.entry(room.clone()).or_default();
                to.entry(used).or_insert_with(|| file.clone());
            }
        }
    }
    uses
}

/// `exec/fork.rs` is in `exec`, `config.rs` in `config`.
fn room_of(file: &str) -> String {
    let top = file.split('/').next().unwrap_or(file);
    match top {
        "lib.rs" | "main.rs" => ROOT.to_owned(),
        _ => top.trim_end_matches(".rs").to_owned(),
    }
}

/// How many modules lie between a file and the root: `super` so many times is the root.
fn depth_of(file: &str) -> usize {
    let parts = file.split('/').count();
    parts - usize::from(file.ends_with("/mod.rs"))
}

/// The text without comments and without what is in string literals.
fn strip(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let mut in_string = false;
        let mut before = ' ';
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            match c {
                '\\' if in_string => {
                    chars.next();
                }
                '"' if before != '\'' => in_string = !in_string,
                '/' if !in_string && chars.peek() == Some(&'/') => break,
                _ if in_string => {}
                _ => out.push(c),
            }
            before = c;
        }
        out.push('\n');
    }
    out
}

/// The first names of all paths from the root in a file whose module is `depth` below it.
fn paths(text: &str, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    // Modules inside the file, each with the number of braces that were open before it.
    let mut inner: Vec<usize> = Vec::new();
    let mut braces = 0usize;
    let tokens = tokens(text);
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at] {
            "mod" if tokens.get(at + 2) == Some(&"{") => {
                inner.push(braces);
                braces += 1;
                at += 3;
                continue;
            }
            "{" => braces += 1,
            "}" => {
                braces = braces.saturating_sub(1);
                inner.retain(|open| *open < braces);
            }
            "crate" if tokens.get(at + 1) == Some(&"::") => {
                first_names(&tokens[at + 2..], &mut found);
            }
            // In `pub(super)` it is no path.
            "super" if tokens.get(at + 1) == Some(&"::") => {
                let mut supers = 0;
                while tokens.get(at) == Some(&"super") && tokens.get(at + 1) == Some(&"::") {
                    supers += 1;
                    at += 2;
                }
                if supers == depth + inner.len() {
                    first_names(&tokens[at..], &mut found);
                }
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// The name at the start, or all that stand first inside a group.
fn first_names(tokens: &[&str], found: &mut Vec<String>) {
    if tokens.first() != Some(&"{") {
        found.extend(tokens.first().map(|name| (*name).to_owned()));
        return;
    }
    let mut open = 0;
    let mut first = true;
    for token in tokens {
        match *token {
            "{" => open += 1,
            "}" => open -= 1,
            "," if open == 1 => first = true,
            name if open == 1 && first => {
                found.push(name.to_owned());
                first = false;
            }
            _ => {}
        }
        if open == 0 {
            break;
        }
    }
}

/// Names, `::`, braces and commas; everything else is a token that means nothing here.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let len = if c.is_alphanumeric() || c == '_' {
            let is_name = |c: char| c.is_alphanumeric() || c == '_';
            rest.find(|c| !is_name(c)).unwrap_or(rest.len())
        } else if rest.starts_with("::") {
            2
        } else {
            c.len_utf8()
        };
        if !c.is_whitespace() {
            tokens.push(&rest[..len]);
        }
        rest = &rest[len..];
    }
    tokens
}

/// A way from a room back to itself, if there is one.
fn find_cycle(uses: &Uses) -> Option<Vec<String>> {
    let mut done = BTreeSet::new();
    let mut way = Vec::new();
    uses.keys()
        .find_map(|room| visit(uses, room, &mut way, &mut done))
}

fn visit(
    uses: &Uses,
    room: &str,
    way: &mut Vec<String>,
    done: &mut BTreeSet<String>,
) -> Option<Vec<String>> {
    if let Some(start) = way.iter().position(|earlier| earlier == room) {
        let mut cycle = way[start..].to_vec();
        cycle.push(room.to_owned());
        return Some(cycle);
    }
    if done.contains(room) {
        return None;
    }
    way.push(room.to_owned());
    let next = uses.get(room).into_iter().flat_map(BTreeMap::keys);
    for used in next {
        if let Some(cycle) = visit(uses, used, way, done) {
            return Some(cycle);
        }
    }
    way.pop();
    done.insert(room.to_owned());
    None
}

#[test]
fn paths_are_found_in_all_their_forms() {
    let text = "use crate::alpha::A;\nuse crate::{beta::{B, C}, gamma};\nuse super::super::delta::D;\n\
                fn f() { crate::epsilon::e(); } // crate::no\nconst S: &str = \"crate::no\";\n\
                pub(super) fn g() {}\n\
                mod tests { use super::super::super::zeta::Z; use super::super::own; }";
    let expected = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta"];
    assert_eq!(paths(&strip(text), 2), expected);
}

#[test]
fn a_cycle_is_found_and_an_order_is_not_one() {
    let uses = |pairs: &[(&str, &str)]| {
        let mut uses = Uses::new();
        for (from, to) in pairs {
            let to = ((*to).to_owned(), String::new());
            uses.entry((*from).to_owned()).or_default().extend([to]);
        }
        uses
    };
    let order = uses(&[("a", "b"), ("a", "c"), ("b", "c")]);
    assert_eq!(find_cycle(&order), None);
    let circle = uses(&[("a", "b"), ("b", "c"), ("c", "b")]);
    assert_eq!(
        find_cycle(&circle).unwrap(),
        ["b", "c", "b"].map(str::to_owned)
    );
}
