//! Abstraction formulas ψ: formulas, or binary decision diagrams \[Bry86\] over predicates.
//!
//! The variable number `i` of a diagram stands for the predicate number `i` of the precision of the
//! state's predicate. Predicates only join a precision, so diagrams of different ages can be
//! compared.

use crate::term::{Term, Terms};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable, BddVariableSet};
use rustc_hash::FxHashMap;

/// A precision has at most this number of predicates in a diagram. Others do not take part in
/// boolean abstraction. The value was not tuned.
const MOST_VARIABLES: u16 = 4096;

/// An abstraction formula.
#[derive(Clone, Debug)]
pub(super) struct AbstractionFormula {
    /// The formula, over the parameters of the state's predicate.
    pub(super) formula: Term,
    /// The diagram that the formula was made of, if it was.
    diagram: Option<Bdd>,
}

impl AbstractionFormula {
    /// A formula without a diagram.
    pub(super) fn of_formula(formula: Term) -> Self {
        AbstractionFormula {
            formula,
            diagram: None,
        }
    }

    /// Is this known to imply the other by the diagrams of both? `None` if one has no diagram.
    pub(super) fn entails(&self, other: &AbstractionFormula) -> Option<bool> {
        let (this, other) = (self.diagram.as_ref()?, other.diagram.as_ref()?);
        Some(this.and_not(other).is_false())
    }

    /// Becomes stronger by a formula. It has no diagram from now on.
    pub(super) fn strengthen(&mut self, t: &Terms, formula: Term) {
        *self = AbstractionFormula::of_formula(t.and([self.formula, formula]));
    }
}

/// Makes diagrams.
pub(super) struct Diagrams {
    variables: BddVariableSet,
    numbers: Vec<BddVariable>,
}

impl Diagrams {
    pub(super) fn new() -> Self {
        let variables = BddVariableSet::new_anonymous(MOST_VARIABLES);
        Diagrams {
            numbers: variables.variables(),
            variables,
        }
    }

    /// The predicates that take part, of these.
    pub(super) fn known<'p>(&self, predicates: &'p [Term]) -> &'p [Term] {
        &predicates[..predicates.len().min(self.numbers.len())]
    }

    /// No state.
    pub(super) fn nothing(&self) -> Bdd {
        self.variables.mk_false()
    }

    /// The conjunction in which each predicate is true or false; the ones that are `None` may be
    /// both.
    pub(super) fn cube(&self, signs: impl IntoIterator<Item = Option<bool>>) -> Bdd {
        let mut cube = BddPartialValuation::empty();
        for (&number, sign) in self.numbers.iter().zip(signs) {
            if let Some(sign) = sign {
                cube.set_value(number, sign);
            }
        }
        self.variables.mk_conjunctive_clause(&cube)
    }

    /// The abstraction formula of a diagram over these predicates.
    ///
    /// The literals that hold everywhere are its conjuncts; of the rest each node becomes a
    /// term, once.
    pub(super) fn abstraction(
        &self,
        t: &Terms,
        predicates: &[Term],
        diagram: Bdd,
    ) -> AbstractionFormula {
        let predicate = |number: BddVariable| predicates[number.to_index()];
        let Some(everywhere) = diagram.necessary_clause() else {
            return AbstractionFormula::of_formula(Term::FALSE);
        };
        let everywhere = everywhere.to_values();
        let rest = diagram.restrict(&everywhere);
        let literal = |&(number, sign): &(BddVariable, bool)| match sign {
            true => predicate(number),
            false => t.not(predicate(number)),
        };
        // Nodes come after the ones that they refer to.
        let mut terms = FxHashMap::default();
        for node in rest.pointers() {
            let term = match (node.is_zero(), node.is_one()) {
                (true, _) => Term::FALSE,
                (_, true) => Term::TRUE,
                _ => {
                    let (low, high) = (rest.low_link_of(node), rest.high_link_of(node));
                    t.ite(predicate(rest.var_of(node)), terms[&high], terms[&low])
                }
            };
            terms.insert(node, term);
        }
        let rest = terms[&rest.root_pointer()];
        AbstractionFormula {
            formula: t.and(everywhere.iter().map(literal).chain([rest])),
            diagram: Some(diagram),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn formulas_say_what_their_diagrams_say() {
        let (t, diagrams) = (Terms::new(), Diagrams::new());
        let predicates: Vec<Term> = (0..4).map(|_| t.fresh_var("p", Sort::BOOL)).collect();
        let [p, q, r, _] = predicates[..] else {
            unreachable!("there are four");
        };
        let cube = |signs: [Option<bool>; 3]| diagrams.cube(signs);
        // p ∧ (q ∧ ¬r ∨ ¬q)
        let first = cube([Some(true), Some(true), Some(false)]);
        let both = first.or(&cube([Some(true), Some(false), None]));
        let weak = diagrams.abstraction(&t, &predicates, both);
        let expected = t.and([p, t.ite(q, t.not(r), Term::TRUE)]);
        assert_eq!(weak.formula, expected);
        let strong = diagrams.abstraction(&t, &predicates, first);
        assert_eq!(strong.formula, t.and([p, q, t.not(r)]));
        assert_eq!(strong.entails(&weak), Some(true));
        assert_eq!(weak.entails(&strong), Some(false));
        assert_eq!(weak.entails(&AbstractionFormula::of_formula(p)), None);
        let nothing = diagrams.abstraction(&t, &predicates, diagrams.nothing());
        assert_eq!(nothing.formula, Term::FALSE);
    }
}
