//! Problems: how C builds a system and asks about it.

use crate::boundary::{
    Failure, HornProblem, LastError, Shared, array, c_string, call, optional_text, text,
    while_hearing,
};
use crate::outcome::HornOutcome;
use crate::stop::HornStop;
use solver::chc::UnknownReason;
use solver::portfolio::{Stop, TurnProgress};
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, Mutex};

/// A term of a problem; 0 is none.
pub type HornTerm = u32;

/// How far a check is.
#[repr(C)]
pub struct HornProgress {
    /// The engine that works.
    pub engine: *const c_char,
    /// The height of derivations that it examines.
    pub depth: u32,
    /// The number of lemmas that it holds.
    pub lemmas: usize,
    /// The number of its queries to SMT solvers.
    pub queries: u64,
}

/// Is called while a check works, by another thread than that of `horn_check`, with the pointer
/// that `horn_check` was given. The check ends with `unknown` if it answers false. It must not free
/// the problem of the check, and must not wait for a thread that uses this problem or an outcome of
/// it. Functions of these that it calls itself fail: a check of the problem is under way.
pub type HornProgressFunction =
    Option<unsafe extern "C" fn(progress: *const HornProgress, data: *mut c_void) -> bool>;

/// A problem without declarations and clauses.
#[unsafe(no_mangle)]
pub extern "C" fn horn_problem_new() -> *mut HornProblem {
    Box::into_raw(Box::new(HornProblem {
        shared: Arc::default(),
        error: Mutex::default(),
    }))
}

/// Ends a problem. Its outcomes stay.
///
/// # Safety
/// The pointer is null, or from `horn_problem_new` and not freed, and not in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_problem_free(problem: *mut HornProblem) {
    if !problem.is_null() {
        // SAFETY: the pointer is from `Box::into_raw`, and is given back once.
        drop(unsafe { Box::from_raw(problem) });
    }
}

/// Why the last call on this problem failed that failed; NULL if none did. An error in a text has
/// the form `name:line:column: error: message`.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_error(problem: *const HornProblem) -> *const c_char {
    let text = |error: &LastError| error.text.as_ptr();
    // SAFETY: the pointer is null or to a problem.
    let problem = unsafe { problem.as_ref() };
    let found = problem.and_then(|problem| problem.last_error().as_ref().map(text));
    found.unwrap_or(std::ptr::null())
}

/// The line of the last error, from 1; 0 if the error is in no text.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_error_line(problem: *const HornProblem) -> u32 {
    // SAFETY: the pointer is null or to a problem.
    let problem = unsafe { problem.as_ref() };
    let line = problem.and_then(|problem| problem.last_error().as_ref().map(|error| error.line));
    line.unwrap_or(0)
}

/// The column of the last error in characters, from 1; 0 if the error is in no text.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_error_column(problem: *const HornProblem) -> u32 {
    // SAFETY: the pointer is null or to a problem.
    let problem = unsafe { problem.as_ref() };
    let of = |error: &LastError| error.column;
    problem
        .and_then(|problem| problem.last_error().as_ref().map(of))
        .unwrap_or(0)
}

/// Sets an option of all checks to come: `timeout` (seconds, 0 for no limit), `ticks`, `memory`
/// (bytes), `engine`, `jobs`, `solver` (`native` for the embedded core alone), or an option of an
/// engine, such as `bmc.max-depth`.
///
/// # Safety
/// The pointers are null, or to a problem and to texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_set(
    problem: *const HornProblem,
    name: *const c_char,
    value: *const c_char,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null or to texts.
        let (name, value) = unsafe { (text(name)?, text(value)?) };
        shared.settings.set(name, value)?;
        Ok(true)
    })
}

/// Reads a text in SMT-LIB or in Z3's rule dialect: declarations, clauses and scopes. `name` is for
/// messages, and may be NULL. What stands before an error has taken effect.
///
/// # Safety
/// The pointers are null, or to a problem and to texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_read(
    problem: *const HornProblem,
    name: *const c_char,
    input: *const c_char,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null or to texts.
        let (name, input) = unsafe { (optional_text(name)?, text(input)?) };
        shared.problem.read(name.unwrap_or("text"), input)?;
        Ok(true)
    })
}

/// Declares a predicate. The sorts are texts, such as `Int` or `(Array Int (_ BitVec 8))`.
///
/// # Safety
/// The pointers are null, or to a problem, to a text, and to `count` texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_predicate(
    problem: *const HornProblem,
    name: *const c_char,
    sorts: *const *const c_char,
    count: usize,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null, or to a text and to an array of texts.
        let (name, sorts) = unsafe { (text(name)?, array(sorts, count)?) };
        let sort = |&sort: &*const c_char| {
            // SAFETY: the elements of the array are null or texts.
            unsafe { text(sort) }
        };
        let sorts = sorts.iter().map(sort).collect::<Result<Vec<_>, _>>()?;
        shared.problem.declare_predicate(name, &sorts)?;
        Ok(true)
    })
}

/// A variable, which is universally quantified over each clause that it occurs in.
///
/// # Safety
/// The pointers are null, or to a problem and to texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_variable(
    problem: *const HornProblem,
    name: *const c_char,
    sort: *const c_char,
) -> HornTerm {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null or to texts.
        let (name, sort) = unsafe { (text(name)?, text(sort)?) };
        let var = shared.problem.variable(name, sort)?;
        Ok(shared.number(var))
    })
}

/// The term that a text in SMT-LIB stands for, over what is declared.
///
/// # Safety
/// The pointers are null, or to a problem and to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_term(problem: *const HornProblem, input: *const c_char) -> HornTerm {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointer is null or to a text.
        let term = shared.problem.term(unsafe { text(input) }?)?;
        Ok(shared.number(term))
    })
}

