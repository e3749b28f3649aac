//! Instances of quantified premises, by the terms of a clause and by models \[GM09\].
//!
//! A query with quantified premises is decided over instances of them, which have no quantifiers.
//! Where the instances do not contradict the denied conclusion, the solver has a model. Either the
//! premises hold in its completion, which is a counterexample, or one of them fails for some values
//! of its variables. The instance for terms with these values refutes the model.
//!
//! The terms tried first are those of the array property fragment \[BMS06\], for which they are
//! enough: indices at which arrays are read or written, an index at which arrays differ, and the
//! bounds that a premise puts on its variables.

use super::completion::Completion;
use super::recursion::unfoldings;
use super::solvers::SolverFactory;
use crate::number::Rational;
use crate::smt::{Failure, SatResult, Solver};
use crate::term::{
    Evaluator, Fact, LinearSum, Op, Origin, Sort, Term, TermSet, Terms, Unspecified, Value,
};
use std::collections::BTreeSet;

/// Instances of premises are added for at most 64 models of those before. The value was not tuned.
const MODELS: usize = 64;

/// At the beginning a premise is instantiated with at most 1000 tuples of terms. A model is
/// compared with at most 1000 instances of a premise. The value was not tuned.
const MOST: usize = 1000;

/// At most 16 instances of a premise are added for a model. The value was not tuned.
const FOR_A_MODEL: usize = 16;

/// At most 200 terms stand for the variables of premises. The value was not tuned.
const CANDIDATES: usize = 200;

/// A value at most this far from that of a term is named as a sum of the term and a numeral. The
/// value was not tuned.
const NEAR: i64 = 8;

/// A premise `∀ bound. matrix`, whose bound variables occur in no other formula.
struct Premise {
    bound: Vec<Term>,
    matrix: Term,
}

impl Premise {
    /// The instance of the premise at a place for these values, one for each bound variable.
    fn instance(&self, t: &Terms, place: usize, values: Vec<Term>) -> Fact {
        let pairs = self.bound.iter().copied().zip(values.iter().copied());
        Fact {
            formula: t.substitute(self.matrix, pairs),
            origin: Origin::Premise(place, values),
        }
    }
}

/// What the instances of premises decide.
pub(super) enum Decided {
    /// They contradict the other premises and the denied conclusion.
    Contradiction,
    /// There is a model of the query in which all premises hold: the solver's, or one with other
    /// arrays.
    Model {
        /// Is it the solver's?
        is_given: bool,
    },
    /// Nothing.
    Open,
}

/// What a model says of the premises.
enum Refined {
    /// It makes these instances false.
    Violated(Vec<Fact>),
    /// There is a model of the query in which all premises hold: the solver's, or one with other
    /// arrays.
    Model {
        /// Is it the solver's?
        is_given: bool,
    },
}

/// The instances of the quantified premises of one query.
pub(super) struct Instances<'t> {
    t: &'t Terms,
    premises: Vec<Premise>,
    /// The formulas without quantifiers.
    ground: Term,
    /// The free variables of the query.
    free: Vec<Term>,
    /// Terms without bound variables, those preferred first.
    candidates: Vec<Term>,
    known: TermSet,
    /// For each equation of arrays: it holds, or they differ at an index that has a name.
    differences: Vec<Fact>,
    /// What the instances say that were made.
    made: TermSet,
}

impl<'t> Instances<'t> {
    /// For the quantified premises `general`, next to premises and a denied conclusion without
    /// quantifiers.
    pub(super) fn new(t: &'t Terms, general: &[Term], plain: &[Term], denied: Term) -> Self {
        let ground = || plain.iter().copied().chain([denied]);
        let premises = general.iter().map(|&premise| {
            let (bound, matrix) = t.opened(premise);
            Premise { bound, matrix }
        });
        let premises: Vec<Premise> = premises.collect();
        let bound: TermSet = premises.iter().flat_map(|p| &p.bound).copied().collect();
        let mut free = t.vars(premises.iter().map(|p| p.matrix).chain(ground()));
        free.retain(|var| !bound.contains(var));
        let mut made = Instances {
            t,
            premises,
            ground: t.and(ground()),
            free,
            candidates: Vec::new(),
            known: TermSet::default(),
            differences: Vec::new(),
            made: TermSet::default(),
        };
        made.add_indices(ground());
        made.differences = made.name_differences(ground());
        made.add_indices(formulas(&made.differences));
        made.add_parameters();
        made
    }

