//! Craig interpolants from proofs, for trees of parts.
//!
//! The proof is reduced first (`reduce`). Each clause has a partial interpolant, McMillan's
//! \[McM05\] or its dual: literals that both sides can say count as `B`'s in the strong system, as
//! `A`'s in the weak one.
//!
//! - A clause of `A` gives the disjunction of its literals on `B`'s side. A clause of `B` gives the
//!   negations of its literals on `A`'s side.
//! - A contradictory sum of inequalities: the sum of `A`'s part, or in the weak system the negation
//!   of the sum of `B`'s part. It can be decomposed \[BHKS19\]: here into the parts of `A`'s
//!   inequalities that share no symbol of `A` alone, each of which is free of such symbols by
//!   itself; in the weak system likewise into the parts of `B`'s inequalities. (DIVERGENCE: the
//!   paper decomposes by linear algebra and finds more parts.)
//! - A resolution: `∨` if the pivot counts as `A`'s, else `∧`.
//!
//! The search splits integers by forms that may have symbols of both sides. The proof stays as it
//! is: a mixed literal is divided between the sides by a variable for the value of `A`'s terms
//! \[CHN13\], and the resolution on it makes that variable existential. DIVERGENCE: the paper
//! removes the variable at once, by a case distinction over a range of the pivot's multiples. Here
//! it stays quantified, and `logic::interpolate` eliminates it from the result, where most of these
//! variables have simple bounds.
//!
//! The strong interpolants of one proof fit together in trees, also where literals are divided: the
//! value of a node's part of a form is the sum of those of its children's parts and of the node's
//! own terms. The weak ones fit together in paths; for other trees see `nodewise`.
//!
//! The bits of a bit-vector are atoms with that vector's symbols. Gates are definitions of the part
//! whose terms they belong to, and are never shared between parts. So bit-vectors are interpolated
//! as propositional logic is. Where the search equates bit-vectors of both sides, bit by bit, it
//! makes gates that belong to no part; see `bits`.
//!
//! Equations are divided in a similar way (`mixed`), and what congruence and constructors
//! contradict is found once more by the two sides that tell each other equations of shared terms
//! (`exchange`). What the exchange finds need not fit together in trees, so there it is done node
//! by node.
//!
//! Complete for Booleans, linear arithmetic over integers and reals, and bit-vectors, with all
//! operators of [`Support`]; and for datatypes, uninterpreted sorts and functions, unless a
//! function is applied to a number that the proof compares with numbers of the other side and that
//! no bounds determine.
//!
//! Missing, [`NoInterpolants::Mixed`]:
//!
//! - contradictions of arrays that differ at an index of one side alone: in general they have no
//!   interpolants without quantifiers;
//! - bit-vectors of both sides that are equated where more than 6 bits are opposite, or where a
//!   gate other than an exclusive or has inputs of both sides;
//! - products with symbols of `A` alone and of `B` alone.

mod bits;
mod colors;
mod cut;
mod divided;
mod exchange;
mod mixed;
mod nodewise;
mod sums;

use super::encoder::Meaning;
use super::extract::extract;
use super::literal::Lit;
use super::log::Logging;
use super::proof::Proof;
use super::reduce::reduce;
use super::search::{Search, Verdict};
use super::support::Support;
use crate::smt::interpolation::{
    Interpolant, InterpolationOptions, NoInterpolants, PartId, PartTree, Strength,
};
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};
use colors::Symbols;
use cut::Cut;

/// The part of the clauses that the search adds by itself.
const SEARCH: u32 = u32::MAX;

/// A context for interpolation problems that share parts. What was encoded, learned and pivoted is
/// kept from one to the next.
pub struct Partitions<'t> {
    t: &'t Terms,
    search: Search<'t>,
    support: Support,
    parts: Vec<Part>,
    options: InterpolationOptions,
}

/// Formulas, and the activation literal that guards them; `None` where they hold in every problem.
struct Part {
    guard: Option<Lit>,
    formulas: Vec<Term>,
}

impl<'t> Partitions<'t> {
    /// A context without parts.
    pub fn new(t: &'t Terms, options: &InterpolationOptions) -> Self {
        Partitions {
            t,
            search: Search::new(t, Logging::Full, options.budget),
            support: Support::default(),
            parts: Vec::new(),
            options: *options,
        }
    }

    /// Adds a part, which holds in the problems that it is in.
    ///
    /// # Errors
    /// The core does not decide one of the formulas; then none is added.
    pub fn add(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        self.check_support(formulas)?;
        let guard = self.search.encoding().new_var(Meaning::Scope).positive();
        Ok(self.encode(formulas, Some(guard)))
    }

