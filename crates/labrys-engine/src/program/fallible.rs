//! The functions of the C library whose results rest on something outside of the program: they may
//! fail although the models let them succeed, or answer with what another machine would answer
//! differently. What a program decides by such a result is an assumption.

use crate::memory::{Slot, low_mask};
use std::sync::Arc;

/// What is assumed about a call, and how it fails if failures are inputs.
#[derive(Clone, Debug)]
pub(crate) struct FallibleCall {
    pub(crate) name: &'static str,
    /// What is assumed, and whether it is that the call succeeds.
    pub(crate) assumptions: Vec<(Arc<str>, bool)>,
    /// The result is a new object, null if the call has failed.
    pub(crate) allocates: bool,
    pub(crate) fault: Option<FaultOfCall>,
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

/// Functions that give a new object, or null.
const ALLOCATING: &str = "malloc calloc realloc reallocarray memalign aligned_alloc strdup __strdup strndup __strndup \
    wcsdup fopen fopen64 fdopen tmpfile tmpfile64 open_memstream fmemopen opendir fdopendir mmap \
    mmap64 newlocale duplocale get_current_dir_name canonicalize_file_name valloc";

/// Functions whose result tells whether they have succeeded.
const TELLING: &str = "posix_memalign open open64 __open __open64 __open_2 __open64_2 openat openat64 __openat_2 \
    __openat64_2 creat creat64 dup dup2 dup3 pipe pipe2 fcntl fcntl64 __fcntl mkstemp mkstemp64 \
    mkostemp mkstemps mkostemps mkdtemp close __close close_range read __read __read_chk pread \
    pread64 readv write __write pwrite pwrite64 writev copy_file_range sendfile sendfile64 lseek \
    lseek64 ftruncate ftruncate64 truncate truncate64 fsync fdatasync syncfs flock lockf \
    posix_fadvise posix_fadvise64 posix_fallocate stat lstat fstat fstatat stat64 lstat64 \
    fstat64 fstatat64 __xstat __lxstat __fxstat __fxstatat __xstat64 __lxstat64 __fxstat64 \
    __fxstatat64 access faccessat eaccess euidaccess chmod fchmod fchmodat chown lchown fchown \
    fchownat utimensat futimens unlink unlinkat rmdir remove mkdir mkdirat link linkat symlink \
    symlinkat readlink readlinkat rename renameat chdir fchdir getcwd realpath __realpath_chk \
    closedir scandir munmap mprotect msync madvise posix_madvise mlock munlock atexit on_exit \
    at_quick_exit setenv putenv fclose fcloseall pclose fflush fflush_unlocked freopen freopen64 \
    setvbuf asprintf vasprintf __asprintf_chk __vasprintf_chk fseek fseeko fseeko64 ftell ftello \
    ftello64 fgetpos fsetpos fgetpos64 fsetpos64 nanosleep clock_nanosleep usleep";

/// Functions that write to a stream.
const WRITING: &str = "fputc putc putchar _IO_putc fputc_unlocked putc_unlocked putchar_unlocked __overflow putw \
    fputs fputs_unlocked puts fwrite fwrite_unlocked printf fprintf vprintf vfprintf \
    __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk fputwc putwc";

/// Functions whose result depends on other surroundings, and which.
const SURROUNDED: [(&str, &str); 48] = [
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

/// Functions whose result is the number of a descriptor.
const NUMBERING: &str = "open open64 openat openat64 creat creat64 dup fcntl fcntl64 mkstemp mkstemp64 mkostemp \
    mkstemps mkostemps fileno fileno_unlocked dirfd";

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
        let failure = match listed(POINTING, self.name) {
            Some(_) => 0,
            None => low_mask(width),
        };
        !result.is_symbolic() && result.bits == failure
    }

    /// What a call of the model of this name rests on, if it rests on something.
    pub(crate) fn of(name: &str) -> Option<FallibleCall> {
        let mut found = None;
        let mut assumptions: Vec<(Arc<str>, bool)> = Vec::new();
        let lists = [ALLOCATING, TELLING, WRITING];
        if let Some(known) = lists.iter().find_map(|list| listed(list, name)) {
            found = Some(known);
            assumptions.push((format!("library {name} succeeds").into(), true));
        }
        if let Some((known, what)) = SURROUNDED.iter().find(|(n, _)| *n == name) {
            found = Some(*known);
            assumptions.push((format!("environment: {what}").into(), false));
        }
        if let Some(known) = listed(NUMBERING, name) {
            found = Some(known);
            assumptions.push(("environment: descriptor numbers".into(), false));
        }
        let fault = FAULTS.iter().find(|(n, ..)| *n == name);
        Some(FallibleCall {
            name: found?,
            assumptions,
            allocates: listed(ALLOCATING, name).is_some(),
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

/// The name in a list of names.
fn listed(list: &'static str, name: &str) -> Option<&'static str> {
    list.split_whitespace().find(|known| *known == name)
}

/// The functions whose failures are inputs with `--faults-of-environment`.
pub fn faulty_functions() -> impl Iterator<Item = &'static str> {
    FAULTS.iter().map(|(name, ..)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_that_cannot_fail_rests_on_nothing() {
        for name in [
            "strlen",
            "qsort",
            "snprintf",
            "abs",
            "gmtime",
            "no_such_function",
        ] {
            assert!(FallibleCall::of(name).is_none(), "{name}");
        }
    }

    #[test]
    fn a_descriptor_rests_on_success_and_on_its_number() {
        let open = FallibleCall::of("open").unwrap();
        let texts: Vec<&str> = open.assumptions.iter().map(|(t, _)| &**t).collect();
        assert_eq!(
            texts,
            ["library open succeeds", "environment: descriptor numbers"]
        );
        assert!(!open.allocates && open.fault.is_some());
        assert!(FallibleCall::of("malloc").unwrap().allocates);
    }

    #[test]
    fn what_can_be_made_to_fail_is_fallible() {
        for name in faulty_functions() {
            assert!(FallibleCall::of(name).is_some(), "{name}");
        }
    }
}
