//! KLEE's test files: the command line and the bytes of each symbolic object, by name and in the
//! order in which they were made. All numbers are big-endian; every length is checked against
//! what is left of the file.

use super::ImportError;
use std::path::Path;

/// A `.ktest` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ktest {
    /// What KLEE ran: the program and its options, those of KLEE's POSIX runtime included.
    pub arguments: Vec<String>,
    pub objects: Vec<(String, Vec<u8>)>,
}

/// The version that KLEE writes.
const VERSION: u32 = 3;

const MAGIC: [&[u8; 5]; 2] = [b"KTEST", b"BOUT\n"];

/// Whether bytes begin as those of a `.ktest` file do.
pub(super) fn is_ktest(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|magic| bytes.starts_with(*magic))
}

impl Ktest {
    /// Reads the bytes of a file; `path` names it in errors.
    pub fn parse(bytes: &[u8], path: &Path) -> Result<Ktest, ImportError> {
        let damaged = |what: &str| ImportError::Damaged {
            path: path.into(),
            kind: "a KLEE test",
            reason: what.to_owned(),
        };
        if !is_ktest(bytes) {
            return Err(damaged("it does not begin with KTEST"));
        }
        let mut reader = KtestReader { rest: &bytes[5..] };
        let version = reader.u32().ok_or_else(|| damaged("it ends too early"))?;
        if version == 0 || version > VERSION {
            let reason = format!("its version is {version}, known are 1 to {VERSION}");
            return Err(damaged(&reason));
        }
        reader
            .body(version)
            .ok_or_else(|| damaged("it ends too early, or a length in it is wrong"))
    }
}

struct KtestReader<'a> {
    rest: &'a [u8],
}

impl<'a> KtestReader<'a> {
    fn u32(&mut self) -> Option<u32> {
        let (head, tail) = self.rest.split_first_chunk()?;
        self.rest = tail;
        Some(u32::from_be_bytes(*head))
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let size = self.u32()? as usize;
        let (head, tail) = self.rest.split_at_checked(size)?;
        self.rest = tail;
        Some(head)
    }

    fn text(&mut self) -> Option<String> {
        Some(String::from_utf8_lossy(self.bytes()?).into_owned())
    }

    fn body(&mut self, version: u32) -> Option<Ktest> {
        let mut test = Ktest::default();
        // A count is trusted only as far as the file has that much.
        for _ in 0..self.u32()? {
            test.arguments.push(self.text()?);
        }
        if version >= 2 {
            let _symbolic_arguments = self.u32()?;
            let _their_length = self.u32()?;
        }
        for _ in 0..self.u32()? {
            let name = self.text()?;
            test.objects.push((name, self.bytes()?.to_vec()));
        }
        self.rest.is_empty().then_some(test)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn put(out: &mut Vec<u8>, bytes: &[u8]) {
        out.extend((bytes.len() as u32).to_be_bytes());
        out.extend(bytes);
    }

    fn file(magic: &[u8], version: u32, test: &Ktest) -> Vec<u8> {
        let mut out = magic.to_vec();
        out.extend(version.to_be_bytes());
        out.extend((test.arguments.len() as u32).to_be_bytes());
        for argument in &test.arguments {
            put(&mut out, argument.as_bytes());
        }
        if version >= 2 {
            out.extend([0; 8]);
        }
        out.extend((test.objects.len() as u32).to_be_bytes());
        for (name, bytes) in &test.objects {
            put(&mut out, name.as_bytes());
            put(&mut out, bytes);
        }
        out
    }

    fn sample() -> Ktest {
        Ktest {
            arguments: vec!["a.bc".into(), "--sym-args".into()],
            objects: vec![("x".into(), vec![1, 2, 3, 4]), ("empty".into(), vec![])],
        }
    }

    #[test]
    fn all_versions_and_both_magics_are_read() {
        for magic in MAGIC {
            for version in 1..=VERSION {
                let bytes = file(magic, version, &sample());
                assert_eq!(Ktest::parse(&bytes, Path::new("t")).unwrap(), sample());
            }
        }
    }

    #[test]
    fn every_cut_and_every_extra_byte_is_one_clear_error() {
        let whole = file(b"KTEST", 3, &sample());
        for end in 0..whole.len() {
            let error = Ktest::parse(&whole[..end], Path::new("a/t.ktest")).unwrap_err();
            assert!(error.to_string().starts_with("a/t.ktest "), "{error}");
        }
        let longer = [whole.as_slice(), &[0]].concat();
        assert!(Ktest::parse(&longer, Path::new("t")).is_err());
        let newer = file(b"KTEST", 4, &sample());
        let message = Ktest::parse(&newer, Path::new("t")).unwrap_err();
        assert!(message.to_string().contains("version is 4"), "{message}");
    }

    #[test]
    fn a_huge_count_costs_nothing() {
        let mut bytes = b"KTEST".to_vec();
        bytes.extend(3_u32.to_be_bytes());
        bytes.extend([0xff; 4]);
        assert!(Ktest::parse(&bytes, Path::new("t")).is_err());
        let mut bytes = file(b"KTEST", 3, &Ktest::default());
        let end = bytes.len();
        bytes[end - 4..].fill(0xff);
        assert!(Ktest::parse(&bytes, Path::new("t")).is_err());
    }

    proptest! {
        #[test]
        fn a_file_with_one_byte_changed_is_read_without_panic(at in any::<usize>(), byte in any::<u8>()) {
            let mut bytes = file(b"KTEST", 3, &sample());
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = Ktest::parse(&bytes, Path::new("t"));
        }
    }
}
