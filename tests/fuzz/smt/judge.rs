//! Runs scripts and judges what the solver under test says.
//!
//! Not everything needs the oracle. `Sat` is judged by evaluation: the model must satisfy the
//! assertions and the assumptions. Of `Unsat` the oracle is asked once, whether the core is
//! contradictory, too: then the answer is right.
//!
//! `Sat` of the oracle counts only if evaluation does not refute its model, and if a new process of
//! the first oracle does not say `Unsat`. cvc5 1.0.3 says `Sat` of contradictory formulas about
//! constant arrays of constant arrays, with values that are no model or that cannot be read.
//!
//! Selectors are judged as functions; see `selectors`.

use super::script::Command;
use super::selectors::Selectors;
use super::subject::{Subject, Tested};
use super::tally::Tally;
use horn::smt::{Backend, Failure, Limit, SatResult, Solver};
use horn::term::{
    Evaluator, Op, Sort, SortKind, Term, TermSet, Terms, UndefinedReason, Unspecified, Value,
};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::time::{Duration, Instant};

thread_local! {
    /// Does this thread run a solver under test, whose panics are caught and reported as faults?
    static JUDGING: Cell<bool> = const { Cell::new(false) };
    /// Where the last of these panics was.
    static PANICKED_AT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps panics that are caught from being printed: shrinking meets the same one hundreds of times.
fn silence_caught_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = take_hook();
        set_hook(Box::new(move |panic| {
            if !JUDGING.get() {
                others(panic);
            } else if let Some(place) = panic.location() {
                PANICKED_AT.set(place.to_string());
            }
        }));
    });
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FaultKind {
    /// `sat` for what is contradictory, or `unsat` for what is not.
    Verdict,
    /// The values are no model.
    Model,
    /// No values are given.
    Values,
    /// The core is none, or none is given.
    Core,
    /// A formula that is no interpolant.
    Interpolant,
    /// A proof that the checker refuses.
    Proof,
    /// Formulas that do not weaken a cube, or too much.
    Weakening,
    /// The solver failed or panicked.
    Broken,
}

/// Something wrong, of a script.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) kind: FaultKind,
    /// What exactly, in a sentence.
    pub(crate) message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.kind, self.message)
    }
}

fn fault(kind: FaultKind, message: impl Into<String>) -> Fault {
    let message = message.into();
    Fault { kind, message }
}

/// Judges the scripts of one store, one after the other.
pub(crate) struct Judge<'a, 't> {
    t: &'t Terms,
    /// What is tested in the next script.
    pub(crate) subject: &'a dyn Subject,
    /// Keeps its process for all scripts.
    oracle: Box<dyn Solver + 't>,
    /// The first oracle.
    arbiter: Backend,
    selectors: Selectors<'t>,
    limit: Duration,
    /// Are interpolants asked for, too? They cost more than everything else.
    pub(crate) interpolate: bool,
}

/// A script under way.
struct Run<'a, 't> {
    t: &'t Terms,
    subject: &'a dyn Subject,
    tested: Box<dyn Tested + 't>,
    oracle: &'a mut dyn Solver,
    arbiter: &'a Backend,
    selectors: &'a mut Selectors<'t>,
    limit: Duration,
    interpolate: bool,
    scopes: Vec<Vec<Term>>,
    tally: &'a mut Tally,
}

impl<'a, 't> Judge<'a, 't> {
    /// Each check of either solver may take so long.
    pub(crate) fn new(
        t: &'t Terms,
        subject: &'a dyn Subject,
        oracle: &Backend,
        arbiter: &Backend,
        limit: Duration,
    ) -> Self {
        silence_caught_panics();
        Judge {
            t,
            subject,
            oracle: oracle.solver(t, "oracle"),
            arbiter: arbiter.clone(),
            selectors: Selectors::new(t),
            limit,
            interpolate: true,
        }
    }

