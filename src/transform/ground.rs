//! Refutations, rebuilt fact by fact: the values of a clause's variables, computed from the known
//! ones.

use super::{LiftError, Tools};
use crate::chc::{
    Change, Clause, ClauseId, Fact, FactId, Iteration, IterationPremise, IterationStep, Refutation,
    System,
};
use crate::number::Rational;
use crate::smt::{Failure, SatResult};
use crate::term::{Evaluator, Term, Unspecified, Value};
use std::cell::Cell;

/// At most this number of iterations of a loop is made to find three in a row that are alike. The
/// value was not tuned.
const SAMPLES: i64 = 6;

/// The old clause that a new clause comes from.
pub(super) struct ClauseSource {
    /// The clause.
    pub(super) clause: ClauseId,
    /// Variables that disappeared, with the terms that define them, to be computed in this order.
    pub(super) definitions: Vec<(Term, Term)>,
    /// For each atom of the old body its place in the new one; `None` if the places are the same.
    pub(super) places: Option<Vec<usize>>,
}

/// The source of a clause that lost nothing but variables.
impl From<ClauseId> for ClauseSource {
    fn from(clause: ClauseId) -> Self {
        ClauseSource {
            clause,
            definitions: Vec::new(),
            places: None,
        }
    }
}

/// The sources of a new system's clauses: one old clause each.
pub(super) struct ClauseSources {
    /// For each new clause its source and its variables.
    clauses: Vec<(ClauseSource, Vec<Term>)>,
}

impl ClauseSources {
    /// The sources of new clauses, in the same order.
    pub(super) fn new<'c, S: Into<ClauseSource>>(
        clauses: impl IntoIterator<Item = &'c Clause>,
        sources: impl IntoIterator<Item = S>,
    ) -> Self {
        let pairs = clauses.into_iter().zip(sources);
        ClauseSources {
            clauses: pairs
                .map(|(new, source)| (source.into(), new.vars.clone()))
                .collect(),
        }
    }

    /// A refutation of the old system from one of the new.
    ///
    /// # Errors
    /// No values were found for the variables of a clause.
    pub(super) fn refutation(
        &self,
        tools: &Tools<'_>,
        old: &System,
        refutation: Refutation,
    ) -> Result<Refutation, LiftError> {
        fact_wise(tools, old, refutation, |rebuilt, fact| {
            let (source, vars) = &self.clauses[fact.clause.index()];
            debug_assert_eq!(vars.len(), fact.values.len(), "a value for each variable");
            let values = vars.iter().copied().zip(fact.values);
            let premises = match &source.places {
                Some(places) => places.iter().map(|&i| fact.premises[i]).collect(),
                None => fact.premises,
            };
            rebuilt.add(source.clause, values, &source.definitions, premises)
        })
    }
}

/// A refutation of `old` from one of a new system: `lift` adds to a refutation in the making what
/// makes a fact of it, whose premises are facts there already, and answers the fact that it has
/// become.
///
/// # Errors
/// Those of `lift`; and a loop that is not written out becomes none of `old`, since its first
/// iterations are not alike there.
pub(super) fn fact_wise(
    tools: &Tools<'_>,
    old: &System,
    refutation: Refutation,
    mut lift: impl FnMut(&mut Rebuilder<'_, '_>, Fact) -> Result<FactId, LiftError>,
) -> Result<Refutation, LiftError> {
    let t = tools.terms;
    let mut rebuilt = Rebuilder::new(tools, old);
    // The facts that those of the new system have become.
    let mut facts: Vec<FactId> = Vec::with_capacity(refutation.facts.len());
    for mut fact in refutation.facts {
        for premise in &mut fact.premises {
            *premise = facts[premise.index()];
        }
        let Some(iteration) = fact.iteration.take() else {
            facts.push(lift(&mut rebuilt, fact)?);
            continue;
        };
        let mut iterate = |rebuilt: &mut Rebuilder<'_, '_>, number: &Rational, before: FactId| {
            let mut derived: Vec<FactId> = Vec::new();
            for step in &iteration.steps {
                let fact = step.fact_in(t, number, |premise| match premise {
                    IterationPremise::Before => before,
                    IterationPremise::Step(at) => derived[at],
                    IterationPremise::Premise(at) => fact.premises[at],
                });
                let fact = fact.ok_or_else(|| {
                    LiftError::Iteration("a change does not fit its value".to_owned())
                })?;
                derived.push(lift(rebuilt, fact)?);
            }
            Ok(*derived.last().expect("an iteration has a step"))
        };
        facts.push(rebuilt.iterate(&iteration.times, fact.premises[0], &mut iterate)?);
    }
    Ok(rebuilt.finish())
}

