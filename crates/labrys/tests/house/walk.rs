//! "The way of the data" in ARCHITECTURE.md can be walked: it is short, its files and functions
//! exist, and it never comes back to a room that it has left.

use crate::tree::{read, top};
use std::collections::BTreeSet;
use std::path::Path;

const MOST_HOPS: usize = 15;

/// One row of the table.
struct Hop {
    file: String,
    function: String,
}

#[test]
fn the_way_of_the_data_can_be_walked() {
    let hops = hops();
    assert!(hops.len() > 9, "the table is found");
    assert!(hops.len() <= MOST_HOPS, "{} hops", hops.len());
    for Hop { file, function } in &hops {
        let path = top().join(file);
        assert!(path.is_file(), "{file} is gone");
        let text = read(&path);
        let defined = [format!("fn {function}("), format!("fn {function}<")];
        assert!(
            defined.iter().any(|it| text.contains(it)),
            "{file} has no function {function}"
        );
    }
}

#[test]
fn the_way_of_the_data_comes_back_to_no_room() {
    let mut left = BTreeSet::new();
    let mut current = String::new();
    for hop in hops() {
        let room = room(&hop.file);
        if room != current {
            assert!(
                !left.contains(&room),
                "{} is in {room}, which was left",
                hop.file
            );
            left.insert(std::mem::replace(&mut current, room));
        }
    }
}

/// The rows of the table below the heading: `| 1 | `file:function` | …`.
fn hops() -> Vec<Hop> {
    let text = read(&top().join("ARCHITECTURE.md"));
    let section = text.split("## The way of the data").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    section
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| ")?.split('|');
            cells.next()?.trim().parse::<usize>().ok()?;
            let place = cells.next()?.trim().trim_matches('`');
            let (file, function) = place.split_once(':')?;
            Some(Hop {
                file: file.to_owned(),
                function: function.to_owned(),
            })
        })
        .collect()
}

/// The crate and the folder or file at the top of its sources.
fn room(file: &str) -> String {
    let parts: Vec<&str> = Path::new(file)
        .iter()
        .filter_map(|it| it.to_str())
        .collect();
    match parts.as_slice() {
        ["crates", name, "src", top, ..] => format!("{name}/{}", top.trim_end_matches(".rs")),
        [first, ..] => (*first).to_owned(),
        [] => String::new(),
    }
}
