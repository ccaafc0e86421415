//! Which mutation operators a request means: for the labels of `weak-mutation`, and for mutants that
//! are run.

use crate::failure::{Failure, Outcome};
use labrys_front::MutationOperator;

/// The operators of a request, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChosenOperators {
    /// Those of `weak-mutation`.
    pub labels: Vec<MutationOperator>,
    /// Those of mutants that are run.
    pub mutants: Vec<MutationOperator>,
    /// Those that the user has named although no label is made of them.
    unlabelled: Vec<MutationOperator>,
}

impl Default for ChosenOperators {
    fn default() -> Self {
        ChosenOperators {
            labels: MutationOperator::LABELS.to_vec(),
            mutants: MutationOperator::DEFAULT.to_vec(),
            unlabelled: Vec::new(),
        }
    }
}

impl ChosenOperators {
    /// The operators and sets of these names, the default if there are none.
    pub fn named(names: &[String]) -> Outcome<ChosenOperators> {
        if names.is_empty() {
            return Ok(ChosenOperators::default());
        }
        let mut chosen = ChosenOperators {
            labels: Vec::new(),
            mutants: Vec::new(),
            unlabelled: Vec::new(),
        };
        for name in names {
            chosen.add(name.trim())?;
        }
        for list in [
            &mut chosen.labels,
            &mut chosen.mutants,
            &mut chosen.unlabelled,
        ] {
            list.sort();
            list.dedup();
        }
        Ok(chosen)
    }

    fn add(&mut self, name: &str) -> Outcome<()> {
        let mut sets = MutationOperator::SETS.iter();
        if let Some((set, operators)) = sets.find(|(set, _)| set.eq_ignore_ascii_case(name)) {
            self.mutants.extend_from_slice(operators);
            let has_labels = |operator: &&MutationOperator| operator.has_labels();
            match *set {
                "default" => self.labels.extend_from_slice(MutationOperator::LABELS),
                _ => self
                    .labels
                    .extend(operators.iter().filter(has_labels).copied()),
            }
            return Ok(());
        }
        let wrong = |message: String| Failure::usage(format_args!("--operators: {message}"));
        let operator: MutationOperator = name.parse().map_err(wrong)?;
        self.mutants.push(operator);
        match operator.has_labels() {
            true => self.labels.push(operator),
            false => self.unlabelled.push(operator),
        }
        Ok(())
    }

    /// An error if labels are asked of an operator that has none.
    pub fn must_have_labels(&self) -> Outcome<()> {
        let names = |operators: &[MutationOperator]| {
            let names: Vec<String> = operators.iter().map(|o| o.name()).collect();
            names.join(", ")
        };
        match self.unlabelled.is_empty() {
            true => Ok(()),
            false => Err(Failure::usage(format_args!(
                "--operators: weak-mutation has no labels for {}; it knows {}, the others are for labrys mutate",
                names(&self.unlabelled),
                names(MutationOperator::LABELS)
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(names: &[&str]) -> Outcome<ChosenOperators> {
        let names: Vec<String> = names.iter().map(|n| (*n).to_owned()).collect();
        ChosenOperators::named(&names)
    }

    #[test]
    fn sets_and_names_mix_and_count_once() {
        let chosen = named(&["sufficient", "ror", " SVR"]).unwrap();
        assert_eq!(chosen.mutants.len(), 6);
        assert_eq!(chosen.labels, MutationOperator::SUFFICIENT);
        assert!(chosen.must_have_labels().is_err());
        assert!(named(&["all"]).unwrap().must_have_labels().is_ok());
        assert_eq!(named(&[]).unwrap(), named(&["default"]).unwrap());
        assert!(named(&["XYZ"]).is_err());
    }
}
