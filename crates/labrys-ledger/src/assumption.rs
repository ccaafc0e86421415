//! What a result may rest on without being shown: named kinds of assumptions, each with its class
//! and with what a user can do about it.
//!
//! The engine, the harness and the models of the C library note an assumption as its text
//! (`labrys_touch`, `labrys_limit`, `labrys_guess`); reports and proofs list the same text.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Something that a proof takes for granted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Assumption {
    /// What the user has said: `--assume 'n > 0'`, `--model file.c is right`.
    Said(String),
    /// A run ends at its first error; what C leaves undefined has no other effect.
    FirstError,
    /// The function of the C library does not fail.
    LibrarySucceeds(String),
    /// A part of the surroundings is as the model of it says: the current directory, a clock.
    Environment(String),
    /// Objects that the harness made do not overlap in other ways than it made them.
    Aliasing,
    /// The numbers that stand for addresses: their order, their alignment, their reuse.
    Addresses,
    /// What a union holds is used as a number or as a pointer, and not as both.
    UnionMembers,
    /// A function without a body does nothing but return the values that its stub returns.
    Stub(String),
    /// A variable holds its initial value when the function under test is called.
    InitialValue(String),
    /// No run needs more frames, steps or other resources than it was given.
    Resource(String),
    /// A size of the generated harness; the text is the option that raises it.
    Size(String),
    /// Something else that the harness or a model has made up.
    MadeUp(String),
}

/// Who vouches for an assumption.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AssumptionClass {
    /// The user has said it.
    User,
    /// The C standard guarantees it.
    Language,
    /// The operating system and the C library behave as they usually do.
    Environment,
    /// Nobody: it is a guess of Labrys.
    Guess,
}

/// Which assumptions may stand in a proof that counts (`--trust`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Trust {
    /// Only what the user has said.
    None,
    /// And what the C standard guarantees.
    #[default]
    Language,
    /// And that the surroundings behave as modelled.
    Environment,
    /// And the guesses of Labrys, apart from sizes that can be raised.
    All,
}

const FIRST_ERROR: &str = "ends at first error";
const ALIASING: &str = "aliasing";
const ADDRESSES: &str = "addresses as numbers";
const UNION_MEMBERS: &str = "members of unions are not mixed";

/// Kinds with a name in them: what stands before the name, and what behind it.
const LIBRARY: (&str, &str) = ("library ", " succeeds");
const ENVIRONMENT: (&str, &str) = ("environment: ", "");
const STUB: (&str, &str) = ("stub ", " has no other effect");
const INITIAL_VALUE: (&str, &str) = ("", " keeps its initial value");
const RESOURCE: (&str, &str) = ("resources: ", "");

/// How the text of something begins and ends that the user has said: an option with its value.
const SAID: [(&str, &str); 2] = [("--assume '", "'"), ("--model ", " is right")];

/// The options that raise a size of a harness.
const SIZES: [&str; 8] = [
    super::protocol::limit::ARRAY_LEN,
    super::protocol::limit::DEPTH,
    super::protocol::limit::MODEL,
    super::protocol::limit::SYM_ARGS,
    super::protocol::limit::SYM_ENV,
    super::protocol::limit::SYM_FILE,
    super::protocol::limit::SYM_STDIN,
    super::protocol::limit::SYM_TIME,
];

impl Assumption {
    /// Reads the text that [`fmt::Display`] writes. A text that is not known is something made up.
    pub fn parse(text: &str) -> Assumption {
        let named = |kind: (&str, &str)| {
            let rest = text.strip_prefix(kind.0)?.strip_suffix(kind.1)?;
            (!rest.is_empty()).then(|| rest.to_owned())
        };
        match text {
            FIRST_ERROR => return Assumption::FirstError,
            ALIASING => return Assumption::Aliasing,
            ADDRESSES => return Assumption::Addresses,
            UNION_MEMBERS => return Assumption::UnionMembers,
            text if SIZES.contains(&text) => return Assumption::Size(text.to_owned()),
            _ if SAID.iter().any(|said| named(*said).is_some()) => {
                return Assumption::Said(text.to_owned());
            }
            _ => {}
        }
        named(LIBRARY)
            .map(Assumption::LibrarySucceeds)
            .or_else(|| named(ENVIRONMENT).map(Assumption::Environment))
            .or_else(|| named(STUB).map(Assumption::Stub))
            .or_else(|| named(RESOURCE).map(Assumption::Resource))
            .or_else(|| named(INITIAL_VALUE).map(Assumption::InitialValue))
            .unwrap_or_else(|| Assumption::MadeUp(text.to_owned()))
    }

    pub fn class(&self) -> AssumptionClass {
        match self {
            Assumption::Said(_) => AssumptionClass::User,
            Assumption::FirstError => AssumptionClass::Language,
            Assumption::LibrarySucceeds(_) | Assumption::Environment(_) => {
                AssumptionClass::Environment
            }
            Assumption::Aliasing
            | Assumption::Addresses
            | Assumption::UnionMembers
            | Assumption::Stub(_)
            | Assumption::InitialValue(_)
            | Assumption::Resource(_)
            | Assumption::Size(_)
            | Assumption::MadeUp(_) => AssumptionClass::Guess,
        }
    }

