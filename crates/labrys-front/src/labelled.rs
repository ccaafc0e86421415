//! Writes the program with its labels in LTest's notation, for reading and for other tools.
//!
//! It is the preprocessed text, so that labels can stand inside what macros make; but the system's
//! headers are included again instead of written out.

use crate::annotate::{
    self, AnnotationPlan, CriteriaSet, Notation, ProgramAnnotations, UnitContext,
};
use crate::assemble::{check_sources, in_parallel, internal, stems};
use crate::clang;
use crate::edits::TextEdits;
use crate::entries;
use crate::program::{FunctionNames, ParsedUnit};
use crate::remove_labels::without_labels;
use crate::{EntryChoice, FrontError, FrontOptions, SourceFile};
use labrys_ledger::{Objective, Trigger};
use std::collections::{BTreeMap, BTreeSet};

/// What annotated text needs.
const HEAD: &str = "#include \"labrys.h\"\n\n";

/// A program with labels.
#[derive(Debug, Clone)]
pub struct LabelledProgram {
    /// The text of each file.
    pub units: Vec<String>,
    /// What the labels are for; each has a label as its trigger.
    pub objectives: Vec<Objective>,
    pub notes: Vec<String>,
}

impl LabelledProgram {
    /// Takes the labels that belong to no objective any more out of the text.
    pub fn drop_labels(&mut self) {
        let label = |objective: &Objective| match objective.trigger {
            Trigger::Label { id } => Some(id),
            _ => None,
        };
        let keep: BTreeSet<u32> = self.objectives.iter().filter_map(label).collect();
        for unit in &mut self.units {
            *unit = without_labels(unit, &keep);
        }
    }
}

/// Labels C files for the criteria of the options. With a function as entry, only what it can
/// reach is labelled.
pub fn label(
    sources: &[SourceFile],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<LabelledProgram, FrontError> {
    check_sources(sources)?;
    let stems = stems(sources);
    let work: Vec<_> = sources.iter().zip(&stems).collect();
    let parsed = in_parallel(&work, |(source, stem)| clang::parse(source, stem, options))?;
    clang::with_large_stack(|| labelled(&parsed, entry, options)).map_err(internal)?
}

fn labelled(
    parsed: &[clang::ParsedSource],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<LabelledProgram, FrontError> {
    let units: Vec<ParsedUnit> = parsed.iter().map(ParsedUnit::new).collect();
    let names = FunctionNames::new(&units);
    let mut session = ProgramAnnotations::default();
    let (scope, under_test) = annotated_functions(&units, entry, &names)?;
    session.names = names;
    let plan = AnnotationPlan {
        wanted: CriteriaSet::new(&options.criteria),
        notation: Notation::Ltest,
        operators: &options.operators,
        mutants: false,
        both_sides: options.both_sides,
        n: options.n,
        partitions: &options.partitions,
        entries: &under_test,
        only: scope.as_ref(),
    };
    let mut texts = Vec::new();
    for unit in &units {
        let functions = annotate::pure_functions(unit, &options.modelled);
        let context = UnitContext::new(unit, &functions, plan);
        let mut edits = TextEdits::default();
        annotate::annotate(&unit.parsed.root, context, &mut session, &mut edits);
        let text = edits.apply(&unit.parsed.bytes);
        texts.push(format!(
            "{HEAD}{}",
            with_includes(&String::from_utf8_lossy(&text))
        ));
    }
    session.name_objectives();
    session.note_left_out();
    Ok(LabelledProgram {
        units: texts,
        objectives: session.objectives,
        notes: session.notes.into_iter().collect(),
    })
}

/// The functions that are annotated, if not all of them, and those under test.
pub(crate) fn annotated_functions(
    units: &[ParsedUnit<'_>],
    entry: &EntryChoice,
    names: &FunctionNames,
) -> Result<(Option<BTreeSet<String>>, BTreeSet<String>), FrontError> {
    let mut under_test = BTreeSet::new();
    if let EntryChoice::Auto | EntryChoice::Every = entry {
        for (index, unit) in units.iter().enumerate() {
            let functions = unit.functions.iter();
            let defined = functions.filter(|(_, f)| f.defined && !f.system);
            under_test
                .extend(defined.map(|(name, _)| entries::name_of(units, (index, name), names)));
        }
        return Ok((None, under_test));
    }
    let chosen = entries::choose(units, entry, names)?;
    let tested = chosen.iter().map(|c| entries::name_of(units, c.id, names));
    under_test.extend(tested);
    let scope = chosen.into_iter().flat_map(|c| c.scope).collect();
    Ok((Some(scope), under_test))
}

/// A line marker: line, file, flags.
struct LineMarker<'a> {
    line: usize,
    file: &'a str,
    flags: &'a str,
}

impl LineMarker<'_> {
    fn read(text: &str) -> Option<LineMarker<'_>> {
        let rest = text.strip_prefix("# ")?;
        let (line, rest) = rest.split_once(' ')?;
        let rest = rest.strip_prefix('"')?;
        let (file, flags) = rest.rsplit_once('"')?;
        Some(LineMarker {
            line: line.parse().ok()?,
            file,
            flags,
        })
    }

    fn has(&self, flag: &str) -> bool {
        self.flags.split_whitespace().any(|f| f == flag)
    }
}

/// Puts `#include` lines for what the system's headers became, and takes the line markers out.
pub(crate) fn with_includes(text: &str) -> String {
    let mut files = BTreeMap::new();
    let mut out: Vec<String> = Vec::new();
    // How many headers of the system we are inside.
    let mut inside = 0usize;
    for line in text.lines() {
        let Some(marker) = LineMarker::read(line) else {
            let blank = line.trim().is_empty() && out.last().is_none_or(|l| l.is_empty());
            if inside == 0 && !blank {
                out.push(line.trim_end().to_owned());
            }
            continue;
        };
        if marker.file.starts_with('<') {
            continue;
        }
        if marker.has("1") && (inside > 0 || marker.has("3")) {
            inside += 1;
        } else if marker.has("2") && inside > 0 {
            inside -= 1;
            if inside == 0 {
                out.push(directive_before(&mut files, &marker));
            }
        }
    }
    out.push(String::new());
    out.join("\n")
}

/// The `#include` that ends right before a line of the user's file.
fn directive_before(files: &mut BTreeMap<String, Vec<String>>, back: &LineMarker) -> String {
    let lines = files.entry(back.file.to_owned()).or_insert_with(|| {
        let text = std::fs::read(back.file).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        text.lines().map(str::to_owned).collect()
    });
    let directive = back.line.checked_sub(2).and_then(|index| lines.get(index));
    let is_include =
        |line: &&String| line.trim_start().starts_with('#') && line.contains("include");
    directive.filter(is_include).cloned().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::with_includes;

    #[test]
    fn headers_of_the_system_vanish() {
        let text = "# 1 \"/nowhere/x.c\"\n# 1 \"<built-in>\" 1\n# 1 \"/nowhere/x.c\" 2\n\
            # 1 \"/usr/include/a.h\" 1 3 4\nint a;\n# 1 \"/usr/include/b.h\" 1 3 4\nint b;\n\
            # 5 \"/usr/include/a.h\" 2 3 4\nint c;\n# 2 \"/nowhere/x.c\" 2\n\n\nint d;\n\
            # 1 \"/nowhere/own.h\" 1\nint e;\n# 9 \"/nowhere/x.c\" 2\nint f;\n";
        assert_eq!(with_includes(text), "\nint d;\nint e;\nint f;\n");
    }
}
