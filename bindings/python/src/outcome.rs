//! Outcomes: the verdict, and its certificate as text, values and a graph.

use crate::problem::{HornError, Shared, error, lock};
use crate::value::Value;
use horn::chc::System;
use horn::problem::{self as core, Node};
use horn::report::ProofFormat;
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// What a check has found.
#[pyclass(frozen)]
pub(crate) struct Outcome {
    outcome: core::Outcome,
    shared: Arc<Mutex<Shared>>,
}

/// A fact of a refutation: clause, name, line, predicate, arguments, premises, variables.
type Fact = (
    usize,
    String,
    Option<usize>,
    Option<String>,
    Vec<Value>,
    Vec<usize>,
    Vec<(String, Value)>,
);

impl Outcome {
    pub(crate) fn new(outcome: core::Outcome, shared: &Arc<Mutex<Shared>>) -> Outcome {
        Outcome {
            outcome,
            shared: Arc::clone(shared),
        }
    }

    fn fact(&self, state: &Shared, node: Node) -> Fact {
        let t = state.problem.terms();
        let value = |value, sort| Value::new(value, sort, &self.shared);
        let pred = |pred| self.outcome.system().pred_name(t, pred).to_owned();
        let name = |var| {
            t.as_var(var)
                .map_or_else(String::new, |name| t.name(name).to_owned())
        };
        (
            node.clause,
            node.label,
            node.line,
            node.pred.map(pred),
            node.args
                .into_iter()
                .map(|(arg, sort)| value(arg, sort))
                .collect(),
            node.premises,
            (node.values.into_iter())
                .map(|(var, bound)| (name(var), value(bound, t.sort_of(var))))
                .collect(),
        )
    }
}

#[pymethods]
impl Outcome {
    #[getter]
    fn verdict(&self) -> &'static str {
        self.outcome.verdict()
    }

    #[getter]
    fn reason(&self) -> Option<String> {
        self.outcome.reason()
    }

    #[getter]
    fn stats(&self) -> &str {
        self.outcome.stats()
    }

    /// The predicates of the system that was decided, with their sorts.
    fn predicates(&self) -> PyResult<Vec<(String, Vec<String>)>> {
        Ok(signatures(&*lock(&self.shared)?, self.outcome.system()))
    }

    fn model_text(&self, py: Python<'_>) -> PyResult<String> {
        let state = lock(&self.shared)?;
        let text = self.outcome.model_text(&state.problem);
        text.map_err(|why| error(py, &why))
    }

    /// The interpretation of a predicate: its parameters and its formula.
    fn interpretation(&self, py: Python<'_>, name: &str) -> PyResult<(Vec<String>, String)> {
        let state = lock(&self.shared)?;
        let t = state.problem.terms();
        let model = self.outcome.model().map_err(|why| error(py, &why))?;
        let system = self.outcome.system();
        let pred = system
            .pred_ids()
            .find(|&pred| system.pred_name(t, pred) == name);
        let pred = pred.ok_or_else(|| HornError::new_err(format!("no predicate `{name}`")))?;
        let said = model.get(pred);
        let params = said
            .params
            .iter()
            .map(|&param| t.display(param).to_string());
        Ok((params.collect(), t.display(said.body).to_string()))
    }

    #[allow(clippy::needless_pass_by_value, reason = "what PyO3 extracts is owned")]
    fn holds(&self, py: Python<'_>, name: &str, args: Vec<usize>) -> PyResult<bool> {
        let state = lock(&self.shared)?;
        let args = state.terms(&args)?;
        let holds = self.outcome.holds(&state.problem, name, &args);
        holds.map_err(|why| error(py, &why))
    }

    fn facts(&self, py: Python<'_>) -> PyResult<Vec<Fact>> {
        let state = lock(&self.shared)?;
        let nodes = self
            .outcome
            .nodes(&state.problem)
            .map_err(|why| error(py, &why))?;
        Ok(nodes
            .into_iter()
            .map(|node| self.fact(&state, node))
            .collect())
    }

    fn refutation_text(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        let unknown = || HornError::new_err(format!("there is no format `{format}`"));
        let format = ProofFormat::from_name(format).ok_or_else(unknown)?;
        let state = lock(&self.shared)?;
        let text = self.outcome.refutation_text(&state.problem, format);
        text.map_err(|why| error(py, &why))
    }
}

/// The predicates of a system with their sorts.
pub(crate) fn signatures(state: &Shared, system: &System) -> Vec<(String, Vec<String>)> {
    let t = state.problem.terms();
    let sorts = |pred| t.func(system.pred(pred).func).params.iter();
    let signature = |pred| {
        let sorts = sorts(pred).map(|&sort| t.display_sort(sort).to_string());
        (system.pred_name(t, pred).to_owned(), sorts.collect())
    };
    system.pred_ids().map(signature).collect()
}
