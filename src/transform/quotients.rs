//! Quotients in place of integers of which the remainder is known \[Gra89\].
//!
//! A pointer that goes over elements of four bytes is `p + 4 k`; a loop counts by twos from 0.
//! Where abstract interpretation finds this, as `x ≡ y + c (mod m)`, the argument `x` is replaced
//! by the quotient `k` of `x = m k + y + c`. Then no lemma has to speak of remainders. The
//! interpretation that comes back says the congruences as well.

use super::ground::ClauseSource;
use super::signature::params;
use super::{LiftError, ModelLift, Tools, Transformed};
use crate::absint::{Congruences, Domain, Precision, Space, Thresholds, fixpoint};
use crate::chc::{Atom, Clause, ClauseId, Interpretation, Model, PredId, System};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermSet, Terms};
use crate::work;
use std::sync::Arc;

/// The analysis costs at most this number of ticks, and a 30th of the remaining budget. The value
/// was not tuned.
const TICKS: u64 = work::milliseconds(1_000);
/// See [`TICKS`].
const PARTS: u64 = 30;

/// The remainder of an argument: `x ≡ ±y + residue (mod modulus)`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Remainder {
    /// The position of `x`.
    position: usize,
    /// The position of `y`, if there is one, and its sign.
    other: Option<(usize, Rational)>,
    /// At least 2.
    modulus: Rational,
    residue: Rational,
}

impl Remainder {
    /// The position of `y`.
    fn other(&self) -> Option<usize> {
        self.other.as_ref().map(|(at, _)| *at)
    }

    /// Does some clause change the argument, and does none change the other one?
    fn is_of_moving(&self, system: &System, pred: PredId) -> bool {
        let is_kept = |at: usize, atom: &Atom, head: &Atom| head.args.contains(&atom.args[at]);
        let mut moves = false;
        for clause in &system.clauses {
            let Some(head) = &clause.head else {
                continue;
            };
            for atom in clause.body.iter().filter(|atom| atom.pred == pred) {
                moves |= !is_kept(self.position, atom, head);
                if self
                    .other()
                    .is_some_and(|other| !is_kept(other, atom, head))
                {
                    return false;
                }
            }
        }
        moves
    }

    /// What is left of the argument if it is divided: `±y + residue`.
    fn rest(&self, t: &Terms, args: &[Term]) -> Term {
        let other = self.other.iter();
        let other = other.map(|(at, sign)| t.scale(sign.clone(), args[*at]));
        t.add(other.chain([t.number(self.residue.clone(), Sort::INT)]))
    }

    /// The argument that has this quotient.
    fn value(&self, t: &Terms, args: &[Term], quotient: Term) -> Term {
        let multiple = t.scale(self.modulus.clone(), quotient);
        t.add([multiple, self.rest(t, args)])
    }

    /// The multiple of the modulus that the argument is beside the rest.
    fn multiple(&self, t: &Terms, args: &[Term]) -> Term {
        let multiple = t.sub(args[self.position], self.rest(t, args));
        t.sum_term(&t.linear_sum(multiple), Sort::INT)
    }

    /// The quotient of the argument, if that is a term without division.
    fn quotient(&self, t: &Terms, args: &[Term]) -> Option<Term> {
        let mut sum = t.linear_sum(self.multiple(t, args));
        if !(sum.numbers()).all(|number| number.is_divisible_by(&self.modulus)) {
            return None;
        }
        sum.scale(&self.modulus.recip());
        Some(t.sum_term(&sum, Sort::INT))
    }
}

/// The system with quotients; `None` if no remainder is known.
pub(super) fn apply(tools: &Tools<'_>, system: &System) -> Option<Transformed> {
    if !has_steps(tools.terms, system) {
        return None;
    }
    let t = tools.terms;
    let known = known(tools, system)?;
    let remainders: Vec<Vec<Remainder>> = system
        .pred_ids()
        .zip(&known)
        .map(|(pred, known)| remainders(t, system, pred, known))
        .collect();
    if remainders.iter().all(Vec::is_empty) {
        return None;
    }
    let clauses = system.clauses();
    let divided = clauses.map(|(id, clause)| divide(t, id, clause, &remainders));
    let (clauses, sources): (Vec<Clause>, Vec<ClauseSource>) = divided.unzip();
    let new = System {
        preds: system.preds.clone(),
        clauses,
    };
    let models = Quotients { known, remainders };
    Some(Transformed::clause_wise(new, sources, models))
}

