//! What a check has found: the verdict, and its certificate as text, as values and as a graph.

use super::{Problem, ProblemError};
use crate::certify::conclusions;
use crate::chc::{Answer, Model, PredId, Refutation, System};
use crate::report::{Lines, ModelForm, Proof, ProofFormat, write_model_as};
use crate::term::{Evaluator, Sort, Term, Terms, Unspecified, Value};
use std::sync::Arc;

/// What a check has found. It speaks of the system as it was at the check, also after changes of
/// the problem. Where a function takes a `problem`, it is the one that was checked.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The identity of the problem that was checked.
    pub(super) problem: Arc<()>,
    pub(super) system: System,
    pub(super) answer: Answer,
    pub(super) stats: String,
    pub(super) lines: Lines,
}

/// A fact of a refutation.
#[derive(Clone, Debug)]
pub struct Node {
    /// The position of the clause that derives it.
    pub clause: usize,
    /// The name of the clause, or `clause` with its position.
    pub label: String,
    /// The line of the clause in all texts that were read, one after the other, if it was read.
    pub line: Option<usize>,
    /// The predicate that the fact is about; `None` for `false`, which is the last node.
    pub pred: Option<PredId>,
    /// The values of the predicate's arguments, with their sorts.
    pub args: Vec<(Value, Sort)>,
    /// The nodes that derive the atoms of the clause's body, in order; all stand before this one.
    pub premises: Vec<usize>,
    /// The variables of the clause and their values.
    pub values: Vec<(Term, Value)>,
}

