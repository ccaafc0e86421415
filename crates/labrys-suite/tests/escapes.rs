//! Attempts to leave the sandbox of native runs: as the user of this process, as an ordinary user
//! where this one is root, and on a machine without namespaces. Also under gcov.
#![allow(clippy::unwrap_used)]

use labrys_ledger::Trigger;
use labrys_suite::coverage::{CoverageSpec, gcov};
use labrys_suite::{
    BuildSpec, LinkedParts, Observation, OriginalUnit, ReplayCase, ReplayError, ReplayInputs,
    ReplayLimits, Replayer, RunEnd,
};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

/// Where this test has a copy of what it needs, if it runs as another user.
const HOME: &str = "LABRYS_ESCAPES_HOME";

/// Set where no namespaces are allowed.
const WITHOUT_NAMESPACES: &str = "LABRYS_ESCAPES_WITHOUT_NAMESPACES";

/// Harnesses that get nothing, wherever there is Landlock.
const ALWAYS: [&str; 13] = [
    "inherited_files",
    "write_outside",
    "delete_outside",
    "kill_others",
    "kill_all",
    "look_into_others",
    "network",
    "all_memory",
    "become_somebody",
    "change_the_system",
    "daemon",
    "descriptors",
    "constructor",
];

/// Harnesses that get nothing in a complete sandbox. After each of them the next finds nothing.
const WITH_NAMESPACES: [&str; 9] = [
    "second_chroot",
    "fork_bomb",
    "finds_nothing",
    "fill_disk",
    "finds_nothing",
    "many_files",
    "deep_directories",
    "finds_nothing",
    "daemon",
];

fn root() -> PathBuf {
    let here = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::env::var_os(HOME).map_or_else(here, PathBuf::from)
}

/// Where the compiled runtime is, for all tests of a user: it takes longer to compile than any of them.
fn cache() -> PathBuf {
    let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let place = std::env::var_os(HOME).map_or_else(own, PathBuf::from);
    place.join("cache")
}

fn is_root() -> bool {
    tempfile::tempdir()
        .unwrap()
        .path()
        .metadata()
        .unwrap()
        .uid()
        == 0
}

/// What the escapes are after: a file, a process and a server of this machine.
struct Outside {
    dir: tempfile::TempDir,
    process: Child,
    server: TcpListener,
}

