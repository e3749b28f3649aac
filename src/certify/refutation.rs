//! The check of refutations: by evaluation of ground terms, without a solver, in time linear in the
//! size of the derivation, whatever the number of iterations of its loops is.

use super::iteration::{self, IterationFlaw};
use crate::chc::{Atom, Clause, Fact, FactId, Refutation, System};
use crate::term::{Evaluator, Sort, Term, Terms, UndefinedReason, Unspecified, Value};

/// Where a refutation is wrong, and how.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("fact {}{}: {flaw}", .fact.0, .clause.as_ref().map_or(String::new(), |c| format!(" (by {c})")))]
pub struct RefutationError {
    /// The fact.
    pub fact: FactId,
    /// The name of its clause in messages, if it has one.
    pub clause: Option<String>,
    /// What is wrong with it.
    pub flaw: RefutationFlaw,
}

impl RefutationError {
    /// Can the refutation be right for all that? It has a term whose value SMT-LIB leaves open, or
    /// one whose value is too large to be computed, or several elements of an uninterpreted sort.
    pub fn is_left_open(&self) -> bool {
        matches!(
            self.flaw,
            RefutationFlaw::NoValue {
                why: UndefinedReason::DivisionByZero
                    | UndefinedReason::WrongConstructor
                    | UndefinedReason::TooLarge
                    | UndefinedReason::OpenSort,
                ..
            } | RefutationFlaw::Elements(_)
        )
    }
}

/// What can be wrong with a fact of a refutation. Positions count from 0, values are SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RefutationFlaw {
    /// There are no facts, so `false` is not among them.
    #[error("missing: the refutation is empty")]
    Empty,
    /// The last fact is not `false`.
    #[error("the last fact is no instance of a query")]
    NoQuery,
    /// There is no such clause.
    #[error("the system has no clause {0}")]
    NoClause(u32),
    /// The number of values is not the number of the clause's variables.
    #[error("{found} values for {expected} variables")]
    ValueCount {
        /// Variables of the clause.
        expected: usize,
        /// Values of the fact.
        found: usize,
    },
    /// A value is not of its variable's sort.
    #[error("the value of `{var}` is not of sort {sort}: {value}")]
    ValueSort {
        /// The variable.
        var: String,
        /// Its sort.
        sort: String,
        /// The value.
        value: String,
    },
    /// The number of premises is not the number of atoms in the clause's body.
    #[error("{found} premises for {expected} atoms")]
    PremiseCount {
        /// Atoms of the body.
        expected: usize,
        /// Premises of the fact.
        found: usize,
    },
    /// A premise does not come before the fact that uses it.
    #[error("premise {atom} is fact {premise}, which does not come before")]
    PremiseOrder {
        /// The atom's position in the body.
        atom: usize,
        /// The fact named.
        premise: u32,
    },
    /// A premise is about another predicate than the atom.
    #[error("premise {atom} should be about `{expected}`, fact {premise} is about {found}")]
    PremisePredicate {
        /// The atom's position in the body.
        atom: usize,
        /// The fact named.
        premise: u32,
        /// The atom's predicate.
        expected: String,
        /// The premise's, in quotes, or `false`.
        found: String,
    },
    /// A premise has other argument values than the atom.
    #[error(
        "premise {atom}, argument {position}: the atom has {expected}, fact {premise} has {found}"
    )]
    PremiseArgument {
        /// The atom's position in the body.
        atom: usize,
        /// The fact named.
        premise: u32,
        /// The argument's position.
        position: usize,
        /// The value in the atom.
        expected: String,
        /// The value in the premise.
        found: String,
    },
    /// The iterations that derive the fact are wrong.
    #[error("{0}")]
    Iteration(#[from] IterationFlaw),
    /// It is wrong if each uninterpreted sort has one element only.
    #[error("elements of a sort may be the same, and then {0}")]
    Elements(Box<RefutationFlaw>),
    /// The constraint is false for these values.
    #[error("the constraint is false")]
    Constraint,
    /// A term has no value because the theory leaves it open, such as a division by zero.
    #[error("{what} has no value: {why} in {term}")]
    NoValue {
        /// Which term of the clause.
        what: String,
        /// The subterm without a value.
        term: String,
        /// The reason why it has no value.
        why: UndefinedReason,
    },
}

/// The conclusion of a fact: the arguments of its clause's head; `None` for `false`.
pub type Conclusion = Option<Vec<Value>>;

