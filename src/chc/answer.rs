//! Answers and their certificates.
//!
//! A verdict never stands alone: `sat` comes with a model, `unsat` with a refutation, `unknown`
//! with its reason.

use super::{Atom, PredId, Predicate, Refutation, System};
use crate::term::{Import, Op, Sort, Term, TermSet, Terms};
use std::fmt;

/// What is known of a system.
#[derive(Clone, Debug)]
pub enum Answer {
    /// It is satisfiable.
    Sat(Model),
    /// It is unsatisfiable: `false` can be derived.
    Unsat(Refutation),
    /// It was not decided.
    Unknown(Unknown),
}

impl Answer {
    /// The verdict as SMT-LIB prints it.
    pub fn verdict(&self) -> &'static str {
        match self {
            Answer::Sat(_) => "sat",
            Answer::Unsat(_) => "unsat",
            Answer::Unknown(_) => "unknown",
        }
    }

    /// The answer in another store, which shares the system's terms.
    #[must_use]
    pub fn import(&self, import: &mut Import<'_>) -> Answer {
        match self {
            Answer::Sat(model) => Answer::Sat(model.import(import)),
            Answer::Unsat(refutation) => Answer::Unsat(refutation.import(import)),
            Answer::Unknown(unknown) => Answer::Unknown(unknown.import(import)),
        }
    }
}

/// An interpretation of every predicate: `interpretations[p]` for the predicate `p`.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The interpretation of each predicate, by its index.
    pub interpretations: Vec<Interpretation>,
}

impl Model {
    /// The interpretation of a predicate.
    pub fn get(&self, pred: PredId) -> &Interpretation {
        &self.interpretations[pred.index()]
    }

    /// What a formula over the parameters of an atom's predicate says of the atom's arguments.
    pub fn instance(&self, t: &Terms, said: Term, atom: &Atom) -> Term {
        let params = &self.get(atom.pred).params;
        debug_assert_eq!(
            params.len(),
            atom.args.len(),
            "an argument for each parameter"
        );
        let pairs = params.iter().copied().zip(atom.args.iter().copied());
        t.substitute(said, pairs)
    }

    /// Has each predicate of a system an interpretation, whose parameters are different variables
    /// of the predicate's sorts, and whose body is a formula?
    pub fn is_over(&self, t: &Terms, system: &System) -> bool {
        let suits = |(pred, said): (&Predicate, &Interpretation)| {
            let sorts = t.func(pred.func).params.iter().copied();
            let params: TermSet = said.params.iter().copied().collect();
            sorts.eq(said.params.iter().map(|&x| t.sort_of(x)))
                && params.len() == said.params.len()
                && said.params.iter().all(|&x| t.is_var(x))
                && t.sort_of(said.body) == Sort::BOOL
        };
        self.interpretations.len() == system.preds.len()
            && system.preds.iter().zip(&self.interpretations).all(suits)
    }

    /// The model under which everything is derivable.
    pub fn trivial(t: &Terms, system: &System) -> Model {
        let interpretation = |pred: &Predicate| {
            let sorts = t.func(pred.func).params.iter();
            Interpretation {
                params: sorts.map(|&sort| t.fresh_var("x", sort)).collect(),
                body: Term::TRUE,
            }
        };
        Model {
            interpretations: system.preds.iter().map(interpretation).collect(),
        }
    }

    /// Takes the lemmas out, see [`is_lemma`]; what is left says of predicates what it said before
    /// wherever the lemmas hold.
    #[must_use]
    pub fn split_lemmas(mut self, t: &Terms) -> (Vec<Term>, Model) {
        let mut lemmas: Vec<Term> = Vec::new();
        for interpretation in &mut self.interpretations {
            let conjuncts = t.conjuncts(interpretation.body).into_iter();
            let (found, rest): (Vec<Term>, Vec<Term>) = conjuncts.partition(|&c| is_lemma(t, c));
            if !found.is_empty() {
                interpretation.body = t.and(rest);
                lemmas.extend(found);
            }
        }
        (lemmas, self)
    }

    /// Puts lemmas back, into an interpretation that is not `false` and applies functions, if there
    /// is one.
    #[must_use]
    pub fn with_lemmas(mut self, t: &Terms, lemmas: Vec<Term>) -> Model {
        let applies = |i: &Interpretation| t.any_subterm(i.body, |x| is_application(t, x));
        let of = &self.interpretations;
        let place = of.iter().position(applies);
        let place = place.or_else(|| of.iter().position(|i| i.body != Term::FALSE));
        if let Some(place) = place.filter(|_| !lemmas.is_empty()) {
            let body = &mut self.interpretations[place].body;
            *body = t.and([*body].into_iter().chain(lemmas));
        }
        self
    }

