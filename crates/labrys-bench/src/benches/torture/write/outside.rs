//! Functions that ask the world: calls of the C library that can fail, the clock, the environment.
//! Natively they go to definitions that fail now and then, as the real ones may.

use super::expression::Scope;
use super::{FunctionPlan, everything};

/// A statement that asks, and what can be read afterwards.
const QUESTIONS: [(&str, &str); 12] = [
    ("m = malloc((x & 7) + 1);", "(m == 0)"),
    ("m = calloc(2, 4); r = m == 0;", "r"),
    ("r = (int)read(0, b, 3);", "r"),
    ("r = (int)write(1, b, 2);", "r"),
    ("r = open(\"/etc/torture\", 0);", "r"),
    ("e = getenv(\"TORTURE\");", "(e == 0)"),
    ("r = (int)(time(0) & 1023);", "r"),
    ("r = (int)getpid() & 255;", "r"),
    ("errno = 0; r = close(9);", "(errno == 9)"),
    ("r = rand() & 63;", "r"),
    ("r = pipe(d);", "(d[0] == d[1])"),
    ("r = isatty(1);", "r"),
];

pub fn library(scope: Scope, name: &str) -> FunctionPlan {
    let mut plan = FunctionPlan::new(scope);
    plan.before =
        "#include <errno.h>\n#include <fcntl.h>\n#include <stdlib.h>\n#include <time.h>\n\
                   #include <unistd.h>\n"
            .to_owned();
    plan.parameters = "unsigned char x".to_owned();
    plan.beginning =
        "int r = 0; char *m = 0; char *e = 0; unsigned char b[4] = {0}; int d[2] = {0, 0};\n\
         (void)m; (void)e; (void)b; (void)d;\n"
            .to_owned();
    let scope = &mut plan.scope;
    scope.atoms.push("x".to_owned());
    for _ in 0..3 {
        let (ask, answer) = QUESTIONS[scope.draw.below(QUESTIONS.len())];
        scope.statements.push(ask.to_owned());
        scope.atoms.push(answer.to_owned());
    }
    scope.atoms.push("b[1]".to_owned());
    // The first question is asked in any case.
    plan.beginning += &format!("{}\n", scope.statements[0]);
    plan.flavour = everything();
    plan.calls = format!("for (int n = 0; n < 3000; n++) TRY({name}((unsigned char)t_number()));");
    plan
}
