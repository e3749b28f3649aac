//! Problems: terms are numbers here, of which Python makes objects.

use crate::outcome::Outcome;
use crate::value::Value;
use horn::chc::UnknownReason;
use horn::portfolio::{Stop, TurnProgress};
use horn::problem::{self as core, ProblemError, Settings};
use horn::term::Term;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

pyo3::create_exception!(
    _horn,
    HornError,
    PyValueError,
    "Why a call failed. `line` and `column` say where in the text, or are None."
);

/// Python hears of signals at this interval while a check works.
const POLL: Duration = Duration::from_millis(50);

/// What a problem and its outcomes share.
#[derive(Default)]
pub(crate) struct Shared {
    pub(crate) problem: core::Problem,
    /// The terms that Python has numbers for.
    pub(crate) terms: Vec<Term>,
}

impl Shared {
    /// The term of that number.
    pub(crate) fn term(&self, number: usize) -> PyResult<Term> {
        let term = self.terms.get(number);
        term.copied()
            .ok_or_else(|| HornError::new_err("this is no term of the problem"))
    }

    /// The terms of these numbers.
    pub(crate) fn terms(&self, numbers: &[usize]) -> PyResult<Vec<Term>> {
        numbers.iter().map(|&number| self.term(number)).collect()
    }

    fn number(&mut self, term: Term) -> usize {
        self.terms.push(term);
        self.terms.len() - 1
    }
}

/// The state behind a lock. A check holds it, and does not let others wait with Python's own lock
/// in their hands.
pub(crate) fn lock(shared: &Mutex<Shared>) -> PyResult<MutexGuard<'_, Shared>> {
    shared.try_lock().map_err(|error| {
        HornError::new_err(match error {
            TryLockError::WouldBlock => "another thread is in a check of this problem",
            TryLockError::Poisoned(_) => "an internal fault has ended an earlier call",
        })
    })
}

/// An error with its place as Python sees it.
pub(crate) fn error(py: Python<'_>, error: &ProblemError) -> PyErr {
    let place = error.position();
    let raised = HornError::new_err(error.to_string());
    let value = raised.value(py);
    let set = (value.setattr("line", place.map(|place| place.line)))
        .and_then(|()| value.setattr("column", place.map(|place| place.column)));
    set.err().unwrap_or(raised)
}

/// A system of clauses.
#[pyclass(frozen)]
#[derive(Default)]
pub(crate) struct Problem {
    shared: Arc<Mutex<Shared>>,
}

impl Problem {
    /// Does something with the state.
    fn with<T>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Shared) -> PyResult<Result<T, ProblemError>>,
    ) -> PyResult<T> {
        work(&mut *lock(&self.shared)?)?.map_err(|why| error(py, &why))
    }
}

#[pymethods]
impl Problem {
    #[new]
    fn new() -> Problem {
        Problem::default()
    }

    fn read(&self, py: Python<'_>, name: &str, text: &str) -> PyResult<()> {
        self.with(py, |shared| Ok(shared.problem.read(name, text)))
    }

    fn sort(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        self.with(py, |shared| {
            let sort = shared.problem.sort(text);
            Ok(sort.map(|sort| shared.problem.terms().display_sort(sort).to_string()))
        })
    }

    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 extracts is owned")]
    fn predicate(&self, py: Python<'_>, name: &str, sorts: Vec<String>) -> PyResult<()> {
        let sorts: Vec<&str> = sorts.iter().map(String::as_str).collect();
        self.with(py, |shared| {
            Ok(shared.problem.declare_predicate(name, &sorts).map(|_| ()))
        })
    }

    fn variable(&self, py: Python<'_>, name: &str, sort: &str) -> PyResult<usize> {
        self.with(py, |shared| {
            let var = shared.problem.variable(name, sort);
            Ok(var.map(|var| shared.number(var)))
        })
    }

    fn term(&self, py: Python<'_>, text: &str) -> PyResult<usize> {
        self.with(py, |shared| {
            let term = shared.problem.term(text);
            Ok(term.map(|term| shared.number(term)))
        })
    }

    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 extracts is owned")]
    fn apply(&self, py: Python<'_>, function: &str, args: Vec<usize>) -> PyResult<usize> {
        self.with(py, |shared| {
            let args = shared.terms(&args)?;
            let term = shared.problem.apply(function, &args);
            Ok(term.map(|term| shared.number(term)))
        })
    }

    fn sort_of(&self, term: usize) -> PyResult<String> {
        let shared = lock(&self.shared)?;
        let (t, term) = (shared.problem.terms(), shared.term(term)?);
        Ok(t.display_sort(t.sort_of(term)).to_string())
    }

    fn text_of(&self, term: usize) -> PyResult<String> {
        let shared = lock(&self.shared)?;
        Ok(shared
            .problem
            .terms()
            .display(shared.term(term)?)
            .to_string())
    }

