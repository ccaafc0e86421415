//! The subjects: the programs of the paper's Table I, written afresh for the same job, with inputs
//! of the same shape and size.

use include_dir::{Dir, include_dir};
use labrys_driver::{Failure, Outcome};

static SOURCES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../tests/files/label-coverage");

pub struct LabelSubject {
    pub name: &'static str,
    pub file: &'static str,
    pub flags: &'static [&'static str],
}

const fn subject(
    name: &'static str,
    file: &'static str,
    flags: &'static [&'static str],
) -> LabelSubject {
    LabelSubject { name, file, flags }
}

pub const SUBJECTS: [LabelSubject; 13] = [
    subject("triangle", "triangle", &[]),
    subject("four-balls", "four_balls", &[]),
    subject("utf8-3", "utf8", &["-DN=3"]),
    subject("utf8-5", "utf8", &["-DN=5"]),
    subject("utf8-7", "utf8", &["-DN=7"]),
    subject("collision", "collision", &[]),
    subject("collision'", "collision", &["-DVARIANT"]),
    subject("replace", "replace", &[]),
    subject("absolute-uri", "absolute_uri", &[]),
    subject("get-tag-5", "get_tag", &["-DN=5"]),
    subject("get-tag-6", "get_tag", &["-DN=6"]),
    subject("image-5", "image", &["-DN=5"]),
    subject("image-6", "image", &["-DN=6"]),
];

impl LabelSubject {
    pub fn text(&self) -> Outcome<&'static str> {
        let file = SOURCES.get_file(format!("{}.c", self.file));
        file.and_then(|f| f.contents_utf8())
            .ok_or_else(|| Failure::internal(format_args!("the subject {} is missing", self.file)))
    }

    pub fn lines(&self) -> usize {
        self.text().map_or(0, |text| text.lines().count())
    }
}