    /// Adds facts, which `ask` asserts before it asks the query, until they contradict it, or there
    /// is a model of it in which all premises hold.
    pub(super) fn decide(
        &mut self,
        solver: &mut dyn Solver,
        others: &mut SolverFactory<'_>,
        ask: &mut dyn FnMut(&[Fact], &mut dyn Solver) -> SatResult,
    ) -> Decided {
        let mut added = self.at_indices();
        for _ in 0..MODELS {
            match ask(&added, solver) {
                SatResult::Unsat => return Decided::Contradiction,
                SatResult::Sat => match self.refine(solver, others) {
                    Ok(Refined::Model { is_given }) => return Decided::Model { is_given },
                    Ok(Refined::Violated(violated)) => added = violated,
                    Err(_) => break,
                },
                SatResult::Unknown(_) => break,
            }
        }
        Decided::Open
    }

    /// The instances at the indices at which the other premises and the denied conclusion read,
    /// write and compare arrays, and a formula for each comparison that says what its index is.
    /// Afterwards the bounds of variables are candidates, too.
    fn at_indices(&mut self) -> Vec<Fact> {
        let mut instances = self.differences.clone();
        instances.extend(self.of_all_candidates());
        if self.is_recursive() {
            let found = |premise| bounds(self.t, premise, &self.candidates);
            let found: Vec<Term> = self.premises.iter().flat_map(found).collect();
            found.into_iter().for_each(|bound| self.add(bound));
            instances.extend(self.of_all_candidates());
        }
        self.made.extend(formulas(&instances));
        for number in 0..self.premises.len() {
            for bound in bounds(self.t, &self.premises[number], &self.candidates) {
                self.add(bound);
            }
        }
        // Beside its index, a store changes nothing.
        for part in self.t.post_order([self.ground]) {
            if let (Op::Store, &[_, index, _]) = (self.t.op(part), self.t.args(part))
                && self.t.sort_of(index) == Sort::INT
            {
                for offset in [-1, 1] {
                    self.add(self.t.add([index, self.t.int(offset)]));
                }
            }
        }
        instances
    }

    /// The instances of all premises for all candidates.
    fn of_all_candidates(&self) -> Vec<Fact> {
        let of_premise = |(place, premise): (usize, &Premise)| -> Vec<Fact> {
            let tuples = tuples(self.t, &premise.bound, &self.candidates).into_iter();
            let instance = |values| premise.instance(self.t, place, values);
            tuples.map(instance).collect()
        };
        self.premises
            .iter()
            .enumerate()
            .flat_map(of_premise)
            .collect()
    }

    /// Does a premise speak of functions that are defined by recursion? Nothing is known of their
    /// values in a model, so the bounds of variables are used at once.
    fn is_recursive(&self) -> bool {
        let matrices = self.premises.iter().map(|premise| premise.matrix);
        !self.t.defined_functions(matrices).is_empty()
    }

    /// Adds what functions that are defined by recursion depend on beside their first argument.
    fn add_parameters(&mut self) {
        let t = self.t;
        for part in t.post_order([self.ground]) {
            if matches!(t.op(part), Op::Apply(func) if !t.func(func).cases().is_empty()) {
                t.args(part)[1..].iter().for_each(|&other| self.add(other));
            }
        }
    }

