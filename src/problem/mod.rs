//! A system of clauses that a front end builds and asks, in one value.
//!
//! A [`Problem`] owns its store. It is built from text, from terms, or from both, and can be asked
//! again after each change: what a check has proved is where the next one begins. This is what the
//! C interface and the Python package are made of; a front end in Rust can use the modules below
//! just as well.
//!
//! ```
//! use horn::problem::{Problem, Settings};
//! use horn::portfolio::{Stop, TurnProgress};
//!
//! # fn main() -> Result<(), horn::problem::ProblemError> {
//! let mut problem = Problem::new();
//! problem.declare_predicate("count", &["Int"])?;
//! let x = problem.variable("x", "Int")?;
//! let zero = problem.term("0")?;
//! let (start, at_x) = (problem.apply("count", &[zero])?, problem.apply("count", &[x])?);
//! let next = problem.term("(count (+ x 2))")?;
//! problem.add_clause(Some(start), &[], Some("start"))?;
//! problem.add_clause(Some(next), &[at_x], Some("step"))?;
//! let is_odd = problem.term("(= x 7)")?;
//! problem.add_clause(None, &[at_x, is_odd], None)?;
//!
//! let stop = Stop::new(); // a clone of it ends the check from another thread
//! let progress = |progress: &TurnProgress| println!("{}", progress.engine);
//! let outcome = problem.check(&Settings::default(), &stop, &progress)?;
//! assert_eq!(outcome.verdict(), "sat");
//! let (six, seven) = (problem.term("6")?, problem.term("7")?);
//! assert_eq!(outcome.holds(&problem, "count", &[six])?, true);
//! assert_eq!(outcome.holds(&problem, "count", &[seven])?, false);
//! # Ok(())
//! # }
//! ```

mod error;
mod outcome;
mod settings;

pub use error::ProblemError;
pub use outcome::{Node, Outcome};
pub use settings::Settings;

use crate::chc::{Answer, PredId, System, Unknown, UnknownReason};
use crate::os::{STACK, limits};
use crate::portfolio::{Control, Knowledge, Stop, TurnProgress, solve, solve_knowing};
use crate::report::{CheckStats, Lines, StatsFormat};
use crate::smtlib::{Reader, ReaderState, Source};
use crate::term::{Sort, Symbol, Term, Terms, quote_symbol};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

/// The names that stand for the arguments of a function while it is applied. `!` is a character of
/// symbols, and no word begins with this one.
const ARGUMENT: &str = "!argument-";

/// A system of clauses with its store, and what is known of it.
#[derive(Default)]
pub struct Problem {
    terms: Terms,
    state: ReaderState,
    lines: Lines,
    knowledge: Knowledge,
    /// No other problem has the same, as long as an outcome remembers it.
    identity: Arc<()>,
}

impl Problem {
    /// Nothing declared, no clause.
    pub fn new() -> Problem {
        Problem::default()
    }

    /// The store of the problem's terms.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The system so far.
    pub fn system(&self) -> &System {
        self.state.system()
    }

    /// Reads a text in SMT-LIB or in Z3's rule dialect: declarations, clauses and scopes. What else
    /// it asks is left out; a `query` of the rule dialect becomes a clause. `name` is for messages.
    ///
    /// # Errors
    /// What is wrong with the text, with line and column. What stands before has taken effect.
    pub fn read(&mut self, name: &str, text: &str) -> Result<(), ProblemError> {
        let source = Source::from_text(name, text);
        let read = self.with_reader(&source, |reader| reader.read_all());
        self.state.follow(source.text());
        self.lines.extend(source.text());
        Ok(read?)
    }

    /// The sort that a text names, such as `(Array Int Int)`.
    ///
    /// # Errors
    /// The text is no sort, or the sort is not declared.
    pub fn sort(&mut self, text: &str) -> Result<Sort, ProblemError> {
        let source = Source::of_sort("sort", text);
        Ok(self.with_reader(&source, |reader| reader.only_sort())?)
    }

