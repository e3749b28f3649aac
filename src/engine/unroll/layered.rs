//! A linear system whose derivations are bounded, as one without recursion.
//!
//! Where no derivation has more than `n` clauses before `false`, each predicate `p` has a copy `pᵢ`
//! for each layer `i < n` in which a derivation can reach it:
//!
//! ```text
//! p(x) ← c             becomes    p₀(x) ← c
//! q(y) ← p(x) ∧ c      becomes    qᵢ₊₁(y) ← pᵢ(x) ∧ c        for i < n - 1
//!                                 false   ← pₙ₋₁(x) ∧ c
//! false ← p(x) ∧ c     becomes    false   ← pᵢ(x) ∧ c        for i < n
//! ```
//!
//! A model `M` of the copies gives one of the system: `M(p) = ⋁ M(pᵢ)`. The clauses of the last
//! layer say that derivations end there, so a model does not depend on who found the bound.
//!
//! A system without recursion is solved piece by piece \[RHK13\]: preprocessing evaluates what is
//! constant in a layer and inlines what is left, and the way back from there interpolates between
//! neighbouring layers alone.
//!
//! DIVERGENCE: \[RHK13\] has one interpolation problem for all clauses without recursion. Here
//! what preprocessing leaves is searched like any other system.

use crate::chc::{Atom, Clause, Model, PredId, Predicate, System};
use crate::smt::{Failure, Limit};
use crate::term::{Term, Terms};
use rustc_hash::FxHashMap;
use std::iter::zip;

/// The system without recursion, and what its predicates are copies of.
pub(crate) struct Layered {
    /// The system.
    pub(crate) system: System,
    /// For each predicate of the system without recursion, what it is a copy of.
    originals: Vec<PredId>,
}

impl Layered {
    /// The copies of a linear system in this number of layers. Without layers, the facts lead to
    /// `false`.
    ///
    /// # Errors
    /// The limit is reached.
    pub(crate) fn new(
        t: &Terms,
        system: &System,
        layers: usize,
        limit: &Limit,
    ) -> Result<Self, Failure> {
        let mut builder = Builder {
            t,
            old: system,
            layered: Layered {
                system: System::default(),
                originals: Vec::new(),
            },
            layer: FxHashMap::default(),
        };
        let without_premises = system.clauses.iter().filter(|c| c.body.is_empty());
        for clause in without_premises {
            builder.add(clause, None, layers > 0);
        }
        for layer in 1..=layers {
            limit.check()?;
            let before = std::mem::take(&mut builder.layer);
            for clause in &system.clauses {
                let premise = clause.body.first().and_then(|p| before.get(&p.pred));
                if let Some(&premise) = premise {
                    builder.add(clause, Some(premise), layer < layers);
                }
            }
        }
        Ok(builder.layered)
    }

    /// What a model of the copies says of each predicate of the original system, by its index.
    /// `params` are the predicates' parameters.
    pub(crate) fn formulas(&self, t: &Terms, copies: &Model, params: &[Vec<Term>]) -> Vec<Term> {
        let mut said: Vec<Vec<Term>> = vec![Vec::new(); params.len()];
        for (copy, original) in zip(&copies.interpretations, &self.originals) {
            let params = params[original.index()].iter().copied();
            let renamed = zip(copy.params.iter().copied(), params);
            said[original.index()].push(t.substitute(copy.body, renamed));
        }
        said.into_iter().map(|said| t.or(said)).collect()
    }
}

/// A layered system under construction.
struct Builder<'a> {
    t: &'a Terms,
    old: &'a System,
    layered: Layered,
    /// The copies in the layer under construction.
    layer: FxHashMap<PredId, PredId>,
}

impl Builder<'_> {
    /// Adds a clause with this copy of its premise. Its head is a copy in the layer under
    /// construction, or `false` if there is no such layer.
    fn add(&mut self, clause: &Clause, premise: Option<PredId>, has_layer: bool) {
        let head = clause.head.as_ref().filter(|_| has_layer);
        let head = head.map(|atom| Atom {
            pred: self.copy(atom.pred),
            args: atom.args.clone(),
        });
        let body = zip(&clause.body, premise).map(|(atom, pred)| Atom {
            pred,
            args: atom.args.clone(),
        });
        let body = body.collect();
        self.layered.system.clauses.push(Clause {
            body,
            head,
            ..clause.clone()
        });
    }

    /// The copy of a predicate in the layer under construction.
    fn copy(&mut self, pred: PredId) -> PredId {
        let (t, layered) = (self.t, &mut self.layered);
        *self.layer.entry(pred).or_insert_with(|| {
            let original = &self.old.preds[pred.index()];
            let decl = t.func(original.func);
            let name = t.fresh_symbol(t.name(decl.name));
            let number = u32::try_from(layered.originals.len()).expect("few predicates");
            layered.originals.push(pred);
            layered.system.preds.push(Predicate {
                func: t.declare(name, &decl.params, decl.result),
                span: original.span,
            });
            PredId(number)
        })
    }
}
