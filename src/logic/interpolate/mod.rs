//! Craig interpolation over any back end: binary, sequence and tree interpolants without
//! quantifiers.
//!
//! The back end finds the contradiction and what its proof gives as interpolants
//! ([`crate::smt::Interpolator`]). Where that has a quantifier, `eliminate` finds the formula
//! without it; over integers this may need quotients by constants, without which there is no
//! interpolant: `z = 2x` and `z = 2y + 1` have `2·((z + 1) div 2) ≤ z`.
//!
//! Contradictions of Booleans, linear arithmetic, datatypes and uninterpreted functions have
//! interpolants from every back end, within the limits of the search and of the elimination. With
//! arrays the core's proof may have none ([`NoInterpolants::Mixed`]), and quantifiers it does not
//! decide ([`Failure::Unsupported`]). In both cases an external solver is asked if the options say
//! so.
//!
//! Nothing is answered that speaks of symbols of one side alone. [`check`] asks a solver whether
//! interpolants are right.

mod applications;
mod check;
mod clausal;
mod eliminate;

/// The theories of the embedded core, which every back end asks for interpolants.
pub use crate::smt::Support;
pub use check::check;

use crate::number::Rational;
use crate::smt::{
    Backend, Failure, Interpolant, InterpolationOptions, Interpolator, Limit, NoInterpolants,
    PartId, PartTree, Symbols, only_shared,
};
use crate::term::{Term, Terms};
use std::fmt::Arguments;

/// Who finds interpolants, and which ones.
#[derive(Clone)]
pub struct Interpolation<'a, 't> {
    /// The store of the formulas.
    pub terms: &'t Terms,
    /// Who finds proofs, and what quantified variables stand for.
    pub backend: &'a Backend,
    /// When the interpolants must be there.
    pub limit: Limit,
    /// What the contexts are called in traces.
    pub name: &'a str,
    /// Which interpolants are wanted.
    pub options: InterpolationOptions,
}

/// `∃ quantified. formula` without quantifiers, for numbers; see the module `eliminate`.
///
/// # Errors
/// A solver fails, or the limit is reached, or the formula would be too large.
pub(crate) fn eliminate(
    t: &Terms,
    backend: &Backend,
    limit: &Limit,
    formula: Term,
    quantified: Vec<Term>,
) -> Result<Term, Failure> {
    let interpolant = Interpolant {
        formula,
        quantified,
    };
    eliminate::eliminate(t, backend, limit, interpolant)
}

impl<'a, 't> Interpolation<'a, 't> {
    /// A formula that the first formulas together imply, that contradicts the others, and that has
    /// only symbols of both.
    ///
    /// # Errors
    /// The formulas do not contradict each other, or this is not known, or no interpolant is found.
    pub fn interpolant(&self, a: &[Term], b: &[Term]) -> Result<Term, NoInterpolants> {
        let found = self.sequence_interpolants(&[a.to_vec(), b.to_vec()])?;
        Ok(found[0])
    }

    /// Interpolants between the parts, in order: one fewer than there are parts. The first follows
    /// from the first part, each other one from the one before and the part between, and the last
    /// contradicts the last part.
    ///
    /// # Errors
    /// As those of [`Interpolation::interpolant`].
    pub fn sequence_interpolants(&self, parts: &[Vec<Term>]) -> Result<Vec<Term>, NoInterpolants> {
        self.tree_interpolants(&PartTree::path(parts.len()), parts)
    }

    /// Interpolants for all nodes of a tree but the root, in order. Those of a node's children and
    /// the node's formulas imply the node's; those of the root's children contradict the root.
    ///
    /// # Errors
    /// As those of [`Interpolation::interpolant`].
    pub fn tree_interpolants(
        &self,
        tree: &PartTree,
        nodes: &[Vec<Term>],
    ) -> Result<Vec<Term>, NoInterpolants> {
        let mut problem = self.problem();
        let add = |formulas: &Vec<Term>| Ok(vec![problem.add_for_good(formulas)?]);
        let parts: Vec<Vec<PartId>> = nodes.iter().map(add).collect::<Result<_, Failure>>()?;
        problem.interpolants(format_args!("contradictory parts"), tree, &parts)
    }