    /// Declares a predicate of that name over arguments of these sorts.
    ///
    /// # Errors
    /// The name is declared already, or a sort is unknown.
    pub fn declare_predicate(
        &mut self,
        name: &str,
        sorts: &[&str],
    ) -> Result<PredId, ProblemError> {
        let sorts: Result<Vec<Sort>, _> = sorts.iter().map(|sort| self.sort(sort)).collect();
        let (name, sorts) = (self.symbol(name)?, sorts?);
        let source = Source::from_text("declaration", "");
        let made = self.with_reader(&source, |reader| reader.add_declaration(name, &sorts));
        made.map_err(ProblemError::Term)
    }

    /// A variable, which is universally quantified over each clause that it occurs in.
    ///
    /// # Errors
    /// The sort is unknown, or the name is declared as something else.
    pub fn variable(&mut self, name: &str, sort: &str) -> Result<Term, ProblemError> {
        let (sort, name) = (self.sort(sort)?, self.symbol(name)?);
        let source = Source::from_text("declaration", "");
        let made = self.with_reader(&source, |reader| reader.add_variable(name, sort));
        made.map_err(ProblemError::Term)
    }

    /// The term that a text stands for, over what is declared.
    ///
    /// # Errors
    /// What is wrong with the text, with line and column.
    pub fn term(&mut self, text: &str) -> Result<Term, ProblemError> {
        let source = Source::of_term("term", text);
        Ok(self.with_reader(&source, |reader| reader.only_term(&[]))?)
    }

    /// A function applied to arguments. The function is the name of a predicate, or as in SMT-LIB:
    /// `+`, `select`, `(_ extract 7 0)`, `(as const (Array Int Int))`, a constructor.
    ///
    /// # Errors
    /// There is no function of that name, or it does not take these arguments.
    pub fn apply(&mut self, function: &str, args: &[Term]) -> Result<Term, ProblemError> {
        let function = match self.state.predicate(self.terms.symbol(function)) {
            Some(_) => quote_symbol(function).to_string(),
            None => function.to_owned(),
        };
        let names: Vec<_> = (0..args.len())
            .map(|at| format!("{ARGUMENT}{at}"))
            .collect();
        let text = match args {
            [] => function,
            _ => format!("({function} {})", names.join(" ")),
        };
        let symbols = names.iter().map(|name| self.terms.symbol(name));
        let bindings: Vec<_> = symbols.zip(args.iter().copied()).collect();
        let source = Source::of_term("term", &text);
        let made = self.with_reader(&source, |reader| reader.only_term(&bindings));
        made.map_err(|error| ProblemError::Term(error.issue().to_string()))
    }

    /// Adds a formula: the clauses that it stands for. Its free variables are universal.
    ///
    /// # Errors
    /// The term is no formula, the formula is not Horn, or a predicate of it is no longer declared.
    pub fn add(&mut self, formula: Term, name: Option<&str>) -> Result<(), ProblemError> {
        if self.terms.sort_of(formula) != Sort::BOOL {
            let sort = self.terms.display_sort(self.terms.sort_of(formula));
            let message = format!("a formula is of sort Bool, and this term is of sort {sort}");
            return Err(ProblemError::Term(message));
        }
        let name = name.map(|name| self.terms.symbol(name));
        let source = Source::from_text("formula", "");
        let added = self.with_reader(&source, |reader| reader.add_formula(formula, name));
        added.map_err(ProblemError::NotHorn)
    }

    /// Adds the clause `head ← body`; without a head it is a query, `false ← body`. Predicates and
    /// constraints may stand in any order in the body.
    ///
    /// # Errors
    /// A part is no formula, the clause is not Horn, or a predicate of it is no longer declared.
    pub fn add_clause(
        &mut self,
        head: Option<Term>,
        body: &[Term],
        name: Option<&str>,
    ) -> Result<(), ProblemError> {
        let parts = || body.iter().copied().chain(head);
        if let Some(other) = parts().find(|&part| self.terms.sort_of(part) != Sort::BOOL) {
            return self.add(other, name);
        }
        let t = &self.terms;
        let clause = t.or([
            t.not(t.and(body.iter().copied())),
            head.unwrap_or(Term::FALSE),
        ]);
        self.add(clause, name)
    }

    /// Opens a scope: what is declared and added in it is forgotten with [`Problem::pop`].
    ///
    /// # Errors
    /// A million scopes are open.
    pub fn push(&mut self) -> Result<(), ProblemError> {
        self.make("(push 1)")
    }

