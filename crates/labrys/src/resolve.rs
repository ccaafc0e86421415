//! From flags to a request: the options of the command line are completed by those of
//! `labrys.toml`, every default is applied, and what contradicts itself is refused. Nothing behind
//! this file sees a flag.

use crate::cli::{Options, ProgramArgs};
use labrys_driver::request::part::Part;
use labrys_driver::request::world::{ArgumentOption, WorldOptions, world};
use labrys_driver::request::{
    AugmentRequest, ChosenOperators, FixedSizes, ProofRule, Request, instrumentation,
    search_strategy,
};
use labrys_driver::{Failure, Outcome};
use labrys_front::{EntryChoice, PointerShape};
use std::path::{Path, PathBuf};

const FILE: &str = "labrys.toml";

/// What the user asks for.
pub fn resolve(options: &Options, program: &ProgramArgs) -> Outcome<Request> {
    let file = match &program.config {
        Some(path) => read(path)?,
        None if Path::new(FILE).exists() => read(&PathBuf::from(FILE))?,
        None => Options::default(),
    };
    let request = apply(merge(options.clone(), file), program)?;
    request.check()?;
    Ok(request)
}

fn shapes(texts: &[String]) -> Outcome<Vec<PointerShape>> {
    let shapes = texts.iter().map(|text| PointerShape::parse(text));
    shapes.map(|shape| shape.map_err(Failure::usage)).collect()
}

fn read(path: &Path) -> Outcome<Options> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::usage(format_args!("cannot read {}: {error}", path.display())))?;
    toml::from_str(&text)
        .map_err(|error| Failure::usage(format_args!("{}: {error}", path.display())))
}

/// Puts what was said in the place of the defaults.
fn apply(options: Options, args: &ProgramArgs) -> Outcome<Request> {
    let mut request = Request::new(args.sources.clone());
    request.world = world(&surroundings(&options))?;
    let program = &mut request.program;
    program.compile_commands.clone_from(&args.compile_commands);
    program.annotate_libraries = args.annotate_libraries;
    program.entry = match &args.function {
        Some(function) => EntryChoice::Function(function.clone()),
        None if args.main => EntryChoice::Main,
        None => EntryChoice::Auto,
    };
    program.flags.clone_from(&args.flags);
    program.models = options.model;
    set(&mut program.clang, options.clang);

    let objectives = &mut request.objectives;
    if !options.criterion.is_empty() {
        objectives.criteria = options.criterion;
        objectives.criteria.sort();
        objectives.criteria.dedup();
    }
    objectives.operators = ChosenOperators::named(&options.operators)?;
    objectives.combination = options.n;
    objectives.partitions = blocks(&options.partition);
    objectives.part = Part::read(options.only, options.in_diff.as_deref())?;

    let search = &mut request.search;
    if let Some(name) = &options.search {
        search.strategy = search_strategy(name)?;
    }
    if let Some(name) = &options.instrumentation {
        search.instrumentation = instrumentation(name)?;
    }
    search.filter = !options.no_filter;
    set(&mut search.levels, options.levels);
    set(&mut search.time, options.time.map(|time| time.0));
    search.max_paths = options.paths;
    set(&mut search.memory, options.memory.map(|size| size.0));
    set(&mut search.snapshots, options.snapshots);
    set(&mut search.expressions, options.expressions);
    set(&mut search.max_steps, options.max_steps);
    set(&mut search.threads, options.jobs);
    set(&mut search.seed, options.seed);
    search.exhaust = options.exhaust;
    search.fault_checks = !options.no_faults;
    search.faults_of_environment = options.faults_of_environment;
    search.proof_rules = proof_rules(options.proof_rules, options.no_static);
    search.raw_values = options.raw_values;
    search.validate = options.validate;
    search.log_queries = options.log_queries;
    search.solver = options.solver;
    search.augment = AugmentRequest {
        kinds: options.augment,
        strict: options.augment_strict,
        per_unrolling: options.per_unrolling,
    };
    search.augment.kinds.sort();
    search.augment.kinds.dedup();

    let harness = &mut request.harness;
    harness.fixed = FixedSizes {
        array_len: options.array_len.is_some(),
        depth: options.depth.is_some(),
    };
    set(&mut harness.sizes.array_len, options.array_len);
    set(&mut harness.sizes.depth, options.depth);
    harness.assume = options.assume;
    harness.shapes = shapes(&options.shape)?;
    harness.symbolic_globals = options.symbolic_globals;
    if let Some(name) = &options.uninitialised {
        harness.uninitialised = name.parse().map_err(Failure::usage)?;
    }
    harness.calls = options.calls;
    harness.symbolic_clock = options.sym_time;

    set(&mut request.replay.cc, options.cc);
    set(
        &mut request.replay.time,
        options.replay_time.map(|time| time.0),
    );
    request.replay.require_sandbox = options.require_sandbox;

    let report = &mut request.report;
    set(&mut report.out, options.out);
    set(&mut report.minimise, options.minimise);
    set(&mut report.trust, options.trust);
    report.gcov = options.gcov;
    report.llvm_cov = options.llvm_cov;
    report.fail_under = options.fail_under;
    report.fail_on_error = options.fail_on_error;
    report.stats = options.stats;
    Ok(request)
}

fn set<T>(place: &mut T, given: Option<T>) {
    if let Some(value) = given {
        *place = value;
    }
}

/// The blocks of `--partition`.
fn blocks(partition: &[String]) -> Vec<String> {
    let blocks = partition.iter().flat_map(|text| text.split(';'));
    let blocks = blocks.map(|block| block.trim().to_owned());
    blocks.filter(|block| !block.is_empty()).collect()
}

