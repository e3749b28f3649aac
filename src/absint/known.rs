//! The analyses that passes use: equations \[Kar76\] and bounds \[SSM05\], and polynomial equations
//! \[MOS04\] for nonlinear systems and for the pass `polynomials`, and equations of bit-vectors
//! \[MOS07\].

use super::bounds::Bounds;
use super::domain::Domain;
use super::equalities::{Definition, Equalities};
use super::fixpoint::{Fixpoint, Frontier, fixpoint};
use super::product::Product;
use super::space::{Precision, Space};
use super::thresholds::Thresholds;
use super::word_equations::WordEquations;
use crate::chc::{Atom, PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::{Substitution, Term, Terms};
use std::borrow::Cow;
use std::sync::Arc;

/// What is known of a predicate.
#[derive(Clone, Debug)]
pub struct PredState {
    space: Space,
    state: Product<Equalities, Bounds>,
    /// Literals of a further analysis.
    polynomials: Vec<Term>,
    /// `None` if they were not looked for.
    words: Option<WordEquations>,
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
            words: None,
        })
        .collect())
}

/// Adds polynomial equations of degree 2 \[MOS04\] to what is known, which helps their analysis.
///
/// DIVERGENCE: \[MOS04\] computes weakest preconditions of polynomials by ideals, and ignores
/// conditions. Here the points of models span the states, as for linear equations: a product is
/// another column of the affine hull. The first points are sampled ([`Fixpoint::sample`]).
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
    let of_atom = |atom: &Atom| known[atom.pred.index()].literals_of(t, &atom.args);
    let clauses = system.clauses.iter();
    let told = System {
        clauses: clauses
            .map(|clause| clause.with_known(t, of_atom))
            .collect(),
        ..system.clone()
    };
    let mut fixpoint: Fixpoint<'_, Equalities> =
        Fixpoint::new(t, Cow::Owned(told), spaces.clone(), backend);
    fixpoint.sample(&mut Frontier::default(), limit)?;
    fixpoint.run(limit)?;
    for ((state, space), found) in known.iter_mut().zip(&spaces).zip(fixpoint.elements()) {
        if found.is_bottom() {
            state.state = Product::bottom(&state.space);
            continue;
        }
        // Linear equations that need products are needed as well: the elements are closed together.
        let known = state.literals(t);
        let mut literals = found.literals(t, space);
        literals.retain(|literal| !known.contains(literal));
        state.polynomials = literals;
    }
    Ok(())
}

/// Linear equations of bit-vectors \[MOS07\] that hold of everything derived, by predicate, and
/// nothing of numbers; `params` names the parameters of each. `None` if no predicate has
/// bit-vectors.
///
/// # Errors
/// As of [`analyze`].
pub fn word_equations(
    t: &Terms,
    system: &System,
    params: impl Fn(PredId) -> Vec<Term>,
    backend: &Backend,
    limit: &Limit,
) -> Result<Option<Vec<PredState>>, Failure> {
    let thresholds = Arc::new(Thresholds::default());
    let space = |p| Space::new(t, params(p), Precision::Equations, &thresholds).with_words(t);
    let spaces: Vec<Space> = system.pred_ids().map(space).collect();
    if spaces.iter().all(|space| space.words().is_empty()) {
        return Ok(None);
    }
    let found: Vec<WordEquations> = fixpoint(t, system, spaces.clone(), backend, limit)?;
    let known = spaces.into_iter().zip(found);
    Ok(Some(
        known
            .map(|(space, words)| PredState {
                state: Product::top(&space),
                polynomials: Vec::new(),
                words: Some(words),
                space,
            })
            .collect(),
    ))
}

impl PredState {
    /// The predicate's parameters, by position.
    pub fn params(&self) -> &[Term] {
        self.space.params()
    }

    /// Is anything derivable?
    pub fn is_derivable(&self) -> bool {
        let words = self.words.as_ref();
        !self.state.is_bottom() && !words.is_some_and(WordEquations::is_bottom)
    }

    /// Are equations known that were found with products?
    pub fn has_polynomials(&self) -> bool {
        !self.polynomials.is_empty()
    }

    /// What holds of everything derived, as literals over the parameters.
    pub fn literals(&self, t: &Terms) -> Vec<Term> {
        let mut literals = self.state.literals(t, &self.space);
        literals.extend(&self.polynomials);
        if let Some(words) = &self.words {
            literals.extend(words.literals(t, &self.space));
        }
        literals
    }

    /// What is known of these arguments.
    pub fn literals_of(&self, t: &Terms, args: &[Term]) -> Vec<Term> {
        let pairs = self.params().iter().copied().zip(args.iter().copied());
        let mut substitution = Substitution::new(t, pairs);
        let literals = self.literals(t).into_iter();
        literals.map(|l| substitution.apply(l)).collect()
    }

    /// The arguments that at most this number of others determine, by equations without division.
    pub fn definitions(&self, t: &Terms, others: usize) -> Vec<Definition> {
        let mut definitions = self.state.0.definitions(t, &self.space, others);
        if let Some(words) = &self.words {
            definitions.extend(words.definitions(t, &self.space, others));
        }
        definitions
    }
}
