//! Whole programs with a `main`: handlers of signals, faults that they catch, system calls that can
//! fail, standard input, arguments, variables of the environment, functions that run at the end.

use super::super::marked;
use crate::draw::Draw;

const HEAD: &str = "/* Written by ./bench torture. */\n#include <errno.h>\n#include <fcntl.h>\n#include <setjmp.h>\n#include <signal.h>\n\
    #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/stat.h>\n\
    #include <time.h>\n#include <unistd.h>\n\
    static volatile sig_atomic_t caught, ready;\nstatic int hits;\nstatic sigjmp_buf back;\n\
    static void on_signal(int n) { caught = n; hits++; }\n\
    static void leave(int n) { caught = n; if (ready) siglongjmp(back, n); _exit(3); }\n";

const VARIABLES: &str = "int r = 0, c = 0, fd = -1, fd2 = -1, p[2] = {0, 0};\n\
    char b[8] = {0}; char *m = 0, *e = 0; FILE *f = 0; struct stat st; sigset_t set;\n\
    void (*old)(int) = 0;\nmemset(&st, 0, sizeof st); sigemptyset(&set);\n\
    (void)argv; (void)c; (void)fd; (void)fd2; (void)e; (void)old; (void)r;\n";

const ACTIONS: [&str; 42] = [
    "signal(SIGUSR1, on_signal);",
    "signal(SIGUSR2, SIG_IGN);",
    "old = signal(SIGINT, on_signal);",
    "signal(SIGALRM, on_signal);",
    "signal(SIGTERM, on_signal);",
    "signal(SIGFPE, leave);",
    "signal(SIGSEGV, leave);",
    "signal(SIGABRT, on_signal);",
    "raise(SIGUSR1);",
    "raise(SIGINT);",
    "kill(getpid(), SIGUSR2);",
    "sigaddset(&set, SIGUSR1); sigprocmask(SIG_BLOCK, &set, 0);",
    "sigprocmask(SIG_UNBLOCK, &set, 0);",
    "alarm(1);",
    "ready = 1; c = sigsetjmp(back, 1); r = c == 0 ? 10 / (x & 1) : c; ready = 0;",
    "ready = 1; c = sigsetjmp(back, 1); if (!c) b[1] = *(x & 1 ? b : (char *)0); ready = 0;",
    "atexit(at_end);",
    "r = (int)read(0, b, 3);",
    "c = getchar();",
    "r = fgets(b, 5, stdin) != 0;",
    "r = (int)write(1, b, 2);",
    "r = puts(\"x\");",
    "r = fflush(stdout);",
    "errno = 0; r = close(7);",
    "fd = open(\"in\", O_RDONLY);",
    "fd = open(\"d\", O_RDONLY);",
    "fd2 = dup(1);",
    "fd2 = dup(fd);",
    "f = fopen(\"in\", \"r\"); if (f) c = fgetc(f);",
    "r = mkdir(\"d\", 0700);",
    "r = rmdir(\"d\");",
    "r = unlink(\"in\");",
    "r = stat(\"in\", &st);",
    "m = malloc(8);",
    "m = realloc(0, 16);",
    "e = getenv(\"MODE\");",
    "x = rand() & 7;",
    "x = (int)(time(0) & 7);",
    "r = pipe(p);",
    "x += b[1];",
    "hits = 0; caught = 0;",
    "x++;",
];

const CONDITIONS: [&str; 34] = [
    "caught == SIGUSR1",
    "caught == SIGINT",
    "caught",
    "hits > 1",
    "hits == 0",
    "r < 0",
    "r == 3",
    "r > 0",
    "r == 1",
    "errno == EINTR",
    "errno == ENOENT",
    "errno",
    "b[0] == 'q'",
    "b[1] == 'x'",
    "b[2]",
    "c == EOF",
    "c == 'a'",
    "c == SIGFPE",
    "argc > 1",
    "argc > 2",
    "m == 0",
    "e == 0",
    "e && e[0] == 'x'",
    "f == 0",
    "fd < 0",
    "fd > 3",
    "fd2 == fd",
    "fd2 > 2",
    "x > 5",
    "x == 3",
    "x & 1",
    "old == SIG_IGN",
    "st.st_size > 2",
    "p[0] == p[1]",
];

const ENDS: [&str; 6] = [
    "exit(x & 3);",
    "return r & 7;",
    "abort();",
    "_exit(2);",
    "raise(SIGTERM);",
    "return 0;",
];

/// The program of a seed, with its conditions marked, and how many marks it has.
pub fn program(seed: u64) -> (String, usize) {
    let mut writer = Writer {
        draw: Draw::new(seed),
        marks: 0,
    };
    let end = writer.condition();
    let mut text = format!(
        "{HEAD}static void at_end(void) {{\nint x = 0, r = 0, c = 0, argc = hits, fd = 0, fd2 = 1, \
         p[2] = {{0, 1}}; char b[8] = {{0}}, *m = b, *e = 0; FILE *f = 0; struct stat st = {{0}};\n\
         void (*old)(int) = 0;\nif ({end}) {{\nputs(\"end\");\n}}\n}}\n\
         int main(int argc, char **argv) {{\n{VARIABLES}"
    );
    // If everything came from the arguments, nothing could be proved.
    let first = ["argc", "1", "2", "5"][writer.draw.below(4)];
    text += &format!("int x = {first};\n");
    let statements = writer.draw.within(5, 9);
    writer.block(2, statements, &mut text);
    text += "return 0;\n}\n";
    (text, writer.marks)
}

struct Writer {
    draw: Draw,
    marks: usize,
}

impl Writer {
    fn condition(&mut self) -> String {
        let text = CONDITIONS[self.draw.below(CONDITIONS.len())];
        // Of `a && b` each has a mark of its own.
        let parts: Vec<String> = (text.split(" && "))
            .map(|part| {
                self.marks += 1;
                marked::condition(self.marks - 1, part)
            })
            .collect();
        parts.join(" && ")
    }

    fn block(&mut self, depth: usize, statements: usize, out: &mut String) {
        for _ in 0..statements {
            match self.draw.below(8) {
                0..=3 => self.action(out),
                4 if depth > 0 => {
                    *out += "for (int i = 0; i < 2; i++) {\n";
                    self.block(depth - 1, 2, out);
                    *out += "}\n";
                }
                5 if self.draw.one_in(3) => {
                    let condition = self.condition();
                    let end = ENDS[self.draw.below(ENDS.len())];
                    *out += &format!("if ({condition}) {{\n{end}\n}}\n");
                }
                _ if depth > 0 => self.choice(depth, out),
                _ => self.action(out),
            }
        }
    }

    fn action(&mut self, out: &mut String) {
        *out += ACTIONS[self.draw.below(ACTIONS.len())];
        out.push('\n');
    }

    fn choice(&mut self, depth: usize, out: &mut String) {
        let condition = self.condition();
        *out += &format!("if ({condition}) {{\n");
        let statements = self.draw.within(1, 3);
        self.block(depth - 1, statements, out);
        if self.draw.one_in(2) {
            *out += "} else {\n";
            self.block(depth - 1, 1, out);
        }
        *out += "}\n";
    }
}
