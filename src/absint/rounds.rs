//! A generator of ever more precise invariants, in rounds: intervals with congruences and
//! equations, then octagons, then polyhedra, then partitions into polyhedra, then equations of
//! degree 2.
//!
//! Each round knows the invariants of the rounds before, and has a fixpoint of its domain alone: a
//! reduced product in steps, whose parts are cheap. A round that is ended by its limit goes on
//! where it was. So an engine can give the generator turns.
//!
//! Tried: equations of degree 2 before partitions. Questions with them are nonlinear, and `kind`
//! loses two of the 58 tasks of LIA-Lin (20 s).

use super::congruences::Congruences;
use super::domain::Domain;
use super::equalities::Equalities;
use super::fixpoint::{Fixpoint, Frontier};
use super::guards::{conditions, guards};
use super::intervals::Intervals;
use super::octagons::Octagons;
use super::partition::Partition;
use super::polyhedra::Polyhedra;
use super::product::Product;
use super::space::{Precision, Space};
use super::thresholds::Thresholds;
use crate::chc::{Clause, PredId, System};
use crate::smt::{Backend, Failure, Limit};
use crate::term::{Term, Terms};
use crate::work;
use std::borrow::Cow;
use std::sync::Arc;

/// Up to which domain invariants are looked for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InvariantDomain {
    /// No invariants.
    None,
    /// Disjunctions of intervals \[CC77\], congruences \[Gra89\] and linear equations \[Kar76\].
    Intervals,
    /// Octagons \[Min06\].
    Octagons,
    /// Convex polyhedra \[CH78\].
    Polyhedra,
    /// A polyhedron for each part of the states \[Jea03\].
    Partitions,
    /// Equations of degree 2 \[MOS04\].
    Polynomials,
}

/// At most 3 intervals for each number. The value was not tuned.
type First = Product<Product<Equalities, Intervals<3>>, Congruences>;

/// The domain of the round after.
fn after(domain: InvariantDomain) -> InvariantDomain {
    match domain {
        InvariantDomain::None => InvariantDomain::Intervals,
        InvariantDomain::Intervals => InvariantDomain::Octagons,
        InvariantDomain::Octagons => InvariantDomain::Polyhedra,
        InvariantDomain::Polyhedra => InvariantDomain::Partitions,
        InvariantDomain::Partitions | InvariantDomain::Polynomials => InvariantDomain::Polynomials,
    }
}

/// A round that may be ended by a limit and go on.
trait Round {
    /// The formulas of the fixpoint, by predicate.
    fn run(&mut self, limit: &Limit) -> Result<Vec<Term>, Failure>;
}

impl<D: Domain> Round for (Fixpoint<'_, D>, &Terms) {
    fn run(&mut self, limit: &Limit) -> Result<Vec<Term>, Failure> {
        let (fixpoint, t) = self;
        fixpoint.run(limit)?;
        Ok(formulas(fixpoint, t))
    }
}

/// The round of equations with products costs at most this number of ticks. Its questions are not
/// linear, and one that no turn decides would be asked again in each. The value was not tuned.
const PRODUCTS: u64 = work::milliseconds(500);

/// A fixpoint of equations with products, whose elements begin with sampled states.
struct Sampled<'a> {
    fixpoint: Fixpoint<'a, Equalities>,
    t: &'a Terms,
    frontier: Frontier,
    /// The ticks of its turns so far.
    spent: u64,
}

impl Round for Sampled<'_> {
    fn run(&mut self, limit: &Limit) -> Result<Vec<Term>, Failure> {
        let before = limit.ticks();
        let own = limit.part(PRODUCTS.saturating_sub(self.spent));
        let sampled = self.fixpoint.sample(&mut self.frontier, &own);
        let found = sampled.and_then(|()| self.fixpoint.run(&own));
        self.spent += limit.ticks() - before;
        match found {
            Ok(()) => Ok(formulas(&self.fixpoint, self.t)),
            Err(Failure::Timeout) if self.spent >= PRODUCTS => {
                let why = "the equations with products take too long";
                Err(Failure::Incomplete(why.to_owned()))
            }
            Err(failure) => Err(failure),
        }
    }
}

/// A round that finds nothing of a number of predicates.
struct Nothing(usize);

impl Round for Nothing {
    fn run(&mut self, _limit: &Limit) -> Result<Vec<Term>, Failure> {
        Ok(vec![Term::TRUE; self.0])
    }
}

/// The elements of a fixpoint as formulas, by predicate.
fn formulas<D: Domain>(fixpoint: &Fixpoint<'_, D>, t: &Terms) -> Vec<Term> {
    let elements = fixpoint.elements().iter().zip(fixpoint.spaces());
    elements
        .map(|(element, space)| element.to_term(t, space))
        .collect()
}

