//! A small project in a directory of its own: two directories, an archive, a program.

use crate::common::{Ended, labrys, run};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

const FILES: [(&str, &str); 6] = [
    (
        "include/scale.h",
        "int scale(int x);\nint limit(void);\nextern const int unit;\n",
    ),
    (
        "lib/scale.c",
        "#include \"scale.h\"\n#ifndef FACTOR\n#error no factor\n#endif\n\
         int sensor(int);\nconst int unit = 3;\n\
         int scale(int x) { return x * FACTOR + unit; }\nint limit(void) { return sensor(7) > 5 ? 50 : 40; }\n",
    ),
    ("lib/unused.c", "int never(int x) { return x ? 1 : 2; }\n"),
    (
        "src/check.c",
        "#include <scale.h>\nstatic int classify(int x) { return x < 0 ? -1 : x; }\n\
         int check(int x) {\n    if (scale(x) == 1003)\n        return classify(x);\n    \
         if (x >= 0 && x < 5 && scale(x) > 100)\n        return 2;\n    return 0;\n}\n",
    ),
    (
        "src/main.c",
        "#include <stdio.h>\n#include \"scale.h\"\nint check(int x);\nint sensor(int c) { return c; }\n\
         static int classify(int x) { return x > 9 ? 1 : 0; }\n\
         int main(int argc, char **argv) { printf(\"%d %d %d\\n\", check(100), limit(), classify(argc)); return 0; }\n",
    ),
    (
        "Makefile",
        "CFLAGS = -Iinclude -DFACTOR=10\n\
         prog: src/main.o src/check.o lib/libscale.a\n\t$(CC) -o $@ src/main.o src/check.o -Llib -lscale\n\
         lib/libscale.a: lib/scale.o lib/unused.o\n\tar rcs $@ lib/scale.o lib/unused.o\n",
    ),
];

/// The project's directory.
pub(crate) struct Project {
    dir: TempDir,
}

impl Project {
    pub(crate) fn new() -> Project {
        let project = Project {
            dir: tempfile::tempdir().unwrap(),
        };
        for (name, text) in FILES {
            project.write(name, text);
        }
        project
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Runs a program here, which must succeed.
    pub(crate) fn must(&self, program: &str, arguments: &[&str]) -> Ended {
        let ended = self.run(program, arguments);
        assert_eq!(
            ended.code,
            Some(0),
            "{program} {arguments:?}: {}{}",
            ended.stdout,
            ended.stderr
        );
        ended
    }

    pub(crate) fn run(&self, program: &str, arguments: &[&str]) -> Ended {
        let mut command = Command::new(program);
        run(command.args(arguments).current_dir(self.dir.path()))
    }

    /// `CC="labrys cc" make`
    pub(crate) fn make(&self) {
        let cc = format!("CC={} cc", env!("CARGO_BIN_EXE_labrys"));
        self.must("make", &[&cc]);
    }

    pub(crate) fn labrys(&self, arguments: &[&str]) -> Ended {
        run(labrys(self.dir.path()).args(arguments))
    }

    /// `labrys gen`, which must succeed, and its summary.
    pub(crate) fn generate(&self, arguments: &[&str]) -> Value {
        let ended = self.labrys(&[&["gen", "--format", "json", "--quiet"], arguments].concat());
        assert_eq!(ended.code, Some(0), "{}", ended.stderr);
        let summary: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(summary["divergences"], serde_json::json!([]), "{summary}");
        summary
    }

    /// Objectives of the last run by file and line, as `covered`, `infeasible` or `unknown`.
    pub(crate) fn statuses(&self) -> Vec<(String, String)> {
        let text = std::fs::read_to_string(self.path("labrys-out/objectives.json")).unwrap();
        let all: Value = serde_json::from_str(&text).unwrap();
        let entry = |o: &Value| {
            let place = format!(
                "{}:{} {}",
                o["file"].as_str().unwrap(),
                o["line"],
                o["text"].as_str().unwrap()
            );
            (place, o["status"].as_str().unwrap().to_owned())
        };
        all["objectives"]
            .as_array()
            .unwrap()
            .iter()
            .map(entry)
            .collect()
    }

    pub(crate) fn is_file(&self, name: &str) -> bool {
        Path::new(&self.path(name)).is_file()
    }
}
