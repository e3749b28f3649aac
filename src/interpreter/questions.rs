//! Questions about the last check: models, values, cores, proofs, interpolants.

use super::model::Model;
use super::refusal::Refusal;
use super::response::{Response, quoted};
use super::session::{Interpreter, Last};
use super::{beyond, model};
use crate::chc::Span;
use crate::smt::{Failure, PartTree};
use crate::smtlib::SmtParts;
use crate::smtlib::ast::Name;
use crate::term::{Term, TermSet};
use std::time::Duration;

/// Why a check has no answer that ends at a limit of ticks.
pub(super) const WORK_LIMIT: &str = "work limit";
/// The same in the words of Z3.
const Z3_WORK_LIMIT: &str = "max. resource limit exceeded";

/// The answer to a question.
type Answer<'s> = Result<Response<'s>, Refusal>;

impl<'s> Interpreter<'_, 's> {
    /// The values of terms in the model of the last check.
    pub(super) fn get_value(&mut self, terms: &[(Term, Span)]) -> Answer<'s> {
        self.expect_model()?;
        let asked: Vec<Term> = terms.iter().map(|&(term, _)| term).collect();
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let values = self.tally.time(|| solver.values(&asked));
        let values = values.map_err(|why| why.to_string())?;
        let rows = terms.iter().zip(values).map(|(&(term, span), value)| {
            let sort = self.t.sort_of(term);
            (self.source.slice(span), value, sort)
        });
        Ok(Response::Values(rows.collect()))
    }

    /// The value of a term in the model of the last check.
    pub(super) fn eval(&mut self, term: Term) -> Answer<'s> {
        self.expect_model()?;
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let values = self.tally.time(|| solver.values(&[term]));
        let values = values.map_err(|why| why.to_string())?;
        let value = values.into_iter().next().ok_or("the term has no value")?;
        Ok(Response::Value(value, self.t.sort_of(term)))
    }

    /// The model of the last check.
    pub(super) fn get_model(&mut self) -> Answer<'s> {
        self.expect_model()?;
        let formulas: Vec<Term> = self.assertions().map(|a| a.formula).collect();
        self.solver.set_limit(self.limit());
        let (t, solver, declared) = (self.t, &mut *self.solver, self.reader.declared());
        let meanings = self
            .tally
            .time(|| model::meanings(t, declared, &formulas, solver));
        let meanings = meanings.map_err(|why| why.to_string())?;
        Ok(Response::Model(Model { meanings }))
    }

    fn expect_model(&self) -> Result<(), Refusal> {
        if !self.settings.models {
            return Err("models are switched off by :produce-models".into());
        }
        match self.last {
            Last::Sat => Ok(()),
            _ => Err("there is no model: the last check, if any, did not find one".into()),
        }
    }

    /// The assumptions of the last check, which must have answered `unsat`.
    fn expect_contradiction(&self) -> Result<&[(Term, &'s str)], Refusal> {
        match &self.last {
            Last::Unsat(assumptions) => Ok(assumptions),
            _ => Err("the last check, if any, did not answer unsat".into()),
        }
    }

    /// The assumptions that the last check used.
    fn core(&mut self) -> Result<TermSet, Refusal> {
        self.solver.set_limit(self.limit());
        let solver = &mut self.solver;
        let core = self.tally.time(|| solver.core());
        Ok(core.map_err(|why| why.to_string())?.into_iter().collect())
    }

    /// The named assertions that the last check used.
    pub(super) fn get_unsat_core(&mut self) -> Answer<'s> {
        if !self.settings.cores {
            return Err("cores need (set-option :produce-unsat-cores true)".into());
        }
        self.expect_contradiction()?;
        let mut core = self.core()?;
        // Of equal formulas, one is enough.
        let names = self.assertions().filter_map(|assertion| {
            let name = assertion.name?;
            core.remove(&assertion.formula).then_some(name)
        });
        Ok(Response::UnsatCore(names.collect()))
    }

    /// The assumptions of the last check that it used.
    pub(super) fn get_unsat_assumptions(&mut self) -> Answer<'s> {
        if !self.settings.unsat_assumptions {
            let why = "unsat assumptions are switched off by :produce-unsat-assumptions";
            return Err(why.into());
        }
        let assumptions = self.expect_contradiction()?.to_vec();
        let mut core = self.core()?;
        let used = assumptions.into_iter();
        let used = used.filter_map(|(formula, text)| core.remove(&formula).then_some(text));
        Ok(Response::UnsatAssumptions(used.collect()))
    }

    /// A proof of the last contradiction.
    pub(super) fn get_proof(&mut self) -> Answer<'s> {
        if !self.settings.proofs {
            return Err("proofs need (set-option :produce-proofs true)".into());
        }
        let assumptions = self.expect_contradiction()?.iter();
        let assumptions: Vec<Term> = assumptions.map(|&(formula, _)| formula).collect();
        let assertions: Vec<Term> = self.assertions().map(|a| a.formula).collect();
        let (t, backend, limit) = (self.t, self.backend, self.limit());
        let proof = self
            .tally
            .time(|| beyond::proof(backend, t, &assertions, &assumptions, limit))?;
        Ok(Response::Proof(proof))
    }

    /// Interpolants between parts of the assertions, which are given by their names.
    pub(super) fn get_interpolants(&mut self, parts: &SmtParts) -> Answer<'s> {
        if !self.settings.interpolants {
            return Err("interpolants are switched off by :produce-interpolants".into());
        }
        self.expect_contradiction()?;
        if parts.names.len() < 2 {
            return Err("interpolants stand between two groups or more".into());
        }
        let named = |name: &Name| {
            let mut all = self.assertions();
            let found = all.find(|assertion| assertion.name == Some(name.symbol));
            found.map(|assertion| assertion.formula).ok_or_else(|| {
                let name = self.t.display_symbol(name.symbol);
                format!("no assertion is named {name}")
            })
        };
        let mut nodes = Vec::with_capacity(parts.names.len());
        for names in &parts.names {
            nodes.push(names.iter().map(named).collect::<Result<Vec<Term>, _>>()?);
        }
        let tree = PartTree::new(parts.parents.clone());
        let tree = tree.expect("the reader puts parts before their parents");
        let (t, backend, limit) = (self.t, self.backend, self.limit());
        let which = self.settings.which_interpolants;
        let found = self
            .tally
            .time(|| beyond::interpolants(backend, t, &tree, &nodes, which, &limit))?;
        Ok(Response::Interpolants(found))
    }

    /// The value of a keyword of `get-info`.
    pub(super) fn get_info(&self, keyword: String) -> Answer<'s> {
        let value = match keyword.as_str() {
            ":reason-unknown" => match &self.last {
                Last::Unknown(Failure::Timeout) if self.z3 => quoted("timeout"),
                Last::Unknown(Failure::Timeout) => "timeout".to_owned(),
                Last::Unknown(Failure::Incomplete(why)) if why == WORK_LIMIT => {
                    quoted(if self.z3 { Z3_WORK_LIMIT } else { WORK_LIMIT })
                }
                Last::Unknown(why) => quoted(&why.to_string()),
                _ if self.z3 => quoted(""),
                _ => return Err("the last check, if any, did not answer unknown".into()),
            },
            ":name" => quoted("horn-smt"),
            ":version" => quoted(env!("CARGO_PKG_VERSION")),
            ":error-behavior" if self.z3 => "continued-execution".to_owned(),
            ":error-behavior" => "immediate-exit".to_owned(),
            ":assertion-stack-levels" => self.levels().to_string(),
            ":all-statistics" => return Ok(self.statistics()),
            _ => return Ok(Response::Unsupported(None)),
        };
        Ok(Response::Info { keyword, value })
    }

    /// The counts so far; times are seconds.
    pub(super) fn statistics(&self) -> Response<'s> {
        let tally = &self.tally;
        let seconds = |time: Duration| format!("{:.6}", time.as_secs_f64());
        Response::Statistics(vec![
            ("checks", tally.checks().to_string()),
            ("sat", tally.sat.to_string()),
            ("unsat", tally.unsat.to_string()),
            ("unknown", tally.unknown.to_string()),
            ("solver-time", seconds(tally.solving)),
            ("total-time", seconds(tally.total())),
        ])
    }
}
