//! What a theory wants where values do not make a model.

use super::egraph::Node;
use super::proof::Justification;
use crate::number::Rational;
use crate::term::Term;

/// What stands between a candidate and a model.
#[derive(Debug)]
pub(super) enum Demand {
    /// It is to be decided whether these two are equal, which have the same value.
    Decide(Node, Node),
    /// It is to be decided whether these are equal, the second of which may be new.
    Compare(Term, Term),
    /// It is to be decided by which constructor this is built.
    Distinguish(Node),
    /// The first products have other values than their factors give them; the others are right.
    Linearize(Vec<Valued>, Vec<Valued>),
    /// This quotient or remainder by 0 has another value than evaluation gives it, which is that of
    /// the other term.
    Quotient(Term, Term),
    /// The bits of this conversion are to agree with its number.
    Convert(Node),
    /// This follows.
    Lemma(Lemma),
    /// The model is not found, for this reason.
    GiveUp(&'static str),
}

/// A clause to be added: explanations of equalities, equations that must fail, and a conclusion.
#[derive(Debug)]
pub(super) struct Lemma {
    /// Pairs of nodes that are equal now.
    pub(super) premises: Vec<(Node, Node)>,
    /// Pairs of nodes that differ now.
    pub(super) unequal: Vec<(Node, Node)>,
    /// Pairs of nodes, one of which is then equal; a contradiction if there is none.
    pub(super) conclusion: Option<(Node, Node)>,
    pub(super) rule: Justification,
}

/// A product with the values that a candidate gives to it and to its factors.
#[derive(Clone, Debug)]
pub(super) struct Valued {
    pub(super) product: Term,
    pub(super) factors: [Term; 2],
    /// The values of the factors.
    pub(super) at: [Rational; 2],
    /// The value of the product.
    pub(super) value: Rational,
}

impl Valued {
    /// The product of the values of the factors.
    pub(super) fn right(&self) -> Rational {
        &self.at[0] * &self.at[1]
    }

    /// Is the value that of the factors?
    pub(super) fn is_right(&self) -> bool {
        self.value == self.right()
    }
}
