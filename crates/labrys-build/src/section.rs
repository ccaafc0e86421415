//! The section `.labrys`: read from objects, programs and archives, and put into them by the
//! binary utilities of the system.

use crate::BuildError;
use crate::record::{self, BuildRecord};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectSection, ObjectSymbol};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The name of the section. It is not loaded, `strip` leaves it alone, and linkers keep it.
const SECTION: &str = ".labrys";

/// The records of an object, a program, a shared library or an archive; `None` if the file is
/// none of these.
pub fn read(path: &Path) -> Result<Option<Vec<BuildRecord>>, BuildError> {
    let bytes = std::fs::read(path).map_err(|e| BuildError::io("read", path, e))?;
    Ok(records_in(&bytes))
}

/// The same for the bytes of a file.
pub(crate) fn records_in(bytes: &[u8]) -> Option<Vec<BuildRecord>> {
    if bytes.starts_with(b"!<arch>") {
        return Some(of_archive(bytes));
    }
    bytes.starts_with(b"\x7fELF").then(|| of_object(bytes))
}

fn of_object(bytes: &[u8]) -> Vec<BuildRecord> {
    let Ok(file) = object::File::parse(bytes) else {
        return Vec::new();
    };
    let sections = file.sections().filter(|s| s.name() == Ok(SECTION));
    let data = sections.filter_map(|s| s.data().ok());
    data.flat_map(record::parse).collect()
}

fn of_archive(bytes: &[u8]) -> Vec<BuildRecord> {
    let Ok(archive) = ArchiveFile::parse(bytes) else {
        return Vec::new();
    };
    let members = archive.members().flatten();
    let data = members.filter_map(|m| m.data(bytes).ok());
    data.flat_map(of_object).collect()
}

/// The symbols that an object or a program defines; none if it has been stripped.
pub(crate) fn defined(path: &Path) -> BTreeSet<String> {
    defined_in(&std::fs::read(path).unwrap_or_default())
}

/// The same for the bytes of a file.
pub(crate) fn defined_in(bytes: &[u8]) -> BTreeSet<String> {
    let Ok(file) = object::File::parse(bytes) else {
        return BTreeSet::new();
    };
    let symbols = file
        .symbols()
        .filter(|s| s.is_definition() && s.is_global());
    let names = symbols.filter_map(|s| s.name().ok());
    names.map(str::to_owned).collect()
}

/// Puts records into an existing object.
pub(crate) fn attach(object: &Path, lines: &str) -> Result<(), BuildError> {
    let file = text_file(lines)?;
    let mut command = Command::new("objcopy");
    command
        .arg("--add-section")
        .arg(format!("{SECTION}={}", file.path().display()))
        .args(["--set-section-flags", &format!("{SECTION}=noload,readonly")])
        .arg(object);
    run(command)
}

/// Makes an object that holds nothing but records, with the same compiler and for the same
/// machine as everything else of the link.
pub(crate) fn make_object(
    compiler: &[String],
    machine: &[String],
    lines: &str,
    object: &Path,
) -> Result<(), BuildError> {
    let text = text_file(lines)?;
    let assembly = format!(
        ".section {SECTION},\"\",@progbits\n.incbin \"{}\"\n.section .note.GNU-stack,\"\",@progbits\n",
        text.path().display()
    );
    let source = tempfile::Builder::new()
        .suffix(".s")
        .tempfile()
        .map_err(|e| BuildError::io("create", Path::new("a temporary file"), e))?;
    std::fs::write(source.path(), assembly)
        .map_err(|e| BuildError::io("write", source.path(), e))?;
    let [name, rest @ ..] = compiler else {
        return Ok(());
    };
    let mut command = Command::new(name);
    command.args(rest).args(machine);
    command.arg("-c").arg(source.path()).arg("-o").arg(object);
    run(command)
}

fn text_file(lines: &str) -> Result<tempfile::NamedTempFile, BuildError> {
    let failed = |e| BuildError::io("write", Path::new("a temporary file"), e);
    let file = tempfile::NamedTempFile::new().map_err(failed)?;
    std::fs::write(file.path(), lines).map_err(failed)?;
    Ok(file)
}

fn run(mut command: Command) -> Result<(), BuildError> {
    let tool = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|source| BuildError::Tool {
        tool: tool.clone(),
        message: source.to_string(),
    })?;
    match output.status.success() {
        true => Ok(()),
        false => Err(BuildError::Tool {
            tool,
            message: String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        }),
    }
}
