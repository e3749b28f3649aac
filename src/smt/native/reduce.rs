//! Shorter proofs: no pivot is resolved where it is resolved once more on every way to the end
//! \[FMW11\].
//!
//! A literal is *safe* at a step if each way from there to the end of the proof resolves it away.
//! The resolvent of `C ∨ p` and `D ∨ ¬p` where `p` is safe can be replaced by `C ∨ p`, and `D ∨ ¬p`
//! is not needed there. A search resolves the same pivots often, since each of its learned clauses
//! has a derivation by itself.
//!
//! ```text
//! backwards:  Safe(end) := its literals
//!             for a resolution at step s of l ∨ p and r ∨ ¬p, after those that use s:
//!               if p ∈ Safe(s):        s becomes l ∨ p
//!               else if ¬p ∈ Safe(s):  s becomes r ∨ ¬p
//!               else:  Safe(l) := Safe(l) ∩ (Safe(s) ∪ {p})
//!                      Safe(r) := Safe(r) ∩ (Safe(s) ∪ {¬p})
//! forwards:   clauses are resolved anew; a resolution whose pivot is gone becomes that premise
//! ```
//!
//! A chain is as many resolutions, one after the other.

use super::proof::{Literal, Proof, ProofStep, Why};
use crate::work;
use std::iter::zip;

/// The sets of safe literals may have at most 64 literals in all for each literal of the proof;
/// later ones are empty, which is right but of no use. The value was not tuned.
const LITERALS: usize = 64;

/// A proof of the same clause, or of a part of it, with the steps that it needs, from some of the
/// clauses of the given one.
pub(super) fn reduce(proof: Proof) -> Proof {
    let pivots = pivots(&proof);
    let plans = Plans::new(&proof, &pivots);
    match rebuilt(&proof, &pivots, &plans.steps) {
        Some(steps) => Proof { steps, ..proof },
        None => proof,
    }
}

/// Which premises of a step are left.
#[derive(Clone)]
enum Plan {
    /// No other step needs it.
    Unneeded,
    /// It stays as it is.
    Kept,
    /// Of a chain: these positions in it.
    Chain(Vec<usize>),
}

/// A set of literals.
struct Literals {
    has: Vec<bool>,
    /// The literals, and some that were removed; one that was inserted again is there twice.
    all: Vec<Literal>,
}

impl Literals {
    /// No literals of atoms below that number.
    fn new(atoms: usize) -> Self {
        Literals {
            has: vec![false; 2 * atoms],
            all: Vec::new(),
        }
    }

    fn place(literal: Literal) -> usize {
        2 * literal.atom as usize + usize::from(literal.positive)
    }

    fn contains(&self, literal: Literal) -> bool {
        self.has[Self::place(literal)]
    }

    fn insert(&mut self, literal: Literal) {
        if !std::mem::replace(&mut self.has[Self::place(literal)], true) {
            self.all.push(literal);
        }
    }

    /// Takes a literal out of the set. It stays in `all` until the set is taken.
    fn remove(&mut self, literal: Literal) {
        self.has[Self::place(literal)] = false;
    }

    /// The literals; the set is empty afterwards.
    fn take(&mut self) -> Box<[Literal]> {
        let mut all = std::mem::take(&mut self.all);
        all.retain(|&l| std::mem::take(&mut self.has[Self::place(l)]));
        all.into()
    }

    /// The set has these literals and no others.
    fn set(&mut self, literals: &[Literal]) {
        for literal in self.all.drain(..) {
            self.has[Self::place(literal)] = false;
        }
        literals.iter().for_each(|&l| self.insert(l));
    }
}

/// The premises of a chain.
fn chain(step: &ProofStep) -> Option<&[u32]> {
    match &step.why {
        Why::Chain(premises) if !premises.is_empty() => Some(premises),
        _ => None,
    }
}

