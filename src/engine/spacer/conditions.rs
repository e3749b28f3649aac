//! The constraints of the paper's Fig. 6 in one context: a single copy of all rules, of which some
//! proof fails.
//!
//! ```text
//! Trans    E_r ⇒ kept parts of r      E_r ∧ σ ⇒ part      N_p ⇒ ⋁ E_r (r derives p)
//! Invars   E_r ⇒ φ[argsᵢ]             N_p ⇒ φ             for φ ∈ I
//! Lemmas   A_φ ∧ E_r ⇒ φ[argsᵢ]       D_φ ⇒ B_φ ∧ N_p ∧ ¬φ
//!          the proof fails: ⋁ D_φ
//! Bound    τ_B's c ≤ bound(c) under E_r, where loops are counted; else
//!          one step k of the unrolling, as a chain up_j ("k ≤ j"):
//!          lemmas of level l hold in bodies if k ≤ l + 1, and can fail if k ≤ l
//! ```
//!
//! DIVERGENCE: the lemmas of all levels are candidates for the maximal inductive subset. The paper
//! takes the conjuncts of their disjunction over the copies of a location; lemmas that hold in all
//! copies are among them.
//!
//! DIVERGENCE: in EXTRACTINVS a lemma that fails is no longer assumed in the next query; the paper
//! assumes it until no other lemma fails.
//!
//! DIVERGENCE: a lemma counts as failing in a model if it does fail there (`D_φ`), not if it merely
//! may (`B_φ`). So fewer lemmas are given up at a time.
//!
//! HORN: locations are predicates, transitions are rules, and a rule may have several premises,
//! each at its own location.

use super::super::rules::RuleSystem;
use super::abstraction::Sigma;
use super::under::Limits;
use crate::chc::{PredId, UnknownReason};
use crate::engine::Context;
use crate::engine::pdr::{Level, ProofLemma};
use crate::logic::inductive_subset;
use crate::logic::mus::shrink;
use crate::smt::{SatResult, Solver};
use crate::term::{Sort, Term, Terms, Value};
use rustc_hash::FxHashMap;

/// A lemma in the context.
struct LemmaLiterals {
    pred: PredId,
    formula: Term,
    /// The activation literal `A_φ` of the lemma in bodies.
    had: Term,
    /// `B_φ`: its negation is assumed if a failure of the lemma does not count.
    counts: Term,
    /// `D_φ`: the lemma fails.
    fails: Term,
}

/// A lemma of [`Conditions`].
pub(super) type LemmaId = usize;

pub(super) struct Conditions<'a, 't> {
    t: &'t Terms,
    rules: &'a RuleSystem,
    /// The premises that are about each predicate, by its index: the rule's number and the
    /// position.
    premises: Vec<Vec<(usize, usize)>>,
    solver: Box<dyn Solver + 't>,
    /// The literals `E_r`, by rule.
    edges: Vec<Term>,
    /// The literals `N_p`, by predicate.
    nodes: Vec<Term>,
    lemmas: Vec<LemmaLiterals>,
    ids: FxHashMap<(PredId, Term), LemmaId>,
}

impl<'a, 't> Conditions<'a, 't> {
    /// A context with *Trans* of the rules.
    pub(super) fn new(context: &Context<'t>, rules: &'a RuleSystem, sigma: &Sigma) -> Self {
        let t = context.terms;
        let mut solver = context.backend.solver(t, "conditions");
        solver.set_limit(context.limit.clone());
        let edges: Vec<Term> = (rules.rules.iter())
            .map(|_| t.fresh_var("edge", Sort::BOOL))
            .collect();
        let nodes: Vec<Term> = (rules.pred_ids())
            .map(|_| t.fresh_var("node", Sort::BOOL))
            .collect();
        for (parts, &edge) in sigma.kept.iter().zip(&edges) {
            parts
                .iter()
                .for_each(|&part| solver.assert(t.implies(edge, part)));
        }
        for assumption in &sigma.assumptions {
            let edge = edges[assumption.rule.index()];
            let excluded = [t.not(edge), t.not(assumption.literal)];
            solver.assert(t.or(excluded.into_iter().chain([assumption.formula])));
        }
        for pred in rules.pred_ids() {
            let into = rules.by_head[pred.index()].iter().map(|r| edges[r.index()]);
            solver.assert(t.implies(nodes[pred.index()], t.or(into)));
        }
        let mut premises = vec![Vec::new(); rules.params.len()];
        for (number, rule) in rules.rules.iter().enumerate() {
            for (position, atom) in rule.body.iter().enumerate() {
                premises[atom.pred.index()].push((number, position));
            }
        }
        Conditions {
            t,
            rules,
            premises,
            solver,
            edges,
            nodes,
            lemmas: Vec::new(),
            ids: FxHashMap::default(),
        }
    }

