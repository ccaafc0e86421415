//! The functions of the C library whose results rest on something outside of the program: they may
//! fail although the models let them succeed, or answer with what another machine would answer
//! differently. What a program decides by such a result is an assumption.

use super::written::{Written, written_by};
use crate::memory::{Slot, low_mask};
use std::path::Path;
use std::sync::Arc;

/// What is assumed about a call, and how it fails if failures are inputs.
#[derive(Clone, Debug)]
pub(crate) struct FallibleCall {
    pub(crate) name: Arc<str>,
    /// What is assumed, and what it is about.
    pub(crate) assumptions: Vec<(Arc<str>, About)>,
    /// The result is a new object, null if the call has failed.
    pub(crate) allocates: bool,
    /// What it writes through its pointers.
    pub(crate) written: Vec<Written>,
    /// What it could return if the call does not do what the model does.
    pub(crate) other_results: Option<OtherResults>,
    pub(crate) fault: Option<FaultOfCall>,
}

/// What an assumption about a call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// That the call succeeds.
    Success,
    /// The number of the descriptor that it gives.
    Number,
    /// Something else outside of the program.
    Surroundings,
    /// The locale, which is that of a new program.
    Locale,
    /// The same for a character, which is the first parameter. Nothing depends on the locale if it is
    /// one of ASCII or the end of a file.
    Character,
}

/// What a call could return instead, where that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherResults {
    /// -1.
    MinusOne,
    /// -1, or any number up to what this parameter says.
    UpTo(usize),
}

/// How a call fails with `--faults-of-environment`; `runtime/faults.c` does the same natively.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultOfCall {
    /// The result, sign-extended.
    pub(crate) result: i64,
    pub(crate) errno: u8,
    /// The parameter that is a number of bytes, of which there may be only one.
    pub(crate) shortened: Option<usize>,
}

const ENOMEM: u8 = 12;
const EINTR: u8 = 4;
const EACCES: u8 = 13;
const ENOSPC: u8 = 28;

/// The files of `runtime/libc` whose models have to do with what is outside of the program: the
/// result of a function in them rests on its success, unless it is listed among `FACTS`.
pub(super) const OUTSIDE: &str = "dirent err files fopen heap locale mapping names paths posix printf process ready signal stat \
    stdio streams system threads time ucontext";

/// Functions in these files that cannot fail, whose failures have an input of their own (the end of
/// a file, a variable that is not there), or that say themselves what their results rest on.
pub(super) const FACTS: &str = "fgetc getc _IO_getc getchar fgetc_unlocked getc_unlocked getchar_unlocked __uflow __underflow \
    fread fread_unlocked __fread_chk __fread_unlocked_chk getw fgets fgets_unlocked \
    __fgets_chk __fgets_unlocked_chk gets getdelim __getdelim getline feof feof_unlocked \
    time clock difftime gmtime gmtime_r localtime localtime_r mktime timelocal timegm dysize \
    asctime asctime_r ctime ctime_r getuid geteuid getgid getegid getpid getppid getpgrp gethostid \
    getenv secure_getenv __secure_getenv sysconf umask \
    vsnprintf vsprintf __vsnprintf_chk __vsprintf_chk snprintf sprintf __snprintf_chk \
    __sprintf_chk sigemptyset sigfillset sigaddset sigdelset sigismember sigisemptyset \
    sigabbrev_np sigdescr_np strsignal __libc_current_sigrtmin __libc_current_sigrtmax \
    pthread_equal pthread_getspecific __ctype_get_mb_cur_max __cxa_atexit";

/// Functions that give a new object, or null.
const ALLOCATING: &str = "malloc calloc realloc reallocarray memalign aligned_alloc strdup __strdup strndup __strndup \
    wcsdup fopen fopen64 fdopen tmpfile tmpfile64 open_memstream fmemopen opendir fdopendir mmap \
    mmap64 newlocale duplocale get_current_dir_name canonicalize_file_name valloc";

