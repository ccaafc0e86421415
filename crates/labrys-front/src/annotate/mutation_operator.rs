//! The mutation operators by name, and the sets of them that users ask for.

use std::fmt;
use std::str::FromStr;

macro_rules! operators {
    ($($name:ident),*) => {
        /// A mutation operator, named as on the command line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum MutationOperator {
            $($name),*
        }

        impl MutationOperator {
            pub const ALL: &'static [MutationOperator] = &[$(MutationOperator::$name),*];

            pub fn name(self) -> String {
                match self {
                    $(MutationOperator::$name => stringify!($name).to_uppercase()),*
                }
            }
        }
    };
}

operators!(
    Abs, Aor, Ror, Cor, Lor, Uoi, Cro, Lhs, Sdl, Dcr, Sbrc, Rvr, Cdl, Cas, Swr, Uod, Asr, Crm, Iob,
    Oipm, Vscr, Svr
);

impl MutationOperator {
    /// Those whose mutants can be labels of `weak-mutation`.
    pub const LABELS: &'static [MutationOperator] = &[
        Self::Abs,
        Self::Aor,
        Self::Ror,
        Self::Cor,
        Self::Lor,
        Self::Uoi,
        Self::Cro,
        Self::Lhs,
    ];

    /// What a tester wants: operators whose mutants look like mistakes and are seldom equivalent.
    /// Those that change every read of a variable, element, field or pointer are left out, and
    /// `ABS`, since most variables are never negative.
    pub const DEFAULT: &'static [MutationOperator] = &[
        Self::Aor,
        Self::Ror,
        Self::Cor,
        Self::Lor,
        Self::Uoi,
        Self::Cro,
        Self::Sdl,
        Self::Dcr,
        Self::Sbrc,
        Self::Rvr,
        Self::Cdl,
        Self::Cas,
        Self::Swr,
        Self::Uod,
        Self::Asr,
    ];

    /// The five that Offutt and others found sufficient (1996); their LCR is `COR`.
    pub const SUFFICIENT: &'static [MutationOperator] =
        &[Self::Abs, Self::Aor, Self::Ror, Self::Cor, Self::Uoi];

    /// The sets by name.
    pub const SETS: &'static [(&'static str, &'static [MutationOperator])] = &[
        ("default", Self::DEFAULT),
        ("all", Self::ALL),
        ("sufficient", Self::SUFFICIENT),
    ];

    pub fn has_labels(self) -> bool {
        Self::LABELS.contains(&self)
    }
}

impl fmt::Display for MutationOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl FromStr for MutationOperator {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = MutationOperator::ALL.iter().copied();
        let mut same = known.filter(|o| o.name().eq_ignore_ascii_case(text));
        same.next().ok_or_else(|| {
            let sets = MutationOperator::SETS.iter();
            let sets = sets.map(|(name, _)| (*name).to_owned());
            let names = MutationOperator::ALL.iter().map(|o| o.name());
            let known: Vec<String> = sets.chain(names).collect();
            format!(
                "unknown mutation operator '{text}'; known are {}",
                known.join(", ")
            )
        })
    }
}
