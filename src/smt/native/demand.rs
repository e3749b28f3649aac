//! What a theory wants where values do not make a model.

use super::egraph::Node;
use super::proof::Justification;

/// What stands between a candidate and a model.
#[derive(Debug)]
pub(super) enum Demand {
    /// It is to be decided whether these two are equal, which have the same value.
    Decide(Node, Node),
    /// It is to be decided by which constructor this is built.
    Distinguish(Node),
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
