//! What the user says about the pointers of a function: `--shape 'NAME: WORDS'`.

use std::fmt;

/// Something that can be said about a pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapeWord {
    /// Nothing else leads to its object.
    Alone,
}

impl ShapeWord {
    /// The words as they are written.
    pub const NAMES: [(&'static str, ShapeWord); 1] = [("alone", ShapeWord::Alone)];
}

/// What is said about one pointer, which is named as in a test: `p`, `list->next`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PointerShape {
    pub name: String,
    pub words: Vec<ShapeWord>,
}

impl PointerShape {
    /// Reads `NAME: WORDS`; the words are separated by blanks or commas.
    pub fn parse(text: &str) -> Result<PointerShape, String> {
        let wrong = |what: &str| {
            let known: Vec<&str> = ShapeWord::NAMES.iter().map(|(name, _)| *name).collect();
            let known = known.join(", ");
            format!("--shape '{text}': {what}; write 'NAME: WORDS', the words are: {known}")
        };
        let (name, words) = text.split_once(':').ok_or_else(|| wrong("no ':'"))?;
        let name = name.trim();
        if name.is_empty() {
            return Err(wrong("no name of a pointer"));
        }
        let words = words.split([' ', ',']).filter(|word| !word.is_empty());
        let mut said = Vec::new();
        for word in words {
            let known = ShapeWord::NAMES.iter().find(|(name, _)| *name == word);
            let (_, known) = known.ok_or_else(|| wrong(&format!("'{word}' is not known")))?;
            said.push(*known);
        }
        if said.is_empty() {
            return Err(wrong("no word"));
        }
        Ok(PointerShape {
            name: name.to_owned(),
            words: said,
        })
    }

    pub fn says(&self, word: ShapeWord) -> bool {
        self.words.contains(&word)
    }
}

impl fmt::Display for PointerShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.name)?;
        let all = ShapeWord::NAMES.iter();
        let mut said = all.filter(|(_, word)| self.says(*word));
        said.try_for_each(|(name, _)| write!(f, " {name}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_is_read_and_written() {
        let shape = PointerShape::parse(" list->next :alone").unwrap();
        assert_eq!(shape.name, "list->next");
        assert!(shape.says(ShapeWord::Alone));
        assert_eq!(shape.to_string(), "list->next: alone");
    }

    #[test]
    fn mistakes_name_the_words() {
        for text in ["p", "p:", ": alone", "p: alonne"] {
            let message = PointerShape::parse(text).unwrap_err();
            assert!(message.contains("the words are: alone"), "{message}");
        }
    }
}
