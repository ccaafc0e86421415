//! The smallest object file with one section of a name, and an archive with one member.

const HEADER: usize = 64;
const SECTION_HEADER: usize = 64;

/// An ELF object for x86-64: the header, the contents of the section, the names of the sections,
/// and the table of the three sections.
pub(crate) fn object_with_section(name: &str, contents: &[u8]) -> Vec<u8> {
    let names = format!("\0{name}\0.shstrtab\0");
    let names_at = HEADER + contents.len();
    let table_at = names_at + names.len();
    let mut out = b"\x7fELF\x02\x01\x01".to_vec();
    out.resize(16, 0);
    push(&mut out, &[(1, 2), (62, 2), (1, 4), (0, 8), (0, 8)]);
    push(
        &mut out,
        &[(table_at, 8), (0, 4), (HEADER, 2), (0, 2), (0, 2)],
    );
    push(&mut out, &[(SECTION_HEADER, 2), (3, 2), (2, 2)]);
    out.extend_from_slice(contents);
    out.extend_from_slice(names.as_bytes());
    out.resize(out.len() + SECTION_HEADER, 0);
    section(&mut out, 1, 1, HEADER, contents.len());
    section(&mut out, name.len() + 2, 3, names_at, names.len());
    out
}

/// The entry of a section in the table, with the place of its name and its kind.
fn section(out: &mut Vec<u8>, name: usize, kind: usize, at: usize, size: usize) {
    push(
        out,
        &[(name, 4), (kind, 4), (0, 8), (0, 8), (at, 8), (size, 8)],
    );
    push(out, &[(0, 4), (0, 4), (1, 8), (0, 8)]);
}

/// Appends numbers with so many bytes each.
fn push(out: &mut Vec<u8>, numbers: &[(usize, usize)]) {
    for (number, bytes) in numbers {
        out.extend_from_slice(&number.to_le_bytes()[..*bytes]);
    }
}

/// An archive with one member of even size.
pub(crate) fn archive_of(name: &str, member: &[u8]) -> Vec<u8> {
    let size = member.len().next_multiple_of(2);
    let name = format!("{name}/");
    let head = format!("!<arch>\n{name:<16}0           0     0     644     {size:<10}`\n");
    let mut out = head.into_bytes();
    out.extend_from_slice(member);
    out.resize(out.len() + size - member.len(), b'\n');
    out
}
