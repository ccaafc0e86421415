//! Options from the command line and from `labrys.toml`, put together.

use crate::cli::{Options, ProgramArgs, ProgramForm};
use crate::failure::{Failure, Outcome};
use std::path::{Path, PathBuf};

const FILE: &str = "labrys.toml";

/// The options of the command line, completed by those of the configuration file.
pub fn complete(options: &Options, program: &ProgramArgs) -> Outcome<Options> {
    let file = match &program.config {
        Some(path) => read(path)?,
        None if Path::new(FILE).exists() => read(&PathBuf::from(FILE))?,
        None => Options::default(),
    };
    Ok(merge(options.clone(), file))
}

fn read(path: &Path) -> Outcome<Options> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format_args!("cannot read {}: {error}", path.display())))?;
    toml::from_str(&text)
        .map_err(|error| Failure::usage(format_args!("{}: {error}", path.display())))
}

/// What the command line says wins.
fn merge(given: Options, file: Options) -> Options {
    fn list<T>(given: Vec<T>, file: Vec<T>) -> Vec<T> {
        if given.is_empty() { file } else { given }
    }
    Options {
        criterion: list(given.criterion, file.criterion),
        operators: list(given.operators, file.operators),
        form: ProgramForm::default(),
        n: given.n.or(file.n),
        partition: list(given.partition, file.partition),
        only: list(given.only, file.only),
        in_diff: given.in_diff.or(file.in_diff),
        search: given.search.or(file.search),
        no_filter: given.no_filter || file.no_filter,
        levels: given.levels.or(file.levels),
        instrumentation: given.instrumentation.or(file.instrumentation),
        time: given.time.or(file.time),
        paths: given.paths.or(file.paths),
        memory: given.memory.or(file.memory),
        expressions: given.expressions.or(file.expressions),
        max_steps: given.max_steps.or(file.max_steps),
        out: given.out.or(file.out),
        jobs: given.jobs.or(file.jobs),
        seed: given.seed.or(file.seed),
        assume: list(given.assume, file.assume),
        arguments: given.arguments,
        arg: list(given.arg, file.arg),
        sym_args: list(given.sym_args, file.sym_args),
        sym_stdin: given.sym_stdin.or(file.sym_stdin),
        stdin: given.stdin.or(file.stdin),
        sym_file: list(given.sym_file, file.sym_file),
        file: list(given.file, file.file),
        env: list(given.env, file.env),
        sym_env: list(given.sym_env, file.sym_env),
        program_name: given.program_name.or(file.program_name),
        model: list(given.model, file.model),
        array_len: given.array_len.or(file.array_len),
        depth: given.depth.or(file.depth),
        symbolic_globals: given.symbolic_globals || file.symbolic_globals,
        sym_time: given.sym_time || file.sym_time,
        exhaust: given.exhaust || file.exhaust,
        no_static: given.no_static || file.no_static,
        augment: list(given.augment, file.augment),
        augment_strict: given.augment_strict || file.augment_strict,
        per_unrolling: given.per_unrolling || file.per_unrolling,
        raw_values: given.raw_values || file.raw_values,
        minimise: given.minimise.or(file.minimise),
        fail_under: given.fail_under.or(file.fail_under),
        fail_on_error: given.fail_on_error || file.fail_on_error,
        gcov: given.gcov || file.gcov,
        llvm_cov: given.llvm_cov || file.llvm_cov,
        validate: given.validate || file.validate,
        log_queries: given.log_queries.or(file.log_queries),
        solver: given.solver.or(file.solver),
        stats: given.stats || file.stats,
        clang: given.clang.or(file.clang),
        cc: given.cc.or(file.cc),
        replay_time: given.replay_time.or(file.replay_time),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use labrys_ledger::Criterion;

    #[test]
    fn the_command_line_wins_over_the_file() {
        let file: Options =
            toml::from_str("criterion = [\"decision\"]\nseed = 7\ntime = \"5s\"\n").unwrap();
        let given = Options {
            seed: Some(1),
            ..Options::default()
        };
        let merged = merge(given, file);
        assert_eq!(merged.seed, Some(1));
        assert_eq!(merged.criterion, vec![Criterion::Decision]);
        assert_eq!(merged.time.unwrap().0.as_secs(), 5);
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        assert!(toml::from_str::<Options>("colour = \"blue\"").is_err());
    }
}