    /// Runs a script on a new solver.
    pub(crate) fn judge(&mut self, commands: &[Command], tally: &mut Tally) -> Result<(), Fault> {
        self.oracle.push();
        let mut open = 0;
        JUDGING.set(true);
        let run = catch_unwind(AssertUnwindSafe(|| {
            let mut run = Run {
                t: self.t,
                subject: self.subject,
                tested: self.subject.solver(self.t),
                oracle: &mut *self.oracle,
                arbiter: &self.arbiter,
                selectors: &mut self.selectors,
                limit: self.limit,
                interpolate: self.interpolate,
                scopes: vec![Vec::new()],
                tally,
            };
            for command in commands {
                run.step(command)?;
                open = run.scopes.len() - 1;
            }
            Ok(())
        }));
        JUDGING.set(false);
        for _ in 0..=open {
            self.oracle.pop();
        }
        run.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|&s| s.to_owned()));
            let text = text.unwrap_or_default();
            let place = PANICKED_AT.take();
            Err(fault(
                FaultKind::Broken,
                format!("panicked at {place}: {text}"),
            ))
        })
    }
}

impl Run<'_, '_> {
    fn step(&mut self, command: &Command) -> Result<(), Fault> {
        match command {
            // The solver under test comes first: where it panics, the oracle has as many scopes as
            // before.
            Command::Push => {
                self.tested.solver().push();
                self.oracle.push();
                self.scopes.push(Vec::new());
            }
            Command::Pop if self.scopes.len() == 1 => {}
            Command::Pop => {
                self.tested.solver().pop();
                self.oracle.pop();
                self.scopes.pop();
            }
            Command::Assert(formula) => {
                self.scopes.last_mut().expect("never empty").push(*formula);
                self.oracle.assert(*formula);
                self.tested.solver().assert(*formula);
            }
            Command::Check(assumptions) => return self.check(assumptions),
        }
        Ok(())
    }

    fn check(&mut self, assumptions: &[Term]) -> Result<(), Fault> {
        let begun = Instant::now();
        let solver = self.tested.solver();
        solver.set_limit(Limit::none().within(self.limit));
        let outcome = solver.check(format_args!("a random check"), assumptions);
        self.tally.checked(&outcome, begun.elapsed());
        match outcome {
            SatResult::Sat => self.check_model(assumptions),
            SatResult::Unsat => self.check_core(assumptions),
            SatResult::Unknown(Failure::Broken(why)) => Err(fault(FaultKind::Broken, why)),
            SatResult::Unknown(_) => Ok(()),
        }
    }

    /// What the oracle says of the assertions with these assumptions.
    fn ask_oracle(&mut self, assumptions: &[Term]) -> SatResult {
        let assertions = self.assertions();
        self.ask(&assertions, assumptions)
    }

    /// What the oracle says of assumptions and of the assertions that it has.
    fn ask(&mut self, assertions: &[Term], assumptions: &[Term]) -> SatResult {
        let begun = Instant::now();
        self.oracle.set_limit(Limit::none().within(self.limit));
        let mut outcome = self.oracle.check(format_args!("the same"), assumptions);
        if outcome == SatResult::Sat {
            let formulas = [assertions, assumptions].concat();
            if self.is_refuted(&formulas) {
                outcome =
                    SatResult::Unknown(Failure::Incomplete("it has a wrong model".to_owned()));
            } else if self.ask_arbiter(&formulas) == SatResult::Unsat {
                outcome = SatResult::Unknown(Failure::Incomplete(
                    "the first oracle says unsat".to_owned(),
                ));
            }
        }
        self.tally.asked(&outcome, begun.elapsed());
        outcome
    }

    /// What a new process of the first oracle says of formulas.
    fn ask_arbiter(&self, formulas: &[Term]) -> SatResult {
        let mut arbiter = self.arbiter.solver(self.t, "arbiter");
        arbiter.set_limit(Limit::none().within(self.limit));
        formulas.iter().for_each(|&f| arbiter.assert(f));
        arbiter.check(format_args!("the same alone"), &[])
    }

