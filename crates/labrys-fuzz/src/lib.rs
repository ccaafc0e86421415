//! Everything in Labrys that reads what a user or another program has written, with valid inputs.
//! `./bench fuzz` changes these at random; the targets of `cargo fuzz` in `fuzz/` start from them,
//! too. No reader may panic, whatever it gets (`docs/design/100-torture.md`).

mod c_text;
mod elf;
mod formats;
mod options;
mod results;
mod tools;

/// Something that reads what a user or another program has written.
pub struct Reader {
    pub name: &'static str,
    /// Inputs that it accepts.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Reads, and says whether the input was accepted.
    pub read: fn(&[u8]) -> bool,
}

/// All readers.
pub fn readers() -> impl Iterator<Item = &'static Reader> {
    [
        results::READERS,
        formats::READERS,
        options::READERS,
        tools::READERS,
        c_text::READERS,
    ]
    .into_iter()
    .flatten()
}

/// Lets the reader of this name read; for the targets of `cargo fuzz`.
pub fn read(name: &str, input: &[u8]) {
    let reader = readers().find(|reader| reader.name == name);
    assert!(reader.is_some(), "there is no reader '{name}'");
    reader.map(|reader| (reader.read)(input));
}

/// What the target of a reader is called in `fuzz/`.
pub fn target(name: &str) -> String {
    name.replace(['.', ' ', '-'], "_")
}

/// Inputs that are text.
fn texts(seeds: &[&str]) -> Vec<Vec<u8>> {
    seeds.iter().map(|seed| seed.as_bytes().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// Otherwise only the first check of a reader would be tried.
    #[test]
    fn the_inputs_that_are_changed_are_valid() {
        for reader in readers() {
            for seed in (reader.seeds)() {
                let shown = String::from_utf8_lossy(&seed).into_owned();
                assert!((reader.read)(&seed), "{}: {shown}", reader.name);
            }
        }
    }

    /// A reader without a target would not be tried by `cargo fuzz`.
    #[test]
    fn each_reader_has_a_target() {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
        let manifest = std::fs::read_to_string(fuzz.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let mut named = BTreeSet::new();
        for bin in manifest["bin"].as_array().unwrap() {
            let path = bin["path"].as_str().unwrap();
            let name = bin["name"].as_str().unwrap();
            let text = std::fs::read_to_string(fuzz.join(path)).unwrap();
            let quoted = text.split('"').nth(1).unwrap().to_owned();
            assert_eq!(name, target(&quoted));
            named.insert(quoted);
        }
        let all: BTreeSet<String> = readers().map(|r| r.name.to_owned()).collect();
        assert_eq!(named, all);
    }
}
