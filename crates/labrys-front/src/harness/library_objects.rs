//! Objects whose contents belong to the C library, such as `FILE`. Generated contents would be a
//! state that no program can reach, so they start as zero bytes, and they are no outputs.

use super::HarnessWriter;
use crate::types::{CType, TypeShape};
use labrys_ledger::protocol::limit;

/// Structures by their own names.
const STRUCTURES: [&str; 4] = [
    "struct __jmp_buf_tag",
    "struct random_data",
    "struct drand48_data",
    "struct crypt_data",
];

/// Types by the names that the headers give them.
const NAMES: [&str; 14] = [
    "mbstate_t",
    "__mbstate_t",
    "fpos_t",
    "fpos64_t",
    "jmp_buf",
    "sigjmp_buf",
    "pthread_mutex_t",
    "pthread_cond_t",
    "pthread_rwlock_t",
    "pthread_once_t",
    "pthread_attr_t",
    "pthread_mutexattr_t",
    "sem_t",
    "va_list",
];

impl HarnessWriter<'_> {
    pub(super) fn is_private(&self, ty: &CType) -> bool {
        let mut ty = ty;
        loop {
            match &ty.shape {
                TypeShape::Named(name, _) if NAMES.contains(&&**name) => return true,
                TypeShape::Named(_, target) => ty = target,
                TypeShape::Record(index) => {
                    let spelling = self.types().records[*index].spelling.as_deref();
                    return spelling.is_some_and(|name| STRUCTURES.contains(&name));
                }
                _ => return false,
            }
        }
    }

    /// Zero bytes, which only the harness forces.
    pub(super) fn zero(&mut self, lvalue: &str) {
        self.statement(format!(
            "__builtin_memset((void *)&{lvalue}, 0, sizeof {lvalue});"
        ));
        self.limit(
            &format!("(const void *)&{lvalue}"),
            &format!("sizeof {lvalue}"),
            limit::MODEL,
        );
    }
}