/// Is `refutation` a derivation of `false` in `system`?
///
/// A refutation is accepted only if all of this holds. The last fact is an instance of a query.
/// Each fact gives each variable of its clause a value of its sort, and the constraint evaluates to
/// true. For each atom of the clause's body, the fact names an earlier fact with the same predicate
/// and the same argument values. A term whose value the theory leaves open has no value here. What
/// iterations derive is accepted if each iteration is seen to be a derivation; a right one may be
/// refused.
///
/// The system has no model only if it has none whatever its uninterpreted sorts are, which may have
/// one element each. So all of this must hold where elements of a sort are the same.
///
/// ```
/// use horn::certify::check_refutation;
/// use horn::chc::{ClauseId, Fact, FactId, Refutation};
/// use horn::smtlib::{Source, read_system};
/// use horn::term::{Terms, Value};
///
/// let text = "
///     (declare-fun p (Int) Bool)
///     (assert (p 0))
///     (assert (forall ((x Int)) (=> (and (p x) (< x 1)) false)))";
/// let t = Terms::new();
/// let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
/// let fact = |clause, values, premises| Fact::new(ClauseId(clause), values, premises);
/// let by = |x: i64| Refutation {
///     facts: vec![
///         fact(0, vec![], vec![]),
///         fact(1, vec![Value::Number(x.into())], vec![FactId(0)]),
///     ],
/// };
/// assert!(check_refutation(&t, &system, &by(0)).is_ok());
/// // The first fact derives p(0), which is no premise for x = -1.
/// assert!(check_refutation(&t, &system, &by(-1)).is_err());
/// ```
/// # Errors
/// The first wrong fact, and its flaw.
pub fn check_refutation(
    t: &Terms,
    system: &System,
    refutation: &Refutation,
) -> Result<(), RefutationError> {
    conclusions(t, system, refutation).map(|_| ())
}

/// The conclusions of a refutation's facts, by fact.
///
/// # Errors
/// As for [`check_refutation`]: there is a list exactly if the refutation is accepted.
pub fn conclusions(
    t: &Terms,
    system: &System,
    refutation: &Refutation,
) -> Result<Vec<Conclusion>, RefutationError> {
    if !system.clauses.iter().any(|clause| clause.has_elements(t)) {
        return conclusions_as_given(t, system, refutation);
    }
    let single = refutation.with_single_elements(t, system);
    conclusions_as_given(t, system, &single).map_err(|error| RefutationError {
        flaw: RefutationFlaw::Elements(Box::new(error.flaw)),
        ..error
    })
}

/// As [`conclusions`], for elements that are as different as they are written.
fn conclusions_as_given(
    t: &Terms,
    system: &System,
    refutation: &Refutation,
) -> Result<Vec<Conclusion>, RefutationError> {
    let mut checker = Checker {
        t,
        system,
        refutation,
        conclusions: Vec::with_capacity(refutation.facts.len()),
    };
    let mut values = Evaluator::new(t, Unspecified::Refuse);
    for (position, fact) in (0u32..).zip(&refutation.facts) {
        let conclusion = checker
            .conclusion(fact, &mut values)
            .map_err(|flaw| checker.error(FactId(position), flaw))?;
        checker.conclusions.push(conclusion);
    }
    match checker.conclusions.last() {
        Some(None) => Ok(checker.conclusions),
        Some(Some(_)) => {
            let last = u32::try_from(refutation.facts.len() - 1).expect("fewer than 2^32 facts");
            Err(checker.error(FactId(last), RefutationFlaw::NoQuery))
        }
        None => Err(checker.error(FactId(0), RefutationFlaw::Empty)),
    }
}

struct Checker<'a> {
    t: &'a Terms,
    system: &'a System,
    refutation: &'a Refutation,
    /// The conclusions of the facts accepted so far.
    conclusions: Vec<Conclusion>,
}