/// The generator.
pub struct Rounds<'t> {
    t: &'t Terms,
    system: &'t System,
    backend: &'t Backend,
    /// The parameters of each predicate, by its index.
    params: Vec<Vec<Term>>,
    /// The last round's domain.
    most: InvariantDomain,
    /// The domain of the present round, or of the last one.
    domain: InvariantDomain,
    round: Option<Box<dyn Round + 't>>,
    /// What the rounds so far have found, over the parameters.
    known: Vec<Term>,
}

impl<'t> Rounds<'t> {
    /// A generator for a system, up to a domain; `params` are the variables of the formulas, by
    /// predicate.
    pub fn new(
        t: &'t Terms,
        system: &'t System,
        params: Vec<Vec<Term>>,
        most: InvariantDomain,
        backend: &'t Backend,
    ) -> Self {
        Rounds {
            t,
            system,
            backend,
            known: vec![Term::TRUE; params.len()],
            params,
            most,
            domain: InvariantDomain::None,
            round: None,
        }
    }

    /// Are all rounds over?
    pub fn is_done(&self) -> bool {
        self.round.is_none() && self.domain >= self.most
    }

    /// Goes on until a round ends, and answers its invariants: for each predicate a formula over
    /// its parameters. With what the rounds before have found they are inductive. `None` if all
    /// rounds are over.
    ///
    /// # Errors
    /// The limit, when it is reached before; the next call goes on. After another failure the
    /// round is skipped.
    pub fn next(&mut self, limit: &Limit) -> Result<Option<Vec<Term>>, Failure> {
        if self.is_done() {
            return Ok(None);
        }
        let mut round = match self.round.take() {
            Some(round) => round,
            None => {
                self.domain = after(self.domain);
                self.begin()
            }
        };
        match round.run(limit) {
            Ok(found) => {
                for (known, found) in self.known.iter_mut().zip(&found) {
                    *known = self.t.and([*known, *found]);
                }
                Ok(Some(found))
            }
            Err(failure) => {
                if matches!(failure, Failure::Timeout | Failure::Cancelled) {
                    self.round = Some(round);
                }
                Err(failure)
            }
        }
    }

    /// The round of the present domain, from its beginning.
    fn begin(&self) -> Box<dyn Round + 't> {
        match self.domain {
            InvariantDomain::None | InvariantDomain::Intervals => self.round::<First>(),
            InvariantDomain::Octagons => self.round::<Octagons>(),
            InvariantDomain::Polyhedra => self.round::<Polyhedra>(),
            InvariantDomain::Partitions => self.round::<Partition<Polyhedra>>(),
            InvariantDomain::Polynomials => self.polynomials(),
        }
    }

    fn round<D: Domain + 't>(&self) -> Box<dyn Round + 't> {
        let t = self.t;
        let thresholds = Arc::new(Thresholds::of(t, self.system));
        let space = |(pred, params): (PredId, &Vec<Term>)| {
            let space = Space::new(t, params.clone(), Precision::Bounds, &thresholds);
            let space = space.with_guards(guards(t, self.system, pred, params));
            match self.domain {
                InvariantDomain::Partitions => {
                    space.with_conditions(conditions(t, self.system, pred, params))
                }
                _ => space,
            }
        };
        let spaces = (0..).map(PredId).zip(&self.params).map(space).collect();
        Box::new((self.fixpoint::<D>(spaces), t))
    }

    /// The round of equations with products, which finds nothing where no predicate has few
    /// numbers.
    fn polynomials(&self) -> Box<dyn Round + 't> {
        let t = self.t;
        let thresholds = Arc::new(Thresholds::default());
        let space = |params: &Vec<Term>| {
            let space = Space::new(t, params.clone(), Precision::Equations, &thresholds);
            space.with_products(t)
        };
        let spaces: Vec<Space> = self.params.iter().map(space).collect();
        if !spaces.iter().any(Space::has_products) {
            return Box::new(Nothing(spaces.len()));
        }
        Box::new(Sampled {
            fixpoint: self.fixpoint(spaces),
            t,
            frontier: Frontier::default(),
            spent: 0,
        })
    }

    /// An iteration over the system with what is known.
    fn fixpoint<D: Domain>(&self, spaces: Vec<Space>) -> Fixpoint<'t, D> {
        let system = System {
            clauses: self.system.clauses.iter().map(|c| self.tell(c)).collect(),
            ..self.system.clone()
        };
        Fixpoint::new(self.t, Cow::Owned(system), spaces, self.backend)
    }

    /// The clause with what is known of its premises.
    fn tell(&self, clause: &Clause) -> Clause {
        let t = self.t;
        clause.with_known(t, |atom| {
            let params = self.params[atom.pred.index()].iter().copied();
            let pairs = params.zip(atom.args.iter().copied());
            Some(t.substitute(self.known[atom.pred.index()], pairs))
        })
    }
}
