//! Derivations of `false` over folds that need not be derivations of the system.

use super::abstraction::FoldCase;
use crate::chc::{Refutation, Skeleton, Step};
use crate::term::{Op, Substitution, Term, Terms};

/// Longer derivations are not learnt from: folds that refute them take long to find. The value was
/// not tuned.
const MOST_STEPS: usize = 100;

/// What a derivation says of the datatypes in it.
///
/// Clauses are joined by what they say of folds alone. So the equation `nil = cons(h, t)` between a
/// conclusion and a premise is no contradiction here: it says that all folds of both sides are
/// equal.
#[derive(Clone, Debug)]
pub(super) struct Counterexample {
    /// The constraints of all steps.
    pub(super) conjuncts: Vec<Term>,
    /// Terms whose folds are equal; terms of other sorts are themselves equal.
    pub(super) equations: Vec<(Term, Term)>,
}

impl Counterexample {
    /// What a derivation over folds says; `None` if it is too long. The clauses of the system that
    /// it refutes are these cases.
    pub(super) fn new(t: &Terms, refutation: &Refutation, cases: &[FoldCase]) -> Option<Self> {
        if refutation.facts.len() > MOST_STEPS {
            return None;
        }
        let mut all = Counterexample {
            conjuncts: Vec::new(),
            equations: Vec::new(),
        };
        let mut heads: Vec<Vec<Term>> = Vec::new();
        for fact in &refutation.facts {
            let opened = &cases[fact.clause.index()].opened;
            let atoms = opened.body.iter().chain(&opened.head);
            let args = atoms.flat_map(|atom| atom.args.iter().copied());
            let vars = t.vars(args.chain(opened.conjuncts.iter().copied()));
            let copies = vars.iter().map(|&x| (x, t.fresh_var("step", t.sort_of(x))));
            let mut copy = Substitution::new(t, copies);
            let conjuncts = opened.conjuncts.iter().map(|&c| copy.apply(c));
            all.conjuncts.extend(conjuncts);
            for (atom, premise) in opened.body.iter().zip(&fact.premises) {
                let args = atom.args.iter().map(|&arg| copy.apply(arg));
                let derived = heads[premise.index()].iter().copied();
                all.equations.extend(args.zip(derived));
            }
            let head = opened.head.iter().flat_map(|head| &head.args);
            heads.push(head.map(|&arg| copy.apply(arg)).collect());
        }
        all.solve(t);
        Some(all)
    }

    /// Replaces variables that are equal to terms.
    fn solve(&mut self, t: &Terms) {
        let mut rest = Vec::new();
        while let Some((x, y)) = self.equations.pop() {
            let solved = [(x, y), (y, x)].into_iter().find(|&(var, term)| {
                matches!(t.op(var), Op::Var(_)) && !t.any_subterm(term, |part| part == var)
            });
            match solved {
                _ if x == y => {}
                None => rest.push((x, y)),
                Some(pair) => {
                    let mut substitution = Substitution::new(t, [pair]);
                    let equations = self.equations.iter_mut().chain(&mut rest);
                    for side in equations.flat_map(|(x, y)| [x, y]) {
                        *side = substitution.apply(*side);
                    }
                    for conjunct in &mut self.conjuncts {
                        *conjunct = substitution.apply(*conjunct);
                    }
                }
            }
        }
        self.equations = rest;
    }
}

/// The clauses of the system that a derivation over folds applies.
pub(super) fn skeleton(refutation: &Refutation, cases: &[FoldCase]) -> Vec<Step> {
    let over_folds = Skeleton::of(refutation);
    let step = |step: &Step| Step {
        clause: cases[step.clause.index()].clause,
        premises: step.premises.clone(),
    };
    over_folds.steps().iter().map(step).collect()
}