impl Checker<'_> {
    fn error(&self, fact: FactId, flaw: RefutationFlaw) -> RefutationError {
        let clause = self.refutation.facts.get(fact.index()).map(|f| f.clause);
        RefutationError {
            fact,
            clause: clause
                .filter(|clause| clause.index() < self.system.clauses.len())
                .map(|clause| self.system.clause_label(self.t, clause)),
            flaw,
        }
    }

    /// The conclusion of a fact, if the fact is right and all facts before it are. What the
    /// evaluator knows before does not matter.
    fn conclusion(
        &self,
        fact: &Fact,
        values: &mut Evaluator<'_>,
    ) -> Result<Conclusion, RefutationFlaw> {
        let clause = (self.system.clauses)
            .get(fact.clause.index())
            .ok_or(RefutationFlaw::NoClause(fact.clause.0))?;
        self.assign(clause, fact, values)?;
        let constraint = self.evaluate(values, clause.constraint, || "the constraint".into())?;
        if constraint.as_bool() != Some(true) {
            return Err(RefutationFlaw::Constraint);
        }
        match &fact.iteration {
            Some(iteration) => {
                let known = |premise: FactId| {
                    let conclusion = self.conclusions.get(premise.index())?.as_ref()?;
                    let clause = self.refutation.facts[premise.index()].clause;
                    let head = self.system.clause(clause).head.as_ref()?;
                    Some((head.pred, &conclusion[..]))
                };
                iteration::check(self.t, self.system, fact, iteration, &known)?;
            }
            None => self.check_premises(clause, fact, values)?,
        }
        let Some(head) = &clause.head else {
            return Ok(None);
        };
        let argument = |(position, &arg): (usize, &Term)| {
            self.evaluate(values, arg, || format!("argument {position} of the head"))
        };
        let arguments: Result<_, _> = head.args.iter().enumerate().map(argument).collect();
        arguments.map(Some)
    }

    /// Gives a clause's variables their values, each of the right sort.
    fn assign(
        &self,
        clause: &Clause,
        fact: &Fact,
        values: &mut Evaluator<'_>,
    ) -> Result<(), RefutationFlaw> {
        let t = self.t;
        if clause.vars.len() != fact.values.len() {
            return Err(RefutationFlaw::ValueCount {
                expected: clause.vars.len(),
                found: fact.values.len(),
            });
        }
        for (&var, value) in clause.vars.iter().zip(&fact.values) {
            let sort = t.sort_of(var);
            if !value.is_of(t, sort) {
                return Err(RefutationFlaw::ValueSort {
                    var: t.display(var).to_string(),
                    sort: t.display_sort(sort).to_string(),
                    value: format!("{value:?}"),
                });
            }
        }
        values.restart();
        for (&var, value) in clause.vars.iter().zip(&fact.values) {
            values.assign(var, value.clone());
        }
        Ok(())
    }

    /// Checks that the premises are what the clause's body says.
    fn check_premises(
        &self,
        clause: &Clause,
        fact: &Fact,
        values: &mut Evaluator<'_>,
    ) -> Result<(), RefutationFlaw> {
        if clause.body.len() != fact.premises.len() {
            return Err(RefutationFlaw::PremiseCount {
                expected: clause.body.len(),
                found: fact.premises.len(),
            });
        }
        let premises = clause.body.iter().zip(&fact.premises).enumerate();
        for (number, (atom, &premise)) in premises {
            self.check_premise(values, number, atom, premise)?;
        }
        Ok(())
    }

    /// Checks that a premise is an earlier fact with the atom's predicate and values.
    fn check_premise(
        &self,
        values: &mut Evaluator<'_>,
        number: usize,
        atom: &Atom,
        premise: FactId,
    ) -> Result<(), RefutationFlaw> {
        let Some(conclusion) = self.conclusions.get(premise.index()) else {
            return Err(RefutationFlaw::PremiseOrder {
                atom: number,
                premise: premise.0,
            });
        };
        let name = |pred| format!("`{}`", self.system.pred_name(self.t, pred));
        let head = &self
            .system
            .clause(self.refutation.facts[premise.index()].clause)
            .head;
        let (Some(head), Some(found)) = (head, conclusion) else {
            return Err(RefutationFlaw::PremisePredicate {
                atom: number,
                premise: premise.0,
                expected: self.system.pred_name(self.t, atom.pred).to_owned(),
                found: "false".to_owned(),
            });
        };
        if head.pred != atom.pred {
            return Err(RefutationFlaw::PremisePredicate {
                atom: number,
                premise: premise.0,
                expected: self.system.pred_name(self.t, atom.pred).to_owned(),
                found: name(head.pred),
            });
        }
        for (position, (&arg, found)) in atom.args.iter().zip(found).enumerate() {
            let expected = self.evaluate(values, arg, || {
                format!("argument {position} of atom {number}")
            })?;
            if expected != *found {
                let sort = self.t.sort_of(arg);
                return Err(RefutationFlaw::PremiseArgument {
                    atom: number,
                    premise: premise.0,
                    position,
                    expected: self.text(&expected, sort),
                    found: self.text(found, sort),
                });
            }
        }
        Ok(())
    }

    /// The value of a term; messages call it `what`.
    fn evaluate(
        &self,
        values: &mut Evaluator<'_>,
        term: Term,
        what: impl FnOnce() -> String,
    ) -> Result<Value, RefutationFlaw> {
        values
            .eval(term)
            .map_err(|undefined| RefutationFlaw::NoValue {
                what: what(),
                term: self.t.display(undefined.term).to_string(),
                why: undefined.reason,
            })
    }

    fn text(&self, value: &Value, sort: Sort) -> String {
        self.t.display(self.t.value_term(value, sort)).to_string()
    }
}
