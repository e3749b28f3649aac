//! Applications of uninterpreted functions in interpolants with quantified numbers.
//!
//! `∃v. φ` with `f(v)` in `φ` has no equivalent without quantifiers in general. In the interpolants
//! of the core's proofs, what is said of `f(v)` is needed only where bounds determine `v`: in a
//! model where `v` is what a term `s` is, `φ[v := s]` holds, too.
//!
//! Applications without quantified variables are constants for what eliminates the variables.

use crate::logic::Valuation;
use crate::logic::literal::LinearLiteral;
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, TermSet, Terms, Value};
use crate::work;

/// Is a function applied at the head of the term?
pub(super) fn is_application(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Apply(_)) && !t.args(term).is_empty()
}

/// Is this a selector of a datatype's field? Of another constructor its value is open.
pub(super) fn is_field(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Field(_))
}

/// A formula that implies this one, without literals in which a function is applied to a quantified
/// variable. Connectives other than conjunction, disjunction and negation count as literals.
pub(super) fn without_applications(t: &Terms, formula: Term, quantified: &TermSet) -> Term {
    // By term: has it a quantified variable, and is a function applied to one?
    let mut marks: TermMap<(bool, bool)> = TermMap::default();
    // By formula: what implies it, and what implies its negation.
    let mut implying: TermMap<[Term; 2]> = TermMap::default();
    for x in t.post_order([formula]) {
        work::spend_on(1 + t.args(x).len());
        let args = t.args(x).iter().map(|arg| marks[arg]);
        let (has, applies) = args.fold((quantified.contains(&x), false), |(a, b), (c, d)| {
            (a || c, b || d)
        });
        let applies = applies || has && is_application(t, x);
        marks.insert(x, (has, applies));
        if t.sort_of(x) != Sort::BOOL {
            continue;
        }
        let of_args = |side: usize| t.args(x).iter().map(move |arg| (arg, side));
        let all = |side| t.and(of_args(side).map(|(arg, side)| implying[arg][side]));
        let some = |side| t.or(of_args(side).map(|(arg, side)| implying[arg][side]));
        let both = match t.op(x) {
            Op::And => [all(0), some(1)],
            Op::Or => [some(0), all(1)],
            Op::Not => {
                let [positive, negative] = implying[&t.args(x)[0]];
                [negative, positive]
            }
            _ if applies => [Term::FALSE; 2],
            _ => [x, t.not(x)],
        };
        implying.insert(x, both);
    }
    implying[&formula][0]
}

/// A formula with names for its applications, in a model.
///
/// Invariant: the formula holds in the model, and with the applications for their names it implies
/// the one at the start for some values of the variables that are quantified no more.
pub(super) struct Named<'t> {
    t: &'t Terms,
    pub(super) formula: Term,
    /// The model, of variables and names.
    pub(super) valuation: Valuation<'t>,
    /// Names, and the applications without names.
    names: Vec<(Term, Term)>,
    pub(super) quantified: TermSet,
}

