//! Why a model is not accepted.

use crate::chc::ClauseId;
use crate::smt::Failure;
use std::fmt;

/// Why a model was not accepted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ModelError {
    /// The number of interpretations is not the number of predicates.
    #[error("the model interprets {found} predicates, the system has {expected}")]
    Count {
        /// Predicates of the system.
        expected: usize,
        /// Interpretations of the model.
        found: usize,
    },
    /// An interpretation is not a formula over its parameters.
    #[error("the interpretation of `{pred}` is not well formed: {flaw}")]
    Malformed {
        /// The name of the predicate.
        pred: String,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// A clause does not hold.
    #[error("{label} does not hold{}", .counterexample.as_ref().map_or(String::new(), |c| format!(" for {c}")))]
    Refused {
        /// The clause.
        clause: ClauseId,
        /// Its name in messages.
        label: String,
        /// Values of the clause's variables for which it fails, if the solver gave them.
        counterexample: Option<Counterexample>,
    },
    /// No clause fails, but the solver did not decide this one.
    #[error("{label} was not decided: {why}")]
    NotDecided {
        /// The clause.
        clause: ClauseId,
        /// Its name in messages.
        label: String,
        /// The solver's reason.
        why: Failure,
    },
}

impl ModelError {
    /// Is the model wrong? Not if it could only not be proved right.
    pub fn is_refusal(&self) -> bool {
        !matches!(self, ModelError::NotDecided { .. })
    }
}

/// What can be wrong with the form of an interpretation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// Another number of parameters than the predicate has arguments.
    #[error("it has {found} parameters instead of {expected}")]
    ParamCount {
        /// Arguments of the predicate.
        expected: usize,
        /// Parameters given.
        found: usize,
    },
    /// A parameter that is not a variable.
    #[error("the parameter `{0}` is not a variable")]
    ParamNotVariable(String),
    /// A parameter of the wrong sort.
    #[error("the parameter `{param}` is of sort {found} instead of {expected}")]
    ParamSort {
        /// The parameter.
        param: String,
        /// The predicate's sort at that place.
        expected: String,
        /// The parameter's.
        found: String,
    },
    /// Two parameters are the same variable.
    #[error("the parameter `{0}` occurs twice")]
    ParamTwice(String),
    /// The body is not of sort `Bool`.
    #[error("the body is of sort {0} instead of Bool")]
    BodySort(String),
    /// The body has a quantifier that is not a universal one in front of a conjunct, or binds a
    /// parameter.
    #[error("the body has a quantifier other than `forall` in front of a conjunct")]
    Quantifier,
    /// The body has a declared function, for example a predicate.
    #[error("the body mentions `{0}`, which is declared, not interpreted")]
    Declared(String),
    /// The body has a variable that is not a parameter.
    #[error("the body has the variable `{0}`, which is not a parameter")]
    FreeVariable(String),
}

/// Values of a clause's variables, in the order of `Clause::vars`, as SMT-LIB text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample(pub Vec<(String, String)>);

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("no variables");
        }
        let text = |(name, value): &(String, String)| format!("{name} = {value}");
        f.write_str(&self.0.iter().map(text).collect::<Vec<_>>().join(", "))
    }
}