/// Functions whose result depends on other surroundings, and which.
const SURROUNDED: [(&str, &str); 53] = [
    ("strftime", "locale"),
    ("strcoll", "locale"),
    ("strxfrm", "locale"),
    ("localeconv", "locale"),
    ("nl_langinfo", "locale"),
    ("isatty", "terminals"),
    ("ttyname", "terminals"),
    ("ttyname_r", "terminals"),
    ("ioctl", "terminals"),
    ("access", "file status"),
    ("faccessat", "file status"),
    ("eaccess", "file status"),
    ("euidaccess", "file status"),
    ("getdtablesize", "machine"),
    ("system", "other processes"),
    ("popen", "other processes"),
    ("posix_spawn", "other processes"),
    ("posix_spawnp", "other processes"),
    ("kill", "other processes"),
    ("killpg", "other processes"),
    ("wait", "other processes"),
    ("waitpid", "other processes"),
    ("poll", "readiness of descriptors"),
    ("ppoll", "readiness of descriptors"),
    ("__poll_chk", "readiness of descriptors"),
    ("select", "readiness of descriptors"),
    ("pselect", "readiness of descriptors"),
    ("ferror", "errors of streams"),
    ("ferror_unlocked", "errors of streams"),
    ("malloc_usable_size", "sizes of allocations"),
    ("sleep", "signals"),
    ("alarm", "signals"),
    ("ualarm", "signals"),
    ("pthread_self", "threads"),
    ("pthread_mutex_trylock", "threads"),
    ("pthread_mutex_lock", "threads"),
    ("pthread_mutex_unlock", "threads"),
    ("pthread_mutex_init", "threads"),
    ("pthread_rwlock_init", "threads"),
    ("pthread_cond_init", "threads"),
    ("pthread_attr_init", "threads"),
    ("pthread_mutexattr_init", "threads"),
    ("pthread_key_create", "threads"),
    ("pthread_setspecific", "threads"),
    ("getpriority", "machine"),
    ("setpriority", "machine"),
    ("nice", "machine"),
    ("setpgid", "other processes"),
    ("setsid", "other processes"),
    ("setrlimit", "machine"),
    ("pathconf", "machine"),
    ("fpathconf", "machine"),
    ("sigaltstack", "signals"),
];

/// Those of them that may fail for other reasons, too, and functions of other files that may fail.
const BOTH: &str = "access faccessat eaccess euidaccess asprintf vasprintf __asprintf_chk __vasprintf_chk printf \
    fprintf vprintf vfprintf __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk fputwc putwc";

/// Functions whose result is the number of a descriptor.
const NUMBERING: &str = "open open64 openat openat64 creat creat64 dup fcntl fcntl64 mkstemp mkstemp64 mkostemp \
    mkstemps mkostemps fileno fileno_unlocked dirfd";

/// Functions that tell what a character is, or give another one for it.
const CHARACTERS: &str = "isalpha isalnum isblank iscntrl isgraph islower isprint ispunct isspace isupper tolower \
    toupper iswalpha iswalnum iswblank iswcntrl iswgraph iswlower iswprint iswpunct iswspace iswupper \
    towlower towupper iswctype towctrans wcwidth btowc wctob";

/// Other functions whose results depend on the locale.
const LOCAL: &str = "strtod strtof strtold atof wcstod wcstof wcstold strcasecmp strncasecmp mbtowc mblen mbrtowc \
    mbrlen __mbrlen mbstowcs mbsrtowcs mbsnrtowcs wctomb wcrtomb wcstombs wcsrtombs wcsnrtombs wcswidth \
    __ctype_get_mb_cur_max strerror strerror_r __xpg_strerror_r strsignal";

/// What is assumed where the locale is that of a new program.
pub(crate) const LOCALE: &str = "environment: locale";

/// What is assumed where other threads of the caller have changed nothing.
pub(crate) const THREADS: &str = "environment: threads";

/// Functions that return -1 if they do not do what the models do.
const MINUS_ONE: &str = "open open64 openat openat64 creat creat64 close __close dup dup2 dup3 pipe pipe2 mkstemp \
    mkstemp64 mkostemp mkstemps mkostemps stat lstat fstat stat64 lstat64 fstat64 fstatat fstatat64 \
    unlink unlinkat rename renameat link symlink mkdir mkdirat rmdir chdir fchdir chmod fchmod chown \
    fchown truncate ftruncate fsync fdatasync";

/// Functions that return at most as many bytes as this parameter says.
const COUNTING: [(&str, usize); 3] = [
    ("read __read __read_chk pread pread64 readlink", 2),
    ("write __write pwrite pwrite64", 2),
    ("readlinkat", 3),
];

/// Functions that tell by a null pointer that they have failed.
const POINTING: &str = "getcwd realpath __realpath_chk mkdtemp freopen freopen64";

/// How calls fail that can be made to fail natively, too.
const FAULTS: [(&str, i64, u8, Option<usize>); 19] = [
    ("malloc", 0, ENOMEM, None),
    ("calloc", 0, ENOMEM, None),
    ("realloc", 0, ENOMEM, None),
    ("strdup", 0, ENOMEM, None),
    ("strndup", 0, ENOMEM, None),
    ("fopen", 0, EACCES, None),
    ("open", -1, EACCES, None),
    ("close", -1, EINTR, None),
    ("read", -1, EINTR, Some(2)),
    ("write", -1, ENOSPC, Some(2)),
    ("fclose", -1, ENOSPC, None),
    ("fflush", -1, ENOSPC, None),
    ("fwrite", 0, ENOSPC, None),
    ("fputs", -1, ENOSPC, None),
    ("puts", -1, ENOSPC, None),
    ("fputc", -1, ENOSPC, None),
    ("putchar", -1, ENOSPC, None),
    ("printf", -1, ENOSPC, None),
    ("fprintf", -1, ENOSPC, None),
];

