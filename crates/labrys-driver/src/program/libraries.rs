//! The part of a program that is used but not tested: units from archives and the user's models.
//!
//! The engine gets their bitcode; the replay gets the objects of the build, or compiles them again
//! if they are gone. What they call but nobody defines becomes a stub that returns inputs, in both.

use super::runtime::Runtime;
use super::sources::ProgramSources;
use crate::failure::{Failure, Outcome};
use crate::request::ProgramRequest;
use labrys_build::{BitcodeOutcome, UnitRecord, compile_bitcode};
use labrys_front::{MissingStub, SourceFile};
use labrys_ir::{Inst, Module};
use labrys_ledger::Assumption;
use labrys_ledger::protocol::limit::MODEL;
use labrys_lift::MissingFunction;
use labrys_suite::{BuildUnit, LinkedParts};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The name of the stubs' file in messages and in the output directory.
pub const STUBS_FILE: &str = "program-stubs.c";

/// Everything beside the units under test.
#[derive(Debug, Default)]
pub struct Libraries {
    pub bitcode: Vec<PathBuf>,
    /// Functions and variables that need no stub.
    pub provided: BTreeSet<String>,
    pub beside: LinkedParts,
    /// Functions that nobody defines, by name.
    pub missing: BTreeMap<String, MissingFunction>,
    /// The text of their stubs.
    pub stubs: String,
    /// Holds intermediate files.
    _dir: Option<TempDir>,
}

impl Libraries {
    /// Compiles what has to be compiled; nothing for a program of plain C files.
    pub fn prepare(
        program: &ProgramRequest,
        sources: &ProgramSources,
        runtime: &Runtime,
    ) -> Outcome<Libraries> {
        if sources.libraries.is_empty() && program.models.is_empty() {
            return Ok(Libraries::default());
        }
        let dir = tempfile::tempdir().map_err(Failure::usage)?;
        let mut out = Libraries::default();
        let work = LibraryCompiler {
            clang: &program.clang,
            dir: dir.path(),
            runtime,
            flags: &program.flags,
        };
        for (number, model) in program.models.iter().enumerate() {
            out.add_model(model, number, &work)?;
        }
        for (number, unit) in sources.libraries.iter().enumerate() {
            out.add_unit(unit, number, &work)?;
        }
        out.find_missing(sources, runtime)?;
        out.use_spare(sources, &work)?;
        if !out.missing.is_empty() {
            out.add_stubs(&work)?;
        }
        out._dir = Some(dir);
        Ok(out)
    }

    /// A model replaces the function of the same name in the engine and in the replay.
    fn add_model(
        &mut self,
        model: &Path,
        number: usize,
        work: &LibraryCompiler<'_>,
    ) -> Outcome<()> {
        if !model.is_file() {
            let message = format_args!("--model {}: no such file", model.display());
            return Err(Failure::usage(message));
        }
        let source = SourceFile {
            path: std::path::absolute(model).map_err(Failure::usage)?,
            directory: None,
            flags: work.model_flags(),
        };
        let bitcode = work.compile(&source, &format!("model-{number}.bc"))?;
        let symbols = labrys_lift::symbols(&bitcode).map_err(Failure::usage)?;
        self.beside.own.extend(symbols.defined.iter().cloned());
        self.provided.extend(symbols.defined);
        self.bitcode.push(bitcode);
        self.beside.units.push(BuildUnit {
            path: source.path,
            flags: source.flags,
            directory: None,
        });
        Ok(())
    }

    fn add_unit(
        &mut self,
        unit: &UnitRecord,
        number: usize,
        work: &LibraryCompiler<'_>,
    ) -> Outcome<()> {
        let source = SourceFile {
            path: unit.source.clone(),
            directory: Some(unit.directory.clone()),
            flags: unit.flags.clone(),
        };
        let bitcode = match unit.bitcode.clone().filter(|path| path.is_file()) {
            Some(bitcode) => bitcode,
            None => work.compile(&source, &format!("library-{number}.bc"))?,
        };
        let symbols = labrys_lift::symbols(&bitcode).map_err(Failure::usage)?;
        self.provided.extend(symbols.defined);
        self.bitcode.push(bitcode);
        let instrumented = |flag: &String| {
            let start = [
                "-fsanitize",
                "-fprofile",
                "--coverage",
                "-flto",
                "-ftest-coverage",
            ];
            start.iter().any(|s| flag.starts_with(s))
        };
        let plain = !unit.arguments.iter().any(instrumented);
        match unit.object.clone().filter(|path| plain && path.is_file()) {
            Some(object) => self.beside.objects.push(object),
            None => self.beside.units.push(BuildUnit {
                path: unit.source_path(),
                flags: unit.flags.clone(),
                directory: Some(unit.directory.clone()),
            }),
        }
        Ok(())
    }

