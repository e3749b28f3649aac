//! From the log of a search to a proof: the steps that a derivation needs, in terms of formulas.

use super::encoder::Meaning;
use super::literal::{Lit, Var};
use super::log::{Step, StepId};
use super::proof::{Literal, Proof, ProofAtom, ProofStep, Why};
use super::search::Search;
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

/// Turns a log into a proof.
struct Extraction<'s, 't> {
    search: &'s Search<'t>,
    atoms: Vec<ProofAtom>,
    numbers: FxHashMap<Var, u32>,
}

/// The derivation of a step in the log of a search, which must be a full one, without what it does
/// not need.
pub(super) fn extract(search: &Search<'_>, last: StepId) -> Proof {
    let mut needed = vec![last];
    let mut seen: FxHashSet<StepId> = [last].into_iter().collect();
    let mut i = 0;
    while let Some(&id) = needed.get(i) {
        i += 1;
        work::spend(2);
        if let Some(Step::Chain { steps, .. }) = search.sat.log.get(id) {
            needed.extend(steps.iter().copied().filter(|&s| seen.insert(s)));
        }
    }
    // Each step is logged after the steps that it needs.
    needed.sort_unstable();
    let numbers: FxHashMap<StepId, u32> = std::iter::zip(needed.iter().copied(), 0..).collect();
    let mut extraction = Extraction {
        search,
        atoms: Vec::new(),
        numbers: FxHashMap::default(),
    };
    let steps = needed
        .iter()
        .map(|&id| extraction.step(id, &numbers))
        .collect();
    Proof {
        atoms: extraction.atoms,
        steps,
    }
}

impl Extraction<'_, '_> {
    fn step(&mut self, id: StepId, numbers: &FxHashMap<StepId, u32>) -> ProofStep {
        let step = self.search.sat.log.get(id).expect("everything is logged");
        let (clause, why) = match step {
            Step::Input { clause, rule, part } => {
                let (rule, part) = (*rule, *part);
                (clause, Why::Input { rule, part })
            }
            Step::Farkas { clause, factors } => (clause, Why::Farkas(factors.clone())),
            Step::Chain { clause, steps } => {
                let steps = steps.iter().map(|s| numbers[s]).collect();
                (clause, Why::Chain(steps))
            }
            Step::Given { .. } => unreachable!("a full log has all steps"),
        };
        ProofStep {
            clause: clause.iter().map(|&l| self.literal(l)).collect(),
            why,
        }
    }

    fn literal(&mut self, lit: Lit) -> Literal {
        if !self.numbers.contains_key(&lit.var()) {
            self.add_atom(lit.var());
        }
        self.known(lit)
    }

    /// A literal whose variable is an atom already.
    fn known(&self, lit: Lit) -> Literal {
        Literal {
            atom: self.numbers[&lit.var()],
            positive: lit.is_positive(),
        }
    }

    /// Adds what a variable says, after the inputs of gates behind it.
    fn add_atom(&mut self, var: Var) {
        let mut todo = vec![var];
        while let Some(&var) = todo.last() {
            work::spend(1);
            let pending = todo.len();
            let meaning = self.search.encoder.meaning(var);
            if let Meaning::Gate(gate) = meaning {
                let inputs = gate.inputs().iter().map(|input| input.var());
                todo.extend(inputs.filter(|input| !self.numbers.contains_key(input)));
            }
            if todo.len() > pending {
                continue;
            }
            todo.pop();
            if self.numbers.contains_key(&var) {
                continue;
            }
            let atom = match meaning {
                Meaning::Gate(gate) => ProofAtom::Gate(gate.map(|input| self.known(input))),
                _ => atom_of(self.search, var),
            };
            let number = u32::try_from(self.atoms.len()).expect("counted by 32 bits");
            self.numbers.insert(var, number);
            self.atoms.push(atom);
        }
    }
}

/// What a variable of the search says that is no gate.
fn atom_of(search: &Search<'_>, var: Var) -> ProofAtom {
    match search.encoder.meaning(var) {
        Meaning::Truth => ProofAtom::Truth,
        Meaning::Formula(term) => ProofAtom::Formula(term),
        Meaning::Equal(x, y) => ProofAtom::Equal(x, y),
        Meaning::Operator(term) => ProofAtom::Operator(term),
        Meaning::Scope => ProofAtom::Scope,
        Meaning::Bit(term, index) => ProofAtom::Bit(term, index),
        Meaning::Gate(_) => unreachable!("a gate has inputs, which are numbered first"),
        Meaning::Bound => {
            let atom = search.arith.atom(var).expect("it is a bound");
            ProofAtom::Bound {
                form: search.form_over_terms(atom.var),
                bound: atom.bound.clone(),
                is_int: search.arith.simplex.is_int(atom.var),
            }
        }
    }
}
