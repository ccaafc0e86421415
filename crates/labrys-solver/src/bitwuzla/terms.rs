//! A safe interface to Bitwuzla's C functions: a term manager and one solver on it.
//!
//! Bitwuzla demands terms of matching sorts and would end the process on anything else. Here an
//! error inside it is noted instead, and every later check on that manager says `Unknown`.

use crate::limits::QueryDeadline;
use bitwuzla_sys as sys;
use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_void};

thread_local! {
    /// Did Bitwuzla report an error on this thread since the last manager was made?
    static FAILED: Cell<bool> = const { Cell::new(false) };
}

/// Called by Bitwuzla instead of ending the process; the call that failed gives a null then.
unsafe extern "C" fn note_error(message: *const c_char) {
    FAILED.set(true);
    // SAFETY: Bitwuzla passes a string that lives during the call.
    let message = unsafe { CStr::from_ptr(message) };
    tracing::error!(message = %message.to_string_lossy(), "Bitwuzla refused a call");
}

/// Called by Bitwuzla now and then while it searches.
unsafe extern "C" fn is_over(state: *mut c_void) -> i32 {
    // SAFETY: the state is the deadline of the terms, which live as long as the solver.
    let deadline = unsafe { &*state.cast_const().cast::<QueryDeadline>() };
    deadline.is_over().into()
}

/// A term of the manager that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Term(sys::BitwuzlaTerm);

/// How a check ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CheckResult {
    Sat,
    Unsat,
    Unknown,
}

pub(crate) struct TermManager {
    /// Bitwuzla asks it whether to go on, so it must not move.
    deadline: Box<QueryDeadline>,
    manager: *mut sys::BitwuzlaTermManager,
    options: *mut sys::BitwuzlaOptions,
    solver: *mut sys::Bitwuzla,
}

impl Drop for TermManager {
    fn drop(&mut self) {
        // SAFETY: the three were made together and are deleted once, users before their owner.
        unsafe {
            sys::bitwuzla_delete(self.solver);
            sys::bitwuzla_options_delete(self.options);
            sys::bitwuzla_term_manager_delete(self.manager);
        }
    }
}

/// Makes a term, unless something failed before: a null must not be passed on.
fn made(make: impl FnOnce() -> sys::BitwuzlaTerm) -> Term {
    Term(if FAILED.get() { 0 } else { make() })
}

