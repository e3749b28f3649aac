//! What predicates mean: functions, relations, or nothing that is known.

use super::super::cases::Opened;
use crate::chc::{Atom, Interpretation, Model, PredId, System};
use crate::term::{Sort, Term, Terms};

/// The meaning of a predicate.
#[derive(Clone, Debug)]
pub(super) struct Meaning {
    /// Variables for the arguments.
    pub(super) params: Vec<Term>,
    /// What is said of them.
    pub(super) said: Said,
}

/// What is said of the arguments of a predicate.
#[derive(Clone, Debug)]
pub(super) enum Said {
    /// The argument at this place has the value of a term over the others.
    Value(usize, Term),
    /// A formula holds.
    Formula(Term),
}

impl Meaning {
    /// The predicate holds of everything.
    pub(super) fn unknown(t: &Terms, sorts: &[Sort]) -> Meaning {
        Meaning::of(t, sorts, |_| Said::Formula(Term::TRUE))
    }

    /// What a function makes of new parameters.
    pub(super) fn of(t: &Terms, sorts: &[Sort], said: impl FnOnce(&[Term]) -> Said) -> Meaning {
        let params = sorts.iter().map(|&sort| t.fresh_var("x", sort));
        let params: Vec<Term> = params.collect();
        let said = said(&params);
        Meaning { params, said }
    }

    /// Is something said?
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.said, Said::Formula(Term::TRUE))
    }

    /// The place of the argument that depends on the others.
    pub(super) fn output(&self) -> Option<usize> {
        match self.said {
            Said::Value(place, _) => Some(place),
            Said::Formula(_) => None,
        }
    }

    /// The term for the output, or the formula, with these arguments for the parameters. The one at
    /// the output is not used.
    pub(super) fn at(&self, t: &Terms, args: &[Term]) -> Term {
        let (Said::Value(_, body) | Said::Formula(body)) = self.said;
        t.substitute(body, self.params.iter().copied().zip(args.iter().copied()))
    }

    /// The formula that says it all, about these arguments.
    pub(super) fn formula(&self, t: &Terms, args: &[Term]) -> Term {
        match self.output() {
            Some(place) => t.eq(args[place], self.at(t, args)),
            None => self.at(t, args),
        }
    }

    /// The interpretation of the predicate, with lemmas.
    fn interpretation(&self, t: &Terms, lemmas: &[Term]) -> Interpretation {
        let own = self.formula(t, &self.params);
        Interpretation {
            params: self.params.clone(),
            body: t.and([own].into_iter().chain(lemmas.iter().copied())),
        }
    }
}

/// The model of these meanings. The lemmas are conjuncts of the last predicate that has a value.
pub(super) fn model(t: &Terms, meanings: &[Meaning], lemmas: &[Term]) -> Model {
    let last = meanings.iter().rposition(Meaning::is_known);
    let interpretations = meanings.iter().enumerate().map(|(at, meaning)| {
        let lemmas = if Some(at) == last { lemmas } else { &[] };
        meaning.interpretation(t, lemmas)
    });
    Model {
        interpretations: interpretations.collect(),
    }
}

/// What the premises of a case say, and its conclusion.
pub(super) fn question(t: &Terms, case: &Opened, meanings: &[Meaning]) -> (Vec<Term>, Term) {
    let formula = |atom: &Atom| meanings[atom.pred.index()].formula(t, &atom.args);
    let premises = case.body.iter().map(formula);
    let premises = premises.chain(case.conjuncts.iter().copied());
    let premises = premises.flat_map(|premise| t.conjuncts(premise));
    let conclusion = case.head.as_ref().map_or(Term::FALSE, formula);
    (premises.collect(), conclusion)
}

/// The sorts of a predicate's arguments.
pub(super) fn sorts<'t>(t: &'t Terms, system: &System, pred: PredId) -> &'t [Sort] {
    &t.func(system.pred(pred).func).params
}
