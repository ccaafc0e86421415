//! The ways of killing that are compared: strategies, or configurations of the paper's.

/// What `kill` is told.
pub struct KillMethod {
    pub name: &'static str,
    pub arguments: &'static [&'static str],
}

const fn method(name: &'static str, arguments: &'static [&'static str]) -> KillMethod {
    KillMethod { name, arguments }
}

/// The places of the strategies.
pub const PAIRS: usize = 0;
pub const SEMU: usize = 1;
pub const INFECTION: usize = 2;
pub const DSE: usize = 3;

/// Ours, the paper's, and the paper's baselines.
pub const STRATEGIES: [KillMethod; 4] = [
    method("pairs", &["--strategy", "pairs"]),
    method("semu", &["--strategy", "semu"]),
    method("infection", &["--strategy", "infection"]),
    method("dse", &["--strategy", "dse"]),
];

/// The paper's best configuration, and one parameter changed at a time.
pub const CONFIGURATIONS: [KillMethod; 9] = [
    method("paper", &["--strategy", "semu"]),
    method("pl smd2ms", &["--strategy", "semu", "--pl", "smd2ms"]),
    method("cw 3", &["--strategy", "semu", "--cw", "3"]),
    method("pp 0", &["--strategy", "semu", "--pp", "0"]),
    method("pp 1", &["--strategy", "semu", "--pp", "1"]),
    method("pss mdo", &["--strategy", "semu", "--pss", "mdo"]),
    method("mpd 0", &["--strategy", "semu", "--mpd", "0"]),
    method("nsd", &["--strategy", "semu", "--nsd"]),
    method("ntpm 20", &["--strategy", "semu", "--ntpm", "20"]),
];
