//! The input-domain criterion: labels at the entry of a function under test, one for each block
//! of a partition of its parameters.

use super::Annotator;
use super::label_places::{LabelPlace, LabelPredicate};
use crate::ast::{AstKind, AstNode};
use crate::types::TypeShape;
use labrys_ledger::Criterion;

impl Annotator<'_> {
    /// The labels of the function's parameters, as statements.
    pub(super) fn input_domain(&mut self) -> String {
        let plan = self.context.plan;
        if !plan.wanted.has(Criterion::InputDomain) || !plan.entries.contains(&self.name) {
            return String::new();
        }
        let mut place = LabelPlace::default();
        if plan.partitions.is_empty() {
            let function = self.function;
            for parameter in function
                .inner
                .iter()
                .filter(|n| n.kind == AstKind::ParmVarDecl)
            {
                self.blocks_of(parameter, &mut place);
            }
        } else if let Some(name) = self.function.loc.0 {
            let at = self.excerpt(name);
            for block in plan.partitions {
                let predicate = LabelPredicate {
                    text: format!("({block})"),
                    risky: true,
                };
                self.label_at(
                    &mut place,
                    Criterion::InputDomain,
                    &at,
                    block.clone(),
                    predicate,
                );
            }
        }
        place.statements(plan.notation)
    }

    fn blocks_of(&mut self, parameter: &AstNode, place: &mut LabelPlace) {
        let (name, Some(token)) = (parameter.name(), parameter.loc.0) else {
            return;
        };
        if name.is_empty() {
            return;
        }
        let types = self.context.types;
        let ty = types.of(parameter);
        let block = |text: &str| (text.replace('@', name), text.replace('@', name));
        let mut blocks = match &ty.canonical().shape {
            TypeShape::Int { name: "_Bool", .. } => vec![block("@ == 0"), block("@ == 1")],
            TypeShape::Int { signed: true, .. } => {
                vec![block("@ < 0"), block("@ == 0"), block("@ > 0")]
            }
            TypeShape::Int { signed: false, .. } => vec![block("@ == 0"), block("@ > 0")],
            TypeShape::Float { .. } => {
                let mut blocks = vec![block("@ < 0"), block("@ == 0"), block("@ > 0")];
                blocks.push((
                    format!("{name} is not a number"),
                    format!("{name} != {name}"),
                ));
                blocks
            }
            TypeShape::Enum(index) => self.enumerators(*index, name),
            TypeShape::Pointer(to) if to.is_character() => vec![
                (format!("{name} is null"), format!("{name} == 0")),
                (
                    format!("{name} is empty"),
                    format!("({name} != 0) & ({name}[0] == 0)"),
                ),
                (
                    format!("{name} is not empty"),
                    format!("({name} != 0) & ({name}[0] != 0)"),
                ),
            ],
            TypeShape::Pointer(_) | TypeShape::Array(..) => vec![
                (format!("{name} is null"), format!("{name} == 0")),
                (format!("{name} is not null"), format!("{name} != 0")),
            ],
            _ => Vec::new(),
        };
        let at = self.excerpt(token);
        for (text, predicate) in blocks.drain(..) {
            let predicate = LabelPredicate {
                risky: predicate.contains('['),
                text: predicate,
            };
            self.label_at(place, Criterion::InputDomain, &at, text, predicate);
        }
    }

    /// One block for each enumerator, and one for the values that none has.
    fn enumerators(&self, index: usize, name: &str) -> Vec<(String, String)> {
        let mut blocks: Vec<(String, String)> = Vec::new();
        let mut none = Vec::new();
        for (enumerator, value) in &self.context.types.enums[index].values {
            if none.iter().all(|(v, _)| v != value) {
                let text = format!("{name} == {enumerator}");
                blocks.push((text.clone(), text));
                none.push((*value, format!("({name} != {enumerator})")));
            }
        }
        let none: Vec<String> = none.into_iter().map(|(_, text)| text).collect();
        blocks.push((
            format!("{name} is none of its enumerators"),
            none.join(" & "),
        ));
        blocks
    }
}