    /// Adds a part that is in every problem from now on, which makes the search a little faster.
    ///
    /// # Errors
    /// The core does not decide one of the formulas; then none is added.
    pub fn add_for_good(&mut self, formulas: &[Term]) -> Result<PartId, Failure> {
        self.check_support(formulas)?;
        Ok(self.encode(formulas, None))
    }

    fn check_support(&self, formulas: &[Term]) -> Result<(), Failure> {
        let mut formulas = formulas.iter();
        formulas.try_for_each(|&formula| self.support.check(self.t, formula))
    }

    fn encode(&mut self, formulas: &[Term], guard: Option<Lit>) -> PartId {
        let number = u32::try_from(self.parts.len()).expect("fewer than 2^32 parts");
        debug_assert_ne!(number, SEARCH, "the search has a part of its own");
        self.search.sat.log.part = number;
        self.search.encoder.start_partition();
        for &formula in formulas {
            self.search.encoding().assert(formula, guard);
        }
        let formulas = formulas.to_vec();
        self.parts.push(Part { guard, formulas });
        PartId(number)
    }

    /// Interpolants for all nodes but the root, in order. Each node has the conjunction of its
    /// parts; every part that was added for good must be in a node, and no part in two.
    ///
    /// # Errors
    /// The nodes do not contradict each other, or this is not known, or the proof found has no
    /// interpolants, or the limit is reached before all of them are read off.
    pub fn interpolants(
        &mut self,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
        limit: &Limit,
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        assert_eq!(tree.nodes(), nodes.len(), "each node has its parts");
        let formulas = nodes.iter().map(|parts| {
            let of = |part: &PartId| self.parts[part.index()].formulas.iter().copied();
            parts.iter().flat_map(of).collect()
        });
        let formulas: Vec<Vec<Term>> = formulas.collect();
        if self.options.strength == Strength::Weak && !tree.is_path() {
            return nodewise::interpolants(self.t, &self.options, tree, &formulas, limit);
        }
        match self.of_one_proof(tree, nodes, &formulas, limit) {
            Err(NoInterpolants::Mixed) if tree.nodes() > 2 => {
                nodewise::interpolants(self.t, &self.options, tree, &formulas, limit)
            }
            found => found,
        }
    }

    /// The interpolants that one proof gives.
    fn of_one_proof(
        &mut self,
        tree: &PartTree,
        nodes: &[Vec<PartId>],
        formulas: &[Vec<Term>],
        limit: &Limit,
    ) -> Result<Vec<Interpolant>, NoInterpolants> {
        let mut node_of = vec![None; self.parts.len()];
        for (node, parts) in nodes.iter().enumerate() {
            for part in parts {
                node_of[part.index()] = Some(node);
            }
        }
        let proof = self.prove(nodes, limit)?;
        debug_assert!(proof.is_ordered(), "a step refers to earlier ones");
        // What the search has defined belongs to no node; neither does what a part that takes no
        // part in the problem has defined, of which clauses of equality may speak.
        let node_of = |part: u32| node_of.get(part as usize).copied().flatten();
        let symbols = Symbols::new(self.t, formulas, &proof, node_of);
        (0..tree.nodes() - 1)
            .map(|node| {
                limit.check()?;
                let inside = tree.subtree(node);
                let colors = symbols.colors(&inside);
                let of_a = |part: u32| node_of(part).is_some_and(|node| inside[node]);
                let system = (self.options.strength, self.options.decompose);
                let is_only = tree.nodes() == 2;
                Cut::new(self.t, system, &proof, &colors, &of_a, is_only, limit).interpolant()
            })
            .collect()
    }

    /// A proof that the nodes contradict each other.
    fn prove(&mut self, nodes: &[Vec<PartId>], limit: &Limit) -> Result<Proof, NoInterpolants> {
        let parts = nodes.iter().flatten();
        let assumptions: Vec<Lit> = parts.filter_map(|p| self.parts[p.index()].guard).collect();
        self.search.sat.log.part = SEARCH;
        self.search.encoder.start_search();
        match self.search.solve(&assumptions, limit)? {
            Verdict::Sat => Err(NoInterpolants::Satisfiable),
            Verdict::Unsat { step, .. } => Ok(reduce(extract(&self.search, step))),
        }
    }
}

/// The interpolants of one problem, whose nodes have these formulas; see
/// [`Partitions::interpolants`].
///
/// # Errors
/// As there.
pub fn interpolants(
    t: &Terms,
    tree: &PartTree,
    nodes: &[Vec<Term>],
    options: &InterpolationOptions,
    limit: &Limit,
) -> Result<Vec<Interpolant>, NoInterpolants> {
    let mut partitions = Partitions::new(t, options);
    let add = |formulas: &Vec<Term>| Ok(vec![partitions.add_for_good(formulas)?]);
    let nodes: Vec<Vec<PartId>> = nodes.iter().map(add).collect::<Result<_, Failure>>()?;
    partitions.interpolants(tree, &nodes, limit)
}
