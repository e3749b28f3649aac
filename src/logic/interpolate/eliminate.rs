//! Interpolants without quantifiers.
//!
//! `∃v. φ` is the disjunction of instances `φ[v := s]`, found model by model: in a model of `φ`
//! that no instance found so far holds in, the greatest lower bound of `v` among the inequalities
//! of `φ` that are true says which term `s` to take. `φ` holds with it, too: what is true and
//! bounds `v` from below holds at the greatest lower bound, what bounds it from above holds since
//! `v` went down. This is Loos and Weispfenning's virtual substitution, and Cooper's over integers,
//! guided by models as in \[KGC14\]; but for the whole formula instead of one of its cubes, and
//! with a quotient for the least integer above a bound, instead of one instance for each remainder.
//! Finitely many terms can be taken, so this ends.
//!
//! Uninterpreted functions: see `applications`.
//!
//! A quotient cannot have other quantified variables in it, which would have to be eliminated from
//! there. Where no bound of any variable allows an instance, the model's cube is projected instead
//! ([`project`]).

use super::applications::{Named, is_application, is_field, without_applications};
use crate::logic::literal::{LinearLiteral, Relation};
use crate::logic::project;
use crate::number::Rational;
use crate::smt::{Backend, Failure, Interpolant, Limit, SatResult};
use crate::term::{LinearSum, Sort, Term, TermSet, Terms};

/// More instances than this are given up. The value was not tuned.
const MOST_INSTANCES: usize = 1_000;

/// A formula without quantifiers that is equivalent to the interpolant.
///
/// # Errors
/// A solver fails, or the limit is reached, or more than 1000 instances would be needed, or a
/// function is applied to a quantified variable that no bounds determine.
pub(super) fn eliminate(
    t: &Terms,
    backend: &Backend,
    limit: &Limit,
    interpolant: Interpolant,
) -> Result<Term, Failure> {
    let Interpolant {
        formula,
        quantified,
    } = interpolant;
    if quantified.is_empty() {
        return Ok(formula);
    }
    let quantified: TermSet = quantified.into_iter().collect();
    let mut instances = Vec::new();
    // Where a part without applications to quantified variables says enough, it is taken: of these
    // variables only the values that bounds determine have instances.
    let part = without_applications(t, formula, &quantified);
    if part != formula {
        instantiate(t, backend, limit, (part, &quantified), &mut instances)?;
    }
    instantiate(t, backend, limit, (formula, &quantified), &mut instances)?;
    Ok(t.or(instances))
}

/// Adds instances of a formula until their disjunction follows from it.
fn instantiate(
    t: &Terms,
    backend: &Backend,
    limit: &Limit,
    (formula, quantified): (Term, &TermSet),
    instances: &mut Vec<Term>,
) -> Result<(), Failure> {
    let mut known: Vec<Term> = t.vars([formula]);
    known.extend(
        t.post_order([formula])
            .filter(|&x| is_application(t, x) || is_field(t, x)),
    );
    let mut solver = backend.solver(t, "interpolant without quantifiers");
    solver.set_purpose("eliminate quantifiers");
    solver.set_limit(limit.clone());
    solver.assert(formula);
    instances
        .iter()
        .for_each(|&found| solver.assert(t.not(found)));
    while instances.len() < MOST_INSTANCES {
        // φ ∧ ¬⋁ instances
        match solver.check(format_args!("a value without an instance"), &[]) {
            SatResult::Unsat => return Ok(()),
            SatResult::Unknown(failure) => return Err(failure),
            SatResult::Sat => {}
        }
        let values = solver.values(&known)?;
        let values = known.iter().copied().zip(values);
        let mut named = Named::new(t, formula, quantified, values);
        named.determine()?;
        // A division by zero has a value in the solver's model, and another here.
        if !named.valuation.holds(named.formula) {
            let why = "a model of an interpolant needs a value that is left open";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        let mut instance = Instance { t, named };
        let found = instance.run();
        if !instance.named.valuation.holds(found) {
            let why = "an interpolant has no instance where it holds";
            return Err(Failure::Incomplete(why.to_owned()));
        }
        let found = instance.named.without_names(found);
        solver.assert(t.not(found));
        instances.push(found);
    }
    let why = "an interpolant without quantifiers would be too large";
    Err(Failure::Incomplete(why.to_owned()))
}

/// An instance under way.
///
/// Invariant: the formula holds under the valuation, and implies the one at the start for some
/// values of the variables that are quantified no more.
struct Instance<'t> {
    t: &'t Terms,
    named: Named<'t>,
}