impl<'t> Named<'t> {
    /// The formula in the model with these values of its variables, its applications, and its
    /// fields. A field that has another value than evaluation gives it is one of another
    /// constructor, and counts as an application.
    pub(super) fn new(
        t: &'t Terms,
        formula: Term,
        quantified: &TermSet,
        values: impl IntoIterator<Item = (Term, Value)>,
    ) -> Self {
        let (vars, applications): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|&(x, _)| t.is_var(x));
        let mut valuation = Valuation::new(t, vars);
        let mut names = Vec::new();
        let mut values: TermMap<Value> = applications.into_iter().collect();
        let mut done: TermMap<Term> = TermMap::default();
        for term in t.post_order([formula]) {
            work::spend(1);
            let args: Vec<Term> = t.args(term).iter().map(|x| done[x]).collect();
            let same = match args == t.args(term) {
                true => term,
                false => t.rebuild(term, &args),
            };
            let new = match values.remove(&term) {
                Some(value) if !is_field(t, term) || valuation.value(same) != value => {
                    let name = t.fresh_var("application", t.sort_of(term));
                    valuation.define(name, value);
                    names.push((name, term));
                    name
                }
                _ => same,
            };
            done.insert(term, new);
        }
        Named {
            t,
            formula: done[&formula],
            valuation,
            names,
            quantified: quantified.clone(),
        }
    }

    /// Puts terms in the place of variables, until no function is applied to a quantified one.
    ///
    /// # Errors
    /// There is no term that has the value of one of them.
    pub(super) fn determine(&mut self) -> Result<(), Failure> {
        while (self.names.iter()).any(|&(_, application)| self.has_quantified(application)) {
            let Some((var, term)) = self.determined() else {
                let why = "an interpolant applies a function to a number that no bounds determine";
                return Err(Failure::Incomplete(why.to_owned()));
            };
            self.quantified.remove(&var);
            self.formula = self.t.substitute(self.formula, [(var, term)]);
            let term = self.without_names(term);
            for (_, application) in &mut self.names {
                *application = self.t.substitute(*application, [(var, term)]);
            }
        }
        Ok(())
    }

    /// The formula with the applications for their names.
    pub(super) fn without_names(&self, formula: Term) -> Term {
        self.t.substitute(formula, self.names.iter().copied())
    }

    fn has_quantified(&self, term: Term) -> bool {
        self.t.any_subterm(term, |s| self.quantified.contains(&s))
    }

    /// A quantified variable, and a term without any that has its value, from one of the bounds.
    fn determined(&mut self) -> Option<(Term, Term)> {
        let t = self.t;
        let atoms: Vec<Term> = (t.post_order([self.formula]))
            .filter(|&f| t.sort_of(f) == Sort::BOOL && t.is_atom(f))
            .collect();
        // Names whose applications have quantified variables.
        let names = self.names.iter().filter(|n| self.has_quantified(n.1));
        let excluded: TermSet = names.map(|n| n.0).chain(self.quantified.clone()).collect();
        for atom in atoms {
            let Some(LinearLiteral { sum, sort, .. }) = LinearLiteral::of_term(t, atom) else {
                continue;
            };
            for (var, factor) in &sum.terms {
                if !self.quantified.contains(var) {
                    continue;
                }
                let mut rest = sum.clone();
                rest.remove(*var);
                rest.scale(&-factor.recip());
                let is_free = |x: Term| !t.any_subterm(x, |s| excluded.contains(&s));
                if !rest.terms.iter().all(|&(x, _)| is_free(x)) {
                    continue;
                }
                if let Some(term) = self.bound_with_value(*var, rest, sort) {
                    return Some((*var, term));
                }
            }
        }
        None
    }

    /// A term with the value of a variable that a bound, whose atom compares numbers of this sort,
    /// compares with this sum: the sum, or over integers one of the integers next to it.
    fn bound_with_value(&mut self, var: Term, mut sum: LinearSum, sort: Sort) -> Option<Term> {
        let t = self.t;
        let value = self.valuation.number(var);
        if t.sort_of(var) != Sort::INT {
            let term = t.sum_term(&sum, Sort::REAL);
            return (self.valuation.number(term) == value).then_some(term);
        }
        if sort != Sort::INT {
            return None;
        }
        let numbers = (sum.terms.iter().map(|(_, c)| c)).chain([&sum.constant]);
        let over = numbers.fold(Rational::one(), |over, c| {
            over.lcm(&Rational::from(c.denom()))
        });
        sum.scale(&over);
        let below = t.idiv(t.sum_term(&sum, Sort::INT), t.number(over, Sort::INT));
        // The greatest integer at or below a quotient, or at or above it, or strictly so.
        let terms = [0, 1, -1].map(|k| t.add([below, t.int(k)]));
        (terms.into_iter()).find(|&term| self.valuation.number(term) == value)
    }
}
