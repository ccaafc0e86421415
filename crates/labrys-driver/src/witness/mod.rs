//! `export --format witness`: for one infeasible objective a C program in which `reach_error` is called
//! where the objective is covered, and a correctness witness with the invariants of the proof, so that
//! verifiers of others can confirm it.

mod labels;
mod program;
mod yaml;

use crate::failure::{Failure, Outcome};
use crate::output::claims::FOLDER;
use crate::output::{ObjectivesFile, OutDir, RunRecord};
use labrys_ledger::{Proof, ProofKind, Status};
use program::WitnessProgram;
use std::path::{Path, PathBuf};
use yaml::WitnessInvariant;

/// Writes the program and the witness, and says where they are.
pub fn export_witness(dir: &Path, objective: &str, to: Option<&Path>) -> Outcome<String> {
    let out = OutDir::open(dir)?;
    let run: RunRecord = out.read_json("run.json")?;
    let objectives: ObjectivesFile = out.read_json("objectives.json")?;
    let mut records = objectives.objectives.iter();
    let Some(record) = records.find(|record| record.objective.id == objective) else {
        return Err(Failure::usage(format_args!(
            "{} has no objective '{objective}'",
            dir.display()
        )));
    };
    let Status::Infeasible { proof } = &record.status else {
        return Err(Failure::usage(format_args!(
            "{objective} is not infeasible; a witness says that nothing covers an objective"
        )));
    };
    let [unit] = &run.units[..] else {
        return Err(Failure::usage(
            "a witness is for programs of one source file; this one has several",
        ));
    };
    let annotated = std::fs::read(out.file(unit)).map_err(Failure::usage)?;
    let annotated = String::from_utf8_lossy(&annotated);
    let program = WitnessProgram::new(&annotated, &run, record.objective.trigger)?;
    let path = destination(&out, objective, to)?;
    let (invariants, left_out) = invariants(proof, &program);
    let name = path.file_name().map(|name| name.to_string_lossy());
    let name = name.unwrap_or_default().into_owned();
    let witness = yaml::text(&name, &program.text, &invariants)?;
    let witness_path = path.with_extension("witness.yml");
    for (path, text) in [(&path, &program.text), (&witness_path, &witness)] {
        if to.is_some() && path.exists() {
            return Err(Failure::usage(format_args!(
                "{} exists already; labrys overwrites nothing",
                path.display()
            )));
        }
        std::fs::write(path, text).map_err(|error| {
            Failure::usage(format_args!("cannot write {}: {error}", path.display()))
        })?;
    }
    Ok(format!(
        "{} and {} written: {} invariants, {left_out} left out that are no expressions of C\n",
        path.display(),
        witness_path.display(),
        invariants.len()
    ))
}

fn destination(out: &OutDir, objective: &str, to: Option<&Path>) -> Outcome<PathBuf> {
    match to {
        Some(path) => Ok(path.to_owned()),
        None => {
            out.create_folder(FOLDER)?;
            Ok(out.file(&format!("{FOLDER}/{}.c", objective.replace(':', "-"))))
        }
    }
}

/// The invariants that C can say, and how many others there are.
fn invariants(proof: &Proof, program: &WitnessProgram) -> (Vec<WitnessInvariant>, usize) {
    let ProofKind::LoopInvariants { invariants, .. } = &proof.rule else {
        return (Vec::new(), 0);
    };
    let mut said = Vec::new();
    for invariant in invariants.iter().filter(|invariant| invariant.is_c) {
        if let Some((line, column)) = program.loop_at(&invariant.file, invariant.line) {
            said.push(WitnessInvariant {
                line,
                column,
                expression: invariant.text.clone(),
            });
        }
    }
    let left_out = invariants.len() - said.len();
    (said, left_out)
}
