//! What calls of the C library write through their pointers. A call that may fail, or that answers
//! with what is outside of the program, writes something else or nothing in other surroundings: these
//! bytes rest on the same assumptions as its result.

use super::fallible::is_listed;

/// How much a call may write, from where a parameter points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    Bytes(u64),
    /// As many items of so many bytes as another parameter says.
    Counted {
        param: usize,
        each: u64,
    },
    /// Up to the end of the object.
    Rest,
    /// The objects to which the pointers lead that are found from there on.
    Behind,
    /// A pointer to an object that the call has allocated.
    NewObject,
}

/// Bytes that a call may write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) param: usize,
    pub(crate) extent: Extent,
}

const STAT: Extent = Extent::Bytes(144);
const TIME: Extent = Extent::Bytes(16);
const SIGNALS: Extent = Extent::Bytes(128);
const NUMBER: Extent = Extent::Bytes(8);

const fn counted(param: usize, each: u64) -> Extent {
    Extent::Counted { param, each }
}

/// Functions, a parameter of theirs, and what is written there.
const WRITTEN: [(&str, usize, Extent); 53] = [
    ("readdir_r", 1, Extent::Rest),
    ("readdir_r", 2, NUMBER),
    ("scandir", 1, Extent::NewObject),
    ("posix_memalign", 0, Extent::NewObject),
    (
        "asprintf vasprintf __asprintf_chk __vasprintf_chk",
        0,
        Extent::NewObject,
    ),
    ("iconv", 1, NUMBER),
    ("iconv", 2, NUMBER),
    ("iconv", 3, Extent::Behind),
    ("iconv", 3, NUMBER),
    ("iconv", 4, NUMBER),
    (
        "mkstemp mkstemp64 mkostemp mkstemps mkostemps mkdtemp mktemp",
        0,
        Extent::Rest,
    ),
    ("realpath __realpath_chk", 1, Extent::Rest),
    ("read __read __read_chk pread pread64", 1, counted(2, 1)),
    ("readv", 1, Extent::Behind),
    ("copy_file_range", 1, NUMBER),
    ("copy_file_range", 3, NUMBER),
    ("sendfile sendfile64", 2, NUMBER),
    ("pipe pipe2", 0, Extent::Bytes(8)),
    ("fcntl fcntl64 __fcntl ioctl", 2, Extent::Behind),
    ("ttyname_r", 1, counted(2, 1)),
    ("wait", 0, Extent::Bytes(4)),
    ("waitpid", 1, Extent::Bytes(4)),
    ("poll ppoll __poll_chk", 0, counted(1, 8)),
    ("select pselect", 1, SIGNALS),
    ("select pselect", 2, SIGNALS),
    ("select pselect", 3, SIGNALS),
    ("select", 4, TIME),
    ("sigaction", 2, Extent::Bytes(152)),
    ("sigaltstack", 1, Extent::Bytes(24)),
    ("sigprocmask pthread_sigmask", 2, SIGNALS),
    ("sigpending", 0, SIGNALS),
    ("stat lstat fstat stat64 lstat64 fstat64", 1, STAT),
    (
        "fstatat fstatat64 __xstat __lxstat __fxstat __xstat64 __lxstat64 __fxstat64",
        2,
        STAT,
    ),
    ("__fxstatat __fxstatat64", 3, STAT),
    ("readlink", 1, counted(2, 1)),
    ("readlinkat", 2, counted(3, 1)),
    ("getcwd gethostname getdomainname", 0, counted(1, 1)),
    ("fgetpos fgetpos64", 1, TIME),
    ("getgroups", 1, counted(0, 4)),
    ("uname", 0, Extent::Bytes(390)),
    ("getloadavg", 0, counted(1, 8)),
    ("getrlimit getrlimit64", 1, TIME),
    ("getrusage", 1, Extent::Bytes(144)),
    ("pthread_key_create", 0, Extent::Bytes(4)),
    ("clock_getres nanosleep", 1, TIME),
    ("times", 0, Extent::Bytes(32)),
    ("clock_nanosleep", 3, TIME),
    ("setitimer", 2, Extent::Bytes(32)),
    ("getitimer", 1, Extent::Bytes(32)),
    ("getcontext swapcontext", 0, Extent::Rest),
    ("strtod strtof strtold wcstod wcstof wcstold", 1, NUMBER),
    ("mbtowc mbrtowc wctomb wcrtomb", 0, Extent::Rest),
    (
        "mbstowcs mbsrtowcs mbsnrtowcs wcstombs wcsrtombs wcsnrtombs",
        0,
        Extent::Rest,
    ),
];

/// What a function may write through its parameters.
pub(super) fn written_by(name: &str) -> Vec<Written> {
    let rows = WRITTEN.iter().filter(|(names, ..)| is_listed(names, name));
    rows.map(|&(_, param, extent)| Written { param, extent })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::fallible::{FACTS, OUTSIDE};
    use std::path::Path;

    /// Functions whose pointers lead to nothing that a program looks at and that depends on the
    /// outside: memory that is given back or described, objects that only the library reads, memory
    /// that is written only where memory is short. And clocks, which fail only for a reason that the
    /// program has given, and whose models say what they show.
    const NOT_WRITTEN: &str = "setvbuf setbuf setbuffer fmemopen open_memstream free realloc \
        reallocarray malloc_usable_size newlocale duplocale freelocale uselocale nl_langinfo_l \
        iconv_close mmap mmap64 munmap mprotect msync madvise posix_madvise putenv on_exit \
        pthread_mutexattr_settype pthread_cond_wait pthread_create pthread_once makecontext \
        execve execv execvp execvpe gettimeofday clock_gettime timespec_get";

    /// The definitions of a source file: names, and the texts of their parameters.
    fn definitions(text: &str) -> Vec<(String, Vec<String>)> {
        let mut found = Vec::new();
        for part in text.split("\nWEAK ").skip(1) {
            // Up to the body: a variable has none.
            let head = part.split(['{', ';', '=']).next().unwrap_or_default();
            let Some((before, params)) = head.split_once('(') else {
                continue;
            };
            let name = before.rsplit([' ', '*']).next().unwrap_or_default();
            if name.is_empty() {
                continue; // a variable that is a pointer to a function
            }
            let params = params.split(',').map(|param| param.trim().to_owned());
            found.push((name.to_owned(), params.collect()));
        }
        found
    }

    fn may_be_written(param: &str) -> bool {
        let is_pointer = param.contains('*') || param.contains('[');
        let is_function = param.contains("(*") || param.contains("Handler *");
        let is_opaque = [
            "const ",
            "FILE ",
            "DIR ",
            "struct Directory ",
            "void *descriptor",
        ];
        is_pointer && !is_function && !is_opaque.iter().any(|start| param.starts_with(start))
    }

    #[test]
    fn every_model_says_what_it_writes() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/libc");
        let mut missing = Vec::new();
        for stem in OUTSIDE.split_whitespace() {
            let text = std::fs::read_to_string(dir.join(format!("{stem}.c"))).unwrap();
            for (name, params) in definitions(&text) {
                if is_listed(FACTS, &name) || is_listed(NOT_WRITTEN, &name) {
                    continue;
                }
                let known = written_by(&name);
                for (number, param) in params.iter().enumerate() {
                    let is_known = known.iter().any(|written| written.param == number);
                    if may_be_written(param) && !is_known {
                        missing.push(format!("{stem}.c: {name}: {param}"));
                    }
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
    }
}