impl Outside {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::set_permissions(dir.path(), PermissionsExt::from_mode(0o777)).unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, "untouched").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o666)).unwrap();
        let server = TcpListener::bind("127.0.0.1:0").unwrap();
        server.set_nonblocking(true).unwrap();
        Outside {
            dir,
            process: Command::new("sleep").arg("600").spawn().unwrap(),
            server,
        }
    }

    fn inputs(&self) -> Vec<(String, Vec<u8>)> {
        let path = self.dir.path().join("file");
        let mut path = path.to_str().unwrap().as_bytes().to_vec();
        path.resize(256, 0);
        let number = |value: u32| value.to_le_bytes().to_vec();
        vec![
            ("path".into(), path),
            ("pid".into(), number(self.process.id())),
            (
                "port".into(),
                number(u32::from(self.server.local_addr().unwrap().port())),
            ),
        ]
    }

    fn is_untouched(&mut self) {
        let names: Vec<_> = std::fs::read_dir(self.dir.path()).unwrap().collect();
        assert_eq!(names.len(), 1, "{names:?}");
        let text = std::fs::read_to_string(self.dir.path().join("file")).unwrap();
        assert_eq!(text, "untouched");
        assert!(self.process.try_wait().unwrap().is_none(), "was killed");
        let state = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        assert!(!state.contains(") T "), "was stopped: {state}");
        assert!(self.server.accept().is_err(), "was connected to");
        assert!(!Path::new("/tmp/labrys-escaped").exists());
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn build(dir: &Path) -> Replayer {
    build_with(dir, &[])
}

fn build_with(dir: &Path, flags: &[&str]) -> Replayer {
    let unit = root().join("crates/labrys-suite/tests/programs/escapes.c");
    let mut spec = BuildSpec::new(vec![unit], root().join("runtime"), dir.join("escapes"));
    spec.cache_dir = Some(cache());
    spec.flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    Replayer::build(&spec).unwrap()
}

fn harnesses(names: &[&str]) -> Vec<String> {
    let names = names.iter();
    names.map(|name| format!("labrys_harness_{name}")).collect()
}

fn run(replayer: &Replayer, names: &[&str], outside: &Outside) -> Vec<Observation> {
    let harnesses = harnesses(names);
    let inputs = outside.inputs();
    let cases: Vec<ReplayCase<'_>> = harnesses
        .iter()
        .map(|harness| ReplayCase {
            harness,
            inputs: ReplayInputs::Named(&inputs),
        })
        .collect();
    let limits = ReplayLimits {
        time: Duration::from_secs(20),
        ..ReplayLimits::default()
    };
    replayer.run(&cases, &limits).unwrap()
}

fn got_nothing(names: &[&str], seen: &[Observation]) {
    let mut escaped = Vec::new();
    for (name, seen) in names.iter().zip(seen) {
        let got = seen.outputs.iter().find(|(name, _)| name == "got");
        let number = got.map(|(_, bytes)| i32::from_le_bytes(bytes[..].try_into().unwrap()));
        if number != Some(0) || seen.end != RunEnd::Returned {
            escaped.push(format!("{name}: {number:?}, {}", seen.end));
        }
    }
    assert!(escaped.is_empty(), "{escaped:#?}");
}

/// No process runs this program any more.
fn nothing_is_left(binary: &Path) {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let left: Vec<PathBuf> = processes
        .filter_map(|entry| std::fs::read_link(entry.path().join("exe")).ok())
        .filter(|exe| exe == binary)
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn no_escape_succeeds() {
    let dir = tempfile::tempdir().unwrap();
    let replayer = build(dir.path());
    let mut outside = Outside::new();
    let complete = std::env::var_os(WITHOUT_NAMESPACES).is_none();
    let mut names = ALWAYS.to_vec();
    if complete {
        names.extend(WITH_NAMESPACES);
    }
    let seen = run(&replayer, &names, &outside);
    got_nothing(&names, &seen);
    outside.is_untouched();
    nothing_is_left(&dir.path().join("escapes"));
    // What a test left running has not written to the record of another one.
    let wrote = |(name, seen): &(&&str, &Observation)| {
        **name != "daemon" && seen.triggers.contains(&Trigger::Reach { id: 77 })
    };
    assert!(!names.iter().zip(&seen).any(|it| wrote(&it)));
    assert_eq!(
        seen.iter().all(|seen| seen.missing.is_empty()),
        complete,
        "{}",
        seen[0].missing
    );
}

#[test]
fn a_test_that_refuses_to_end_is_ended() {
    let dir = tempfile::tempdir().unwrap();
    let replayer = build(dir.path());
    let names = harnesses(&["stops_itself", "ignores_all_signals"]);
    let cases: Vec<ReplayCase<'_>> = names
        .iter()
        .map(|harness| ReplayCase {
            harness,
            inputs: ReplayInputs::Named(&[]),
        })
        .collect();
    let limits = ReplayLimits {
        time: Duration::from_millis(300),
        ..ReplayLimits::default()
    };
    for seen in replayer.run(&cases, &limits).unwrap() {
        assert_eq!(seen.end, RunEnd::Timeout);
    }
    nothing_is_left(&dir.path().join("escapes"));
}

#[test]
fn an_incomplete_sandbox_is_refused_where_one_is_required() {
    let dir = tempfile::tempdir().unwrap();
    let replayer = build(dir.path());
    let harnesses = harnesses(&["descriptors"]);
    let case = ReplayCase {
        harness: &harnesses[0],
        inputs: ReplayInputs::Named(&[]),
    };
    let limits = ReplayLimits {
        require_sandbox: true,
        ..ReplayLimits::default()
    };
    match (
        replayer.run(&[case], &limits),
        std::env::var_os(WITHOUT_NAMESPACES),
    ) {
        (Ok(seen), None) => assert_eq!(seen[0].end, RunEnd::Returned),
        (Err(ReplayError::NotConfined(missing)), Some(_)) => {
            assert!(missing.to_string().contains("process namespace"));
        }
        (other, _) => panic!("{other:?}"),
    }
}

#[test]
fn runs_under_gcov_are_confined_too() {
    let dir = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(root().join("crates/labrys-suite/tests/programs/escapes.c"));
    let source = dir.path().join("program.c");
    let work_dir = dir.path().join("work");
    std::fs::create_dir(&work_dir).unwrap();
    std::fs::write(&source, text.unwrap()).unwrap();
    let mut outside = Outside::new();
    let names = ["write_outside", "delete_outside", "network", "kill_others"];
    let harnesses = harnesses(&names);
    let inputs = outside.inputs();
    let cases: Vec<ReplayCase<'_>> = harnesses
        .iter()
        .map(|harness| ReplayCase {
            harness,
            inputs: ReplayInputs::Named(&inputs),
        })
        .collect();
    let spec = CoverageSpec {
        units: vec![OriginalUnit {
            source: source.clone(),
            flags: vec![format!("-I{}", root().join("runtime").display())],
            ..OriginalUnit::default()
        }],
        linked_parts: LinkedParts::default(),
        runtime_dir: root().join("runtime"),
        work_dir,
        cache_dir: Some(cache()),
        mcdc: false,
    };
    let seen = gcov(&spec, &cases, &ReplayLimits::default()).unwrap();
    got_nothing(&names, &seen.observations);
    outside.is_untouched();
    // The counters have come out of the sandbox.
    assert!(seen.lines.iter().any(|line| line.count > 0));
    assert!(seen.lines.iter().any(|line| line.count == 0));
}

#[test]
fn runs_under_sanitizers_are_confined_too() {
    let dir = tempfile::tempdir().unwrap();
    let replayer = build_with(dir.path(), &["-fsanitize=address,undefined"]);
    let mut outside = Outside::new();
    let names = ["write_outside", "delete_outside", "network", "kill_others"];
    got_nothing(&names, &run(&replayer, &names, &outside));
    outside.is_untouched();
    let seen = run(&replayer, &["leaks_and_exits"], &outside);
    assert_eq!(seen[0].end, RunEnd::Exit { code: 3 });
}

/// Runs the other tests of this file once more, in a copy that everybody can read.
fn again(by: &[&str]) {
    let home = tempfile::Builder::new()
        .prefix("escapes-")
        .tempdir_in("/tmp")
        .unwrap();
    let copy = |from: &Path, to: &str| {
        let to = home.path().join(to);
        std::fs::create_dir_all(to.parent().unwrap()).unwrap();
        let done = Command::new("cp").arg("-r").arg(from).arg(&to).status();
        assert!(done.unwrap().success());
    };
    copy(&std::env::current_exe().unwrap(), "escapes");
    copy(&root().join("runtime"), "runtime");
    let program = "crates/labrys-suite/tests/programs/escapes.c";
    copy(&root().join(program), program);
    std::fs::set_permissions(home.path(), PermissionsExt::from_mode(0o755)).unwrap();
    let cache = home.path().join("cache");
    std::fs::create_dir(&cache).unwrap();
    std::fs::set_permissions(&cache, PermissionsExt::from_mode(0o777)).unwrap();
    let output = Command::new(by[0])
        .args(&by[1..])
        .arg(home.path().join("escapes"))
        .args(["--test-threads=1", "--skip", "once_more"])
        .env(HOME, home.path())
        .env("TMPDIR", "/tmp")
        .current_dir("/tmp")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{output:?}");
    assert!(text.contains("5 passed"), "{text}");
}

const AS_NOBODY: [&str; 4] = [
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
];

#[test]
fn once_more_as_an_ordinary_user() {
    if is_root() {
        again(&AS_NOBODY);
    }
}

/// A user namespace in which no other can be made, whose user has no rights: what a container is.
#[test]
fn once_more_without_namespaces() {
    let script = format!(
        "echo 0 > /proc/sys/user/max_user_namespaces && exec env {WITHOUT_NAMESPACES}=1 \
         setpriv --bounding-set=-all --inh-caps=-all --ambient-caps=-all \"$@\""
    );
    let user = [
        "unshare",
        "--user",
        "--map-user=1000",
        "--map-group=1000",
        "--keep-caps",
    ];
    let shell = ["sh", "-c", &script, "sh"];
    let ordinary: &[&str] = if is_root() { &AS_NOBODY } else { &[] };
    again(&[ordinary, &user, &shell].concat());
}