    /// Is one of these formulas false in the oracle's model?
    fn is_refuted(&mut self, formulas: &[Term]) -> bool {
        let asked = self.open_terms(formulas);
        let Ok(values) = self.oracle.values(&asked) else {
            return false;
        };
        let judged = asked.iter().map(|&x| self.selectors.as_functions(x));
        let model: Vec<(Term, Value)> = judged.zip(values).collect();
        let mut evaluator = Evaluator::with(self.t, Unspecified::Refuse, model);
        let mut value = |&f| evaluator.eval_bool(self.selectors.as_functions(f));
        formulas.iter().any(|f| value(f) == Ok(false))
    }

    /// The subterms of formulas whose values make a model.
    fn open_terms(&self, formulas: &[Term]) -> Vec<Term> {
        let terms = self.t.post_order(formulas.iter().copied());
        terms.filter(|&x| self.selectors.is_open(x)).collect()
    }

    fn assertions(&self) -> Vec<Term> {
        self.scopes.iter().flatten().copied().collect()
    }

    /// The values of all constants must satisfy what is asserted and assumed; the values of other
    /// terms must follow from them.
    fn check_model(&mut self, assumptions: &[Term]) -> Result<(), Fault> {
        let t = self.t;
        let wrong = |message: String| Err(fault(FaultKind::Model, message));
        let mut formulas = self.assertions();
        formulas.extend_from_slice(assumptions);
        let mut asked = self.open_terms(&formulas);
        let assigned = asked.len();
        // A variable that occurs nowhere has a value, too.
        asked.push(t.var("unmentioned", Sort::INT));
        asked.extend(t.post_order(formulas.iter().copied()).step_by(5));
        let values = match self.tested.solver().values(&asked) {
            Ok(values) => values,
            // Time is up.
            Err(Failure::Timeout) => return Ok(()),
            Err(why) => return Err(fault(FaultKind::Values, why.to_string())),
        };
        for (&term, value) in asked.iter().zip(&values) {
            if !value.is_of(t, t.sort_of(term)) {
                return wrong(format!("{} is {value:?}", t.display(term)));
            }
        }
        let judged: Vec<Term> = (asked.iter())
            .map(|&term| self.selectors.as_functions(term))
            .collect();
        let pairs = judged.iter().copied().zip(values.iter().cloned());
        let mut evaluator = Evaluator::with(t, Unspecified::Refuse, pairs.clone().take(assigned));
        if let Some(message) = self.contradictory_function(&judged[..assigned], &mut evaluator) {
            return wrong(message);
        }
        for &formula in &formulas {
            match evaluator.eval_bool(self.selectors.as_functions(formula)) {
                Ok(true) => {}
                value => return self.blame_model(assumptions, formula, value.ok()),
            }
        }
        for (term, value) in pairs.skip(assigned) {
            let agrees = match evaluator.eval(term) {
                Ok(evaluated) => evaluated == value,
                // Any value is right.
                Err(undefined) => undefined.reason == UndefinedReason::DivisionByZero,
            };
            if !t.is_var(term) && !agrees {
                return wrong(format!("{} is said to be {value:?}", t.display(term)));
            }
        }
        // Asked again, it is still the same model.
        let again = &asked[..asked.len().min(3)];
        match self.tested.solver().values(again) {
            Ok(same) if same == values[..again.len()] => {}
            Ok(_) => return wrong("other values when asked again".to_owned()),
            // Time is up.
            Err(Failure::Timeout) => return Ok(()),
            Err(why) => {
                let message = format!("when asked again: {why}");
                return Err(fault(FaultKind::Values, message));
            }
        }
        self.tally.models += 1;
        Ok(())
    }

    /// A formula is not true: is there a model at all?
    fn blame_model(
        &mut self,
        assumptions: &[Term],
        formula: Term,
        value: Option<bool>,
    ) -> Result<(), Fault> {
        if self.ask_oracle(assumptions) == SatResult::Unsat {
            return Err(fault(FaultKind::Verdict, "sat, the oracle says unsat"));
        }
        let value = value.map_or("without a value".to_owned(), |v| v.to_string());
        let formula = self.t.display(formula);
        let message = format!("{formula} is {value} under the values given");
        Err(fault(FaultKind::Model, message))
    }