/// For each chain of the proof: the literal of each premise but the first that is resolved.
fn pivots(proof: &Proof) -> Vec<Vec<Literal>> {
    let mut resolvent = Literals::new(proof.atoms.len());
    let clause = |step: u32| &proof.steps[step as usize].clause;
    let of_step = |step: &ProofStep| {
        let Some((&first, rest)) = chain(step).and_then(<[u32]>::split_first) else {
            return Vec::new();
        };
        resolvent.set(clause(first));
        let pivot = |&premise: &u32| {
            work::spend_on(1 + clause(premise).len());
            let pivot = clause(premise).iter().find(|&&l| resolvent.contains(!l));
            let pivot = *pivot.expect("each step of a chain resolves");
            resolvent.remove(!pivot);
            let others = clause(premise).iter().filter(|&&l| l != pivot);
            others.for_each(|&l| resolvent.insert(l));
            pivot
        };
        rest.iter().map(pivot).collect()
    };
    proof.steps.iter().map(of_step).collect()
}

/// What stays of the steps, which is found from the last one to the first.
struct Plans<'p> {
    proof: &'p Proof,
    steps: Vec<Plan>,
    /// By step: the literals that are safe there; empty before the step is needed.
    safe: Vec<Vec<Literal>>,
    /// The number of literals that may still be added to `safe`.
    room: usize,
}

impl<'p> Plans<'p> {
    fn new(proof: &'p Proof, pivots: &[Vec<Literal>]) -> Self {
        let literals: usize = proof.steps.iter().map(|step| step.clause.len()).sum();
        let mut plans = Plans {
            proof,
            steps: vec![Plan::Unneeded; proof.steps.len()],
            safe: vec![Vec::new(); proof.steps.len()],
            room: literals.saturating_mul(LITERALS),
        };
        let mut safe = Literals::new(proof.atoms.len());
        let Some(last) = proof.steps.last() else {
            return plans;
        };
        safe.set(&last.clause);
        plans.need(proof.steps.len() - 1, &safe, None);
        for (number, step) in proof.steps.iter().enumerate().rev() {
            if let (Plan::Kept, Some(premises)) = (&plans.steps[number], chain(step)) {
                safe.set(&std::mem::take(&mut plans.safe[number]));
                plans.steps[number] = plans.of_chain(premises, &pivots[number], &mut safe);
            }
        }
        plans
    }

    /// What stays of a chain at which these literals are safe.
    fn of_chain(&mut self, premises: &[u32], pivots: &[Literal], safe: &mut Literals) -> Plan {
        let mut kept = Vec::new();
        for (place, &pivot) in pivots.iter().enumerate().rev() {
            let place = place + 1;
            if safe.contains(!pivot) {
                // The resolvent so far takes the place of the next one.
                continue;
            }
            kept.push(place);
            if safe.contains(pivot) {
                self.need(premises[place] as usize, safe, None);
                kept.reverse();
                return Plan::Chain(kept);
            }
            self.need(premises[place] as usize, safe, Some(pivot));
            safe.insert(!pivot);
        }
        self.need(premises[0] as usize, safe, None);
        kept.push(0);
        kept.reverse();
        Plan::Chain(kept)
    }

    /// A step is needed where these literals are safe, and `another` one.
    fn need(&mut self, step: usize, safe: &Literals, another: Option<Literal>) {
        let is_new = matches!(self.steps[step], Plan::Unneeded);
        self.steps[step] = Plan::Kept;
        if chain(&self.proof.steps[step]).is_none() {
            return;
        }
        let known = &mut self.safe[step];
        work::spend_on(1 + if is_new { safe.all.len() } else { known.len() });
        match is_new {
            true if safe.all.len() < self.room => {
                known.extend(safe.all.iter().copied().chain(another));
                self.room -= known.len();
            }
            true => {}
            false => known.retain(|&l| safe.contains(l) || another == Some(l)),
        }
    }
}

/// The steps that are left, with their clauses resolved anew.
struct Rebuilding {
    steps: Vec<ProofStep>,
    /// By step of the proof: the number of the new one with its clause, or with a part of it.
    numbers: Vec<u32>,
    /// The literals of the chain at work.
    resolvent: Literals,
}