    /// *Invars* for one invariant: all reachable states of the predicate satisfy the formula.
    pub(super) fn add_invariant(&mut self, pred: PredId, formula: Term) {
        let node = self.nodes[pred.index()];
        self.solver.assert(self.t.implies(node, formula));
        for (rule, instance) in self.instances(pred, formula) {
            let edge = self.edges[rule];
            self.solver.assert(self.t.implies(edge, instance));
        }
    }

    /// The instances of the formula for each premise with the predicate, with the number of its
    /// rule.
    fn instances(&self, pred: PredId, formula: Term) -> Vec<(usize, Term)> {
        let instance = |&(rule, position): &(usize, usize)| {
            let atom = &self.rules.rules[rule].body[position];
            (rule, self.rules.instance(self.t, formula, atom))
        };
        self.premises[pred.index()].iter().map(instance).collect()
    }

    /// *Lemmas* for one lemma, which is added if it is new.
    fn lemma(&mut self, pred: PredId, formula: Term) -> LemmaId {
        if let Some(&id) = self.ids.get(&(pred, formula)) {
            return id;
        }
        let t = self.t;
        let flag = |name| t.fresh_var(name, Sort::BOOL);
        let lemma = LemmaLiterals {
            pred,
            formula,
            had: flag("had"),
            counts: flag("counts"),
            fails: flag("fails"),
        };
        for (rule, instance) in self.instances(pred, formula) {
            let excluded = [t.not(lemma.had), t.not(self.edges[rule])];
            self.solver
                .assert(t.or(excluded.into_iter().chain([instance])));
        }
        for consequence in [lemma.counts, self.nodes[pred.index()], t.not(formula)] {
            self.solver.assert(t.implies(lemma.fails, consequence));
        }
        let id = self.lemmas.len();
        self.ids.insert((pred, formula), id);
        self.lemmas.push(lemma);
        id
    }

    fn check(&mut self, what: &str, assumptions: &[Term]) -> Result<bool, UnknownReason> {
        match self.solver.check(format_args!("{what}"), assumptions) {
            SatResult::Sat => Ok(true),
            SatResult::Unsat => Ok(false),
            SatResult::Unknown(failure) => Err(failure.into()),
        }
    }

    /// EXTRACTINVS, the paper's Fig. 7: the maximal subset of the lemmas that is inductive,
    /// relative to the invariants, for the rules with these assumptions.
    pub(super) fn maximal_inductive_subset(
        &mut self,
        assumed: &[Term],
        lemmas: &[ProofLemma],
    ) -> Result<Vec<(PredId, Term)>, UnknownReason> {
        let mut candidates: Vec<LemmaId> = lemmas
            .iter()
            .map(|lemma| self.lemma(lemma.pred, lemma.formula))
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let t = self.t;
        self.solver.set_purpose("extract invariants");
        self.solver.push();
        let fails = t.or(candidates.iter().map(|&id| self.lemmas[id].fails));
        self.solver.assert(fails);
        let all = candidates.clone();
        let result = inductive_subset(candidates, |kept| self.failing(assumed, &all, kept));
        self.solver.pop();
        let inductive = result?.into_iter();
        let said = inductive.map(|id| (self.lemmas[id].pred, self.lemmas[id].formula));
        Ok(said.collect())
    }

    /// Some of the kept lemmas that can fail while all of them hold in bodies. The open scope
    /// asserts that some lemma of `all` fails.
    fn failing(
        &mut self,
        assumed: &[Term],
        all: &[LemmaId],
        kept: &[LemmaId],
    ) -> Result<Vec<LemmaId>, UnknownReason> {
        let t = self.t;
        let had = kept.iter().map(|&id| self.lemmas[id].had);
        let ignored = all.iter().filter(|id| kept.binary_search(id).is_err());
        let ignored = ignored.map(|&id| t.not(self.lemmas[id].counts));
        let assumptions: Vec<Term> = assumed.iter().copied().chain(had).chain(ignored).collect();
        // C ∪ T ∪ R
        if !self.check("a lemma is not inductive", &assumptions)? {
            return Ok(Vec::new());
        }
        let flags: Vec<Term> = kept.iter().map(|&id| self.lemmas[id].fails).collect();
        let values = self.solver.values(&flags)?;
        let fail = kept.iter().zip(values);
        let fail = fail.filter(|(_, value)| *value == Value::Bool(true));
        let failing: Vec<LemmaId> = fail.map(|(&id, _)| id).collect();
        match failing.is_empty() {
            true => Err(broken("no lemma fails in a model where one does")),
            false => Ok(failing),
        }
    }

