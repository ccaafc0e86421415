//! What a proof may rest on (`--trust`), and what is said where it rests on more than that.

use crate::request::Request;
use labrys_ledger::protocol::limit;
use labrys_ledger::{Assumption, AssumptionClass, Trust};

/// What the user has said and every proof takes for granted.
pub(crate) fn said(request: &Request) -> Vec<Assumption> {
    let assume = assumed_conditions(request).into_iter();
    let shapes = request.harness.shapes.iter();
    let shapes = shapes.map(|shape| format!("--shape '{shape}'"));
    let models = request.program.models.iter();
    let models = models.map(|file| format!("--model {} is right", file.display()));
    let all = assume.chain(shapes).chain(models);
    all.map(Assumption::Said).collect()
}

/// The conditions that the user has said, as assumptions.
pub(crate) fn assumed_conditions(request: &Request) -> Vec<String> {
    let assume = request.harness.assume.iter();
    assume.map(|text| format!("--assume '{text}'")).collect()
}

/// Why a proof that rests on these assumptions does not count; `None` if it does.
pub(crate) fn refused<'a>(
    assumes: impl Iterator<Item = &'a Assumption>,
    trust: Trust,
) -> Option<String> {
    let refused: Vec<&Assumption> = assumes.filter(|a| !trust.accepts(a)).collect();
    let (sizes, others): (Vec<&Assumption>, Vec<&Assumption>) = refused
        .into_iter()
        .partition(|assumption| is_bound(assumption));
    let mut reasons = Vec::new();
    if !sizes.is_empty() {
        reasons.push(bounds(&sizes));
    }
    if !others.is_empty() {
        reasons.push(rests_on(&others));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Does the text name the option that raises the limit?
fn is_bound(assumption: &Assumption) -> bool {
    match assumption {
        Assumption::Size(_) => true,
        Assumption::MadeUp(text) => text.starts_with("--"),
        _ => false,
    }
}

/// What only the sizes of the generated harness make impossible, and what to do about it.
fn bounds(sizes: &[&Assumption]) -> String {
    let flags: Vec<String> = sizes.iter().map(ToString::to_string).collect();
    match &flags[..] {
        [only] if only == limit::MODEL => {
            "bounds: the harness made something up; write a driver, or give --model".into()
        }
        flags => format!("bounds: raise {}", flags.join(", ")),
    }
}

/// The assumptions without which there is no proof, what to do about them, and the least trust that
/// accepts all of them.
fn rests_on(assumptions: &[&Assumption]) -> String {
    let texts: Vec<String> = assumptions.iter().map(ToString::to_string).collect();
    let mut remedies: Vec<&str> = assumptions.iter().filter_map(|a| a.remedy()).collect();
    remedies.dedup();
    let is_guess = |a: &&&Assumption| a.class() == AssumptionClass::Guess;
    let is_surroundings = |a: &&&Assumption| a.class() == AssumptionClass::Environment;
    let trust = if assumptions.iter().any(|a| is_guess(&a)) {
        "all"
    } else if assumptions.iter().any(|a| is_surroundings(&a)) {
        "environment"
    } else {
        "language"
    };
    remedies.extend(["--trust"]);
    format!(
        "infeasible only if: {}; {} {trust}",
        texts.join(", "),
        remedies.join(" or ")
    )
}