/// `None` if the last clause would have other literals than before.
fn rebuilt(proof: &Proof, pivots: &[Vec<Literal>], plans: &[Plan]) -> Option<Vec<ProofStep>> {
    let mut new = Rebuilding {
        steps: Vec::new(),
        numbers: Vec::with_capacity(proof.steps.len()),
        resolvent: Literals::new(proof.atoms.len()),
    };
    for ((step, plan), pivots) in zip(zip(&proof.steps, plans), pivots) {
        let number = match (plan, chain(step)) {
            // No step that stays refers to it.
            (Plan::Unneeded, _) => u32::MAX,
            (Plan::Chain(places), Some(premises)) => new.chain(premises, pivots, places)?,
            _ => new.add(step.clone()),
        };
        new.numbers.push(number);
    }
    let (last, end) = (proof.steps.last()?, *new.numbers.last()? as usize);
    new.steps.truncate(end + 1);
    let is_part = |clause: &[Literal]| clause.iter().all(|l| last.clause.contains(l));
    is_part(&new.steps[end].clause).then(|| needed(new.steps))
}

impl Rebuilding {
    fn add(&mut self, step: ProofStep) -> u32 {
        self.steps.push(step);
        u32::try_from(self.steps.len() - 1).expect("no more steps than before")
    }

    /// The step with the resolvent of the premises at these places of a chain. `None` if some
    /// resolvent would have a literal and its negation.
    fn chain(&mut self, premises: &[u32], pivots: &[Literal], places: &[usize]) -> Option<u32> {
        let mut left: Vec<u32> = Vec::new();
        for &place in places {
            let premise = self.numbers[premises[place] as usize];
            let clause = &self.steps[premise as usize].clause;
            work::spend_on(1 + clause.len());
            let pivot = match left.is_empty() {
                true => None,
                false => Some(pivots[place - 1]),
            };
            match pivot {
                Some(pivot) if !self.resolvent.contains(!pivot) => continue,
                Some(pivot) if clause.contains(&pivot) => {
                    self.resolvent.remove(!pivot);
                    for &literal in clause.iter().filter(|&&l| l != pivot) {
                        if self.resolvent.contains(!literal) {
                            return None;
                        }
                        self.resolvent.insert(literal);
                    }
                }
                // Nothing is to be resolved: the premise takes the place of what is before it.
                _ => {
                    left.clear();
                    self.resolvent.set(clause);
                }
            }
            left.push(premise);
        }
        match left[..] {
            [premise] => Some(premise),
            _ => {
                let clause = self.resolvent.take();
                let why = Why::Chain(left.into());
                Some(self.add(ProofStep { clause, why }))
            }
        }
    }
}

