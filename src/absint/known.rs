//! The analyses that passes use: equations \[Kar76\] and bounds \[SSM05\], and polynomial equations
//! \[MOS04\] for systems with products.

use super::bounds::Bounds;
use super::domain::Domain;
use super::equalities::{Definition, Equalities};
use super::fixpoint::fixpoint;
use super::product::Product;
use super::space::{Precision, Space};
use super::thresholds::Thresholds;
use crate::chc::{Clause, PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::{Substitution, Term, Terms};
use std::sync::Arc;

/// What is known of a predicate.
#[derive(Clone, Debug)]
pub struct PredState {
    space: Space,
    state: Product<Equalities, Bounds>,
    /// Literals of a further analysis.
    polynomials: Vec<Term>,
}

/// What holds of everything derived, by predicate; `params` names the parameters of each.
///
/// # Errors
/// The limit, when it is reached before the states hold of everything.
pub fn analyze(
    t: &Terms,
    system: &System,
    params: impl Fn(PredId) -> Vec<Term>,
    precision: Precision,
    backend: &Backend,
    limit: &Limit,
) -> Result<Vec<PredState>, Failure> {
    let thresholds = Arc::new(Thresholds::of(t, system));
    let space = |p| Space::new(t, params(p), precision, &thresholds);
    let spaces: Vec<Space> = system.pred_ids().map(space).collect();
    let states = fixpoint(t, system, spaces.clone(), backend, limit)?;
    let known = spaces.into_iter().zip(states);
    Ok(known
        .map(|(space, state)| PredState {
            space,
            state,
            polynomials: Vec::new(),
        })
        .collect())
}

/// Adds polynomial equations of degree 2 \[MOS04\] to what is known, which helps their analysis.
///
/// DIVERGENCE: \[MOS04\] computes weakest preconditions of polynomials by ideals, and ignores
/// conditions. Here the points of models span the states, as for linear equations: a product is
/// another column of the affine hull.
///
/// # Errors
/// The limit, when it is reached before the equations hold of everything, or the solver does not
/// answer. Then what is known is as before.
pub fn add_polynomials(
    t: &Terms,
    system: &System,
    known: &mut [PredState],
    backend: &Backend,
    limit: &Limit,
) -> Result<(), Failure> {
    let space = |state: &PredState| state.space.clone().with_products(t);
    let spaces: Vec<Space> = known.iter().map(space).collect();
    let told = System {
        clauses: system.clauses.iter().map(|c| tell(t, c, known)).collect(),
        ..system.clone()
    };
    let found: Vec<Equalities> = fixpoint(t, &told, spaces.clone(), backend, limit)?;
    for ((state, space), found) in known.iter_mut().zip(&spaces).zip(found) {
        let literals = found.literals(t, space).into_iter();
        state.polynomials = literals.filter(|&l| has_product(t, [l])).collect();
    }
    Ok(())
}

/// Are there products of variables in the clauses?
pub fn has_products(t: &Terms, system: &System) -> bool {
    system.clauses.iter().any(|clause| {
        let args = clause.atoms().flat_map(|atom| atom.args.iter().copied());
        has_product(t, args.chain([clause.constraint]))
    })
}

fn has_product(t: &Terms, roots: impl IntoIterator<Item = Term>) -> bool {
    t.post_order(roots).any(|term| t.is_product(term))
}

/// The clause with what is known of its premises.
fn tell(t: &Terms, clause: &Clause, known: &[PredState]) -> Clause {
    let facts = clause.body.iter().flat_map(|atom| {
        let state = &known[atom.pred.index()];
        let pairs = state
            .params()
            .iter()
            .copied()
            .zip(atom.args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let literals = state.literals(t).into_iter();
        literals.map(|l| substitution.apply(l)).collect::<Vec<_>>()
    });
    Clause {
        constraint: t.and(facts.chain([clause.constraint])),
        ..clause.clone()
    }
}

impl PredState {
    /// The predicate's parameters, by position.
    pub fn params(&self) -> &[Term] {
        self.space.params()
    }

    /// Is anything derivable?
    pub fn is_derivable(&self) -> bool {
        !self.state.is_bottom()
    }

    /// What holds of everything derived, as literals over the parameters.
    pub fn literals(&self, t: &Terms) -> Vec<Term> {
        let mut literals = self.state.literals(t, &self.space);
        literals.extend(&self.polynomials);
        literals
    }

    /// The arguments that at most this number of others determine, by equations without division.
    pub fn definitions(&self, t: &Terms, others: usize) -> Vec<Definition> {
        self.state.0.definitions(t, &self.space, others)
    }
}