    /// Two applications of one function to the same values that have different values, or a field
    /// that its argument does not have.
    fn contradictory_function(
        &self,
        assigned: &[Term],
        evaluator: &mut Evaluator<'_>,
    ) -> Option<String> {
        let t = self.t;
        let mut known: Vec<(Op, Vec<Value>, Value)> = Vec::new();
        for &term in assigned {
            if let op @ Op::Apply(_) = t.op(term) {
                let args = t.args(term).iter().map(|&arg| evaluator.eval(arg));
                let (Ok(args), Ok(value)) =
                    (args.collect::<Result<Vec<_>, _>>(), evaluator.eval(term))
                else {
                    return Some(format!("{} has no value", t.display(term)));
                };
                if self.selectors.field(op, &args).is_some_and(|f| f != value) {
                    return Some(format!("{} is another field", t.display(term)));
                }
                let same = known.iter().find(|(o, a, _)| *o == op && *a == args);
                if same.is_some_and(|(_, _, other)| *other != value) {
                    return Some(format!("two values of one function at {}", t.display(term)));
                }
                known.push((op, args, value));
            }
        }
        None
    }

    /// The core must be a part of the assumptions, and contradictory.
    fn check_core(&mut self, assumptions: &[Term]) -> Result<(), Fault> {
        let wrong = |message: String| Err(fault(FaultKind::Core, message));
        let core = match self.tested.solver().core() {
            Ok(core) => core,
            Err(Failure::Timeout) => return Ok(()),
            Err(why) => return wrong(format!("no core: {why}")),
        };
        if let Some(other) = core.iter().find(|f| !assumptions.contains(f)) {
            return wrong(format!("{} was not assumed", self.t.display(*other)));
        }
        match self.ask_oracle(&core) {
            SatResult::Unsat => {}
            SatResult::Unknown(_) => return Ok(()),
            SatResult::Sat if self.ask_oracle(assumptions) == SatResult::Sat => {
                return Err(fault(FaultKind::Verdict, "unsat, the oracle says sat"));
            }
            SatResult::Sat => {
                let core = core.iter().map(|&f| self.t.display(f).to_string());
                let core: Vec<String> = core.collect();
                let message = format!("({}) is no core, the oracle says", core.join(" "));
                return wrong(message);
            }
        }
        self.tally.cores += 1;
        let assertions = self.assertions();
        match self.tested.check_proof(&assertions, &core) {
            None => {}
            Some(Ok(text)) => self.tally.proved(text),
            Some(Err(why)) => return Err(fault(FaultKind::Proof, why)),
        }
        self.check_weakening(assumptions)?;
        if self.interpolate {
            self.check_interpolants(assertions, core)?;
        }
        Ok(())
    }

    /// A cube of assumptions may be weakened, to formulas that follow from it and are still
    /// contradictory with the rest.
    fn check_weakening(&mut self, assumptions: &[Term]) -> Result<(), Fault> {
        // The script decides which part of the assumptions it is.
        let (rest, cube) = assumptions.split_at(assumptions.len() / 3);
        let Some(weaker) = self.tested.solver().weaken(cube) else {
            return Ok(());
        };
        let text = || {
            let texts = weaker.iter().map(|&f| self.t.display(f).to_string());
            texts.collect::<Vec<_>>().join(" ")
        };
        for &formula in &weaker {
            let mut question = cube.to_vec();
            question.push(self.t.not(formula));
            if self.ask_alone(&question) == SatResult::Sat {
                let formula = self.t.display(formula);
                let message = format!("{formula} does not follow from the cube");
                return Err(fault(FaultKind::Weakening, message));
            }
        }
        // What is in the cube and in the rest is assumed all the same.
        let question = [rest, &weaker].concat();
        if self.ask_oracle(&question) == SatResult::Sat {
            let message = format!("({}) is too weak", text());
            return Err(fault(FaultKind::Weakening, message));
        }
        self.tally.weakened += 1;
        Ok(())
    }