    /// Compares the model that `solver` found last with the premises: the model itself with
    /// instances for candidates, then its completion with the premises as they are.
    ///
    /// # Errors
    /// The solver has no values, or a solver from `others` does not decide whether the premises
    /// hold in the completion, or it is no model of the other formulas.
    fn refine(
        &mut self,
        solver: &mut dyn Solver,
        others: &mut SolverFactory<'_>,
    ) -> Result<Refined, Failure> {
        let values = solver.values(&self.free)?;
        let values: Vec<(Term, Value)> = self.free.iter().copied().zip(values).collect();
        let mut model = Evaluator::with(self.t, Unspecified::Refuse, values.iter().cloned());
        let mut violated = self.violated_by(&mut model);
        if violated.is_empty() {
            let mut completion = self.completion(&values, &mut model);
            violated = self.violated_by_completion(&mut completion, &mut model, &mut *others())?;
            if violated.is_empty() {
                let is_given = completion.is_given();
                return Ok(Refined::Model { is_given });
            }
        }
        self.made.extend(formulas(&violated));
        self.add_indices(formulas(&violated));
        Ok(Refined::Violated(violated))
    }

    /// The completion of a model between the values of candidates.
    fn completion(&self, values: &[(Term, Value)], model: &mut Evaluator<'_>) -> Completion<'t> {
        let is_integral = |c: &&Term| self.t.sort_of(**c) == Sort::INT;
        let integral = self.candidates.iter().filter(is_integral);
        let points = integral.filter_map(|&candidate| model.eval_number(candidate).ok());
        let points: BTreeSet<Rational> = points.collect();
        let points: Vec<Rational> = points.into_iter().collect();
        Completion::new(self.t, values, &points)
    }

    /// Instances that are false in the completion of a model, one for each premise that is.
    ///
    /// # Errors
    /// As those of `refine`.
    fn violated_by_completion(
        &self,
        completion: &mut Completion<'_>,
        model: &mut Evaluator<'_>,
        solver: &mut dyn Solver,
    ) -> Result<Vec<Fact>, Failure> {
        let t = self.t;
        let mut denied = |formula: Term, solver: &mut dyn Solver| {
            let said = completion.rewrite(formula, solver)?.map(|said| t.not(said));
            said.ok_or_else(|| Failure::Incomplete("a model could not be completed".to_owned()))
        };
        let mut violated = Vec::new();
        for (place, premise) in self.premises.iter().enumerate() {
            let denied = denied(premise.matrix, solver)?;
            let about = format_args!("a quantified premise fails in a model of its instances");
            match solver.check(about, &[denied]) {
                SatResult::Unsat => {}
                SatResult::Sat => {
                    let values = premise.bound.iter().zip(solver.values(&premise.bound)?);
                    let named = values.map(|(&var, value)| self.named(model, var, value));
                    violated.push(premise.instance(t, place, named.collect()));
                }
                SatResult::Unknown(why) => return Err(why),
            }
        }
        if violated.is_empty() {
            let denied = denied(self.ground, solver)?;
            let about = format_args!("a completed model does not fit the query");
            match solver.check(about, &[denied]) {
                SatResult::Unsat => {}
                SatResult::Sat => {
                    let why = "a completed model is no model of the query";
                    return Err(Failure::Incomplete(why.to_owned()));
                }
                SatResult::Unknown(why) => return Err(why),
            }
        }
        Ok(violated)
    }

    /// New instances for candidates that are false in a model.
    fn violated_by(&self, model: &mut Evaluator<'_>) -> Vec<Fact> {
        // Candidates of one value make the same of a premise.
        let mut seen: Vec<(Sort, Value)> = Vec::new();
        let mut candidates = Vec::new();
        for &candidate in &self.candidates {
            let Ok(value) = model.eval(candidate) else {
                continue;
            };
            let value = (self.t.sort_of(candidate), value);
            if !seen.contains(&value) {
                seen.push(value);
                candidates.push(candidate);
            }
        }
        let of_premise = |(place, premise): (usize, &Premise)| -> Vec<Fact> {
            let tuples = tuples(self.t, &premise.bound, &candidates).into_iter();
            tuples
                .map(|values| premise.instance(self.t, place, values))
                .filter(|instance| !self.made.contains(&instance.formula))
                .filter(|instance| model.eval_bool(instance.formula) == Ok(false))
                .take(FOR_A_MODEL)
                .collect()
        };
        self.premises
            .iter()
            .enumerate()
            .flat_map(of_premise)
            .collect()
    }

    /// A term for a bound variable with this value in the model.
    fn named(&self, model: &mut Evaluator<'_>, var: Term, value: Value) -> Term {
        let t = self.t;
        let sort = t.sort_of(var);
        let fitting = self.candidates.iter().filter(|&&c| t.sort_of(c) == sort);
        let mut near: Option<(Rational, Term)> = None;
        for &candidate in fitting {
            let Ok(found) = model.eval(candidate) else {
                continue;
            };
            if found == value {
                return candidate;
            }
            if let (Sort::INT, Value::Number(wanted), Value::Number(found)) = (sort, &value, &found)
            {
                let offset = wanted - found;
                let is_nearer = |(best, _): &(Rational, Term)| offset.abs() < best.abs();
                if near.as_ref().is_none_or(is_nearer) {
                    near = Some((offset, candidate));
                }
            }
        }
        match near {
            Some((offset, candidate)) if offset.abs() <= NEAR.into() => {
                t.add([candidate, t.number(offset, sort)])
            }
            _ => t.value_term(&value, sort),
        }
    }

    /// Names an index at which arrays differ, for each equation of arrays. Any formula is as
    /// satisfiable with these as without: the names are new.
    fn name_differences(&mut self, formulas: impl IntoIterator<Item = Term>) -> Vec<Fact> {
        let t = self.t;
        let mut differences = Vec::new();
        for part in t.post_order(formulas) {
            let (Op::Eq, &[a, b]) = (t.op(part), t.args(part)) else {
                continue;
            };
            let Some((index, _)) = t.array_parts(t.sort_of(a)) else {
                continue;
            };
            let place = t.fresh_var("difference", index);
            self.free.push(place);
            let differ = t.not(t.eq(t.select(a, place), t.select(b, place)));
            differences.push(Fact {
                formula: t.or([part, differ]),
                origin: Origin::Difference(place, [a, b]),
            });
        }
        differences
    }

    /// Adds the indices at which formulas without quantifiers read and write arrays.
    fn add_indices(&mut self, formulas: impl IntoIterator<Item = Term>) {
        for part in self.t.post_order(formulas) {
            if let (Op::Select | Op::Store, &[_, index, ..]) = (self.t.op(part), self.t.args(part))
            {
                self.add(index);
            }
        }
    }

    fn add(&mut self, candidate: Term) {
        if self.candidates.len() < CANDIDATES && self.known.insert(candidate) {
            self.candidates.push(candidate);
        }
    }
}

/// What facts say.
fn formulas(facts: &[Fact]) -> Vec<Term> {
    facts.iter().map(|fact| fact.formula).collect()
}

/// Facts by which premises and a denied conclusion are contradictory, as the check of a model finds
/// them: instances of the quantified premises `general`, names for indices at which arrays differ,
/// and definitions of functions. They are those of an unsatisfiable core. `None` if none were
/// found. Neither the other formulas nor the premises under their quantifiers have quantifiers.
pub fn contradictory_instances(
    t: &Terms,
    general: &[Term],
    plain: &[Term],
    denied: Term,
    solvers: &mut SolverFactory<'_>,
) -> Option<Vec<Fact>> {
    let about = format_args!("a clause fails in the model, by instances");
    let assert_query = |solver: &mut dyn Solver| {
        (plain.iter()).for_each(|&premise| solver.assert(premise));
        solver.assert(denied);
    };
    let mut facts: Vec<Fact> = Vec::new();
    let mut solver = solvers();
    assert_query(&mut *solver);
    let mut ask = |added: &[Fact], solver: &mut dyn Solver| {
        let ground = [&formulas(added), plain, &[denied]].concat();
        let unfolded = unfoldings(t, &ground);
        let added = added.iter().cloned().chain(unfolded);
        let new = facts.len();
        facts.extend(added);
        (facts[new..].iter()).for_each(|fact| solver.assert(fact.formula));
        solver.check(about, &[])
    };
    let mut instances = Instances::new(t, general, plain, denied);
    let Decided::Contradiction = instances.decide(&mut *solver, solvers, &mut ask) else {
        return None;
    };
    let mut solver = solvers();
    assert_query(&mut *solver);
    let SatResult::Unsat = solver.check(about, &formulas(&facts)) else {
        return None;
    };
    let core = solver.core().ok()?;
    let used = |fact: &Fact| core.contains(&fact.formula);
    let used_terms = facts
        .iter()
        .filter(|fact| used(fact))
        .map(|fact| fact.formula);
    let vars = t.vars(used_terms);
    let is_named =
        |fact: &Fact| matches!(fact.origin, Origin::Difference(index, _) if vars.contains(&index));
    facts.retain(|fact| used(fact) || is_named(fact));
    Some(facts)
}

/// Candidates of the right sorts for the bound variables, in all combinations.
fn tuples(t: &Terms, bound: &[Term], candidates: &[Term]) -> Vec<Vec<Term>> {
    let mut tuples: Vec<Vec<Term>> = vec![Vec::new()];
    for &var in bound {
        let fitting = |term: &&Term| t.sort_of(**term) == t.sort_of(var);
        let fitting: Vec<Term> = candidates.iter().filter(fitting).copied().collect();
        let longer = tuples.iter().flat_map(|tuple| {
            let longer = |&term| [&tuple[..], &[term]].concat();
            fitting.iter().map(longer)
        });
        tuples = longer.take(MOST).collect();
    }
    tuples
}

/// Terms at which a premise can change its truth value: for an atom `x + e ≤ 0` of its matrix, with
/// or without a sign before `x`, the terms `-e - 1`, `-e` and `-e + 1`; where it reads an array at
/// `x + e`, the term `i - e` for each candidate `i`. `x` is bound and no variable of `e` is.
fn bounds(t: &Terms, premise: &Premise, candidates: &[Term]) -> Vec<Term> {
    let bound: TermSet = premise.bound.iter().copied().collect();
    let is_ground = |term: Term| !t.any_subterm(term, |part| bound.contains(&part));
    // The sum that makes `of` equal to zero when the one bound variable of it is replaced by it.
    let solved = |mut of: LinearSum| -> Option<LinearSum> {
        let var = premise.bound.iter().find(|&&var| {
            t.sort_of(var) == Sort::INT && of.coefficient(var).abs() == Rational::one()
        })?;
        let sign = of.remove(*var);
        of.scale(&-sign);
        let is_integral = |(x, c): &(Term, Rational)| c.is_integer() && t.sort_of(*x) == Sort::INT;
        let fits = of.terms.iter().all(|x| is_integral(x) && is_ground(x.0));
        (fits && of.constant.is_integer()).then_some(of)
    };
    let mut found = Vec::new();
    for part in t.post_order([premise.matrix]) {
        match (t.op(part), t.args(part)) {
            (Op::Le | Op::Lt | Op::Eq, &[x, y]) if t.sort_of(x) == Sort::INT => {
                let mut sum = t.linear_sum(x);
                sum.add_scaled(&Rational::from(-1), &t.linear_sum(y));
                if let Some(edge) = solved(sum) {
                    let edge = t.sum_term(&edge, Sort::INT);
                    found.extend([0, -1, 1].map(|offset| t.add([edge, t.int(offset)])));
                }
            }
            (Op::Select, &[_, index]) if t.sort_of(index) == Sort::INT => {
                let sum = t.linear_sum(index);
                if premise.bound.contains(&index) {
                    continue;
                }
                for &candidate in candidates.iter().filter(|&&c| t.sort_of(c) == Sort::INT) {
                    let mut sum = sum.clone();
                    sum.add_scaled(&Rational::from(-1), &t.linear_sum(candidate));
                    found.extend(solved(sum).map(|place| t.sum_term(&place, Sort::INT)));
                }
            }
            (Op::Eq, &[x, y]) => {
                found.extend([(x, y), (y, x)].into_iter().filter_map(|(var, term)| {
                    (bound.contains(&var) && is_ground(term)).then_some(term)
                }));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn premises_have_bounds() {
        let t = &Terms::new();
        let [k, n, c] = ["k", "n", "c"].map(|name| t.var(name, Sort::INT));
        let [r, s] = ["r", "s"].map(|name| t.var(name, Sort::REAL));
        let ints = t.var("a", t.array_sort(Sort::INT, Sort::INT));
        let reals = t.var("b", t.array_sort(Sort::REAL, Sort::INT));
        let found = |bound: &[Term], matrix: Term, candidates: &[Term]| {
            let bound = bound.to_vec();
            let premise = Premise { bound, matrix };
            let mut found = bounds(t, &premise, candidates);
            found.sort_unstable();
            found.dedup();
            found
        };
        let sorted = |mut terms: Vec<Term>| {
            terms.sort_unstable();
            terms
        };
        let next = |x: Term, by: i64| t.add([x, t.int(by)]);
        // An inequality: its edge and both sides of it.
        let edges = sorted(vec![next(n, -1), n, next(n, 1)]);
        assert_eq!(found(&[k], t.lt(k, n), &[]), edges);
        assert_eq!(found(&[k], t.le(n, k), &[]), edges);
        // Nothing is known where no bound variable has the coefficient 1, or where two have it.
        let twice = t.scale(Rational::from(2), k);
        assert_eq!(found(&[k], t.lt(twice, n), &[]), []);
        assert_eq!(found(&[k, n], t.lt(k, n), &[]), []);
        assert_eq!(found(&[k], t.lt(n, c), &[]), []);
        // The place at which an array is read at a candidate.
        let read = t.eq(t.select(ints, next(k, 1)), t.select(ints, c));
        assert_eq!(found(&[k], read, &[c]), sorted(vec![next(c, -1)]));
        // Reals have no neighbours.
        let read = t.select(reals, t.add([r, s]));
        assert_eq!(found(&[r], t.eq(read, t.select(reals, s)), &[s]), []);
        // An equation of other terms gives the value itself.
        let (p, q) = (t.var("p", Sort::REAL), t.var("q", Sort::REAL));
        assert_eq!(found(&[p], t.eq(p, q), &[]), [q]);
        assert_eq!(found(&[p, q], t.eq(p, q), &[]), []);
        assert_eq!(found(&[r], t.eq(p, q), &[]), []);
    }

    /// `∀ k. 0 ≤ a[k]`, next to premises that read `a` at `i` and `j` and write it at `i`.
    fn natural(t: &Terms) -> (Instances<'_>, Term, [Term; 2]) {
        let array = t.var("a", t.array_sort(Sort::INT, Sort::INT));
        let [i, j, k] = ["i", "j", "k"].map(|name| t.var(name, Sort::INT));
        let general = t.forall(&[k], t.le(t.int(0), t.select(array, k)));
        let stored = t.store(array, i, t.int(3));
        let plain = [
            t.eq(stored, t.var("b", t.sort_of(array))),
            t.lt(t.select(array, i), t.select(array, j)),
        ];
        let made = Instances::new(t, &[general], &plain, Term::TRUE);
        (made, array, [i, j])
    }

    #[test]
    fn contradictory_instances_are_found() {
        use crate::smt::native::{NativeOptions, NativeSolver};
        let t = &Terms::new();
        let [a, b] = ["a", "b"].map(|name| t.var(name, t.array_sort(Sort::INT, Sort::INT)));
        let [i, k] = ["i", "k"].map(|name| t.var(name, Sort::INT));
        let mut solvers =
            || -> Box<dyn Solver> { Box::new(NativeSolver::new(t, &NativeOptions::default())) };
        let mut found = |premise: Term, denied: Term| {
            let general = [t.forall(&[k], premise)];
            let facts =
                contradictory_instances(t, &general, &[t.le(i, t.int(3))], denied, &mut solvers);
            Some(
                facts?
                    .into_iter()
                    .map(|fact| fact.origin)
                    .collect::<Vec<_>>(),
            )
        };
        let same = t.eq(t.select(a, k), t.select(b, k));
        let at_i = t.not(t.eq(t.select(a, i), t.select(b, i)));
        assert_eq!(found(same, at_i), Some(vec![Origin::Premise(0, vec![i])]));
        // The index at which they differ has a name, before it is used.
        let facts = found(same, t.not(t.eq(a, b))).expect("they are equal");
        let [
            Origin::Difference(index, arrays),
            Origin::Premise(0, values),
        ] = &facts[..]
        else {
            panic!("other facts: {facts:?}");
        };
        assert_eq!((arrays, &values[..]), (&[a, b], &[*index][..]));
        let other = t.not(t.eq(t.select(a, i), t.int(0)));
        assert_eq!(found(same, other), None);
    }

    #[test]
    fn indices_are_candidates() {
        let t = Terms::new();
        let (mut made, array, [i, j]) = natural(&t);
        assert!(!made.is_recursive());
        let instances = made.at_indices();
        for index in [i, j] {
            let instance = t.le(t.int(0), t.select(array, index));
            assert!(formulas(&instances).contains(&instance));
        }
        // Beside its index, a store changes nothing.
        for offset in [-1, 1] {
            assert!(made.candidates.contains(&t.add([i, t.int(offset)])));
        }
        // Each is a candidate once, and there are not too many.
        let count = made.candidates.len();
        made.add(i);
        assert_eq!(made.candidates.len(), count);
        (0..=500).for_each(|number| made.add(t.int(number)));
        assert_eq!(made.candidates.len(), CANDIDATES);
    }

    #[test]
    fn values_are_named_by_the_nearest_candidate() {
        let t = Terms::new();
        let (made, _, [i, j]) = natural(&t);
        let var = t.var("k", Sort::INT);
        let named = |at_j: i64, value: i64| {
            let values = [(i, Value::from(0)), (j, Value::from(at_j))];
            let mut model = Evaluator::with(&t, Unspecified::Refuse, values);
            made.named(&mut model, var, Value::from(value))
        };
        assert_eq!(named(100, 0), i);
        assert_eq!(named(100, 100), j);
        assert_eq!(named(100, 3), t.add([i, t.int(3)]));
        assert_eq!(named(100, 99), t.add([j, t.int(-1)]));
        assert_eq!(named(4, 3), t.add([j, t.int(-1)]));
        assert_eq!(named(100, NEAR), t.add([i, t.int(NEAR)]));
        assert_eq!(named(100, NEAR + 1), t.int(NEAR + 1));
        // Of two that are as near, the first one.
        let first = made.candidates.iter().find(|&&c| c == i || c == j);
        let offset = if first == Some(&i) { 2 } else { -2 };
        let first = *first.expect("both are candidates");
        assert_eq!(named(4, 2), t.add([first, t.int(offset)]));
    }

    #[test]
    fn instances_that_a_model_violates() {
        let t = Terms::new();
        let (mut made, array, [i, j]) = natural(&t);
        let number = |n: i64| Value::Number(Rational::from(n));
        let negative = Value::const_array(&t, t.sort_of(array), number(-1));
        let violated = |made: &Instances<'_>, at_j: i64| {
            let values = [(array, negative.clone()), (i, number(0)), (j, number(at_j))];
            let mut model = Evaluator::with(&t, Unspecified::Refuse, values);
            made.violated_by(&mut model).len()
        };
        assert_eq!(violated(&made, 1), 2);
        // Indices of one value are one index.
        assert_eq!(violated(&made, 0), 1);
        // What was made is not made again.
        made.made.insert(t.le(t.int(0), t.select(array, i)));
        assert_eq!(violated(&made, 1), 1);
    }
}