    /// The model in another store.
    #[must_use]
    pub fn import(&self, import: &mut Import<'_>) -> Model {
        let interpretation = |i: &Interpretation| Interpretation {
            params: i.params.iter().map(|&param| import.term(param)).collect(),
            body: import.term(i.body),
        };
        Model {
            interpretations: self.interpretations.iter().map(interpretation).collect(),
        }
    }
}

/// A predicate's meaning: `pred(params) ⟺ body`.
///
/// Invariant: the parameters are distinct variables of the predicate's sorts; the body has no
/// predicates, no other free variables, and no quantifiers but universal ones in front of its
/// conjuncts. It may apply functions that the store defines by recursion over datatypes.
#[derive(Clone, Debug)]
pub struct Interpretation {
    /// The parameters.
    pub params: Vec<Term>,
    /// The formula.
    pub body: Term,
}

impl Interpretation {
    /// What it says of these arguments, one for each parameter.
    pub fn at(&self, t: &Terms, args: &[Term]) -> Term {
        debug_assert_eq!(self.params.len(), args.len(), "one for each parameter");
        let pairs = self.params.iter().copied().zip(args.iter().copied());
        t.substitute(self.body, pairs)
    }
}

/// Is a conjunct of an interpretation a lemma: does it speak of functions that are defined by
/// recursion, for all values, and of no parameter? Then it is true or false by itself.
pub fn is_lemma(t: &Terms, conjunct: Term) -> bool {
    let (bound, matrix) = t.split_forall(conjunct);
    let bound: TermSet = bound.iter().copied().collect();
    !bound.is_empty()
        && t.vars([matrix]).iter().all(|var| bound.contains(var))
        && t.any_subterm(matrix, |part| is_application(t, part))
}

fn is_application(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Apply(_))
}

/// The reason why there is no verdict, and how far the search came.
#[derive(Clone, Debug)]
pub struct Unknown {
    /// Why it ended.
    pub reason: UnknownReason,
    /// No derivation of `false` of this height or less exists; `None` if no engine knows a height.
    /// A query whose body has no atoms has height 1.
    pub safe_depth: Option<u32>,
    /// Invariants that were found: interpretations under which every clause with a head holds.
    /// `None` if nothing was found.
    pub invariants: Option<Model>,
}

impl Unknown {
    /// An unknown result with nothing but a reason.
    pub fn new(reason: UnknownReason) -> Self {
        Unknown {
            reason,
            safe_depth: None,
            invariants: None,
        }
    }

    /// The same in another store.
    #[must_use]
    pub fn import(&self, import: &mut Import<'_>) -> Unknown {
        Unknown {
            reason: self.reason.clone(),
            safe_depth: self.safe_depth,
            invariants: self.invariants.as_ref().map(|model| model.import(import)),
        }
    }
}

/// Why a search ended without a verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UnknownReason {
    /// The time limit was reached.
    Timeout,
    /// The budget of work was used up: the ticks that the user allows.
    Work,
    /// The memory limit was reached.
    Memory,
    /// A signal arrived, or the caller cancelled the run.
    Interrupted,
    /// The engine, or the solver below it, does not support systems of this kind.
    Unsupported(String),
    /// The SMT solver failed in a way that could not be repaired.
    Solver(String),
    /// The engine gave up: it reached one of its limits, or the solver did not decide a query.
    Incomplete(String),
    /// A certificate was made, and the checker refused it.
    CertificateRefused(String),
    /// A certificate was made, and the check did not end in time.
    CertificateNotChecked,
    /// This program is at fault: a panic was caught, or engines contradict each other.
    Fault(String),
}

impl UnknownReason {
    /// Is this program at fault? Not if the system is only too hard for it.
    pub fn is_fault(&self) -> bool {
        matches!(
            self,
            UnknownReason::CertificateRefused(_) | UnknownReason::Fault(_)
        )
    }
}

impl fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnknownReason::Timeout => f.write_str("timeout"),
            UnknownReason::Work => f.write_str("work limit"),
            UnknownReason::Memory => f.write_str("memory limit"),
            UnknownReason::Interrupted => f.write_str("interrupted"),
            UnknownReason::Unsupported(what) => write!(f, "not supported: {what}"),
            UnknownReason::Solver(what) => write!(f, "solver failed: {what}"),
            UnknownReason::Incomplete(what) => write!(f, "incomplete: {what}"),
            UnknownReason::CertificateRefused(why) => write!(f, "certificate refused: {why}"),
            UnknownReason::CertificateNotChecked => f.write_str("certificate not checked in time"),
            UnknownReason::Fault(what) => write!(f, "internal fault: {what}"),
        }
    }
}