    fn value_of(&self, term: usize) -> PyResult<Value> {
        let shared = lock(&self.shared)?;
        let (t, term) = (shared.problem.terms(), shared.term(term)?);
        match t.ground_value(term) {
            Ok(value) => Ok(Value::new(value, t.sort_of(term), &self.shared)),
            Err(why) => Err(HornError::new_err(why.reason.to_string())),
        }
    }

    #[pyo3(signature = (formula, name=None))]
    fn add(&self, py: Python<'_>, formula: usize, name: Option<&str>) -> PyResult<()> {
        self.with(py, |shared| {
            let formula = shared.term(formula)?;
            Ok(shared.problem.add(formula, name))
        })
    }

    #[pyo3(signature = (head, body, name=None))]
    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 extracts is owned")]
    fn add_clause(
        &self,
        py: Python<'_>,
        head: Option<usize>,
        body: Vec<usize>,
        name: Option<&str>,
    ) -> PyResult<()> {
        self.with(py, |shared| {
            let head = head.map(|head| shared.term(head)).transpose()?;
            let body = shared.terms(&body)?;
            Ok(shared.problem.add_clause(head, &body, name))
        })
    }

    fn push(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |shared| Ok(shared.problem.push()))
    }

    fn pop(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, |shared| Ok(shared.problem.pop()))
    }

    /// The predicates with their sorts.
    fn predicates(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        let shared = lock(&self.shared)?;
        Ok(crate::outcome::signatures(&shared, shared.problem.system()))
    }

    /// The number of clauses.
    fn clauses(&self) -> PyResult<usize> {
        Ok(lock(&self.shared)?.problem.system().clauses.len())
    }

    fn lemmas(&self) -> PyResult<String> {
        Ok(lock(&self.shared)?.problem.lemmas())
    }

    fn use_lemmas(&self, py: Python<'_>, text: &str) -> PyResult<()> {
        self.with(py, |shared| Ok(shared.problem.use_lemmas(text)))
    }

    /// Decides the system. Python's lock is given back while the check works; signals and progress
    /// are heard by the calling thread.
    #[pyo3(signature = (settings, progress=None))]
    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 extracts is owned")]
    fn check(
        &self,
        py: Python<'_>,
        settings: Vec<(String, String)>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Outcome> {
        let mut chosen = Settings::default();
        for (name, value) in &settings {
            chosen.set(name, value).map_err(|why| error(py, &why))?;
        }
        let shared = &self.shared;
        let found = py.detach(|| {
            let mut guard = Python::attach(|_| lock(shared))?;
            let (stop, problem) = (Stop::new(), &mut guard.problem);
            let (send, receive) = channel();
            let (found, heard) = thread::scope(|scope| {
                let (chosen, stop) = (&chosen, &stop);
                let work = scope.spawn(move || check(problem, chosen, stop, send));
                let heard = listen(&receive, progress.as_ref(), stop);
                (work.join(), heard)
            });
            heard?;
            drop(guard);
            found.map_err(|_| HornError::new_err("an internal fault: a panic was caught"))
        })?;
        let outcome = found.map_err(|why| error(py, &why))?;
        Ok(Outcome::new(outcome, &self.shared))
    }
}

/// What Python hears of an engine: its name, the height, lemmas and queries.
type Report = (&'static str, u32, usize, u64);

/// The check, in a thread for itself. It ends with the sender.
fn check(
    problem: &mut core::Problem,
    settings: &Settings,
    stop: &Stop,
    send: Sender<Report>,
) -> Result<core::Outcome, ProblemError> {
    // The sender is used by one thread at a time, and the lock says so.
    let send = Mutex::new(send);
    problem.check(settings, stop, &|turn: &TurnProgress| {
        if let Ok(send) = send.lock() {
            // After an exception the receiver is gone.
            let _ = send.send((turn.engine, turn.depth, turn.lemmas, turn.queries));
        }
    })
}

/// Hears of progress and signals until the check ends. An exception, such as a keyboard interrupt,
/// ends the check.
fn listen(receive: &Receiver<Report>, progress: Option<&Py<PyAny>>, stop: &Stop) -> PyResult<()> {
    let mut heard = Ok(());
    loop {
        let report = match receive.recv_timeout(POLL) {
            Ok(report) => Some(report),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return heard,
        };
        if heard.is_err() {
            continue;
        }
        // Of several reports the last one counts.
        let report = receive.try_iter().last().or(report);
        heard = Python::attach(|py| {
            if let (Some(progress), Some(report)) = (progress, report) {
                progress.call1(py, report)?;
            }
            py.check_signals()
        });
        if heard.is_err() {
            stop.stop(UnknownReason::Interrupted);
        }
    }
}
