//! Refutations as text, for people and as JSON, one fact at a time, so that the output is linear in
//! the refutation.

use super::Lines;
use super::graph::Quoted;
use crate::certify::{Conclusion, RefutationError, conclusions};
use crate::chc::{
    Change, Clause, ClauseId, Fact, Iteration, IterationPremise, IterationStep, Refutation, Span,
    System,
};
use crate::number::Rational;
use crate::term::{
    BitVec, Evaluator, Printer, Sort, Term, Terms, Unspecified, Value, quote_symbol,
};
use serde_json::json;
use std::io::{self, Write};

/// The format of a refutation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProofFormat {
    /// Text for people: two lines for each fact.
    #[default]
    Text,
    /// One JSON object, with one line for each fact.
    Json,
    /// One s-expression, as Z3 prints it.
    Smtlib,
    /// A graph of the facts in the language of Graphviz.
    Dot,
    /// A proof in the format Alethe.
    Alethe,
}

impl ProofFormat {
    /// All formats.
    pub const ALL: [ProofFormat; 5] = [
        ProofFormat::Text,
        ProofFormat::Json,
        ProofFormat::Smtlib,
        ProofFormat::Dot,
        ProofFormat::Alethe,
    ];

    /// The name on command lines and in interfaces.
    pub fn name(self) -> &'static str {
        match self {
            ProofFormat::Text => "text",
            ProofFormat::Json => "json",
            ProofFormat::Smtlib => "smtlib",
            ProofFormat::Dot => "dot",
            ProofFormat::Alethe => "alethe",
        }
    }

    /// The format of that name.
    pub fn from_name(name: &str) -> Option<ProofFormat> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }
}

/// Why a format cannot express a refutation, for the user.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Obstacle(pub(super) String);

impl From<&str> for Obstacle {
    fn from(text: &str) -> Obstacle {
        Obstacle(text.to_owned())
    }
}

/// A refutation with the conclusions of its facts, ready to be written.
pub struct Proof<'a> {
    pub(super) terms: &'a Terms,
    pub(super) system: &'a System,
    refutation: &'a Refutation,
    lines: &'a Lines,
    conclusions: Vec<Conclusion>,
}

impl<'a> Proof<'a> {
    /// Prepares a refutation of `system`, whose clauses were read from the text of `lines`.
    ///
    /// # Errors
    /// The refutation is wrong.
    pub fn new(
        terms: &'a Terms,
        system: &'a System,
        refutation: &'a Refutation,
        lines: &'a Lines,
    ) -> Result<Self, RefutationError> {
        Ok(Proof {
            terms,
            system,
            refutation,
            lines,
            conclusions: conclusions(terms, system, refutation)?,
        })
    }

    /// Writes it, with a newline at the end. Nothing is written if the format cannot express it: a
    /// loop that is not written out, for example.
    ///
    /// # Errors
    /// The errors of the writer; and in what is returned otherwise, why the format cannot express
    /// the refutation.
    pub fn write(
        &self,
        out: &mut dyn Write,
        format: ProofFormat,
    ) -> io::Result<Result<(), Obstacle>> {
        if matches!(format, ProofFormat::Smtlib | ProofFormat::Alethe)
            && self.refutation.has_iterations()
        {
            let why = "the refutation has a loop with too many iterations to be written out";
            return Ok(Err(Obstacle::from(why)));
        }
        match format {
            ProofFormat::Text => self.write_text(out)?,
            ProofFormat::Json => self.write_json(out)?,
            ProofFormat::Smtlib => self.write_hyper_res(out)?,
            ProofFormat::Dot => self.write_dot(out)?,
            ProofFormat::Alethe => match self.alethe() {
                Ok(text) => out.write_all(text.as_bytes())?,
                Err(obstacle) => return Ok(Err(obstacle)),
            },
        }
        Ok(Ok(()))
    }

    pub(super) fn refutation(&self) -> &Refutation {
        self.refutation
    }

    pub(super) fn conclusions(&self) -> &[Conclusion] {
        &self.conclusions
    }

    pub(super) fn facts(&self) -> impl Iterator<Item = (usize, &Fact, &Clause, &Conclusion)> {
        (self
            .refutation
            .facts
            .iter()
            .zip(&self.conclusions)
            .enumerate())
        .map(|(i, (fact, conclusion))| (i, fact, self.system.clause(fact.clause), conclusion))
    }