    /// Closes the innermost scope.
    ///
    /// # Errors
    /// No scope is open.
    pub fn pop(&mut self) -> Result<(), ProblemError> {
        self.make("(pop 1)")
    }

    /// Lemmas that hold of the system, as a text in SMT-LIB: what checks have proved.
    pub fn lemmas(&self) -> String {
        self.knowledge.text(&self.terms)
    }

    /// Replaces what is known by the lemmas of another problem or run. They need not hold.
    ///
    /// # Errors
    /// The text is no text of [`Problem::lemmas`].
    pub fn use_lemmas(&mut self, text: &str) -> Result<(), ProblemError> {
        let source = Source::from_text("lemmas", text);
        self.knowledge = Knowledge::read(&self.terms, &source)?;
        Ok(())
    }

    /// Decides the system as it is now. The answer was checked, and lemmas that it proved are kept
    /// for the next check. `stop` ends the check from another thread; `progress` is called by the
    /// thread of the check, at most some hundred times a second.
    ///
    /// # Errors
    /// The settings name a solver that is not there, or the thread of the check cannot be started.
    pub fn check(
        &mut self,
        settings: &Settings,
        stop: &Stop,
        progress: &(dyn Fn(&TurnProgress) + Sync),
    ) -> Result<Outcome, ProblemError> {
        let began = Instant::now();
        // The memory limit of a check ends this check, and no other one with the same token.
        let stop = &stop.child();
        let backend = settings.backend()?.with_new_statistics();
        let (t, system) = (&mut self.terms, self.state.system());
        let known = self.knowledge.candidates(t, system);
        // The store moves to the thread: no two threads may use it at the same time.
        let work = move || {
            let (t, known) = (&*t, &known);
            let control = Control {
                progress: &|turn| progress(turn),
                ..Control::new(stop)
            };
            let solved = catch_unwind(AssertUnwindSafe(|| match &known {
                Some(known) => {
                    solve_knowing(t, system, &backend, &settings.options, control, known)
                }
                None => solve(t, system, &backend, &settings.options, control),
            }));
            solved.map(|solved| {
                let stats = CheckStats::new(&solved, backend.statistics(), began.elapsed());
                (solved.answer, stats.text(StatsFormat::Json))
            })
        };
        let found = thread::scope(|scope| {
            let thread = thread::Builder::new().name("horn-check".to_owned());
            let thread = thread
                .stack_size(limits::stack(STACK))
                .spawn_scoped(scope, work);
            thread.map(|thread| thread.join().unwrap_or_else(Err))
        });
        let found = found.map_err(|error| ProblemError::Thread(error.to_string()))?;
        let (answer, stats) = found.unwrap_or_else(|_| {
            let reason = UnknownReason::Fault("a check panicked".to_owned());
            (Answer::Unknown(Unknown::new(reason)), "{}".to_owned())
        });
        let system = self.state.system().clone();
        self.knowledge.learn(&self.terms, &system, &answer);
        Ok(Outcome {
            problem: Arc::clone(&self.identity),
            system,
            answer,
            stats,
            lines: self.lines.clone(),
        })
    }

    /// Carries out a command that this module has written.
    fn make(&mut self, text: &str) -> Result<(), ProblemError> {
        let source = Source::from_text("declaration", text);
        let made = self.with_reader(&source, |reader| reader.read_all());
        made.map_err(|error| ProblemError::Term(error.issue().to_string()))
    }

    /// Lets a reader of a source go on where the last one ended.
    fn with_reader<T>(
        &mut self,
        source: &Source,
        read: impl FnOnce(&mut Reader<'_, '_>) -> T,
    ) -> T {
        let state = std::mem::take(&mut self.state);
        let mut reader = Reader::resume(&self.terms, state, source);
        let result = read(&mut reader);
        self.state = reader.pause();
        result
    }

    /// A name that SMT-LIB can write.
    fn symbol(&self, name: &str) -> Result<Symbol, ProblemError> {
        if name.contains(['|', '\\', '\0']) {
            let message = format!("a name cannot contain `|`, `\\` or U+0000, as `{name}` does");
            return Err(ProblemError::Term(message));
        }
        Ok(self.terms.symbol(name))
    }
}