    /// A context for problems that share parts.
    pub fn problem(&self) -> Partitioned<'a, 't> {
        let mut interpolator = (self.backend).interpolator(self.terms, self.name, &self.options);
        interpolator.set_limit(self.limit.clone());
        Partitioned {
            asked: self.clone(),
            interpolator,
            symbols: Vec::new(),
            had_quantifiers: false,
        }
    }
}

/// A context for interpolation problems that share parts: what was learned in one is kept for the
/// next.
pub struct Partitioned<'a, 't> {
    asked: Interpolation<'a, 't>,
    interpolator: Box<dyn Interpolator + 't>,
    /// The symbols of each part.
    symbols: Vec<Symbols>,
    /// Had an interpolant of the last problem quantifiers, before these were eliminated?
    had_quantifiers: bool,
}

impl Partitioned<'_, '_> {
    /// Adds a part, which holds in the problems that it is in.
    ///
    /// # Errors
    /// The back end does not decide one of the formulas; then no part is added.
    pub fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let part = self.interpolator.add(formulas)?;
        debug_assert_eq!(
            part.index(),
            self.symbols.len(),
            "parts are numbered in order"
        );
        self.symbols.push(Symbols::of(self.asked.terms, formulas));
        Ok(part)
    }

    /// Adds a part that is in every problem from now on.
    fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        let part = self.interpolator.add_for_good(formulas)?;
        debug_assert_eq!(
            part.index(),
            self.symbols.len(),
            "parts are numbered in order"
        );
        self.symbols.push(Symbols::of(self.asked.terms, formulas));
        Ok(part)
    }

    /// Interpolants for the problem whose nodes are the conjunctions of these parts, for all nodes
    /// but the root; see [`Interpolation::tree_interpolants`]. `about` says what is decided; it
    /// goes into traces.
    ///
    /// # Errors
    /// As those of [`Interpolation::interpolant`].
    pub fn interpolants(
        &mut self,
        about: Arguments<'_>,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
    ) -> Result<Vec<Term>, NoInterpolants> {
        self.had_quantifiers = false;
        let found = self.interpolator.interpolants(about, tree, nodes)?;
        self.had_quantifiers = found.iter().any(|i| !i.quantified.is_empty());
        let of = |part: &PartId| &self.symbols[part.index()];
        let symbols = nodes.iter().map(|parts| parts.iter().map(of).collect());
        let symbols: Vec<Vec<&Symbols>> = symbols.collect();
        let is_shared = |found: &[Term]| only_shared(self.asked.terms, tree, &symbols, found);
        // A symbol that an interpolator made, such as an index at which arrays differ, means
        // nothing to another solver, which may make the same. So none is asked about it.
        let ground: Vec<Term> = found.iter().map(|i| self.with_some_values(i)).collect();
        if !is_shared(&ground) {
            return Err(NoInterpolants::Mixed);
        }
        let found = found.into_iter().map(|i| self.unquantified(i));
        let found: Vec<Term> = found.collect::<Result<_, _>>()?;
        match found == ground || is_shared(&found) {
            true => {
                debug_assert_eq!(
                    found.len() + 1,
                    tree.nodes(),
                    "each node but the root has one"
                );
                Ok(found)
            }
            false => Err(NoInterpolants::Mixed),
        }
    }

    /// Had an interpolant of the last problem quantifiers, before these were eliminated? Then the
    /// proof has literals with symbols of both sides, which may come from other problems.
    pub fn had_quantifiers(&self) -> bool {
        self.had_quantifiers
    }

    /// The formula of an interpolant for some values of its quantified variables, which are
    /// numbers.
    fn with_some_values(&self, interpolant: &Interpolant) -> Term {
        let t = self.asked.terms;
        let zero = |&v: &Term| (v, t.number(Rational::zero(), t.sort_of(v)));
        t.substitute(interpolant.formula, interpolant.quantified.iter().map(zero))
    }

    fn unquantified(&self, interpolant: Interpolant) -> Result<Term, NoInterpolants> {
        let Interpolation {
            terms,
            backend,
            limit,
            ..
        } = &self.asked;
        Ok(eliminate::eliminate(terms, backend, limit, interpolant)?)
    }
}