    /// ```text
    /// 0: (inv 0)
    ///    by clause 0 (line 3) with x = 0
    /// 1: false
    ///    by `bad` (line 5) from 0 with x = 0
    /// ```
    pub(super) fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
        for (number, fact, clause, conclusion) in self.facts() {
            let indent = " ".repeat(number.to_string().len() + 2);
            writeln!(out, "{number}: {}", self.derived(clause, conclusion))?;
            if let Some(iteration) = &fact.iteration {
                self.write_iteration(out, number, fact, iteration)?;
                continue;
            }
            write!(out, "{indent}by {}", self.clause_name(fact.clause, clause))?;
            let premises = fact.premises.iter().map(|premise| premise.0.to_string());
            let values = fact.values.iter().zip(&clause.vars);
            let values = values.map(|(value, &var)| self.text(value, self.terms.sort_of(var)));
            self.write_reason(out, clause, premises, values)?;
        }
        Ok(())
    }

    /// The facts of the first iteration, with the first and the last value of each variable.
    ///
    /// ```text
    /// 1: (inv 1000000000)
    ///    by 1000000000 iterations, in the first of which
    ///    1.0: (inv 1)
    ///         by clause 1 (line 4) from 0, later 1.0 with x = 0 … 999999999
    /// ```
    fn write_iteration(
        &self,
        out: &mut dyn Write,
        number: usize,
        fact: &Fact,
        iteration: &Iteration,
    ) -> io::Result<()> {
        let t = self.terms;
        let indent = " ".repeat(number.to_string().len() + 2);
        let times = &iteration.times;
        writeln!(out, "{indent}by {times} iterations, in the first of which")?;
        let last = times - &Rational::one();
        for (at, step) in iteration.steps.iter().enumerate() {
            let clause = self.system.clause(step.clause);
            let name = format!("{number}.{at}");
            let (_, first) = self.step_in(step, &Rational::zero());
            writeln!(out, "{indent}{name}: {}", self.derived(clause, &first))?;
            let inner = " ".repeat(name.len() + 2);
            let rule = self.clause_name(step.clause, clause);
            write!(out, "{indent}{inner}by {rule}")?;
            let premises = step.premises.iter().map(|premise| match *premise {
                IterationPremise::Before => {
                    let last = iteration.steps.len() - 1;
                    format!("{}, later {number}.{last}", fact.premises[0].0)
                }
                IterationPremise::Step(at) => format!("{number}.{at}"),
                IterationPremise::Premise(at) => fact.premises[at].0.to_string(),
            });
            let (end, _) = self.step_in(step, &last);
            let values = step.values.iter().zip(&end).zip(&clause.vars);
            let values = values.map(|((value, end), &var)| {
                let text = |value| self.text(value, t.sort_of(var));
                match value == end {
                    true => text(value),
                    false => format!("{} … {}", text(value), text(end)),
                }
            });
            self.write_reason(out, clause, premises, values)?;
        }
        Ok(())
    }

    /// The rest of a line that says why a fact holds: the line of its clause, the names of its
    /// premises, the values of the clause's variables.
    fn write_reason(
        &self,
        out: &mut dyn Write,
        clause: &Clause,
        premises: impl Iterator<Item = String>,
        values: impl Iterator<Item = String>,
    ) -> io::Result<()> {
        if let Some(line) = self.lines.line(clause.origin.span) {
            write!(out, " (line {line})")?;
        }
        for (i, premise) in premises.enumerate() {
            write!(out, "{}{premise}", if i == 0 { " from " } else { ", " })?;
        }
        for (i, (&var, value)) in clause.vars.iter().zip(values).enumerate() {
            let before = if i == 0 { " with " } else { ", " };
            write!(out, "{before}{} = {value}", self.terms.display(var))?;
        }
        writeln!(out)
    }

    /// The values of a step of a loop in an iteration, counted from 0, and what it derives there.
    fn step_in(&self, step: &IterationStep, iteration: &Rational) -> (Vec<Value>, Conclusion) {
        let t = self.terms;
        let values = step.values_in(t, iteration);
        let values = values.expect("the refutation was checked, so changes fit");
        let clause = self.system.clause(step.clause);
        let pairs = clause.vars.iter().copied().zip(values.iter().cloned());
        let mut evaluator = Evaluator::with(t, Unspecified::Default, pairs);
        let conclusion = clause.head.as_ref().map(|head| {
            let arguments = head.args.iter().map(|&arg| evaluator.eval(arg));
            let arguments: Result<Vec<Value>, _> = arguments.collect();
            arguments.expect("every variable has a value")
        });
        (values, conclusion)
    }

    /// `{"result": "unsat", "facts": [{"id", "fact", "predicate", "arguments", "clause": {"id",
    /// "name", "line", "offset"}, "values": [{"variable", "sort", "value"}], "premises"}]}`; terms,
    /// sorts and values are SMT-LIB text, the names of predicates, variables and clauses are as
    /// they are without quotes, `predicate` is null for `false`, `name`, `line` and `offset` (of
    /// the assertion's first byte) are null where there is none, and `premises` are ids.
    ///
    /// A fact that iterations derive has `"iteration": {"times", "steps"}` as well. A step is like
    /// a fact without an id; its values are those of the first iteration, and each has a `change`;
    /// its `arguments` are `{"sort", "value", "change"}`; its premises are `"before"`, `{"step":
    /// n}` or `{"premise": n}`. Elements of declared sorts are named before the facts:
    /// `"elements": [{"name", "sort"}]`.
    pub(super) fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        let t = self.terms;
        let element = |element: Term| {
            let sort = t.display_sort(t.sort_of(element));
            json!({"name": t.display(element).to_string(), "sort": sort.to_string()})
        };
        let elements: Vec<serde_json::Value> = self.elements().into_iter().map(element).collect();
        write!(out, "{{\"result\": \"unsat\", ")?;
        if !elements.is_empty() {
            write!(out, "\"elements\": {}, ", json!(elements))?;
        }
        writeln!(out, "\"facts\": [")?;
        for (number, fact, clause, conclusion) in self.facts() {
            let values = clause.vars.iter().zip(&fact.values);
            let values = values.map(|(&var, value)| self.json_value(var, value));
            let head = clause.head.as_ref();
            let mut object = json!({
                "id": number,
                "fact": self.derived(clause, conclusion),
                "predicate": head.map(|head| self.system.pred_name(t, head.pred)),
                "arguments": self.arguments(clause, conclusion),
                "clause": self.json_clause(fact.clause, clause),
                "values": values.collect::<Vec<_>>(),
                "premises": fact.premises.iter().map(|p| p.0).collect::<Vec<_>>(),
            });
            if let Some(iteration) = &fact.iteration {
                object["iteration"] = self.json_iteration(iteration);
            }
            serde_json::to_writer(&mut *out, &object)?;
            let last = number + 1 == self.refutation.facts.len();
            writeln!(out, "{}", if last { "" } else { "," })?;
        }
        writeln!(out, "]}}")
    }

    fn json_clause(&self, id: ClauseId, clause: &Clause) -> serde_json::Value {
        json!({
            "id": id.0,
            "name": clause.origin.name.map(|name| self.terms.name(name)),
            "line": self.lines.line(clause.origin.span),
            "offset": (clause.origin.span != Span::default()).then_some(clause.origin.span.start),
        })
    }

    fn json_value(&self, var: Term, value: &Value) -> serde_json::Value {
        let (t, sort) = (self.terms, self.terms.sort_of(var));
        json!({
            "variable": t.as_var(var).map(|name| t.name(name)),
            "sort": t.display_sort(sort).to_string(),
            "value": self.text(value, sort),
        })
    }

    fn json_iteration(&self, iteration: &Iteration) -> serde_json::Value {
        let t = self.terms;
        let steps = iteration.steps.iter().map(|step| {
            let clause = self.system.clause(step.clause);
            let (_, first) = self.step_in(step, &Rational::zero());
            let (_, second) = self.step_in(step, &Rational::one());
            let values = step.values.iter().zip(&step.changes).zip(&clause.vars);
            let values = values.map(|((value, change), &var)| {
                let mut object = self.json_value(var, value);
                object["change"] = self.json_change(change, value, t.sort_of(var));
                object
            });
            let head = clause.head.as_ref().expect("a step is no query");
            let pairs = first.iter().flatten().zip(second.iter().flatten());
            let arguments = head.args.iter().zip(pairs).map(|(&arg, (value, next))| {
                let sort = t.sort_of(arg);
                let change = Change::between(value, next).unwrap_or(Change::None);
                json!({
                    "sort": t.display_sort(sort).to_string(),
                    "value": self.text(value, sort),
                    "change": self.json_change(&change, value, sort),
                })
            });
            let premises = step.premises.iter().map(|premise| match premise {
                IterationPremise::Before => json!("before"),
                IterationPremise::Step(at) => json!({"step": at}),
                IterationPremise::Premise(at) => json!({"premise": at}),
            });
            json!({
                "predicate": self.system.pred_name(t, head.pred),
                "arguments": arguments.collect::<Vec<_>>(),
                "clause": self.json_clause(step.clause, clause),
                "values": values.collect::<Vec<_>>(),
                "premises": premises.collect::<Vec<_>>(),
            })
        });
        json!({
            "times": iteration.times.to_string(),
            "steps": steps.collect::<Vec<_>>(),
        })
    }

    /// A number, as SMT-LIB text of the sort; a list for the fields of a datatype; or null.
    fn json_change(&self, change: &Change, value: &Value, sort: Sort) -> serde_json::Value {
        let t = self.terms;
        match (change, value) {
            (Change::By(by), Value::BitVec(bits)) => {
                let by = Value::BitVec(BitVec::from_int(&by.numer(), bits.width()));
                json!(self.text(&by, sort))
            }
            (Change::By(by), _) => json!(self.text(&Value::Number(by.clone()), sort)),
            (Change::Fields(changes), Value::Datatype(data)) => {
                let selectors = t.ctor(data.ctor()).fields.iter();
                let fields = selectors.zip(data.fields()).zip(changes);
                let fields = fields.map(|((&selector, field), change)| {
                    self.json_change(change, field, t.selector(selector).sort)
                });
                json!(fields.collect::<Vec<_>>())
            }
            _ => serde_json::Value::Null,
        }
    }

    /// Each fact is a box with its clause, or the number of iterations. Arrows lead from premises
    /// to what follows from them.
    pub(super) fn write_dot(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "digraph refutation {{\n  node [shape=box];")?;
        for (number, fact, clause, conclusion) in self.facts() {
            let name = match &fact.iteration {
                Some(iteration) => format!("{} iterations", iteration.times),
                None => self.clause_name(fact.clause, clause),
            };
            let derived = self.derived(clause, conclusion);
            let (derived, name) = (Quoted(&derived), Quoted(&name));
            writeln!(out, "  f{number} [label=\"{derived}\\n{name}\"];")?;
            for premise in &fact.premises {
                writeln!(out, "  f{} -> f{number};", premise.0)?;
            }
        }
        writeln!(out, "}}")
    }

    /// A script that is satisfiable: for each fact the values of its clause's variables, the
    /// clause's constraint, and that its premises are the facts named.
    pub(super) fn write_ground(&self, out: &mut dyn Write) -> io::Result<()> {
        let t = self.terms;
        for element in self.elements() {
            let sort = t.display_sort(t.sort_of(element));
            writeln!(out, "(declare-const {} {sort})", t.display(element))?;
        }
        for (number, fact, clause, _) in self.facts() {
            let name = |var: Term| {
                // Two variables of a clause can have one name, if they have different sorts.
                let place = clause.vars.iter().position(|&own| own == var)?;
                let name = t.name(t.as_var(var)?);
                Some(format!("|fact {number}, variable {place}: {name}|"))
            };
            let text = |term: Term| Printer::new(t).with_vars(&name).text(term).to_string();
            writeln!(out, "; {}", self.clause_name(fact.clause, clause))?;
            if fact.iteration.is_some() {
                writeln!(out, "; after iterations, see the derivation")?;
                continue;
            }
            for (&var, value) in clause.vars.iter().zip(&fact.values) {
                let sort = t.sort_of(var);
                let (sort_text, value) = (t.display_sort(sort), self.text(value, sort));
                writeln!(out, "(define-const {} {sort_text} {value})", text(var))?;
            }
            if clause.constraint != Term::TRUE {
                writeln!(out, "(assert {})", text(clause.constraint))?;
            }
            for (atom, premise) in clause.body.iter().zip(&fact.premises) {
                let values = self.conclusions[premise.index()].iter().flatten();
                for (&arg, value) in atom.args.iter().zip(values) {
                    let value = self.text(value, t.sort_of(arg));
                    writeln!(out, "(assert (= {} {value}))", text(arg))?;
                }
            }
        }
        Ok(())
    }

    /// The elements of uninterpreted sorts in the values of variables, as SMT-LIB text has them.
    fn elements(&self) -> Vec<Term> {
        let t = self.terms;
        let with_elements = self
            .facts()
            .filter(|(_, _, clause, _)| clause.has_elements(t));
        let values = with_elements.flat_map(|(_, fact, clause, _)| {
            let values = clause.vars.iter().zip(&fact.values);
            values.map(|(&var, value)| t.value_term(value, t.sort_of(var)))
        });
        let values: Vec<Term> = values.collect();
        t.vars(values)
    }

    /// The clause's name in backquotes, or its number.
    fn clause_name(&self, id: ClauseId, clause: &Clause) -> String {
        match clause.origin.name {
            Some(name) => format!("`{}`", self.terms.name(name)),
            None => self.system.clause_label(self.terms, id),
        }
    }

    /// The ground atom, as SMT-LIB text.
    pub(super) fn derived(&self, clause: &Clause, conclusion: &Conclusion) -> String {
        let Some(head) = &clause.head else {
            return "false".to_owned();
        };
        let name = quote_symbol(self.system.pred_name(self.terms, head.pred));
        let arguments = self.arguments(clause, conclusion);
        if arguments.is_empty() {
            return name.into_owned();
        }
        format!("({name} {})", arguments.join(" "))
    }

    pub(super) fn arguments(&self, clause: &Clause, conclusion: &Conclusion) -> Vec<String> {
        let terms = clause.head.iter().flat_map(|head| &head.args);
        let values = conclusion.iter().flatten();
        let text = |(&term, value)| self.text(value, self.terms.sort_of(term));
        terms.zip(values).map(text).collect()
    }

    pub(super) fn text(&self, value: &Value, sort: Sort) -> String {
        let term = self.terms.value_term(value, sort);
        self.terms.display(term).to_string()
    }
}
