//! Values and models as text.

use crate::smt::{Failure, Solver};
use crate::smtlib::Uninterpreted;
use crate::term::{FuncId, Op, Printer, Sort, Term, TermMap, TermSet, Terms, Value, quote_symbol};
use std::fmt::Write as _;

/// What a constant or a function is in a model.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A constant and its value.
    Constant(Term, Value),
    /// A function, and its results where formulas apply it: arguments and result.
    Function(FuncId, Vec<(Vec<Value>, Value)>),
}

/// A model of all assertions.
#[derive(Clone, Debug)]
pub struct Model {
    /// The declared constants and functions, in the order of their declarations.
    pub meanings: Vec<Meaning>,
}

impl Model {
    /// The model as a list of `define-fun`. Functions are defined by their values where formulas
    /// apply them, and are constant elsewhere.
    pub fn text(&self, t: &Terms) -> String {
        let mut text = "(\n".to_owned();
        for meaning in &self.meanings {
            // Writing into a string does not fail.
            let _ = match meaning {
                Meaning::Constant(constant, value) => {
                    let sort = t.sort_of(*constant);
                    let (name, sort_text) = (t.display(*constant), t.display_sort(sort));
                    let value = value_text(t, value, sort);
                    writeln!(text, "  (define-fun {name} () {sort_text} {value})")
                }
                Meaning::Function(func, entries) => {
                    writeln!(text, "  {}", function_text(t, *func, entries))
                }
            };
        }
        text.push_str(")\n");
        text
    }
}

/// The text of a value. Elements of uninterpreted sorts are written as cvc5 does: `(as @U_3 U)`.
pub fn value_text(t: &Terms, value: &Value, sort: Sort) -> String {
    let element = |var: Term| {
        let sort = t.sort_of(var);
        match t.element_named(t.as_var(var)?, sort)? {
            Value::Element { index, .. } => {
                let sort = t.display_sort(sort).to_string();
                let name = format!("@{}_{index}", sort.replace(['|', ' ', '(', ')'], ""));
                Some(format!("(as {} {sort})", quote_symbol(&name)))
            }
            _ => None,
        }
    };
    let printer = Printer::new(t).with_vars(&element);
    printer.text(t.value_term(value, sort)).to_string()
}

/// The model that the last check found, of what is `declared`. One question has all values, so that
/// they are of one model.
pub(super) fn meanings(
    t: &Terms,
    declared: &[Uninterpreted],
    formulas: &[Term],
    solver: &mut dyn Solver,
) -> Result<Vec<Meaning>, Failure> {
    let applications = applications(t, formulas);
    let mut asked = Vec::new();
    for what in declared {
        match *what {
            Uninterpreted::Constant(constant) => asked.push(constant),
            Uninterpreted::Function(func) => {
                for &term in applications.iter().filter(|&&a| t.op(a) == Op::Apply(func)) {
                    asked.extend_from_slice(t.args(term));
                    asked.push(term);
                }
            }
        }
    }
    let values = solver.values(&asked)?;
    let values: TermMap<Value> = asked.into_iter().zip(values).collect();
    let meaning = |what: &Uninterpreted| match *what {
        Uninterpreted::Constant(constant) => Meaning::Constant(constant, values[&constant].clone()),
        Uninterpreted::Function(func) => {
            let mut entries: Vec<(Vec<Value>, Value)> = Vec::new();
            for &term in applications.iter().filter(|&&a| t.op(a) == Op::Apply(func)) {
                let args: Vec<Value> = t.args(term).iter().map(|a| values[a].clone()).collect();
                if entries.iter().all(|(known, _)| *known != args) {
                    entries.push((args, values[&term].clone()));
                }
            }
            Meaning::Function(func, entries)
        }
    };
    Ok(declared.iter().map(meaning).collect())
}

/// The applications of functions in formulas, outside of quantifiers: each once, inner ones first.
fn applications(t: &Terms, formulas: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    let mut seen = TermSet::default();
    let mut todo: Vec<(Term, bool)> = formulas.iter().map(|&f| (f, false)).collect();
    while let Some((term, leave)) = todo.pop() {
        match t.op(term) {
            Op::Forall | Op::Exists => {}
            Op::Apply(_) if leave => found.push(term),
            _ if !seen.insert(term) => {}
            _ => {
                todo.push((term, true));
                todo.extend(t.args(term).iter().map(|&arg| (arg, false)));
            }
        }
    }
    found
}

/// `(define-fun f ((x0 Int)) Int (ite (= x0 1) 5 7))`
fn function_text(t: &Terms, func: FuncId, entries: &[(Vec<Value>, Value)]) -> String {
    let decl = t.func(func);
    let (name, result) = (t.display_symbol(decl.name), decl.result);
    let params: Vec<String> = (decl.params.iter().enumerate())
        .map(|(i, &sort)| format!("(x{i} {})", t.display_sort(sort)))
        .collect();
    let (last, others) = match entries.split_last() {
        Some(((_, last), others)) => (value_text(t, last, result), others),
        None => {
            let any = t.default_value(result).expect("a sort has a value");
            (value_text(t, &any, result), entries)
        }
    };
    let mut body = String::new();
    for (args, value) in others {
        let equations: Vec<String> = (args.iter().zip(&decl.params).enumerate())
            .map(|(i, (arg, &sort))| format!("(= x{i} {})", value_text(t, arg, sort)))
            .collect();
        let condition = match &equations[..] {
            [only] => only.clone(),
            all => format!("(and {})", all.join(" ")),
        };
        let _ = write!(body, "(ite {condition} {} ", value_text(t, value, result));
    }
    body.push_str(&last);
    body.push_str(&")".repeat(others.len()));
    let (params, result) = (params.join(" "), t.display_sort(result));
    format!("(define-fun {name} ({params}) {result} {body})")
}
