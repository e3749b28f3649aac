//! The border: pointers to references, panics and errors to what C can see.

use solver::chc::PredId;
use solver::problem::{Problem, ProblemError, Settings};
use solver::term::{Symbol, Term};
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A system of clauses, and the settings of its checks.
pub struct HornProblem {
    pub(crate) shared: Arc<Mutex<Shared>>,
    pub(crate) error: Mutex<Option<LastError>>,
}

/// What a problem and its outcomes share.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) problem: Problem,
    pub(crate) settings: Settings,
    /// The terms that C has numbers for; the first one has number 1.
    pub(crate) terms: Vec<Term>,
}

/// An error as C asks for it.
pub(crate) struct LastError {
    pub(crate) text: CString,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// Why a call failed.
pub(crate) enum Failure {
    /// The problem says so.
    Problem(ProblemError),
    /// The arguments are wrong in a way that only C can get wrong.
    Argument(&'static str),
}

impl From<ProblemError> for Failure {
    fn from(error: ProblemError) -> Self {
        Failure::Problem(error)
    }
}

impl Shared {
    /// The term that a number stands for.
    pub(crate) fn term(&self, number: u32) -> Result<Term, Failure> {
        let index = (number as usize).checked_sub(1);
        let term = index.and_then(|index| self.terms.get(index));
        term.copied()
            .ok_or(Failure::Argument("a term of this problem is expected"))
    }

    /// The terms that numbers stand for.
    pub(crate) fn terms(&self, numbers: &[u32]) -> Result<Vec<Term>, Failure> {
        numbers.iter().map(|&number| self.term(number)).collect()
    }

    /// A number for a term.
    pub(crate) fn number(&mut self, term: Term) -> u32 {
        self.terms.push(term);
        u32::try_from(self.terms.len()).unwrap_or(0)
    }

    /// The name of a predicate.
    pub(crate) fn pred_name(&self, system: &solver::chc::System, pred: PredId) -> CString {
        c_string(system.pred_name(self.problem.terms(), pred))
    }

    /// The name of a variable.
    pub(crate) fn var_name(&self, var: Term) -> CString {
        let name = |symbol: Symbol| c_string(self.problem.terms().name(symbol));
        self.problem
            .terms()
            .as_var(var)
            .map(name)
            .unwrap_or_default()
    }
}

thread_local! {
    /// The states whose checks have called a progress function on this thread that has not
    /// returned.
    static HEARING: RefCell<Vec<*const Mutex<Shared>>> = const { RefCell::new(Vec::new()) };
}

/// Calls a progress function of the check that holds this state.
pub(crate) fn while_hearing<T>(shared: &Mutex<Shared>, hear: impl FnOnce() -> T) -> T {
    HEARING.with_borrow_mut(|all| all.push(shared));
    let answer = hear();
    HEARING.with_borrow_mut(|all| all.pop());
    answer
}

/// The state behind a lock. A progress function is refused it, since its check holds the lock. A
/// panic under the lock leaves a state that need not be consistent: a call may have been in the
/// middle of several changes. The store of terms is whole all the same, since each term is added in
/// one step and none is changed.
pub(crate) fn lock(shared: &Mutex<Shared>) -> Result<MutexGuard<'_, Shared>, Failure> {
    if is_hearing(shared) {
        return Err(Failure::Argument("a check of this problem is under way"));
    }
    let poisoned = Failure::Argument("an internal fault has ended an earlier call on this problem");
    shared.lock().map_err(|_| poisoned)
}

/// Is this the thread on which the check that holds this state waits for a progress function?
pub(crate) fn is_hearing(shared: &Mutex<Shared>) -> bool {
    HEARING.with_borrow(|all| all.contains(&std::ptr::from_ref(shared)))
}

/// Does what a function of C is for. An error or a panic is kept for `horn_error`, and the call
/// answers what stands for it.
pub(crate) fn call<T: Default>(
    problem: Option<&HornProblem>,
    work: impl FnOnce(&HornProblem, &mut Shared) -> Result<T, Failure>,
) -> T {
    let Some(problem) = problem else {
        return T::default();
    };
    let result = catch_unwind(AssertUnwindSafe(|| {
        let mut shared = lock(&problem.shared)?;
        work(problem, &mut shared)
    }));
    match result {
        Ok(Ok(value)) => value,
        Ok(Err(failure)) => {
            problem.fail(&failure);
            T::default()
        }
        Err(_) => {
            problem.fail(&Failure::Argument("an internal fault: a panic was caught"));
            T::default()
        }
    }
}

impl HornProblem {
    fn fail(&self, failure: &Failure) {
        let (text, position) = match failure {
            Failure::Problem(error) => (error.to_string(), error.position()),
            Failure::Argument(text) => ((*text).to_owned(), None),
        };
        let error = LastError {
            text: c_string(&text),
            line: position.map_or(0, |position| position.line),
            column: position.map_or(0, |position| position.column),
        };
        *self.last_error() = Some(error);
    }

    /// The last error, behind its lock.
    pub(crate) fn last_error(&self) -> MutexGuard<'_, Option<LastError>> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A text for C. A zero byte, which no text of C can have, ends it.
pub(crate) fn c_string(text: &str) -> CString {
    let end = text.find('\0').unwrap_or(text.len());
    CString::new(&text[..end]).unwrap_or_default()
}

/// A text from C that must be there.
///
/// # Safety
/// The pointer is null, or to a text that ends with a zero byte and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Result<&'a str, Failure> {
    // SAFETY: the same contract.
    let found = unsafe { optional_text(pointer) }?;
    found.ok_or(Failure::Argument("a text is expected, and NULL is given"))
}

/// A text from C, or nothing.
///
/// # Safety
/// The pointer is null, or to a text that ends with a zero byte and stays as it is for `'a`.
pub(crate) unsafe fn optional_text<'a>(pointer: *const c_char) -> Result<Option<&'a str>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the pointer is not null, and the contract says what it points to.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some)
        .map_err(|_| Failure::Argument("a text is not UTF-8"))
}

/// An array from C.
///
/// # Safety
/// The pointer is null, and then `count` is 0, or it is to `count` initialised elements that stay
/// as they are for `'a`.
pub(crate) unsafe fn array<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], Failure> {
    match (pointer.is_null(), count) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(Failure::Argument("an array is expected, and NULL is given")),
        // SAFETY: the pointer is not null, and the contract says what it points to.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}