/// A refutation of a system in the making.
pub(super) struct Rebuilder<'a, 't> {
    tools: &'a Tools<'t>,
    system: &'a System,
    facts: Vec<Fact>,
    /// The conclusion of each fact: the arguments of its head; none for `false`.
    conclusions: Vec<Vec<Value>>,
    /// An evaluator that is not in use, for its memory.
    spare: Cell<Option<Evaluator<'t>>>,
}

impl<'a, 't> Rebuilder<'a, 't> {
    /// A refutation of a system, without facts so far.
    pub(super) fn new(tools: &'a Tools<'t>, system: &'a System) -> Self {
        Rebuilder {
            tools,
            system,
            facts: Vec::new(),
            conclusions: Vec::new(),
            spare: Cell::new(None),
        }
    }

    /// Adds a fact, an instance of a clause. Values are taken from `known`; then from the terms of
    /// `definitions`, in order; then from the premises' conclusions; the rest have default values.
    /// If that is not an instance of the clause, a solver computes the values that are not `known`.
    ///
    /// # Errors
    /// No values were found.
    pub(super) fn add(
        &mut self,
        id: ClauseId,
        known: impl IntoIterator<Item = (Term, Value)>,
        definitions: &[(Term, Term)],
        premises: Vec<FactId>,
    ) -> Result<FactId, LiftError> {
        let clause = self.system.clause(id);
        let known: Vec<(Term, Value)> = known.into_iter().collect();
        let mut values = self.guess(clause, &known, definitions, &premises);
        if !self.is_instance(clause, &mut values, &premises) {
            values = self.solve(id, known, &premises)?;
        }
        self.push(id, values, premises)
    }

