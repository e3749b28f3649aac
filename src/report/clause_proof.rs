//! Proofs that clauses hold in a model, by the embedded core, in the Alethe format.

use crate::chc::{Atom, Clause, Model};
use crate::smt::native::alethe::Unsupported;
use crate::smt::native::{NativeOptions, NativeSolver};
use crate::smt::{Limit, SatResult, Solver};
use crate::smtlib::ClauseQueries;
use crate::term::{Term, Terms};
use crate::work;
use std::fmt::Write;

/// The work for the proof of one clause, in ticks. The value was not tuned.
const TICKS: u64 = work::milliseconds(1000);
/// The work for all proofs of a certificate, in ticks. The value was not tuned.
const ALL_TICKS: u64 = work::milliseconds(20_000);

/// A proof that a clause cannot fail in a model.
pub(super) struct ClauseProof {
    /// The query, in which the definitions of the predicates are put in.
    pub(super) query: String,
    /// The proof, in the Alethe format.
    pub(super) steps: String,
}

/// Why a clause has no proof.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoProof {
    /// It is no formula without quantifiers.
    #[error("the model has quantifiers")]
    Quantifiers,
    /// The model has functions that are defined by recursion.
    #[error("the model has functions that are defined by recursion")]
    Recursion,
    /// A variable is called as a function is.
    #[error("the name of a variable has two meanings")]
    Names,
    /// The core did not decide it.
    #[error("the embedded core did not decide the query: {0}")]
    Open(String),
    /// The format cannot say it.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
}

/// Proves clauses of a system in a model.
pub(super) struct ClauseProver<'a> {
    t: &'a Terms,
    model: &'a Model,
    queries: &'a ClauseQueries<'a>,
    limit: Limit,
}

impl<'a> ClauseProver<'a> {
    /// A prover of the clauses that the queries are about.
    pub(super) fn new(
        t: &'a Terms,
        model: &'a Model,
        queries: &'a ClauseQueries<'a>,
        limit: &Limit,
    ) -> Self {
        let limit = limit.part(ALL_TICKS);
        ClauseProver {
            t,
            model,
            queries,
            limit,
        }
    }

    /// The proof of a clause.
    pub(super) fn prove(&self, clause: &Clause) -> Result<ClauseProof, NoProof> {
        let t = self.t;
        let assertions = self.assertions(clause);
        if assertions.iter().any(|&f| t.has_quantifier(f)) {
            return Err(NoProof::Quantifiers);
        }
        if !t.defined_functions(assertions.iter().copied()).is_empty() {
            return Err(NoProof::Recursion);
        }
        if !self.queries.keeps_names(clause) {
            return Err(NoProof::Names);
        }
        let options = NativeOptions {
            proofs: true,
            ..NativeOptions::default()
        };
        let mut solver = NativeSolver::new(t, &options);
        solver.set_limit(self.limit.part(TICKS));
        assertions.iter().for_each(|&f| solver.assert(f));
        let found = match solver.check(format_args!("the proof of a clause"), &[]) {
            SatResult::Unsat => solver.proof(),
            SatResult::Sat => return Err(NoProof::Open("it says sat".to_owned())),
            SatResult::Unknown(why) => return Err(NoProof::Open(why.to_string())),
        };
        let proof = found.ok_or_else(|| NoProof::Open("it kept no proof".to_owned()))?;
        let alethe = proof.alethe(t, &assertions)?;
        let mut query = self.queries.declarations();
        for &var in &clause.vars {
            let (name, sort) = (t.display(var), t.display_sort(t.sort_of(var)));
            let _ = writeln!(query, "(declare-const {name} {sort})");
        }
        for definition in &alethe.definitions {
            query.push_str(definition);
            query.push('\n');
        }
        for text in &alethe.assertions {
            let _ = writeln!(query, "(assert {text})");
        }
        Ok(ClauseProof {
            query,
            steps: alethe.steps,
        })
    }

    /// That a clause fails: its premises, its constraint, and the negation of its head.
    fn assertions(&self, clause: &Clause) -> Vec<Term> {
        let t = self.t;
        let applied = |atom: &Atom| {
            let meaning = self.model.get(atom.pred);
            let pairs = std::iter::zip(meaning.params.iter().copied(), atom.args.iter().copied());
            t.substitute(meaning.body, pairs)
        };
        let mut assertions: Vec<Term> = clause.body.iter().map(applied).collect();
        assertions.push(clause.constraint);
        assertions.extend(clause.head.iter().map(|head| t.not(applied(head))));
        assertions.retain(|&f| f != Term::TRUE);
        assertions
    }
}
