//! Removal of predicates and of arguments of predicates.

use crate::chc::{Atom, Clause, Interpretation, PredId, Predicate, System};
use crate::term::{Term, Terms};

/// The new predicate and the kept arguments of each predicate of a system.
pub(super) struct Signature {
    /// For each old predicate the new one and the positions of its arguments in the old one; `None`
    /// if it is removed.
    kept: Vec<Option<(PredId, Vec<usize>)>>,
}

impl Signature {
    /// `kept[p]` are the argument positions that the predicate `p` keeps, ascending; `None` if it
    /// is removed.
    pub(super) fn new(kept: Vec<Option<Vec<usize>>>) -> Self {
        let mut next = 0..;
        let kept = kept
            .into_iter()
            .map(|kept| kept.map(|kept| (PredId(next.next().expect("endless")), kept)))
            .collect();
        Signature { kept }
    }

    /// A signature that removes some predicates and keeps the others as they are.
    pub(super) fn without(t: &Terms, system: &System, goes: impl Fn(PredId) -> bool) -> Self {
        let kept = system.pred_ids().map(|p| {
            let arity = t.func(system.pred(p).func).params.len();
            (!goes(p)).then(|| (0..arity).collect())
        });
        Signature::new(kept.collect())
    }

    /// The new system's predicates. The predicates that lose arguments are declared anew, under
    /// their old names.
    pub(super) fn preds(&self, t: &Terms, old: &System) -> Vec<Predicate> {
        let kept = old.preds.iter().zip(&self.kept);
        kept.filter_map(|(pred, kept)| {
            let (_, positions) = kept.as_ref()?;
            let decl = t.func(pred.func);
            if positions.len() == decl.params.len() {
                return Some(pred.clone());
            }
            let sorts: Vec<_> = positions.iter().map(|&i| decl.params[i]).collect();
            Some(Predicate {
                func: t.declare(decl.name, &sorts, decl.result),
                span: pred.span,
            })
        })
        .collect()
    }

    /// An atom in the new system.
    ///
    /// # Panics
    /// If its predicate is removed.
    pub(super) fn atom(&self, atom: &Atom) -> Atom {
        let (pred, positions) = self.kept[atom.pred.index()]
            .as_ref()
            .expect("atoms of predicates that go are gone");
        Atom {
            pred: *pred,
            args: positions.iter().map(|&i| atom.args[i]).collect(),
        }
    }

    /// A clause of the new system with the same variables and constraint.
    ///
    /// # Panics
    /// If the predicate of an atom is removed.
    pub(super) fn clause(&self, clause: &Clause) -> Clause {
        Clause {
            body: clause.body.iter().map(|atom| self.atom(atom)).collect(),
            head: clause.head.as_ref().map(|atom| self.atom(atom)),
            ..clause.clone()
        }
    }

    /// The interpretations of the old predicates, made from those of the new ones, in which lost
    /// arguments do not occur. For removed predicates `body` gives the interpretation over its
    /// parameters.
    pub(super) fn interpretations(
        &self,
        t: &Terms,
        old: &System,
        new: &[Interpretation],
        body: impl Fn(PredId, &[Term]) -> Term,
    ) -> Vec<Interpretation> {
        let lift = |p: PredId| {
            let mut params = params(t, old, p);
            let body = match &self.kept[p.index()] {
                Some((id, positions)) => {
                    let new = &new[id.index()];
                    for (&position, &param) in positions.iter().zip(&new.params) {
                        params[position] = param;
                    }
                    new.body
                }
                None => body(p, &params),
            };
            Interpretation { params, body }
        };
        old.pred_ids().map(lift).collect()
    }
}

/// New variables of the sorts of a predicate's arguments.
pub(super) fn params(t: &Terms, system: &System, pred: PredId) -> Vec<Term> {
    let decl = t.func(system.pred(pred).func);
    let name = t.name(decl.name);
    let sorts = decl.params.iter().enumerate();
    sorts
        .map(|(i, &sort)| t.fresh_var(&format!("{name}.{i}"), sort))
        .collect()
}