    /// Collects what the libraries call and nobody defines. The units under test may define it;
    /// whether they do is seen in the program that was built.
    fn find_missing(&mut self, sources: &ProgramSources, runtime: &Runtime) -> Outcome<()> {
        let own = sources.defined_by_sources();
        for bitcode in &self.bitcode {
            let symbols = labrys_lift::symbols(bitcode).map_err(Failure::usage)?;
            for function in symbols.missing {
                let name = &function.name;
                let known = self.provided.contains(name)
                    || own.contains(name)
                    || runtime.modelled.contains(name)
                    || name.starts_with("labrys_");
                if !known {
                    self.missing.entry(name.clone()).or_insert(function);
                }
            }
        }
        Ok(())
    }

    /// Takes units of archives that define what is missing, until none helps any more.
    fn use_spare(&mut self, sources: &ProgramSources, work: &LibraryCompiler<'_>) -> Outcome<()> {
        let mut spare: Vec<(&UnitRecord, BTreeSet<String>)> = Vec::new();
        if !self.missing.is_empty() {
            for unit in &sources.spare {
                let bitcode = unit.bitcode.as_ref().filter(|path| path.is_file());
                let symbols = bitcode.and_then(|path| labrys_lift::symbols(path).ok());
                spare.extend(symbols.map(|s| (unit, s.defined)));
            }
        }
        let mut number = sources.libraries.len();
        loop {
            let helps = |(_, defined): &(&UnitRecord, BTreeSet<String>)| {
                self.missing.keys().any(|name| defined.contains(name))
                    && defined.is_disjoint(&self.provided)
            };
            let Some(at) = spare.iter().position(helps) else {
                return Ok(());
            };
            let (unit, _) = spare.remove(at);
            self.add_unit(unit, number, work)?;
            number += 1;
            self.missing.clear();
            self.find_missing(sources, work.runtime)?;
        }
    }

    fn add_stubs(&mut self, work: &LibraryCompiler<'_>) -> Outcome<()> {
        self.stubs = stubs(self.missing.values());
        let path = work.dir.join(STUBS_FILE);
        std::fs::write(&path, &self.stubs).map_err(Failure::usage)?;
        let source = SourceFile {
            flags: work.model_flags(),
            ..SourceFile::from(path.clone())
        };
        self.bitcode.push(work.compile(&source, "stubs.bc")?);
        self.beside.own.extend(self.missing.keys().cloned());
        self.beside.units.push(path.into());
        Ok(())
    }
}

/// The stubs of the libraries that the program can reach, with the places that call them.
pub fn used_stubs(libraries: &Libraries, module: &Module) -> Vec<MissingStub> {
    let mut out = Vec::new();
    for (name, function) in &libraries.missing {
        let Some(id) = module.function(name) else {
            continue;
        };
        let mut calls = Vec::new();
        for caller in &module.functions {
            for (inst, loc) in caller.code.iter().zip(&caller.locs) {
                if matches!(inst, Inst::Call { callee, .. } if *callee == id) {
                    let place = format!("{}:{}", module.file(*loc), loc.line);
                    if !calls.contains(&place) {
                        calls.push(place);
                    }
                }
            }
        }
        out.push(MissingStub {
            name: name.clone(),
            declared: None,
            calls,
            prototype: head(function),
        });
    }
    out
}

/// What compiling takes.
struct LibraryCompiler<'a> {
    clang: &'a str,
    dir: &'a Path,
    runtime: &'a Runtime,
    /// The user's flags after `--`.
    flags: &'a [String],
}

impl LibraryCompiler<'_> {
    fn model_flags(&self) -> Vec<String> {
        let mut flags = self.flags.to_vec();
        let directory = self.runtime.dir.display().to_string();
        flags.extend(["-idirafter".to_owned(), directory]);
        flags
    }

    fn compile(&self, source: &SourceFile, name: &str) -> Outcome<PathBuf> {
        let out = self.dir.join(name);
        let here = Path::new(".");
        let directory = source.directory.as_deref().unwrap_or(here);
        let compiled = compile_bitcode(
            self.clang,
            directory,
            &source.path,
            false,
            &source.flags,
            &out,
        );
        match compiled.map_err(Failure::usage)? {
            BitcodeOutcome::Done(_) => Ok(out),
            BitcodeOutcome::Rejected(message) => Err(Failure::usage(format_args!(
                "{}: clang reports errors:\n{message}",
                source.shown().display()
            ))),
        }
    }
}

/// Definitions that return inputs. A pointer is NULL or a small object.
fn stubs<'a>(functions: impl Iterator<Item = &'a MissingFunction>) -> String {
    let declarations = labrys_front::runtime_declarations();
    let mut text =
        format!("/* Functions that the program calls but nobody defines. */\n{declarations}");
    for function in functions {
        let _ = write!(text, "\n{} {{\n{}}}\n", head(function), body(function));
    }
    text
}