    /// Interpolants between parts of what is contradictory.
    fn check_interpolants(
        &mut self,
        mut formulas: Vec<Term>,
        core: Vec<Term>,
    ) -> Result<(), Fault> {
        let wrong = |message: String| Err(fault(FaultKind::Interpolant, message));
        formulas.extend(core);
        let mut seen = TermSet::default();
        formulas.retain(|&f| seen.insert(f));
        let count = formulas.len().min(3);
        if count < 2 {
            return Ok(());
        }
        // Two or three parts of neighbours; the script decides which, so that it fails again when
        // it is run again.
        let count = if formulas.len().is_multiple_of(2) {
            2
        } else {
            count
        };
        let parts: Vec<Vec<Term>> = formulas
            .chunks(formulas.len().div_ceil(count))
            .map(<[Term]>::to_vec)
            .collect();
        let found = match self.subject.interpolants(self.t, &parts) {
            None => return Ok(()),
            Some(Ok(found)) => found,
            Some(Err(why)) => {
                self.tally.no_interpolants(why);
                return Ok(());
            }
        };
        if found.len() + 1 != parts.len() {
            return wrong(format!("{} for {} parts", found.len(), parts.len()));
        }
        self.check_vocabulary(&parts, &found)?;
        // Of each part: it and the interpolant before it imply the one behind it.
        for (i, part) in parts.iter().enumerate() {
            let mut question = part.clone();
            question.extend(i.checked_sub(1).map(|before| found[before]));
            question.extend(found.get(i).map(|&behind| self.t.not(behind)));
            if self.ask_alone(&question) == SatResult::Sat {
                let texts = found.iter().map(|&f| self.t.display(f).to_string());
                let texts: Vec<String> = texts.collect();
                let message = format!("part {i} of ({}) does not follow", texts.join(" "));
                return wrong(message);
            }
        }
        self.tally.interpolants += found.len() as u64;
        Ok(())
    }

    /// Each interpolant speaks only of what both sides of it speak of.
    fn check_vocabulary(&self, parts: &[Vec<Term>], found: &[Term]) -> Result<(), Fault> {
        let symbols = |formulas: &[Term]| vocabulary(self.t, formulas);
        for (i, &interpolant) in found.iter().enumerate() {
            let left = symbols(&parts[..=i].concat());
            let right = symbols(&parts[i + 1..].concat());
            let own = symbols(&[interpolant]);
            if let Some(op) = own
                .iter()
                .find(|op| !(left.contains(op) && right.contains(op)))
            {
                let text = self.t.display(interpolant);
                let message = format!("{text} speaks of {op:?}, one side does not");
                return Err(fault(FaultKind::Interpolant, message));
            }
        }
        Ok(())
    }

    /// What the oracle says of formulas without the assertions, which are among what the
    /// interpolants are between.
    fn ask_alone(&mut self, formulas: &[Term]) -> SatResult {
        for _ in &self.scopes {
            self.oracle.pop();
        }
        let outcome = self.ask(&[], formulas);
        for scope in &self.scopes {
            self.oracle.push();
            scope.iter().for_each(|&f| self.oracle.assert(f));
        }
        outcome
    }
}

/// The constants and functions in formulas.
fn vocabulary(t: &Terms, formulas: &[Term]) -> Vec<(Op, Option<SortKind>)> {
    let mut found = Vec::new();
    for term in t.post_order(formulas.iter().copied()) {
        let entry = match t.op(term) {
            // A variable is its name with its sort.
            op @ Op::Var(_) => (op, Some(t.sort_kind(t.sort_of(term)).clone())),
            op @ Op::Apply(_) => (op, None),
            _ => continue,
        };
        if !found.contains(&entry) {
            found.push(entry);
        }
    }
    found
}