/// The steps that the last one needs.
fn needed(steps: Vec<ProofStep>) -> Vec<ProofStep> {
    let mut is_needed = vec![false; steps.len()];
    *is_needed.last_mut().expect("a proof has a step") = true;
    for (number, step) in steps.iter().enumerate().rev() {
        if is_needed[number] {
            let premises = chain(step).unwrap_or_default();
            premises.iter().for_each(|&p| is_needed[p as usize] = true);
        }
    }
    let mut numbers = Vec::with_capacity(steps.len());
    let mut left: Vec<ProofStep> = Vec::new();
    for (mut step, is_needed) in zip(steps, is_needed) {
        numbers.push(left.len() as u32);
        if is_needed {
            if let Why::Chain(premises) = &mut step.why {
                premises.iter_mut().for_each(|p| *p = numbers[*p as usize]);
            }
            left.push(step);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::native::check::check;
    use crate::smt::native::proof::{Justification, ProofAtom};
    use crate::smt::native::{NativeOptions, NativeSolver};
    use crate::smt::{SatResult, Solver};
    use crate::term::{Sort, Term, Terms};

    const P: i8 = 1;
    const Q: i8 = 2;
    const R: i8 = 3;

    fn clause(literals: &[i8]) -> Box<[Literal]> {
        let literal = |&l: &i8| Literal {
            atom: u32::from(l.unsigned_abs()) - 1,
            positive: l > 0,
        };
        literals.iter().map(literal).collect()
    }

    /// A proof from `p ∨ q`, `¬p ∨ r`, `¬q ∨ p`, `¬r` and `¬p ∨ ¬q`, with resolutions after these.
    fn proof(t: &Terms, chains: &[(&[i8], &[u32])]) -> Proof {
        let rule = Justification::Assertion(Term::TRUE, true);
        let inputs: [&[i8]; 5] = [&[P, Q], &[-P, R], &[-Q, P], &[-R], &[-P, -Q]];
        let input = |literals: &&[i8]| ProofStep {
            clause: clause(literals),
            why: Why::Input { rule, part: 0 },
        };
        let chain = |&(literals, premises): &(&[i8], &[u32])| ProofStep {
            clause: clause(literals),
            why: Why::Chain(premises.into()),
        };
        let atom = |name| ProofAtom::Formula(t.var(name, Sort::BOOL));
        Proof {
            atoms: ["p", "q", "r"].map(atom).into(),
            steps: inputs
                .iter()
                .map(input)
                .chain(chains.iter().map(chain))
                .collect(),
        }
    }

    fn chains(proof: &Proof) -> Vec<&[u32]> {
        proof.steps.iter().filter_map(chain).collect()
    }

    #[test]
    fn a_pivot_that_is_resolved_again_is_resolved_once() {
        let t = Terms::new();
        // The resolution on `p` at the beginning is not needed, and neither is the input at 4.
        let single = proof(&t, &[(&[], &[0, 1, 2, 1, 3])]);
        let reduced = reduce(single);
        assert_eq!(chains(&reduced), [&[0, 2, 1, 3][..]]);
        assert_eq!(reduced.steps.len(), 5);
        let several: [(&[i8], &[u32]); 4] = [
            (&[Q, R], &[0, 1]),
            (&[P, R], &[5, 2]),
            (&[R], &[6, 1]),
            (&[], &[7, 3]),
        ];
        let reduced = reduce(proof(&t, &several));
        assert_eq!(reduced.steps.len(), 4 + 3);
        assert!(
            reduced
                .steps
                .last()
                .is_some_and(|step| step.clause.is_empty())
        );
    }

    #[test]
    fn what_one_of_several_ways_needs_stays() {
        let t = Terms::new();
        // `q ∨ r` is resolved on `p` again on one of two ways to the end only.
        let steps: [(&[i8], &[u32]); 3] =
            [(&[Q, R], &[0, 1]), (&[P, R], &[5, 2]), (&[], &[5, 4, 6, 3])];
        let given = proof(&t, &steps);
        let reduced = reduce(given.clone());
        assert!(
            reduced
                .steps
                .last()
                .is_some_and(|step| step.clause.is_empty())
        );
        assert!(chains(&reduced).contains(&&[0, 1][..]), "{reduced:?}");
    }

    /// Proofs of random clauses are accepted as before, and some are shorter.
    #[test]
    fn reduced_proofs_are_accepted() {
        let (mut before, mut after) = (0, 0);
        for seed in 0..40_u64 {
            let t = Terms::new();
            let mut state = seed;
            let mut below = |bound: u64| {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (state >> 33) % bound
            };
            let mut literal = || {
                let var = t.var(&format!("p{}", below(12)), Sort::BOOL);
                if below(2) == 0 { var } else { t.not(var) }
            };
            let clauses: Vec<Term> = (0..90)
                .map(|_| t.or([literal(), literal(), literal()]))
                .collect();
            let options = NativeOptions {
                proofs: true,
                ..NativeOptions::default()
            };
            let mut solver = NativeSolver::new(&t, &options);
            clauses.iter().for_each(|&clause| solver.assert(clause));
            if solver.check(format_args!("random clauses"), &[]) != SatResult::Unsat {
                continue;
            }
            let proof = solver.proof().expect("proofs are kept");
            let reduced = reduce(proof.clone());
            assert_eq!(check(&t, &clauses, &[], &reduced), Ok(()), "seed {seed}");
            assert!(reduced.steps.len() <= proof.steps.len(), "seed {seed}");
            before += proof.steps.len();
            after += reduced.steps.len();
        }
        assert!(after < before, "{after} steps of {before}");
    }

    #[test]
    fn a_proof_without_resolutions_stays() {
        let t = Terms::new();
        let rule = Justification::Assertion(Term::FALSE, true);
        let input = ProofStep {
            clause: Box::default(),
            why: Why::Input { rule, part: 0 },
        };
        let given = Proof {
            steps: vec![input],
            ..proof(&t, &[])
        };
        assert_eq!(reduce(given.clone()), given);
    }
}