/// `factor·v` and the rest of a literal, which compares their sum to 0.
struct Bound {
    factor: Rational,
    rest: LinearSum,
    strict: bool,
    sort: Sort,
}

impl Instance<'_> {
    fn run(&mut self) -> Term {
        while let Some(var) = self.next() {
            self.named.quantified.remove(&var.0);
            self.named.formula = self.t.substitute(self.named.formula, [var]);
        }
        if self.named.quantified.is_empty() {
            return self.named.formula;
        }
        let rest = self.named.quantified.iter().copied();
        let cube = project(
            self.t,
            &mut self.named.valuation,
            rest,
            [self.named.formula],
        );
        self.t.and(cube)
    }

    /// A variable that can be eliminated now, and the term to be put in its place.
    fn next(&mut self) -> Option<(Term, Term)> {
        let mut vars: Vec<Term> = self.named.quantified.iter().copied().collect();
        vars.sort_unstable();
        vars.into_iter()
            .find_map(|var| Some((var, self.term_for(var)?)))
    }

    /// A term for a variable under which the formula keeps its value; `None` if that would put
    /// other variables into quotients.
    fn term_for(&mut self, var: Term) -> Option<Term> {
        let t = self.t;
        let bounds = self.bounds_of(var)?;
        let (lower, upper): (Vec<Bound>, Vec<Bound>) =
            bounds.into_iter().partition(|b| b.factor.is_negative());
        let is_int = t.sort_of(var) == Sort::INT;
        let greatest = self.strictest(&lower);
        let least = self.strictest(&upper);
        match (greatest, least) {
            (None, None) => Some(t.number(Rational::zero(), t.sort_of(var))),
            (Some(bound), _) if is_int => self.integer(&lower[bound]),
            (None, Some(bound)) if is_int => self.integer(&upper[bound]),
            (Some(l), Some(u)) => {
                let (l, u) = (self.quotient(&lower[l]), self.quotient(&upper[u]));
                let half = Rational::new(1, 2);
                Some(t.add([t.scale(half.clone(), l), t.scale(half, u)]))
            }
            (Some(l), None) => Some(t.add([self.quotient(&lower[l]), t.real(Rational::one())])),
            (None, Some(u)) => Some(t.sub(self.quotient(&upper[u]), t.real(Rational::one()))),
        }
    }

    /// The inequalities that are true and bound a variable; `None` if it occurs otherwise.
    fn bounds_of(&mut self, var: Term) -> Option<Vec<Bound>> {
        let t = self.t;
        let mut bounds = Vec::new();
        let atoms: Vec<Term> = (t.post_order([self.named.formula]))
            .filter(|&f| t.sort_of(f) == Sort::BOOL && t.is_atom(f))
            .filter(|&f| t.any_subterm(f, |x| x == var))
            .collect();
        for atom in atoms {
            let LinearLiteral {
                mut sum,
                relation,
                sort,
            } = LinearLiteral::of_term(t, atom)?;
            let factor = sum.remove(var);
            let inside = |&(x, _): &(Term, Rational)| t.any_subterm(x, |s| s == var);
            if sum.terms.iter().any(inside) {
                return None;
            }
            if factor.is_zero() {
                // It says the same for all values of the variable.
                continue;
            }
            let strict = match relation {
                Relation::Le => false,
                Relation::Lt => true,
                // Equations may also be negated or in conditions.
                _ => return None,
            };
            if !self.named.valuation.holds(atom) {
                continue;
            }
            bounds.push(Bound {
                factor,
                rest: sum,
                strict,
                sort,
            });
        }
        Some(bounds)
    }

    /// The bound with the greatest value where the factors are negative, that with the least where
    /// they are positive; a strict one among several.
    fn strictest(&mut self, bounds: &[Bound]) -> Option<usize> {
        let mut best: Option<(usize, Rational, bool)> = None;
        for (i, bound) in bounds.iter().enumerate() {
            let term = self.t.sum_term(&bound.rest, bound.sort);
            let value = -(&self.named.valuation.number(term) / &bound.factor);
            let better = match &best {
                None => true,
                Some((_, other, strict)) if value == *other => bound.strict && !strict,
                Some((_, other, _)) => (value > *other) == bound.factor.is_negative(),
            };
            if better {
                best = Some((i, value, bound.strict));
            }
        }
        best.map(|(i, _, _)| i)
    }

    /// `-rest / factor`, of sort `Real`.
    fn quotient(&self, bound: &Bound) -> Term {
        let mut sum = bound.rest.clone();
        sum.scale(&-bound.factor.recip());
        self.t.sum_term(&sum, Sort::REAL)
    }

    /// The least integer that a lower bound allows, or the greatest that an upper one does.
    fn integer(&self, bound: &Bound) -> Option<Term> {
        let t = self.t;
        // factor·v + rest ≤ 0: over |factor|, ±v ≤ -rest / |factor|.
        let (mut sum, over) = (bound.rest.clone(), bound.factor.abs());
        sum.scale(&Rational::from(-1));
        let is_integral = sum.terms.iter().all(|&(x, _)| t.sort_of(x) == Sort::INT);
        let greatest = if is_integral && bound.sort == Sort::INT && !bound.strict {
            // Multiplied by this, all numbers are integers.
            let coefficients = sum.terms.iter().map(|(_, a)| a);
            let all = coefficients.chain([&sum.constant, &over]);
            let scale = all.fold(Rational::one(), |scale, a| {
                scale.lcm(&Rational::from(a.denom()))
            });
            sum.scale(&scale);
            let over = &over * &scale;
            let dividend = t.sum_term(&sum, Sort::INT);
            match over.is_one() {
                true => dividend,
                false => {
                    self.is_free(&sum)?;
                    t.idiv(dividend, t.number(over, Sort::INT))
                }
            }
        } else {
            self.is_free(&sum)?;
            sum.scale(&over.recip());
            match bound.strict {
                false => t.to_int(t.sum_term(&sum, Sort::REAL)),
                // The greatest integer below s is -⌊-s⌋ - 1.
                true => {
                    sum.scale(&Rational::from(-1));
                    let above = t.to_int(t.sum_term(&sum, Sort::REAL));
                    t.sub(t.neg(above), t.int(1))
                }
            }
        };
        Some(match bound.factor.is_negative() {
            true => t.neg(greatest),
            false => greatest,
        })
    }

    /// `None` if a quantified variable occurs.
    fn is_free(&self, sum: &LinearSum) -> Option<()> {
        let t = self.t;
        let is_quantified =
            |&(x, _): &(Term, Rational)| t.any_subterm(x, |s| self.named.quantified.contains(&s));
        (!sum.terms.iter().any(is_quantified)).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::native::NativeOptions;
    use crate::smtlib::{Source, read_system};

    #[test]
    fn a_quantified_number_that_cancels_bounds_nothing() {
        let t = Terms::new();
        let [x, y, q] = ["x", "y", "q"].map(|name| t.fresh_var(name, Sort::INT));
        let zero = t.int(0);
        let formula = t.and([t.le(t.add([q, t.neg(q)]), zero), t.le(y, q), t.le(q, x)]);
        let backend = Backend::native(NativeOptions::for_engines());
        let limit = Limit::none();
        let interpolant = Interpolant {
            formula,
            quantified: vec![q],
        };
        let found = eliminate(&t, &backend, &limit, interpolant).expect("it has instances");
        assert!(!t.any_subterm(found, |s| s == q));
        // found ⇔ y ≤ x
        let mut solver = backend.solver(&t, "test");
        let same = t.eq(found, t.le(y, x));
        let outcome = solver.check(format_args!("they differ"), &[t.not(same)]);
        assert_eq!(outcome, SatResult::Unsat);
    }

    #[test]
    fn a_selector_of_another_constructor_counts_as_a_function() {
        let t = Terms::new();
        let text = "
            (declare-datatypes ((L 0)) (((nil) (cons (head Int) (tail L)))))
            (declare-fun p (Int Int L L) Bool)
            (assert (forall ((q Int) (x Int) (xs L) (ys L))
                (=> (and (= xs nil) (= ys (tail xs)) (= x (* 2 q))) (p q x xs ys))))";
        let system = read_system(&t, &Source::from_text("text", text)).expect("it is Horn");
        let clause = &system.clauses[0];
        let arguments = &clause.head.as_ref().expect("a head").args;
        let (q, x) = (arguments[0], arguments[1]);
        let backend = Backend::native(NativeOptions::for_engines());
        let interpolant = Interpolant {
            formula: clause.constraint,
            quantified: vec![q],
        };
        let found = eliminate(&t, &backend, &Limit::none(), interpolant).expect("it is found");
        assert!(!t.vars([found]).contains(&q), "{}", t.display(found));
        // It follows, and says that x is even.
        for contradiction in [
            [clause.constraint, t.not(found)],
            [found, t.eq(x, t.int(3))],
        ] {
            let mut solver = backend.solver(&t, "test");
            contradiction.iter().for_each(|&f| solver.assert(f));
            let outcome = solver.check(format_args!("a contradiction"), &[]);
            assert_eq!(outcome, SatResult::Unsat, "{}", t.display(found));
        }
    }
}