    /// ABSTRACT: assumptions that suffice for the lemmas, by level, to be a safety proof within the
    /// limits. At most `attempts` assumptions are tried to be left out one by one.
    pub(super) fn sufficient(
        &mut self,
        sigma: &Sigma,
        lemmas: &[ProofLemma],
        limits: &Limits,
        attempts: u32,
    ) -> Result<Vec<Term>, UnknownReason> {
        self.solver.set_purpose("abstract");
        self.solver.push();
        match limits {
            Limits::Height(bound) => self.assert_unrolling(lemmas, *bound),
            Limits::Rules(restrictions) => {
                for (&edge, &restriction) in self.edges.iter().zip(restrictions) {
                    self.solver.assert(self.t.implies(edge, restriction));
                }
                self.assert_proof(lemmas, |_, _| Term::TRUE);
            }
        }
        let all = sigma.literals(&sigma.concrete());
        let result = self.minimal_core(all, attempts);
        self.solver.pop();
        result
    }

    /// Asserts *Lemmas* and *Bound* of a proof in the open scope.
    fn assert_unrolling(&mut self, lemmas: &[ProofLemma], bound: u32) {
        let t = self.t;
        // The step is at most `bound`; the literal for that is `true`.
        let up: Vec<Term> = (0..bound).map(|_| t.fresh_var("up", Sort::BOOL)).collect();
        let up_to = |level: Level, more: u32| match level.number() {
            Some(n) if n.saturating_add(more) < bound => up[(n + more) as usize],
            _ => Term::TRUE,
        };
        for pair in up.windows(2) {
            self.solver.assert(t.implies(pair[0], pair[1]));
        }
        // The first step uses initial clauses only.
        let first = up_to(Level::new(0), 0);
        for (rule, &edge) in self.rules.rules.iter().zip(&self.edges) {
            if !rule.is_fact() {
                self.solver.assert(t.or([t.not(first), t.not(edge)]));
            }
        }
        self.assert_proof(lemmas, up_to);
    }

    /// *Lemmas* of a proof. Bodies may use a lemma at the steps up to the one after its level. The
    /// proof fails if a lemma fails at a step up to its level. `up_to(level, more)` is true if the
    /// step is at most `level + more`.
    fn assert_proof(&mut self, lemmas: &[ProofLemma], up_to: impl Fn(Level, u32) -> Term) {
        let t = self.t;
        let mut fails = Vec::new();
        for lemma in lemmas {
            let have = up_to(lemma.level, 1);
            for (rule, instance) in self.instances(lemma.pred, lemma.formula) {
                let excluded = [t.not(have), t.not(self.edges[rule])];
                self.solver
                    .assert(t.or(excluded.into_iter().chain([instance])));
            }
            let node = self.nodes[lemma.pred.index()];
            fails.push(t.and([up_to(lemma.level, 0), node, t.not(lemma.formula)]));
        }
        self.solver.assert(t.or(fails));
    }

    /// An unsat core of the assumptions, after at most `attempts` attempts to leave one out.
    fn minimal_core(&mut self, all: Vec<Term>, attempts: u32) -> Result<Vec<Term>, UnknownReason> {
        const WHAT: &str = "the proof fails in the abstraction";
        // Trans ∧ Invars ∧ Lemmas ∧ Bound ∧ ⋁ D_φ ∧ ⋀ σ
        if self.check(WHAT, &all)? {
            return Err(broken("a proof of the abstraction is none of the system"));
        }
        let core = self.solver.core()?;
        shrink(core, attempts, |rest| {
            let holds = !self.check(WHAT, rest)?;
            Ok(if holds {
                Some(self.solver.core()?)
            } else {
                None
            })
        })
    }
}

/// The reason of unknown if the solver or the engine below contradicts itself.
fn broken(what: &str) -> UnknownReason {
    UnknownReason::Incomplete(what.to_owned())
}