    /// Adds an instance of a clause that derives its head for these arguments. A solver computes
    /// the values of its variables if the arguments and the premises do not determine them.
    ///
    /// # Errors
    /// No values were found.
    pub(super) fn add_conclusion(
        &mut self,
        id: ClauseId,
        conclusion: &[Value],
        premises: Vec<FactId>,
    ) -> Result<FactId, LiftError> {
        let t = self.tools.terms;
        let clause = self.system.clause(id);
        let head = clause.head.as_ref().map_or(&[][..], |head| &head.args);
        let told = || head.iter().copied().zip(conclusion.iter().cloned());
        let known: Vec<(Term, Value)> = told().filter(|&(arg, _)| t.is_var(arg)).collect();
        let mut values = self.guess(clause, &known, &[], &premises);
        let concludes = |values: &mut Evaluator<'_>| {
            let mut pairs = head.iter().zip(conclusion);
            pairs.all(|(&arg, value)| values.eval(arg).as_ref() == Ok(value))
        };
        if !self.is_instance(clause, &mut values, &premises) || !concludes(&mut values) {
            values = self.solve(id, told(), &premises)?;
        }
        self.push(id, values, premises)
    }

    /// Adds an instance of a clause that derives its head for these arguments, without a solver:
    /// variables that are no arguments of atoms have the values of `definitions`, in order. `None`
    /// if that is not an instance.
    ///
    /// # Errors
    /// A variable has no value.
    pub(super) fn try_conclusion(
        &mut self,
        id: ClauseId,
        conclusion: &[Value],
        definitions: &[(Term, Term)],
        premises: &[FactId],
    ) -> Result<Option<FactId>, LiftError> {
        let t = self.tools.terms;
        let clause = self.system.clause(id);
        let head = clause.head.as_ref().map_or(&[][..], |head| &head.args);
        debug_assert_eq!(head.len(), conclusion.len(), "a value for each argument");
        debug_assert_eq!(clause.body.len(), premises.len(), "a fact for each premise");
        let mut told: Vec<(Term, &Value)> = head.iter().copied().zip(conclusion).collect();
        for (atom, premise) in clause.body.iter().zip(premises) {
            let values = &self.conclusions[premise.index()];
            told.extend(atom.args.iter().copied().zip(values));
        }
        let vars = told.iter().filter(|(arg, _)| t.is_var(*arg));
        let known: Vec<(Term, Value)> = vars.map(|&(x, value)| (x, value.clone())).collect();
        let mut values = self.guess(clause, &known, definitions, premises);
        let is_told = |values: &mut Evaluator<'_>| {
            let mut told = told.iter();
            told.all(|&(arg, value)| values.eval(arg).as_ref() == Ok(value))
        };
        if !values.holds(clause.constraint) || !is_told(&mut values) {
            return Ok(None);
        }
        self.push(id, values, premises.to_vec()).map(Some)
    }

    /// Adds the fact that a number of iterations of a loop derive. `iterate` adds the facts of one
    /// iteration, counted from 0, behind the given fact, and answers the last of them.
    ///
    /// Only the first iterations are made. What they have in common tells the others, which may be
    /// wrong: the check of the refutation decides.
    ///
    /// # Errors
    /// Those of `iterate`; and the first iterations are not alike.
    pub(super) fn iterate(
        &mut self,
        times: &Rational,
        before: FactId,
        iterate: &mut dyn FnMut(&mut Self, &Rational, FactId) -> Result<FactId, LiftError>,
    ) -> Result<FactId, LiftError> {
        // What each iteration is added to, and the place of its first fact.
        let mut begins = vec![(before, self.facts.len())];
        for number in 0..SAMPLES {
            let number = Rational::from(number);
            let (before, _) = begins[begins.len() - 1];
            if number == *times {
                return Ok(before);
            }
            let last = iterate(self, &number, before)?;
            begins.push((last, self.facts.len()));
            if let &[.., first, second, third, end] = &begins[..]
                && let Some((steps, premises)) = self.alike([first, second, third, end])
            {
                let made = &number - &Rational::from(2);
                let times = times - &made;
                self.facts.truncate(first.1);
                self.conclusions.truncate(first.1);
                return self.push_iteration(Iteration { times, steps }, premises);
            }
        }
        let why = "its first iterations are not alike";
        Err(LiftError::Iteration(why.to_owned()))
    }

    /// What three successive iterations have in common, with the facts that they rest on; `None` if
    /// they are not alike. Each begins behind a fact, and at a place.
    fn alike(
        &self,
        [first, second, third, end]: [(FactId, usize); 4],
    ) -> Option<(Vec<IterationStep>, Vec<FactId>)> {
        let facts = |(_, from): (FactId, usize), (last, to): (FactId, usize)| {
            (last.index() + 1 == to).then(|| &self.facts[from..to])
        };
        let (a, b, c) = (
            facts(first, second)?,
            facts(second, third)?,
            facts(third, end)?,
        );
        if a.len() != b.len() || b.len() != c.len() {
            return None;
        }
        let mut premises = vec![first.0];
        let mut steps = Vec::with_capacity(a.len());
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            let is_plain = |fact: &Fact| fact.iteration.is_none() && fact.clause == a.clause;
            let changes = changes(a, b)?;
            if ![a, b, c].into_iter().all(is_plain) || changes != self::changes(b, c)? {
                return None;
            }
            let mut known = Vec::with_capacity(a.premises.len());
            for (place, &premise) in a.premises.iter().enumerate() {
                let now = kind_of_premise([first, second], premise, b.premises[place])?;
                let then = kind_of_premise([second, third], b.premises[place], c.premises[place])?;
                if now != then {
                    return None;
                }
                known.push(match now {
                    PremiseKind::Before => IterationPremise::Before,
                    PremiseKind::Inside(at) => IterationPremise::Step(at),
                    PremiseKind::Outside(fact) => {
                        premises.push(fact);
                        IterationPremise::Premise(premises.len() - 1)
                    }
                });
            }
            steps.push(IterationStep {
                clause: a.clause,
                values: a.values.clone(),
                changes,
                premises: known,
            });
        }
        Some((steps, premises))
    }

    /// Adds the fact that iterations derive from premises.
    fn push_iteration(
        &mut self,
        iteration: Iteration,
        premises: Vec<FactId>,
    ) -> Result<FactId, LiftError> {
        let t = self.tools.terms;
        let last = iteration.steps.last().expect("an iteration has a step");
        let number = &iteration.times - &Rational::one();
        let values = last
            .values_in(t, &number)
            .expect("changes between values fit them");
        let vars = self.system.clause(last.clause).vars.iter().copied();
        let values = Evaluator::with(t, Unspecified::Refuse, vars.zip(values));
        let fact = self.push(last.clause, values, premises)?;
        self.facts[fact.index()].iteration = Some(Box::new(iteration));
        Ok(fact)
    }

    /// Values for the variables of a clause: the known ones, then definitions, then the premises'
    /// conclusions, then the defaults of the sorts.
    fn guess(
        &self,
        clause: &Clause,
        known: &[(Term, Value)],
        definitions: &[(Term, Term)],
        premises: &[FactId],
    ) -> Evaluator<'t> {
        let t = self.tools.terms;
        let spare = self.spare.take();
        let mut values = spare.unwrap_or_else(|| Evaluator::new(t, Unspecified::Refuse));
        values.restart();
        for (var, value) in known {
            values.assign(*var, value.clone());
        }
        for &(var, definition) in definitions {
            if let Ok(value) = values.eval(definition) {
                values.assign(var, value);
            }
        }
        for (atom, premise) in clause.body.iter().zip(premises) {
            for (&arg, value) in atom.args.iter().zip(&self.conclusions[premise.index()]) {
                if t.is_var(arg) && !values.is_assigned(arg) {
                    values.assign(arg, value.clone());
                }
            }
        }
        for &var in &clause.vars {
            if !values.is_assigned(var)
                && let Some(value) = t.default_value(t.sort_of(var))
            {
                values.assign(var, value);
            }
        }
        values
    }

    /// Is the clause's constraint true, and do the body's atoms have the values of the premises?
    fn is_instance(
        &self,
        clause: &Clause,
        values: &mut Evaluator<'_>,
        premises: &[FactId],
    ) -> bool {
        debug_assert_eq!(clause.body.len(), premises.len(), "a fact for each premise");
        values.holds(clause.constraint)
            && clause.body.iter().zip(premises).all(|(atom, premise)| {
                let conclusion = &self.conclusions[premise.index()];
                let mut pairs = atom.args.iter().zip(conclusion);
                pairs.all(|(&arg, value)| values.eval(arg).as_ref() == Ok(value))
            })
    }

    /// Values for all variables of the clause, computed by a solver in which some terms have known
    /// values.
    fn solve(
        &self,
        id: ClauseId,
        known: impl IntoIterator<Item = (Term, Value)>,
        premises: &[FactId],
    ) -> Result<Evaluator<'t>, LiftError> {
        let Tools { terms: t, .. } = *self.tools;
        let clause = self.system.clause(id);
        let mut solver = self.tools.backend.solver(t, "values");
        solver.set_limit(self.tools.limit.clone());
        solver.assert(clause.constraint);
        let equals = |term, value: &Value| t.eq(term, t.value_term(value, t.sort_of(term)));
        for (atom, premise) in clause.body.iter().zip(premises) {
            for (&arg, value) in atom.args.iter().zip(&self.conclusions[premise.index()]) {
                solver.assert(equals(arg, value));
            }
        }
        for (term, value) in known {
            solver.assert(equals(term, &value));
        }
        // constraint ∧ ⋀ argument = value of the premise ∧ ⋀ term = known value
        let outcome = solver.check(format_args!("values of the variables of a clause"), &[]);
        let values = match outcome {
            SatResult::Sat => solver.values(&clause.vars),
            SatResult::Unsat => return Err(self.no_values(id, "there are none")),
            SatResult::Unknown(failure) => Err(failure),
        };
        let values = values.map_err(|failure| match failure {
            Failure::Timeout | Failure::Cancelled => failure.into(),
            failure => self.no_values(id, &failure.to_string()),
        })?;
        let pairs = clause.vars.iter().copied().zip(values);
        Ok(Evaluator::with(t, Unspecified::Refuse, pairs))
    }

    fn push(
        &mut self,
        id: ClauseId,
        mut values: Evaluator<'t>,
        premises: Vec<FactId>,
    ) -> Result<FactId, LiftError> {
        let clause = self.system.clause(id);
        let mut all = |terms: &[Term]| -> Result<Vec<Value>, _> {
            terms.iter().map(|&term| values.eval(term)).collect()
        };
        let own = all(&clause.vars).map_err(|e| self.no_values(id, &e.to_string()))?;
        let head = clause.head.as_ref().map_or(&[][..], |head| &head.args);
        let conclusion = all(head).map_err(|e| self.no_values(id, &e.to_string()))?;
        self.spare.set(Some(values));
        let fact = FactId(u32::try_from(self.facts.len()).expect("fewer than 2^32 facts"));
        self.conclusions.push(conclusion);
        self.facts.push(Fact::new(id, own, premises));
        Ok(fact)
    }

    /// The tools of the refutation's lift.
    pub(super) fn tools(&self) -> &'a Tools<'t> {
        self.tools
    }

    /// The error that no values were found for the variables of a clause, with the reason.
    pub(super) fn no_values(&self, id: ClauseId, why: &str) -> LiftError {
        LiftError::Values {
            clause: self.system.clause_label(self.tools.terms, id),
            why: why.to_owned(),
        }
    }

    /// The refutation, whose last fact is the one added last.
    pub(super) fn finish(self) -> Refutation {
        Refutation { facts: self.facts }
    }
}

/// What a premise of a fact in an iteration is.
#[derive(PartialEq, Eq)]
enum PremiseKind {
    /// What the iteration is added to.
    Before,
    /// The fact of the iteration at this place.
    Inside(usize),
    /// A fact before the loop.
    Outside(FactId),
}

/// What a premise is, from those of two successive iterations; `None` if they are not alike.
fn kind_of_premise(
    [(before, from), (last, to)]: [(FactId, usize); 2],
    premise: FactId,
    next: FactId,
) -> Option<PremiseKind> {
    if premise.index() >= from {
        let at = premise.index() - from;
        return (next.index() == to + at).then_some(PremiseKind::Inside(at));
    }
    if premise == before && next == last {
        return Some(PremiseKind::Before);
    }
    (premise == next).then_some(PremiseKind::Outside(premise))
}

/// How the values change from one fact to another; `None` if they cannot.
fn changes(before: &Fact, after: &Fact) -> Option<Vec<Change>> {
    let pairs = before.values.iter().zip(&after.values);
    pairs.map(|(x, y)| Change::between(x, y)).collect()
}