    /// The option that makes the assumption unnecessary, if there is one.
    pub fn remedy(&self) -> Option<&'static str> {
        match self {
            Assumption::Stub(_) => Some("--model FILE"),
            Assumption::InitialValue(_) => Some("--symbolic-globals"),
            _ => None,
        }
    }

    /// The kind without the name in it, to count by.
    pub fn kind(&self) -> &'static str {
        match self {
            Assumption::Said(_) => "said by the user",
            Assumption::FirstError => FIRST_ERROR,
            Assumption::LibrarySucceeds(_) => "library succeeds",
            Assumption::Environment(_) => "environment",
            Assumption::Aliasing => ALIASING,
            Assumption::Addresses => ADDRESSES,
            Assumption::UnionMembers => UNION_MEMBERS,
            Assumption::Stub(_) => "stub has no other effect",
            Assumption::InitialValue(_) => "keeps its initial value",
            Assumption::Resource(_) => "resources",
            Assumption::Size(_) => "size",
            Assumption::MadeUp(_) => "made up",
        }
    }
}

impl fmt::Display for Assumption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut named = |kind: (&str, &str), name: &str| write!(f, "{}{name}{}", kind.0, kind.1);
        match self {
            Assumption::LibrarySucceeds(name) => named(LIBRARY, name),
            Assumption::Environment(what) => named(ENVIRONMENT, what),
            Assumption::Stub(name) => named(STUB, name),
            Assumption::InitialValue(name) => named(INITIAL_VALUE, name),
            Assumption::Resource(what) => named(RESOURCE, what),
            Assumption::FirstError => f.write_str(FIRST_ERROR),
            Assumption::Aliasing => f.write_str(ALIASING),
            Assumption::Addresses => f.write_str(ADDRESSES),
            Assumption::UnionMembers => f.write_str(UNION_MEMBERS),
            Assumption::Said(text) | Assumption::Size(text) | Assumption::MadeUp(text) => {
                f.write_str(text)
            }
        }
    }
}

impl Trust {
    pub const NAMES: [(&'static str, Trust); 4] = [
        ("none", Trust::None),
        ("language", Trust::Language),
        ("environment", Trust::Environment),
        ("all", Trust::All),
    ];

    pub fn name(self) -> &'static str {
        let known = Trust::NAMES.iter().find(|(_, trust)| *trust == self);
        known.map_or("", |(name, _)| name)
    }

    /// May a proof that counts rest on this? Sizes can be raised, so they never may.
    pub fn accepts(self, assumption: &Assumption) -> bool {
        match assumption.class() {
            AssumptionClass::User => true,
            AssumptionClass::Language => self >= Trust::Language,
            AssumptionClass::Environment => self >= Trust::Environment,
            AssumptionClass::Guess => {
                self == Trust::All && !matches!(assumption, Assumption::Size(_))
            }
        }
    }
}

impl FromStr for Trust {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Trust::NAMES.iter().find(|(name, _)| *name == text);
        known.map(|(_, trust)| *trust).ok_or_else(|| {
            let names = Trust::NAMES.map(|(name, _)| name).join(", ");
            format!("unknown trust '{text}'; known are: {names}")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_read_back() {
        let name = || "f".to_owned();
        let kinds = [
            Assumption::Said("--assume 'n > 0'".into()),
            Assumption::FirstError,
            Assumption::LibrarySucceeds(name()),
            Assumption::Environment("current directory".into()),
            Assumption::Aliasing,
            Assumption::Addresses,
            Assumption::UnionMembers,
            Assumption::Stub(name()),
            Assumption::InitialValue(name()),
            Assumption::Resource("stack".into()),
            Assumption::Size("--array-len".into()),
            Assumption::MadeUp("the moon is full".into()),
        ];
        for kind in kinds {
            assert_eq!(Assumption::parse(&kind.to_string()), kind);
        }
    }

    #[test]
    fn an_option_that_would_help_is_not_something_said() {
        let hint = Assumption::parse("--model FILE.c for other locales");
        assert_eq!(hint.class(), AssumptionClass::Guess);
        let said = Assumption::parse("--model locale.c is right");
        assert_eq!(said.class(), AssumptionClass::User);
    }

    #[test]
    fn a_guess_is_trusted_only_by_all_and_a_size_by_nothing() {
        for (_, trust) in Trust::NAMES {
            assert_eq!(trust.accepts(&Assumption::Aliasing), trust == Trust::All);
            assert!(!trust.accepts(&Assumption::Size("--depth".into())));
            assert!(trust.accepts(&Assumption::Said("--assume 'x'".into())));
        }
        assert!(!Trust::default().accepts(&Assumption::LibrarySucceeds("malloc".into())));
        assert!(Trust::default().accepts(&Assumption::FirstError));
    }
}