/// Does a clause pass on an integer increased or decreased by a number other than 1? Otherwise
/// remainders are not looked for.
fn has_steps(t: &Terms, system: &System) -> bool {
    system.clauses.iter().any(|clause| {
        let premises: TermSet = clause.body.iter().flat_map(|a| &a.args).copied().collect();
        let is_step = |&arg: &Term| {
            if t.sort_of(arg) != Sort::INT {
                return false;
            }
            let LinearSum { terms, constant } = t.linear_sum(arg);
            let is_passed_on = matches!(
                &terms[..], [(var, factor)] if premises.contains(var) && factor.is_one()
            );
            is_passed_on && constant.abs() > Rational::one()
        };
        let mut args = clause.head.iter().flat_map(|head| &head.args);
        args.any(is_step)
    })
}

/// What is known of a predicate.
struct Known {
    params: Vec<Term>,
    /// The congruences.
    literals: Vec<Term>,
}

/// The congruences of each predicate; `None` if the limit is reached.
fn known(tools: &Tools<'_>, system: &System) -> Option<Vec<Known>> {
    let t = tools.terms;
    let thresholds = Arc::new(Thresholds::of(t, system));
    let params: Vec<Vec<Term>> = (system.pred_ids())
        .map(|pred| params(t, system, pred))
        .collect();
    let space = |params: &Vec<Term>| Space::new(t, params.clone(), Precision::Bounds, &thresholds);
    let spaces: Vec<Space> = params.iter().map(space).collect();
    let limit = tools.limit.share(PARTS, TICKS);
    let found = fixpoint::<Congruences>(t, system, spaces.clone(), tools.backend, &limit);
    let found = found.inspect_err(|why| log::debug!("no remainders: {why}"));
    let found = params.into_iter().zip(spaces.iter().zip(found.ok()?));
    let of_pred = |(params, (space, found)): (Vec<Term>, (&Space, Congruences))| Known {
        params,
        literals: found.literals(t, space),
    };
    Some(found.map(of_pred).collect())
}

/// The remainders that congruences give, at most one for each argument. An argument that occurs in
/// a remainder of another one has none.
fn remainders(t: &Terms, system: &System, pred: PredId, known: &Known) -> Vec<Remainder> {
    let literals = known.literals.iter();
    let told = literals.flat_map(|&literal| told(t, &known.params, literal));
    let mut told: Vec<Remainder> = told.collect();
    told.retain(|remainder| remainder.is_of_moving(system, pred));
    // Remainders without another argument come first, and then large moduli.
    told.sort_by(|x, y| {
        let of_one = (x.other.is_some()).cmp(&y.other.is_some());
        of_one.then_with(|| y.modulus.cmp(&x.modulus))
    });
    without_conflicts(told)
}

/// The first of these remainders such that no argument is replaced twice, or replaced and used.
fn without_conflicts(known: Vec<Remainder>) -> Vec<Remainder> {
    let mut chosen: Vec<Remainder> = Vec::new();
    for remainder in known {
        let is_beside = |chosen: &Remainder| {
            chosen.position != remainder.position
                && chosen.other() != Some(remainder.position)
                && remainder.other() != Some(chosen.position)
        };
        if chosen.iter().all(is_beside) {
            chosen.push(remainder);
        }
    }
    chosen
}