/// A function applied to arguments: the name of a predicate, or a function as SMT-LIB writes it,
/// such as `+`, `select` or `(_ extract 7 0)`.
///
/// # Safety
/// The pointers are null, or to a problem, to a text, and to `count` terms.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_apply(
    problem: *const HornProblem,
    function: *const c_char,
    args: *const HornTerm,
    count: usize,
) -> HornTerm {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null, or to a text and to an array.
        let (function, args) = unsafe { (text(function)?, array(args, count)?) };
        let args = shared.terms(args)?;
        let term = shared.problem.apply(function, &args)?;
        Ok(shared.number(term))
    })
}

/// Adds the clauses of a formula, whose free variables are universal. `name` may be NULL.
///
/// # Safety
/// The pointers are null, or to a problem and to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_add(
    problem: *const HornProblem,
    formula: HornTerm,
    name: *const c_char,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointer is null or to a text.
        let name = unsafe { optional_text(name) }?;
        let formula = shared.term(formula)?;
        shared.problem.add(formula, name)?;
        Ok(true)
    })
}

/// Adds a clause: its head follows from the conjunction of its body. The head 0 is `false`: then
/// the clause is a query. `name` may be NULL.
///
/// # Safety
/// The pointers are null, or to a problem, to `count` terms, and to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_add_clause(
    problem: *const HornProblem,
    head: HornTerm,
    body: *const HornTerm,
    count: usize,
    name: *const c_char,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointers are null, or to an array and to a text.
        let (body, name) = unsafe { (array(body, count)?, optional_text(name)?) };
        let head = match head {
            0 => None,
            head => Some(shared.term(head)?),
        };
        let body = shared.terms(body)?;
        shared.problem.add_clause(head, &body, name)?;
        Ok(true)
    })
}

/// Opens a scope: what is declared and added in it is forgotten with `horn_pop`.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_push(problem: *const HornProblem) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        shared.problem.push()?;
        Ok(true)
    })
}

/// Closes the innermost scope.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_pop(problem: *const HornProblem) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        shared.problem.pop()?;
        Ok(true)
    })
}

/// What the progress function is called with.
struct Listener {
    function: HornProgressFunction,
    data: *mut c_void,
}

// SAFETY: the pointer is handed back to C only, and the documentation of the function type says
// that another thread calls it.
unsafe impl Sync for Listener {}

impl Listener {
    fn hear(&self, progress: &TurnProgress, stop: &Stop, shared: &Mutex<Shared>) {
        let Some(function) = self.function else {
            return;
        };
        let engine = c_string(progress.engine);
        let progress = HornProgress {
            engine: engine.as_ptr(),
            depth: progress.depth,
            lemmas: progress.lemmas,
            queries: progress.queries,
        };
        // SAFETY: the caller of `horn_check` gave the function for these arguments; the progress
        // lives until it returns.
        let goes_on = while_hearing(shared, || unsafe {
            function(&raw const progress, self.data)
        });
        if !goes_on {
            stop.stop(UnknownReason::Interrupted);
        }
    }
}

/// Decides the system as it is now; NULL if the settings cannot be followed, or if the thread of
/// the check cannot be started. `stop`, which may be NULL, ends the check when it is raised.
/// `progress`, which may be NULL, is called with `data`. What a check proves is where the next one
/// begins.
///
/// # Safety
/// The pointers are null, or to a problem, to a stop and to a function that may be called from
/// another thread with `data`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_check(
    problem: *const HornProblem,
    stop: *const HornStop,
    progress: HornProgressFunction,
    data: *mut c_void,
) -> *mut HornOutcome {
    let listener = Listener {
        function: progress,
        data,
    };
    // SAFETY: the pointers are null or to a problem and a stop.
    let (problem, stop) = unsafe { (problem.as_ref(), stop.as_ref()) };
    let made = call(problem, |problem, shared| {
        // The progress function ends this check, and no other one with the same stop.
        let stop = stop.map_or_else(Stop::new, |stop| stop.0.child());
        let settings = shared.settings.clone();
        let hear = |progress: &TurnProgress| listener.hear(progress, &stop, &problem.shared);
        let outcome = shared.problem.check(&settings, &stop, &hear)?;
        let outcome = HornOutcome::new(Arc::clone(&problem.shared), shared, outcome)?;
        Ok::<_, Failure>(Some(Box::new(outcome)))
    });
    made.map_or(std::ptr::null_mut(), Box::into_raw)
}

/// The lemmas that checks have proved, as a text in SMT-LIB for `horn_use_lemmas`. The caller frees
/// the text with `horn_text_free`.
///
/// # Safety
/// The pointer is null or to a problem.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_lemmas(problem: *const HornProblem) -> *mut c_char {
    // SAFETY: the pointer is null or to a problem.
    let lemmas = call(unsafe { problem.as_ref() }, |_, shared| {
        Ok(Some(c_string(&shared.problem.lemmas())))
    });
    lemmas.map_or(std::ptr::null_mut(), CString::into_raw)
}

/// Replaces what is known by the lemmas of another problem or run. They need not hold.
///
/// # Safety
/// The pointers are null, or to a problem and to a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_use_lemmas(
    problem: *const HornProblem,
    lemmas: *const c_char,
) -> bool {
    // SAFETY: the pointer is null or to a problem.
    call(unsafe { problem.as_ref() }, |_, shared| {
        // SAFETY: the pointer is null or to a text.
        shared.problem.use_lemmas(unsafe { text(lemmas) }?)?;
        Ok(true)
    })
}

/// Frees a text of `horn_lemmas`.
///
/// # Safety
/// The pointer is null, or from `horn_lemmas` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_text_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the pointer is from `CString::into_raw`, and is given back once.
        drop(unsafe { CString::from_raw(text) });
    }
}