/// What was said about a whole program. Arguments in `labrys.toml` have no order; given ones come
/// first there.
fn surroundings(options: &Options) -> WorldOptions {
    let mut arguments = options.arguments.clone();
    if arguments.is_empty() {
        let texts = options.arg.iter().cloned().map(ArgumentOption::Text);
        let symbolic = options.sym_args.iter().copied();
        arguments.extend(texts.chain(symbolic.map(ArgumentOption::Symbolic)));
    }
    WorldOptions {
        arguments,
        sym_stdin: options.sym_stdin,
        stdin: options.stdin.clone(),
        sym_file: options.sym_file.clone(),
        file: options.file.clone(),
        env: options.env.clone(),
        sym_env: options.sym_env.clone(),
        program_name: options.program_name.clone(),
    }
}

/// What the command line says wins.
fn merge(given: Options, file: Options) -> Options {
    fn list<T>(given: Vec<T>, file: Vec<T>) -> Vec<T> {
        if given.is_empty() { file } else { given }
    }
    Options {
        criterion: list(given.criterion, file.criterion),
        operators: list(given.operators, file.operators),
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
        snapshots: given.snapshots.or(file.snapshots),
        expressions: given.expressions.or(file.expressions),
        max_steps: given.max_steps.or(file.max_steps),
        out: given.out.or(file.out),
        jobs: given.jobs.or(file.jobs),
        seed: given.seed.or(file.seed),
        assume: list(given.assume, file.assume),
        shape: list(given.shape, file.shape),
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
        uninitialised: given.uninitialised.or(file.uninitialised),
        calls: given.calls.or(file.calls),
        sym_time: given.sym_time || file.sym_time,
        faults_of_environment: given.faults_of_environment || file.faults_of_environment,
        exhaust: given.exhaust || file.exhaust,
        no_faults: given.no_faults || file.no_faults,
        no_static: given.no_static || file.no_static,
        proof_rules: list(given.proof_rules, file.proof_rules),
        augment: list(given.augment, file.augment),
        augment_strict: given.augment_strict || file.augment_strict,
        per_unrolling: given.per_unrolling || file.per_unrolling,
        raw_values: given.raw_values || file.raw_values,
        minimise: given.minimise.or(file.minimise),
        trust: given.trust.or(file.trust),
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
        require_sandbox: given.require_sandbox || file.require_sandbox,
    }
}

/// The rules that may prove something: those that were named, or all; with `--no-static` only the search.
fn proof_rules(named: Vec<ProofRule>, no_static: bool) -> Vec<ProofRule> {
    let mut rules = match named.is_empty() {
        true => ProofRule::ALL.to_vec(),
        false => named,
    };
    rules.retain(|rule| !no_static || *rule == ProofRule::Exhausted);
    rules
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

    fn program(function: Option<&str>) -> ProgramArgs {
        ProgramArgs {
            sources: vec!["x.c".into()],
            function: function.map(str::to_owned),
            ..ProgramArgs::default()
        }
    }

    fn shown(request: &Request) -> String {
        format!("{request:?}")
    }

    #[test]
    fn who_says_nothing_gets_the_defaults_of_the_driver() {
        let request = apply(Options::default(), &program(None)).unwrap();
        assert_eq!(shown(&request), shown(&Request::new(vec!["x.c".into()])));
    }

    #[test]
    fn what_is_said_takes_the_place_of_the_default() {
        let options: Options = toml::from_str(
            "search = \"pps\"\nmemory = \"1G\"\ndepth = 7\nclang = \"my-clang\"\n\
             replay-time = \"5s\"\ncriterion = [\"mcdc\", \"branch\", \"mcdc\"]\n",
        )
        .unwrap();
        let request = apply(options, &program(Some("f"))).unwrap();
        assert_eq!(request.search.strategy, labrys_engine::Search::Pps);
        assert_eq!(request.search.memory, 1 << 30);
        assert_eq!(request.harness.sizes.depth, 7);
        assert!(request.harness.fixed.depth && !request.harness.fixed.array_len);
        assert_eq!(request.program.clang, "my-clang");
        assert_eq!(request.replay.time.as_secs(), 5);
        let criteria = [Criterion::Branch, Criterion::Mcdc];
        assert_eq!(request.objectives.criteria, criteria);
        assert_eq!(request.entry(), EntryChoice::Function("f".into()));
    }

    #[test]
    fn contradictions_are_refused() {
        let options = |text: &str| toml::from_str::<Options>(text).unwrap();
        let refused = |options: Options, function: Option<&str>| {
            let request = apply(options, &program(function))?;
            request.check()
        };
        let world = refused(options("sym-stdin = 4"), Some("f")).unwrap_err();
        assert!(world.message.contains("--function f"), "{}", world.message);
        assert!(refused(options("sym-stdin = 4"), None).is_ok());
        let text = "criterion = [\"path\"]\nonly = [\"x.c:3\"]";
        let part = refused(options(text), None).unwrap_err();
        assert!(part.message.contains("--only"), "{}", part.message);
        let search = refused(options("search = \"best\""), None).unwrap_err();
        assert!(search.message.contains("random-path"), "{}", search.message);
    }

    #[test]
    fn whoever_describes_the_surroundings_means_main() {
        let options: Options = toml::from_str("arg = [\"a\"]\nsym-args = [\"0..2:3\"]").unwrap();
        let request = apply(options, &program(None)).unwrap();
        assert_eq!(request.entry(), EntryChoice::Main);
        assert_eq!(request.world.unwrap().arguments.len(), 2);
    }

    #[test]
    fn an_unknown_key_is_an_error() {
        assert!(toml::from_str::<Options>("colour = \"blue\"").is_err());
    }
}
