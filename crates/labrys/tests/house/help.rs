//! The help of the built program, taken apart: commands, and the entries under each heading.

use std::process::{Command as Process, Stdio};

pub(crate) struct Command {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) usage: String,
    pub(crate) sections: Vec<Section>,
}

/// What stands below a heading such as `Options:`.
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) entries: Vec<Entry>,
}

/// An argument or an option with its text.
pub(crate) struct Entry {
    pub(crate) form: String,
    pub(crate) meaning: String,
}

impl Command {
    pub(crate) fn has(&self, option: &str) -> bool {
        self.sections
            .iter()
            .flat_map(|it| &it.entries)
            .any(|entry| {
                entry
                    .form
                    .split([' ', ',', '[', '='])
                    .any(|word| word == option)
            })
    }
}

/// All commands but `help`.
pub(crate) fn commands() -> Vec<Command> {
    let list = parse("", &help(&["--help"]));
    let names: Vec<String> = list
        .sections
        .iter()
        .filter(|section| section.heading == "Commands")
        .flat_map(|section| &section.entries)
        .map(|entry| entry.form.clone())
        .filter(|name| name != "help")
        .collect();
    assert!(names.contains(&"gen".to_owned()), "the commands are found");
    names
        .iter()
        .map(|name| parse(name, &help(&[name, "-h"])))
        .collect()
}

/// Without a terminal and `COLUMNS` the width is always the same.
fn help(arguments: &[&str]) -> String {
    let output = Process::new(env!("CARGO_BIN_EXE_labrys"))
        .args(arguments)
        .env_remove("COLUMNS")
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8(output.stdout).unwrap()
}

fn parse(name: &str, text: &str) -> Command {
    let mut lines = text.lines();
    let mut command = Command {
        name: name.to_owned(),
        about: lines.next().unwrap_or_default().to_owned(),
        usage: String::new(),
        sections: Vec::new(),
    };
    for line in lines {
        let indent = line.len() - line.trim_start().len();
        if let Some(usage) = line.strip_prefix("Usage: ") {
            command.usage = usage.to_owned();
        } else if indent == 0 && line.ends_with(':') {
            command.sections.push(Section {
                heading: line.trim_end_matches(':').to_owned(),
                entries: Vec::new(),
            });
        } else if let Some(section) = command.sections.last_mut()
            && !line.trim().is_empty()
        {
            section.add(line.trim(), indent);
        }
    }
    command
}

impl Section {
    /// A new entry stands far to the left; everything else goes on with the last one.
    fn add(&mut self, line: &str, indent: usize) {
        if indent <= 6 {
            let (form, meaning) = line.split_once("  ").unwrap_or((line, ""));
            self.entries.push(Entry {
                form: form.to_owned(),
                meaning: meaning.trim().to_owned(),
            });
        } else if let Some(entry) = self.entries.last_mut() {
            if !entry.meaning.is_empty() {
                entry.meaning.push(' ');
            }
            entry.meaning.push_str(line);
        }
    }
}
