//! C text in which every condition and every case label is marked with a number. One text becomes
//! two: the plain one, which Labrys gets, and the native one, in which each condition records how
//! it came out. Every marked place has a line of its own, the same in both, so a line of
//! `objectives.json` names a mark.

use std::collections::BTreeMap;
use std::fmt::Write;

const CONDITION: char = '\u{1}';
const OPERAND: char = '\u{2}';
const LABEL: char = '\u{3}';
const BEGIN: char = '\u{4}';
const END: char = '\u{5}';

/// Marks a condition.
pub fn condition(id: usize, text: &str) -> String {
    format!("{CONDITION}{id}{BEGIN}{text}{END}")
}

/// Marks the operand of a switch, which is the place of its default if it has no label for that.
pub fn operand(id: usize, text: &str) -> String {
    format!("{OPERAND}{id}{BEGIN}{text}{END}")
}

/// Marks a label of a switch.
pub fn label(id: usize, text: &str) -> String {
    format!("{LABEL}{id}{BEGIN}{text}{END}")
}

/// Whether a text has marks, so that it may stand only once in a program.
pub fn is_marked(text: &str) -> bool {
    text.contains(END)
}

/// A program in both forms.
#[derive(Clone, Debug, Default)]
pub struct TwoForms {
    pub plain: String,
    pub native: String,
    /// The mark on each line that has one, in the text without `before`.
    pub marks: BTreeMap<u32, usize>,
}

/// Renders a marked text. `before` stands in front of the native form on one line, so that the
/// lines stay the same.
pub fn render(marked: &str, before: &str) -> TwoForms {
    let mut forms = TwoForms {
        native: before.replace('\n', " "),
        ..TwoForms::default()
    };
    let mut line = 1;
    // What closes each open mark natively.
    let mut open: Vec<&str> = Vec::new();
    let mut letters = marked.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            CONDITION | OPERAND | LABEL => {
                let mut id = String::new();
                while let Some(digit) = letters.next_if(|l| l.is_ascii_digit()) {
                    id.push(digit);
                }
                letters.next_if_eq(&BEGIN);
                line += 1;
                forms.plain.push('\n');
                forms.native.push('\n');
                forms.marks.insert(line, id.parse().unwrap_or_default());
                let _ = match letter {
                    CONDITION => write!(forms.native, "torture_see({id}, (("),
                    OPERAND => write!(forms.native, "torture_switch_{id}(("),
                    _ => Ok(()),
                };
                open.push(match letter {
                    CONDITION => ") != 0))",
                    OPERAND => "))",
                    _ => "",
                });
            }
            END => forms.native.push_str(open.pop().unwrap_or_default()),
            _ => {
                line += u32::from(letter == '\n');
                forms.plain.push(letter);
                forms.native.push(letter);
            }
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_have_the_same_lines_and_marks_stand_alone() {
        let inner = condition(2, "b > (1)");
        let outer = condition(1, &format!("(({inner} ? 1 : 2) == a)"));
        let forms = render(&format!("if ({outer})\n  return 1;\n"), "int x; ");
        assert_eq!(
            forms.plain,
            "if (\n((\nb > (1) ? 1 : 2) == a))\n  return 1;\n"
        );
        assert_eq!(
            forms.native,
            "int x; if (\ntorture_see(1, ((((\ntorture_see(2, ((b > (1)) != 0)) ? 1 : 2) == a)) != 0)))\n  return 1;\n"
        );
        assert_eq!(forms.marks, BTreeMap::from([(2, 1), (3, 2)]));
    }

    #[test]
    fn labels_and_operands_are_marked_too() {
        let text = format!("switch ({}) {{{} }}", operand(4, "x"), label(5, "case 1:"));
        let forms = render(&text, "");
        assert_eq!(forms.plain, "switch (\nx) {\ncase 1: }");
        assert_eq!(
            forms.native,
            "switch (\ntorture_switch_4((x))) {\ncase 1: }"
        );
        assert_eq!(forms.marks, BTreeMap::from([(2, 4), (3, 5)]));
    }
}
