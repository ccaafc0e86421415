//! Test cases in the exchange format of Test-Comp: XML files with the values that the
//! `__VERIFIER_nondet_*` calls return, in order.

use super::{ImportError, ParsedNumber};
use roxmltree::{Document, Node, ParsingOptions};
use std::path::Path;

/// A file with more XML nodes is refused: no test has as many, and they would fill the memory.
const MAX_XML_NODES: u32 = 4_000_000;

/// Whether bytes look like a test case: XML with such an element, well-formed or not.
pub(super) fn is_test_case(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    let has = |word: &[u8]| start.windows(word.len()).any(|part| part == word);
    let first = start.trim_ascii_start();
    let first = first.strip_prefix(b"\xef\xbb\xbf").unwrap_or(first);
    first.starts_with(b"<") && (has(b"<testcase") || has(b"DOCTYPE testcase"))
}

/// Whether bytes are the `metadata.xml` of a suite.
pub(super) fn is_metadata(bytes: &[u8]) -> bool {
    let start = &bytes[..bytes.len().min(4096)];
    start.windows(14).any(|part| part == b"<test-metadata")
}

/// Reads the values of a test case; `path` names the file in errors.
pub fn parse(bytes: &[u8], path: &Path) -> Result<Vec<ParsedNumber>, ImportError> {
    let damaged = |reason: String| ImportError::Damaged {
        path: path.into(),
        kind: "a test case of Test-Comp",
        reason,
    };
    let text = std::str::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: MAX_XML_NODES,
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|error| damaged(error.to_string()))?;
    let root = document.root_element();
    if root.tag_name().name() != "testcase" {
        let name = root.tag_name().name();
        return Err(damaged(format!("its root is <{name}>, not <testcase>")));
    }
    let place = |node: Node<'_, '_>| document.text_pos_at(node.range().start).row;
    let mut values = Vec::new();
    for node in root.children().filter(Node::is_element) {
        let (tag, line) = (node.tag_name().name(), place(node));
        if tag != "input" {
            return Err(damaged(format!(
                "line {line}: <{tag}> where <input> must be"
            )));
        }
        if node.children().any(|child| child.is_element()) {
            return Err(damaged(format!("line {line}: an <input> holds one value")));
        }
        let parts = node.children().filter_map(|child| child.text());
        let text: String = parts.collect();
        let number = ParsedNumber::parse(&text).ok_or_else(|| {
            let shown: String = text.trim().chars().take(40).collect();
            damaged(format!("line {line}: '{shown}' is no value"))
        })?;
        values.push(number);
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE testcase PUBLIC "+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN" "https://sosy-lab.org/test-format/testcase-1.1.dtd">
<testcase coversError="true">
  <!-- a comment -->
  <input variable="x" type="int">-3</input>
  <input>0x10</input>
  <input type="char">'&lt;'</input>
  <input><![CDATA[1.5]]></input>
</testcase>
"#;

    fn message(text: &str) -> String {
        parse(text.as_bytes(), Path::new("a/t.xml"))
            .unwrap_err()
            .to_string()
    }

    #[test]
    fn values_are_read_in_order() {
        assert!(is_test_case(WHOLE.as_bytes()));
        let values = parse(WHOLE.as_bytes(), Path::new("t")).unwrap();
        let texts: Vec<&str> = values.iter().map(|value| value.text.as_str()).collect();
        assert_eq!(texts, ["-3", "0x10", "'<'", "1.5"]);
        assert_eq!(parse(b"<testcase/>", Path::new("t")).unwrap(), []);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (from, to, reason) in [
            (
                "<input>0x10</input>",
                "<input>0x1g</input>",
                "line 6: '0x1g'",
            ),
            ("<input>0x10</input>", "<input></input>", "line 6: ''"),
            (
                "<input>0x10</input>",
                "<output>1</output>",
                "line 6: <output>",
            ),
            (
                "<input>0x10",
                "<input><a/>",
                "line 6: an <input> holds one value",
            ),
            ("testcase>", "test>", "testcase"),
            ("</testcase>", "", "open"),
        ] {
            let message = message(&WHOLE.replace(from, to));
            assert!(message.contains(reason), "{message}");
            assert!(message.starts_with("a/t.xml "), "{message}");
        }
        assert!(message("<suite/>").contains("its root is <suite>"));
        assert!(parse(b"<testcase>\xff</testcase>", Path::new("t")).is_err());
    }

    #[test]
    fn entities_that_explode_are_refused() {
        let mut text = String::from("<!DOCTYPE testcase [<!ENTITY a0 \"1\">");
        for i in 1..40 {
            text.push_str(&format!("<!ENTITY a{i} \"&a{};&a{};\">", i - 1, i - 1));
        }
        text.push_str("]><testcase><input>&a39;</input></testcase>");
        assert!(parse(text.as_bytes(), Path::new("t")).is_err());
    }

    proptest! {
        #[test]
        fn a_file_with_one_byte_changed_is_read_without_panic(at in any::<usize>(), byte in any::<u8>()) {
            let mut bytes = WHOLE.as_bytes().to_vec();
            let at = at % bytes.len();
            bytes[at] = byte;
            let _ = parse(&bytes, Path::new("t"));
        }

        #[test]
        fn a_file_that_is_cut_off_is_read_without_panic(end in 0..WHOLE.len() - 12) {
            prop_assert!(parse(&WHOLE.as_bytes()[..end], Path::new("t")).is_err());
        }
    }
}
