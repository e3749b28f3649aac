//! The precision π: for each predicate of the system the predicates that its states' abstractions
//! are made of, and the arguments whose values they know.
//!
//! An argument of sort Bool is known by two predicates: itself and its negation.

use super::PrecisionScope;
use super::configuration::AbstractionKind;
use crate::chc::{PredGraph, PredId, System};
use crate::engine::rules::RuleSystem;
use crate::refinement::has_values;
use crate::term::{Op, Sort, Term, Terms};

/// Predicates and arguments for the abstraction of the states of each predicate of the system.
pub(super) struct Precision<'a> {
    rules: &'a RuleSystem,
    /// By the index of the predicate, the oldest first. None occurs twice. Predicates are formulas,
    /// and arguments are parameters of other sorts.
    predicates: Vec<Vec<Term>>,
    /// The number of the scope of each predicate, by its index. Predicates of one scope share what
    /// their precisions learn.
    scopes: Vec<usize>,
}

impl<'a> Precision<'a> {
    /// Without predicates.
    pub(super) fn new(system: &System, rules: &'a RuleSystem, scope: PrecisionScope) -> Self {
        let scopes = match scope {
            PrecisionScope::Predicate => (0..system.preds.len()).collect(),
            PrecisionScope::Component => components(system),
            PrecisionScope::Global => vec![0; system.preds.len()],
        };
        Precision {
            rules,
            predicates: vec![Vec::new(); rules.params.len()],
            scopes,
        }
    }

    /// The predicates for the states of a predicate, the oldest first.
    pub(super) fn of(&self, pred: PredId) -> &[Term] {
        &self.predicates[pred.index()]
    }

    /// Adds a formula over a predicate's parameters; answers its place there. It joins the other
    /// precisions of the scope where parameters of the same positions have the same sorts.
    pub(super) fn add(&mut self, t: &Terms, pred: PredId, formula: Term) -> usize {
        let place = self.add_to(pred, formula);
        for other in 0..self.scopes.len() {
            if other != pred.index()
                && self.scopes[other] == self.scopes[pred.index()]
                && let Some(formula) = self.translate(t, pred.index(), other, formula)
            {
                let other = u32::try_from(other).expect("few predicates");
                self.add_to(PredId(other), formula);
            }
        }
        place
    }

    fn add_to(&mut self, pred: PredId, formula: Term) -> usize {
        let predicates = &mut self.predicates[pred.index()];
        let place = predicates.iter().position(|&p| p == formula);
        place.unwrap_or_else(|| {
            predicates.push(formula);
            predicates.len() - 1
        })
    }

    /// A formula about the parameters of one predicate, said of the parameters of another one.
    fn translate(&self, t: &Terms, from: usize, to: usize, formula: Term) -> Option<Term> {
        let (from, to) = (&self.rules.params[from], &self.rules.params[to]);
        let mut pairs = Vec::new();
        for x in t.vars([formula]) {
            let place = from.iter().position(|&param| param == x)?;
            let other = *to.get(place)?;
            if t.sort_of(other) != t.sort_of(x) {
                return None;
            }
            pairs.push((x, other));
        }
        Some(t.substitute(formula, pairs))
    }
}

/// What an assertion adds to a precision. The values of arguments that it is about, if it is about
/// values; its conjuncts, if it is about predicates; and if it may be about both, values where a
/// conjunct says one.
pub(super) fn learned(t: &Terms, kind: AbstractionKind, assertion: Term) -> Vec<Term> {
    let conjuncts = t.conjuncts(assertion).into_iter();
    let conjuncts = conjuncts.filter(|&conjunct| conjunct != Term::FALSE);
    match kind {
        AbstractionKind::Values => {
            let vars = t.vars([assertion]).into_iter();
            let vars = vars.filter(|&x| has_values(t, t.sort_of(x)));
            vars.flat_map(|x| argument(t, x)).collect()
        }
        AbstractionKind::ValuesCartesian => {
            let learned = |conjunct| match with_value(t, conjunct) {
                Some(x) => argument(t, x),
                None => vec![conjunct],
            };
            conjuncts.flat_map(learned).collect()
        }
        _ => conjuncts.collect(),
    }
}

/// The precision for the value of an argument.
fn argument(t: &Terms, x: Term) -> Vec<Term> {
    match t.sort_of(x) == Sort::BOOL {
        true => vec![x, t.not(x)],
        false => vec![x],
    }
}

/// The argument that a formula gives a value.
fn with_value(t: &Terms, formula: Term) -> Option<Term> {
    let is_value = |x: Term| matches!(t.op(x), Op::Number(_) | Op::BitVec(_));
    match (t.op(formula), t.args(formula)) {
        (Op::Var(_), _) => Some(formula),
        (Op::Not, &[x]) if t.is_var(x) => Some(x),
        (Op::Eq, &[x, value]) | (Op::Eq, &[value, x]) if t.is_var(x) && is_value(value) => Some(x),
        _ => None,
    }
}

/// A number for each predicate, the same for two that derive each other: in a program, roughly,
/// those of one outermost loop, or of functions that call each other.
fn components(system: &System) -> Vec<usize> {
    let graph = PredGraph::new(system);
    let order = graph.order();
    let mut numbers: Vec<usize> = (0..system.preds.len()).collect();
    for outermost in order.loops().iter().filter(|l| l.parent.is_none()) {
        for pred in &order.preds()[outermost.range.clone()] {
            numbers[pred.index()] = outermost.head.index();
        }
    }
    numbers
}