/// The declaration of a function with a type for a structure in front.
fn head(function: &MissingFunction) -> String {
    let name = &function.name;
    let mut params = function.params.clone();
    if function.variadic && !params.is_empty() {
        params.push("...".to_owned());
    }
    for (number, param) in params.iter_mut().enumerate().filter(|(_, p)| *p != "...") {
        *param = format!("{param} argument_{}", number + 1);
    }
    if params.is_empty() && !function.variadic {
        params.push("void".to_owned());
    }
    let params = params.join(", ");
    match &function.result[..] {
        [] => format!("void {name}({params})"),
        [only] => format!("{only} {name}({params})"),
        several => {
            let fields = several.iter().enumerate();
            let fields: String = fields.map(|(n, ty)| format!("{ty} part_{n}; ")).collect();
            format!("struct labrys_result_{name} {{ {fields}}} {name}({params})")
        }
    }
}

fn body(function: &MissingFunction) -> String {
    let effects = effects(function);
    if !function.returns {
        // What led here has happened: the run ends, and counts.
        return format!("{effects}  labrys_exit(1);\n");
    }
    format!("{effects}{}", result(function))
}

/// What the function may have changed: the types behind its pointers are not known.
fn effects(function: &MissingFunction) -> String {
    let mut text = String::new();
    let hidden = usize::from(function.result_object.is_some());
    for (number, param) in function.params.iter().enumerate().skip(hidden) {
        if param == "void *" {
            let place = format!("argument_{}", number + 1);
            let _ = writeln!(text, "  labrys_reveal(&{place}, sizeof {place}, 0);");
        }
    }
    if function.variadic && !function.params.is_empty() {
        let last = function.params.len();
        let _ = write!(
            text,
            "  __builtin_va_list more_arguments;\n  \
             __builtin_va_start(more_arguments, argument_{last});\n  \
             labrys_reveal(&more_arguments, sizeof more_arguments, 0);\n  \
             __builtin_va_end(more_arguments);\n"
        );
    }
    let flag = Assumption::Stub(function.name.clone());
    let _ = writeln!(text, "  labrys_effects(\"{flag}\");");
    text
}

fn result(function: &MissingFunction) -> String {
    let name = &function.name;
    let object = function
        .result_object
        .map(|size| format!("  labrys_symbolic(argument_1, {size}, \"{name}()\");\n"));
    let object = object.unwrap_or_default();
    let params = function.params.iter().enumerate();
    let arguments: Vec<String> = params
        .filter(|(_, param)| *param == "void *")
        .map(|(number, _)| format!(", argument_{}", number + 1))
        .collect();
    match &function.result[..] {
        [] => object,
        [only] if only == "void *" && function.result_object.is_some() => {
            format!("{object}  return argument_1;\n")
        }
        [only] if only == "void *" => format!(
            "  unsigned char *data = labrys_fresh(16);\n  \
             labrys_symbolic(data, 16, \"{name}()\");\n  \
             labrys_guess(data, \"{MODEL}\");\n  \
             void *const choices[] = {{ 0, data{} }};\n  \
             return labrys_pick(\"{name}() (pointer)\", {}, choices);\n",
            arguments.concat(),
            arguments.len() + 2
        ),
        [only] if only == "_Bool" => format!(
            "  unsigned char result;\n  labrys_symbolic(&result, 1, \"{name}()\");\n  return result & 1;\n"
        ),
        [only] => format!(
            "  {only} result;\n  labrys_symbolic(&result, sizeof result, \"{name}()\");\n  return result;\n"
        ),
        _ => format!(
            "  struct labrys_result_{name} result;\n  \
             labrys_symbolic(&result, sizeof result, \"{name}()\");\n  return result;\n"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn function(result: &[&str], params: &[&str]) -> MissingFunction {
        let owned = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
        MissingFunction {
            name: "f".to_owned(),
            result: owned(result),
            params: owned(params),
            variadic: false,
            returns: true,
            result_object: None,
        }
    }

    #[test]
    fn stubs_have_the_types_of_the_declaration() {
        assert_eq!(head(&function(&[], &[])), "void f(void)");
        assert_eq!(
            head(&function(&["void *"], &["unsigned int", "void *"])),
            "void * f(unsigned int argument_1, void * argument_2)"
        );
        let two = function(&["double", "unsigned long"], &[]);
        assert!(
            head(&two)
                .starts_with("struct labrys_result_f { double part_0; unsigned long part_1; } f(")
        );
        let mut variadic = function(&["unsigned int"], &["void *"]);
        variadic.variadic = true;
        assert_eq!(head(&variadic), "unsigned int f(void * argument_1, ...)");
    }

    #[test]
    fn a_function_that_never_returns_ends_the_run() {
        let mut never = function(&[], &[]);
        never.returns = false;
        assert!(body(&never).contains("labrys_exit(1)"));
        assert!(body(&function(&["void *"], &[])).contains("labrys_pick"));
    }
}
