//! Writes a program with all its mutants for a build of its own: each file as preprocessed text that
//! needs nothing else, to be included in the place of the original.

use crate::annotate::{
    self, AnnotationPlan, CriteriaSet, Notation, ProgramAnnotations, UnitContext,
};
use crate::assemble::{check_sources, in_parallel, internal, stems};
use crate::clang;
use crate::declarations::FOR_GCC;
use crate::edits::TextEdits;
use crate::labelled::annotated_functions;
use crate::program::{FunctionNames, ParsedUnit};
use crate::{EntryChoice, FrontError, FrontOptions, SourceFile};
use labrys_ledger::{Mutant, PointNesting};

/// What each file begins with.
const HEAD: &str = include_str!("chosen_mutant.h");

/// A program with its mutants.
#[derive(Debug, Clone)]
pub struct MutatedProgram {
    /// The text that each file includes in the place of what it had.
    pub units: Vec<Vec<u8>>,
    pub mutants: Vec<Mutant>,
    pub nesting: PointNesting,
    /// One more than the largest point.
    pub points: u32,
    pub notes: Vec<String>,
}

/// Puts all mutants into C files. With a function as entry, only what it can reach is changed.
pub fn mutate_text(
    sources: &[SourceFile],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<MutatedProgram, FrontError> {
    check_sources(sources)?;
    let stems = stems(sources);
    let work: Vec<_> = sources.iter().zip(&stems).collect();
    let parsed = in_parallel(&work, |(source, stem)| clang::parse(source, stem, options))?;
    clang::with_large_stack(|| mutated(&parsed, entry, options)).map_err(internal)?
}

fn mutated(
    parsed: &[clang::ParsedSource],
    entry: &EntryChoice,
    options: &FrontOptions,
) -> Result<MutatedProgram, FrontError> {
    let units: Vec<ParsedUnit> = parsed.iter().map(ParsedUnit::new).collect();
    let names = FunctionNames::new(&units);
    let (scope, under_test) = annotated_functions(&units, entry, &names)?;
    let mut session = ProgramAnnotations::default();
    session.names = names;
    let plan = AnnotationPlan {
        wanted: CriteriaSet::new(&[]),
        notation: Notation::Calls,
        operators: &options.operators,
        mutants: true,
        both_sides: false,
        n: None,
        partitions: &[],
        entries: &under_test,
        only: scope.as_ref(),
    };
    let mut texts = Vec::new();
    for unit in &units {
        let functions = annotate::pure_functions(unit, &options.modelled);
        let context = UnitContext::new(unit, &functions, plan);
        let mut edits = TextEdits::default();
        annotate::annotate(&unit.parsed.root, context, &mut session, &mut edits);
        texts.push(edits.apply(&unit.parsed.bytes));
    }
    session.name_objectives();
    session.note_left_out();
    let points = session.mutants.iter().map(|m| m.point).max();
    let points = points.map_or(1, |last| last + 1);
    Ok(MutatedProgram {
        units: texts.iter().map(|text| with_head(text, points)).collect(),
        mutants: session.mutants,
        nesting: session.nesting,
        points,
        notes: session.notes.into_iter().collect(),
    })
}

/// The text behind its head, all of it marked as a header of the system: what compilers warn about
/// in changed code may end a build. Only an included file can be one.
fn with_head(text: &[u8], points: u32) -> Vec<u8> {
    let mut out = format!(
        "#pragma GCC system_header\n# 1 \"labrys-chosen-mutant.h\" 3\n{FOR_GCC}\
         #define LABRYS_POINTS {points}\n{HEAD}"
    )
    .into_bytes();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match is_unmarked(line) {
            true => {
                out.extend(line.trim_ascii_end());
                out.extend(b" 3\n");
            }
            false => out.extend(line),
        }
    }
    out
}

/// A line marker of the program: `# 12 "name"` without the flag of system headers.
fn is_unmarked(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"# ") else {
        return false;
    };
    let numbered = rest.first().is_some_and(u8::is_ascii_digit);
    let flags = rest.rsplit(|byte| *byte == b'"').next();
    numbered && !flags.is_some_and(|flags| flags.contains(&b'3'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_lines_are_those_of_a_system_header() {
        let text = b"# 1 \"a3.c\"\nint x;\n# 2 \"/usr/b.h\" 1 3 4\n# 7 \"a.c\" 2\n#pragma once\n";
        let whole = String::from_utf8(with_head(text, 7)).unwrap();
        assert!(whole.ends_with(
            "# 1 \"a3.c\" 3\nint x;\n# 2 \"/usr/b.h\" 1 3 4\n# 7 \"a.c\" 2 3\n#pragma once\n"
        ));
        assert!(whole.contains("#define LABRYS_POINTS 7\n"));
    }
}