/// The remainders of parameters that a literal says, if it has the form of [`Congruences`]:
/// `sum mod m = r`, with `m` at least 2.
fn told(t: &Terms, params: &[Term], literal: Term) -> Vec<Remainder> {
    let (Op::Eq, &[x, y]) = (t.op(literal), t.args(literal)) else {
        return Vec::new();
    };
    let (Op::Mod, &[sum, modulus]) = (t.op(x), t.args(x)) else {
        return Vec::new();
    };
    let (Some(modulus), Some(residue)) = (t.as_number(modulus), t.as_number(y)) else {
        return Vec::new();
    };
    let sum = t.linear_sum(sum);
    let minus_one = modulus - &Rational::one();
    // Factors are known up to multiples of the modulus.
    let sign = |factor: &Rational| match factor.mod_euclid(modulus) {
        factor if factor.is_one() => Some(Rational::one()),
        factor if factor == minus_one => Some(Rational::from(-1)),
        _ => None,
    };
    let places = sum.terms.iter().map(|(term, factor)| {
        let position = params.iter().position(|param| param == term)?;
        Some((position, sign(factor)?))
    });
    let Some(places) = places.collect::<Option<Vec<(usize, Rational)>>>() else {
        return Vec::new();
    };
    // s x + s' y + c ≡ r makes x ≡ -s s' y + s (r - c), as s is 1 or -1.
    let of = |(position, sign): &(usize, Rational), other: Option<&(usize, Rational)>| {
        let residue = sign * &(residue - &sum.constant);
        Remainder {
            position: *position,
            other: other.map(|(position, other)| (*position, -&(sign * other))),
            modulus: modulus.clone(),
            residue: residue.mod_euclid(modulus),
        }
    };
    match &places[..] {
        [x] => vec![of(x, None)],
        [x, y] => vec![of(x, Some(y)), of(y, Some(x))],
        _ => Vec::new(),
    }
}

/// The clause about quotients, with the variables that they replace.
fn divide(
    t: &Terms,
    id: ClauseId,
    clause: &Clause,
    remainders: &[Vec<Remainder>],
) -> (Clause, ClauseSource) {
    let mut new = clause.clone();
    let mut said = Vec::new();
    let mut definitions: Vec<(Term, Term)> = Vec::new();
    let mut used = TermSet::default();
    for (old, atom) in clause.body.iter().zip(&mut new.body) {
        for remainder in &remainders[atom.pred.index()] {
            let arg = old.args[remainder.position];
            let quotient = t.fresh_var("quotient", Sort::INT);
            let value = remainder.value(t, &old.args, quotient);
            atom.args[remainder.position] = quotient;
            let vars = t.vars([value]);
            let is_defined = definitions
                .iter()
                .any(|(var, _)| *var == arg || vars.contains(var));
            used.extend(vars);
            match t.is_var(arg) && !is_defined && !used.contains(&arg) {
                true => definitions.push((arg, value)),
                false => said.push(t.eq(arg, value)),
            }
        }
    }
    if let (Some(old), Some(head)) = (&clause.head, &mut new.head) {
        let substitute = |&arg: &Term| t.substitute(arg, definitions.iter().copied());
        let args: Vec<Term> = old.args.iter().map(substitute).collect();
        for remainder in &remainders[head.pred.index()] {
            let quotient = remainder.quotient(t, &args).unwrap_or_else(|| {
                let quotient = t.fresh_var("quotient", Sort::INT);
                let value = remainder.value(t, &args, quotient);
                said.push(t.eq(args[remainder.position], value));
                quotient
            });
            head.args[remainder.position] = quotient;
        }
    }
    new.constraint = t.and([new.constraint].into_iter().chain(said));
    let new = new.map_terms(|term| t.substitute(term, definitions.iter().copied()));
    let new = Clause {
        vars: new.occurring_vars(t),
        ..new
    };
    let source = ClauseSource {
        definitions,
        ..id.into()
    };
    (new, source)
}

struct Quotients {
    known: Vec<Known>,
    remainders: Vec<Vec<Remainder>>,
}

impl ModelLift for Quotients {
    /// `P(x)` says the congruences, and of the quotients what the new predicate says.
    fn model(&self, tools: &Tools<'_>, _: &System, model: Model) -> Result<Model, LiftError> {
        let t = tools.terms;
        let preds = self.known.iter().zip(&self.remainders);
        let lift = |((known, remainders), said): ((&Known, &Vec<Remainder>), &Interpretation)| {
            let params = known.params.clone();
            let mut args = params.clone();
            for remainder in remainders {
                let modulus = t.number(remainder.modulus.clone(), Sort::INT);
                args[remainder.position] = t.idiv(remainder.multiple(t, &params), modulus);
            }
            let said = said.at(t, &args);
            let body = t.and(known.literals.iter().copied().chain([said]));
            Interpretation { params, body }
        };
        let interpretations = preds.zip(&model.interpretations).map(lift).collect();
        Ok(Model { interpretations })
    }
}
