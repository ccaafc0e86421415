//! Sorts the user's compiler flags by the step that may see them: preprocessing, compiling text
//! that is already preprocessed, or none.

/// Flags that name an output or an action of their own; no step may see them.
const ACTIONS: [&str; 8] = ["-c", "-E", "-S", "-M", "-MM", "-MD", "-MMD", "-MP"];

/// Flags whose value is the next argument, and whether it belongs to preprocessing.
const WITH_VALUE: [(&str, bool); 14] = [
    ("-o", false),
    ("-MF", false),
    ("-MT", false),
    ("-MQ", false),
    ("-D", true),
    ("-U", true),
    ("-I", true),
    ("-include", true),
    ("-imacros", true),
    ("-isystem", true),
    ("-iquote", true),
    ("-idirafter", true),
    ("-isysroot", true),
    ("--sysroot", true),
];

/// Starts of flags that put code of their own into the program.
const INSTRUMENTING: [&str; 6] = [
    "-fsanitize",
    "-fprofile",
    "-fcoverage",
    "--coverage",
    "-flto",
    "-ftest-coverage",
];

enum FlagUse {
    /// Outputs and instrumentation: dropped.
    Never,
    /// Only before the text is preprocessed.
    Preprocess,
    Always,
}

/// The flags for preprocessing: all but outputs and instrumentation.
pub fn flags_for_preprocessing(flags: &[String]) -> Vec<String> {
    select(flags, |fate| !matches!(fate, FlagUse::Never))
}

/// The flags that text that is already preprocessed may still be compiled with. Macros and
/// forced includes would be applied a second time.
pub fn flags_after_preprocessing(flags: &[String]) -> Vec<String> {
    select(flags, |fate| matches!(fate, FlagUse::Always))
}

fn select(flags: &[String], keep: impl Fn(&FlagUse) -> bool) -> Vec<String> {
    let mut out = Vec::new();
    let mut rest = flags.iter();
    while let Some(flag) = rest.next() {
        let separate = WITH_VALUE.iter().find(|(name, _)| flag == name);
        let fate = match separate {
            Some((_, true)) => FlagUse::Preprocess,
            Some((_, false)) => FlagUse::Never,
            None => fate(flag),
        };
        let value = separate.and_then(|_| rest.next());
        if keep(&fate) {
            out.push(flag.clone());
            out.extend(value.cloned());
        }
    }
    out
}

fn fate(flag: &str) -> FlagUse {
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| flag.starts_with(prefix));
    let output = ACTIONS.contains(&flag) || starts(&["-MF", "-MT", "-MQ", "-Wp,-M", "-o"]);
    if output || starts(&INSTRUMENTING) {
        FlagUse::Never
    } else if starts(&["-D", "-U", "-I", "-i", "-Wp,", "--include"]) {
        FlagUse::Preprocess
    } else {
        FlagUse::Always
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_sees_its_flags() {
        let words = "-std=c99 -DX=1 -D Y -I inc -include a.h -c -o x.o -O2 -fsanitize=address -MD -MF d -m64";
        let flags: Vec<String> = words.split(' ').map(str::to_owned).collect();
        assert_eq!(
            flags_for_preprocessing(&flags).join(" "),
            "-std=c99 -DX=1 -D Y -I inc -include a.h -O2 -m64"
        );
        assert_eq!(
            flags_after_preprocessing(&flags).join(" "),
            "-std=c99 -O2 -m64"
        );
    }
}