impl FallibleCall {
    /// Is this the result of a call that has failed?
    pub(crate) fn is_failure(&self, result: &Slot, width: u8) -> bool {
        // Values wider than 64 bits are never plain.
        if result.is_symbolic() {
            return false;
        }
        let failure = match is_listed(POINTING, &self.name) {
            true => 0,
            false => low_mask(width),
        };
        result.bits == failure
    }

    /// What a call of the model of this name rests on, if it rests on something; `file` is where the
    /// model is.
    pub(crate) fn of(name: &str, file: &Path) -> Option<FallibleCall> {
        let mut assumptions: Vec<(Arc<str>, About)> = Vec::new();
        let allocates = is_listed(ALLOCATING, name);
        let surrounded = SURROUNDED.iter().find(|(n, _)| *n == name);
        let file = file.file_stem().and_then(|stem| stem.to_str());
        // What the harness calls is no part of the program.
        let is_outside =
            file.is_some_and(|stem| is_listed(OUTSIDE, stem)) && !name.starts_with("labrys_");
        let may_fail = is_outside && surrounded.is_none() && !is_listed(FACTS, name);
        if allocates || may_fail || is_listed(BOTH, name) {
            assumptions.push((format!("library {name} succeeds").into(), About::Success));
        }
        if let Some((_, what)) = surrounded {
            assumptions.push((format!("environment: {what}").into(), About::Surroundings));
        }
        if is_listed(NUMBERING, name) {
            assumptions.push(("environment: descriptor numbers".into(), About::Number));
        }
        if is_listed(CHARACTERS, name) {
            assumptions.push((LOCALE.into(), About::Character));
        }
        if is_listed(LOCAL, name) {
            assumptions.push((LOCALE.into(), About::Locale));
        }
        if assumptions.is_empty() {
            return None;
        }
        let fault = FAULTS.iter().find(|(n, ..)| *n == name);
        Some(FallibleCall {
            name: name.into(),
            assumptions,
            allocates,
            written: written_by(name),
            other_results: other_results(name),
            fault: fault.map(|&(_, result, errno, shortened)| FaultOfCall {
                result,
                errno,
                shortened,
            }),
        })
    }
}

impl FaultOfCall {
    /// Is there no memory? Nothing else lets an allocation fail.
    pub(crate) fn is_allocation(self) -> bool {
        self.errno == ENOMEM
    }
}

/// Is the name in a list of names?
pub(super) fn is_listed(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

fn other_results(name: &str) -> Option<OtherResults> {
    if is_listed(MINUS_ONE, name) {
        return Some(OtherResults::MinusOne);
    }
    let counting = COUNTING.iter().find(|(names, _)| is_listed(names, name));
    counting.map(|(_, param)| OtherResults::UpTo(*param))
}

/// The functions whose failures are inputs with `--faults-of-environment`.
pub fn faulty_functions() -> impl Iterator<Item = &'static str> {
    FAULTS.iter().map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: &str, file: &str) -> Option<FallibleCall> {
        FallibleCall::of(name, Path::new(file))
    }

    #[test]
    fn a_function_that_cannot_fail_rests_on_nothing() {
        for (name, file) in [
            ("strlen", "libc/string.c"),
            ("qsort", "libc/sort.c"),
            ("vsnprintf", "libc/printf.c"),
            ("abs", "libc/stdlib.c"),
            ("gmtime", "libc/time.c"),
            ("fgetc", "libc/stdio.c"),
        ] {
            assert!(of(name, file).is_none(), "{name}");
        }
    }

    #[test]
    fn a_function_that_nobody_has_listed_may_fail() {
        for (name, file) in [
            ("gethostname", "libc/system.c"),
            ("new_call", "libc/posix.c"),
            ("raise", "libc/signal.c"),
            ("setlocale", "libc/locale.c"),
        ] {
            let call = of(name, file).unwrap();
            assert_eq!(&*call.assumptions[0].0, format!("library {name} succeeds"));
        }
    }

    #[test]
    fn a_descriptor_rests_on_success_and_on_its_number() {
        let open = of("open", "libc/posix.c").unwrap();
        let texts: Vec<&str> = open.assumptions.iter().map(|(t, _)| &**t).collect();
        assert_eq!(
            texts,
            ["library open succeeds", "environment: descriptor numbers"]
        );
        assert!(!open.allocates && open.fault.is_some());
        assert!(of("malloc", "libc/heap.c").unwrap().allocates);
    }

    #[test]
    fn what_can_be_made_to_fail_is_fallible() {
        let files = ["heap", "string", "fopen", "posix", "stdio", "printf"];
        for name in faulty_functions() {
            let mut found = files.iter().map(|file| of(name, &format!("libc/{file}.c")));
            assert!(found.any(|call| call.is_some()), "{name}");
        }
    }
}