impl Outcome {
    /// `sat`, `unsat` or `unknown`.
    pub fn verdict(&self) -> &'static str {
        self.answer.verdict()
    }

    /// The answer with its certificate.
    pub fn answer(&self) -> &Answer {
        &self.answer
    }

    /// The store of the problem that was checked.
    fn terms<'a>(&self, problem: &'a Problem) -> &'a Terms {
        let is_same = Arc::ptr_eq(&self.problem, &problem.identity);
        debug_assert!(is_same, "an outcome is asked about another problem");
        problem.terms()
    }

    /// The system that was decided.
    pub fn system(&self) -> &System {
        &self.system
    }

    /// Why there is no verdict.
    pub fn reason(&self) -> Option<String> {
        match &self.answer {
            Answer::Unknown(unknown) => Some(unknown.reason.to_string()),
            _ => None,
        }
    }

    /// The measurements of the check, as one JSON object.
    pub fn stats(&self) -> &str {
        &self.stats
    }

    /// The model.
    ///
    /// # Errors
    /// There is none.
    pub fn model(&self) -> Result<&Model, ProblemError> {
        match &self.answer {
            Answer::Sat(model) => Ok(model),
            _ => Err(ProblemError::NoCertificate(
                "there is a model after `sat` only",
            )),
        }
    }

    /// The refutation.
    ///
    /// # Errors
    /// There is none.
    pub fn refutation(&self) -> Result<&Refutation, ProblemError> {
        match &self.answer {
            Answer::Unsat(refutation) => Ok(refutation),
            _ => Err(ProblemError::NoCertificate(
                "there is a refutation after `unsat` only",
            )),
        }
    }

    /// The model as text: one `define-fun` for each predicate.
    ///
    /// # Errors
    /// There is no model.
    pub fn model_text(&self, problem: &Problem) -> Result<String, ProblemError> {
        let (model, t) = (self.model()?, self.terms(problem));
        let form = ModelForm {
            single: true,
            ..ModelForm::default()
        };
        let mut text = Vec::new();
        write_model_as(&mut text, t, &self.system, model, form).expect("memory takes it");
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    /// Does the model's interpretation of a predicate hold of these ground terms?
    ///
    /// # Errors
    /// There is no model, no predicate of that name, or the arguments do not fit; or the
    /// interpretation has no value there, since it has a quantifier or depends on what the theory
    /// leaves open.
    pub fn holds(
        &self,
        problem: &Problem,
        pred: &str,
        args: &[Term],
    ) -> Result<bool, ProblemError> {
        let (model, t) = (self.model()?, self.terms(problem));
        let said = model.get(self.pred(problem, pred)?);
        if said.params.len() != args.len() {
            let (expected, found) = (said.params.len(), args.len());
            let message = format!("`{pred}` has {expected} arguments, and {found} are given");
            return Err(ProblemError::Term(message));
        }
        let mut evaluator = Evaluator::new(t, Unspecified::Refuse);
        for (&param, &arg) in said.params.iter().zip(args) {
            evaluator.assign(param, argument(t, arg, t.sort_of(param))?);
        }
        let value = evaluator.eval_bool(said.body);
        value.map_err(|why| {
            ProblemError::Term(format!("`{pred}` has no value there: {}", why.reason))
        })
    }

    /// The predicate of that name in the system that was decided.
    fn pred(&self, problem: &Problem, name: &str) -> Result<PredId, ProblemError> {
        let t = self.terms(problem);
        let is_named = |&pred: &PredId| self.system.pred_name(t, pred) == name;
        let found = self.system.pred_ids().find(is_named);
        found.ok_or_else(|| ProblemError::Term(format!("there is no predicate `{name}`")))
    }

    /// The refutation as a graph: premises stand before what follows from them, and the last node
    /// is `false`.
    ///
    /// # Errors
    /// There is no refutation.
    pub fn nodes(&self, problem: &Problem) -> Result<Vec<Node>, ProblemError> {
        let (refutation, t) = (self.refutation()?, self.terms(problem));
        let all = conclusions(t, &self.system, refutation);
        let all = all.map_err(|error| ProblemError::Term(error.to_string()))?;
        let node = |(fact, conclusion): (&crate::chc::Fact, Option<Vec<Value>>)| {
            let clause = self.system.clause(fact.clause);
            let pred = clause.head.as_ref().map(|head| head.pred);
            let sorts = pred.map_or(&[][..], |pred| &t.func(self.system.pred(pred).func).params);
            let args = conclusion.unwrap_or_default().into_iter();
            Node {
                clause: fact.clause.index(),
                label: self.system.clause_label(t, fact.clause),
                line: self.lines.line(clause.origin.span),
                pred,
                args: args.zip(sorts.iter().copied()).collect(),
                premises: fact
                    .premises
                    .iter()
                    .map(|premise| premise.index())
                    .collect(),
                values: (clause.vars.iter().copied())
                    .zip(fact.values.iter().cloned())
                    .collect(),
            }
        };
        Ok(refutation.facts.iter().zip(all).map(node).collect())
    }

    /// The refutation as text.
    ///
    /// # Errors
    /// There is no refutation, or the format cannot express it.
    pub fn refutation_text(
        &self,
        problem: &Problem,
        format: ProofFormat,
    ) -> Result<String, ProblemError> {
        let (refutation, t) = (self.refutation()?, self.terms(problem));
        let proof = Proof::new(t, &self.system, refutation, &self.lines);
        let proof = proof.map_err(|error| ProblemError::Term(error.to_string()))?;
        let mut text = Vec::new();
        let written = proof.write(&mut text, format).expect("memory takes it");
        written.map_err(|why| ProblemError::Term(why.to_string()))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }
}

/// The value of an argument of that sort. An integer is a real number, too.
fn argument(t: &Terms, term: Term, sort: Sort) -> Result<Value, ProblemError> {
    let value = t.ground_value(term).map_err(|why| {
        let text = t.display(term);
        ProblemError::Term(format!("the argument {text} is no value: {}", why.reason))
    })?;
    if value.is_of(t, sort) && (t.sort_of(term) == sort || sort == Sort::REAL) {
        return Ok(value);
    }
    let (found, expected) = (t.display_sort(t.sort_of(term)), t.display_sort(sort));
    let text = t.display(term);
    let message = format!("the argument {text} is of sort {found}, and {expected} is expected");
    Err(ProblemError::Term(message))
}
