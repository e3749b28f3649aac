//! Systems strengthened by a model: each clause gets, as further conjuncts of its constraint, what
//! the model of another system of the same program says about its premises.
//!
//! What is proved over mathematical integers holds of the machine, too, if no operation leaves its
//! type. A second system asks for that, over the same automata
//! ([`super::CheckedProperty::Overflows`]). The invariants of the first proof make it easier to
//! solve.

use super::Encoded;
use super::encode::{ClauseInfo, End, PredInfo};
use super::source::Place;
use crate::chc::{Atom, ClauseId, Model, PredId, System};
use crate::term::Term;
use rustc_hash::FxHashMap;

/// What a predicate stands for, as a key that two encodings of one program have in common.
#[derive(PartialEq, Eq, Hash)]
enum Key {
    Point(usize, usize),
    Entry(usize),
    Exit(usize),
}

fn key(info: &PredInfo) -> Key {
    match info {
        PredInfo::Point { root, node, .. } => Key::Point(*root, *node),
        PredInfo::Entry { root } => Key::Entry(*root),
        PredInfo::Exit { root } => Key::Exit(*root),
    }
}

impl Encoded<'_> {
    /// The system in which the constraint of each clause also says what `model` says of the
    /// clause's premises.
    ///
    /// `known` is another encoding of the same program, over the same terms and with the same
    /// functions put into their callers. `model` is a model of its system, and that system must
    /// derive everything that this one derives. Predicates and clauses keep their ids, and clauses
    /// their variables, so [`Encoded::run`] accepts a refutation of the result.
    pub fn system_within(&self, known: &Encoded<'_>, model: &Model) -> System {
        let infos = known.encoding.preds.iter().enumerate();
        let known_preds: FxHashMap<Key, PredId> = infos
            .map(|(at, info)| {
                let id = PredId(u32::try_from(at).expect("few predicates"));
                (key(info), id)
            })
            .collect();
        let says = |atom: &Atom| -> Term {
            let info = &self.encoding.preds[atom.pred.index()];
            let Some(&pred) = known_preds.get(&key(info)) else {
                return Term::TRUE;
            };
            let interpretation = model.get(pred);
            // Constraints have no quantifiers; what is left out makes the system derive more.
            let conjuncts = self.t.conjuncts(interpretation.body).into_iter();
            let body = self.t.and(conjuncts.filter(|&f| !self.t.has_quantifier(f)));
            let pairs = interpretation.params.iter().zip(&atom.args);
            self.t
                .substitute(body, pairs.map(|(&x, &value)| (x, value)))
        };
        let mut system = self.system().clone();
        for clause in &mut system.clauses {
            let premises: Vec<Term> = clause.body.iter().map(says).collect();
            clause.constraint = self
                .t
                .and(std::iter::once(clause.constraint).chain(premises));
        }
        system
    }

    /// The place in the program that a clause leads to.
    pub fn clause_place(&self, clause: ClauseId) -> Option<Place> {
        let ClauseInfo::Block { root, end, .. } = &self.encoding.clauses[clause.index()] else {
            return None;
        };
        let cfa = &self.encoding.flow.roots[*root].cfa;
        Some(match end {
            End::Cut(node) => cfa.nodes[*node].place.clone(),
            End::Error(edge) | End::Unsupported(edge, _) | End::Wraps(edge) => {
                cfa.edges[*edge].place.clone()
            }
        })
    }
}