impl TermManager {
    pub(crate) fn new(deadline: &QueryDeadline, seed: u32) -> Self {
        let deadline = Box::new(deadline.clone());
        // SAFETY: the callback is a function of the right type; Bitwuzla keeps one per thread.
        unsafe { sys::bitwuzla_set_abort_callback(Some(note_error)) };
        FAILED.set(false);
        // SAFETY: constructors without preconditions; the options live as long as the solver.
        unsafe {
            let manager = sys::bitwuzla_term_manager_new();
            let options = sys::bitwuzla_options_new();
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_PRODUCE_MODELS, 1);
            if let Some(left) = deadline.left() {
                let millis = u64::try_from(left.as_millis()).unwrap_or(u64::MAX).max(1);
                sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_TIME_LIMIT_PER, millis);
            }
            sys::bitwuzla_set_option(options, sys::BITWUZLA_OPT_SEED, u64::from(seed));
            let solver = sys::bitwuzla_new(manager, options);
            let state: *const QueryDeadline = &raw const *deadline;
            sys::bitwuzla_set_termination_callback(solver, Some(is_over), state.cast_mut().cast());
            TermManager {
                deadline,
                manager,
                options,
                solver,
            }
        }
    }

    fn bv_sort(&self, width: u8) -> sys::BitwuzlaSort {
        // SAFETY: widths are at least 1.
        unsafe { sys::bitwuzla_mk_bv_sort(self.manager, u64::from(width)) }
    }

    pub(crate) fn constant(&self, width: u8, value: u128) -> Term {
        let sort = self.bv_sort(width);
        if width <= 64 {
            // SAFETY: the value fits the sort.
            return made(|| unsafe {
                sys::bitwuzla_mk_bv_value_uint64(self.manager, sort, value as u64)
            });
        }
        let digits = CString::new(format!("{value:x}")).unwrap_or_default();
        // SAFETY: hexadecimal digits of a value that fits the sort.
        made(|| unsafe { sys::bitwuzla_mk_bv_value(self.manager, sort, digits.as_ptr(), 16) })
    }

    /// A new unknown.
    pub(crate) fn unknown(&self, width: u8) -> Term {
        let sort = self.bv_sort(width);
        // SAFETY: an unknown may have no name.
        made(|| unsafe { sys::bitwuzla_mk_const(self.manager, sort, std::ptr::null()) })
    }

    pub(crate) fn rounding(&self, mode: sys::BitwuzlaRoundingMode) -> Term {
        // SAFETY: one of the five modes.
        made(|| unsafe { sys::bitwuzla_mk_rm_value(self.manager, mode) })
    }

    pub(crate) fn op1(&self, kind: sys::BitwuzlaKind, a: Term) -> Term {
        // SAFETY: a term of this manager, of the right sort for the kind.
        made(|| unsafe { sys::bitwuzla_mk_term1(self.manager, kind, a.0) })
    }

    pub(crate) fn op2(&self, kind: sys::BitwuzlaKind, a: Term, b: Term) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term2(self.manager, kind, a.0, b.0) })
    }

    pub(crate) fn op3(&self, kind: sys::BitwuzlaKind, a: Term, b: Term, c: Term) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term3(self.manager, kind, a.0, b.0, c.0) })
    }

    pub(crate) fn op4(&self, kind: sys::BitwuzlaKind, args: [Term; 4]) -> Term {
        let mut raw = args.map(|t| t.0);
        // SAFETY: as above, four arguments.
        made(|| unsafe { sys::bitwuzla_mk_term(self.manager, kind, 4, raw.as_mut_ptr()) })
    }

    pub(crate) fn indexed1(&self, kind: sys::BitwuzlaKind, a: Term, index: u64) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term1_indexed1(self.manager, kind, a.0, index) })
    }

    pub(crate) fn indexed2(&self, kind: sys::BitwuzlaKind, a: Term, i: u64, j: u64) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term1_indexed2(self.manager, kind, a.0, i, j) })
    }

    /// With a rounding mode first.
    pub(crate) fn rounded_indexed1(
        &self,
        kind: sys::BitwuzlaKind,
        mode: Term,
        a: Term,
        i: u64,
    ) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term2_indexed1(self.manager, kind, mode.0, a.0, i) })
    }

    pub(crate) fn rounded_indexed2(
        &self,
        kind: sys::BitwuzlaKind,
        mode: Term,
        a: Term,
        i: u64,
        j: u64,
    ) -> Term {
        // SAFETY: as above.
        made(|| unsafe { sys::bitwuzla_mk_term2_indexed2(self.manager, kind, mode.0, a.0, i, j) })
    }

    /// Is it a bit vector?
    pub(crate) fn is_bits(&self, term: Term) -> bool {
        // SAFETY: a term of this manager.
        !FAILED.get() && unsafe { sys::bitwuzla_term_is_bv(term.0) }
    }

    /// A Boolean as a bit-vector of width 1.
    pub(crate) fn bit(&self, boolean: Term) -> Term {
        let (one, zero) = (self.constant(1, 1), self.constant(1, 0));
        self.op3(sys::BITWUZLA_KIND_ITE, boolean, one, zero)
    }

    /// A bit-vector of width 1 as a Boolean.
    pub(crate) fn boolean(&self, bit: Term) -> Term {
        self.op2(sys::BITWUZLA_KIND_EQUAL, bit, self.constant(1, 1))
    }

    pub(crate) fn and(&self, a: Term, b: Term) -> Term {
        self.op2(sys::BITWUZLA_KIND_AND, a, b)
    }

    pub(crate) fn equal(&self, a: Term, b: Term) -> Term {
        self.op2(sys::BITWUZLA_KIND_EQUAL, a, b)
    }

    pub(crate) fn ite(&self, c: Term, a: Term, b: Term) -> Term {
        self.op3(sys::BITWUZLA_KIND_ITE, c, a, b)
    }

    pub(crate) fn implies(&self, a: Term, b: Term) -> Term {
        self.op2(sys::BITWUZLA_KIND_IMPLIES, a, b)
    }

    pub(crate) fn assert(&self, boolean: Term) {
        if !FAILED.get() {
            // SAFETY: a Boolean term of this manager.
            unsafe { sys::bitwuzla_assert(self.solver, boolean.0) }
        }
    }

    pub(crate) fn check(&self) -> CheckResult {
        if self.deadline.is_over() {
            return CheckResult::Unknown;
        }
        // SAFETY: no precondition.
        let result = unsafe { sys::bitwuzla_check_sat(self.solver) };
        match result {
            _ if FAILED.get() => CheckResult::Unknown,
            sys::BITWUZLA_SAT => CheckResult::Sat,
            sys::BITWUZLA_UNSAT => CheckResult::Unsat,
            _ => CheckResult::Unknown,
        }
    }

    /// The value of a bit-vector term after [`CheckResult::Sat`].
    pub(crate) fn value(&self, term: Term) -> Option<u128> {
        if FAILED.get() {
            return None;
        }
        // SAFETY: only called after a satisfiable check, with bit-vector terms; the text belongs
        // to Bitwuzla and is read before the next call.
        let text = unsafe {
            let value = sys::bitwuzla_get_value(self.solver, term.0);
            let text = sys::bitwuzla_term_value_get_str_fmt(value, 2);
            if text.is_null() || FAILED.get() {
                return None;
            }
            CStr::from_ptr(text)
        };
        u128::from_str_radix(text.to_str().ok()?, 2).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deadline() -> QueryDeadline {
        crate::limits::QueryLimits::new(&crate::SolverOptions::default()).start()
    }

    #[test]
    fn a_refused_call_is_unknown_and_does_not_end_the_process() {
        let terms = TermManager::new(&deadline(), 0);
        let (a, b) = (terms.unknown(8), terms.unknown(9));
        let mixed = terms.op2(sys::BITWUZLA_KIND_BV_ULT, a, b);
        terms.assert(mixed);
        assert_eq!(terms.check(), CheckResult::Unknown);
        assert_eq!(terms.value(a), None);
        // The next manager is not affected.
        let terms = TermManager::new(&deadline(), 0);
        assert_eq!(terms.check(), CheckResult::Sat);
    }
}
