//! Models as text: what CHC-COMP's validator and SMT-LIB's `get-model` expect.
//!
//! The text is one list of `define-fun`, one for each predicate, under the user's names. Functions
//! that the model defines by recursion over datatypes come before, each in a `define-fun-rec`. The
//! names of parameters occur nowhere else, so that they hide nothing.

use super::functions::recursive_definitions;
use crate::chc::{Interpretation, Model, PredId, System};
use crate::term::{Op, Printer, Sort, Term, TermMap, Terms};
use std::io::{self, Write};

/// The names of parameters begin with the first of these under which none is taken.
const PARAM_BASES: [&str; 6] = ["x", "y", "v", "p", "arg", "param"];

/// Writes a model of `system`, with a newline at the end.
///
/// ```
/// use horn::chc::Model;
/// use horn::report::write_model;
/// use horn::smtlib::{Source, read_system};
/// use horn::term::Terms;
///
/// let t = Terms::new();
/// let source = Source::from_text("text", "(declare-fun p (Int) Bool) (assert (p 0))");
/// let system = read_system(&t, &source).expect("it is Horn");
/// let mut text = Vec::new();
/// write_model(&mut text, &t, &system, &Model::trivial(&t, &system)).expect("memory takes it");
/// let expected = "(\n  (define-fun p ((x0 Int)) Bool\n    true)\n)\n";
/// assert_eq!(String::from_utf8_lossy(&text), expected);
/// ```
/// # Errors
/// The errors of the writer.
pub fn write_model(
    out: &mut dyn Write,
    t: &Terms,
    system: &System,
    model: &Model,
) -> io::Result<()> {
    write_model_as(out, t, system, model, ModelForm::default())
}

/// How a model is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ModelForm {
    /// As single definitions, in place of one list of them?
    pub single: bool,
    /// Is a body that is the cell of an array, the field of a value, a case distinction or a
    /// parameter made a part of a conjunction? The Solidity compiler reads no such bodies.
    pub connected: bool,
}

/// Writes a model of `system` in this form, with a newline at the end.
///
/// # Errors
/// The errors of the writer.
pub fn write_model_as(
    out: &mut dyn Write,
    t: &Terms,
    system: &System,
    model: &Model,
    form: ModelForm,
) -> io::Result<()> {
    let mut all = recursive_definitions(t, model, &param_base(t, model));
    all.extend(definitions(t, system, model, form.connected));
    if form.single {
        return all
            .iter()
            .try_for_each(|definition| writeln!(out, "{definition}"));
    }
    writeln!(out, "(")?;
    for definition in all {
        writeln!(out, "  {definition}")?;
    }
    writeln!(out, ")")
}

/// Is the body no connective, no equation and no comparison, and no constant?
fn is_unconnected(t: &Terms, body: Term) -> bool {
    matches!(t.op(body), Op::Select | Op::Field(_) | Op::Ite | Op::Var(_))
}

/// A `define-fun` for each predicate, in their order; see [`ModelForm::connected`].
pub(super) fn definitions(
    t: &Terms,
    system: &System,
    model: &Model,
    connected: bool,
) -> Vec<String> {
    let base = param_base(t, model);
    let definition = |pred: PredId| {
        let decl = t.func(system.pred(pred).func);
        let interpretation = model.get(pred);
        let mut names = TermMap::default();
        let params = interpretation.params.iter().enumerate().map(|(i, &param)| {
            names.insert(param, format!("{base}{i}"));
            format!("({base}{i} {})", t.display_sort(t.sort_of(param)))
        });
        let params: Vec<String> = params.collect();
        for var in bound(t, interpretation) {
            let number = names.len();
            names
                .entry(var)
                .or_insert_with(|| format!("{base}{number}"));
        }
        let name = |param| names.get(&param).cloned();
        let printer = Printer::new(t).with_vars(&name);
        let body = match connected && is_unconnected(t, interpretation.body) {
            true => format!("(and {} true)", printer.text(interpretation.body)),
            false => printer.text(interpretation.body).to_string(),
        };
        let symbol = t.display_symbol(decl.name);
        let sort = t.display_sort(Sort::BOOL);
        let params = params.join(" ");
        format!("(define-fun {symbol} ({params}) {sort}\n    {body})")
    };
    system.pred_ids().map(definition).collect()
}

/// The variables of quantifiers.
fn bound(t: &Terms, interpretation: &Interpretation) -> impl Iterator<Item = Term> {
    let conjuncts = t.conjuncts(interpretation.body).into_iter();
    conjuncts
        .flat_map(|conjunct| t.split_forall(conjunct).0)
        .copied()
}

/// A word such that the word followed by a number is a new name, for all numbers up to the count of
/// parameters and quantified variables.
pub(super) fn param_base(t: &Terms, model: &Model) -> String {
    let variables = |i: &Interpretation| i.params.len() + bound(t, i).count();
    let bodies = model.interpretations.iter().map(|i| i.body);
    let functions = t.defined_functions(bodies).into_iter();
    let params = functions.map(|func| t.func(func).params.len());
    let variables = model.interpretations.iter().map(variables);
    let most = variables.chain(params).max().unwrap_or(0);
    let free = |base: &str| (0..most).all(|i| !t.has_symbol(&format!("{base}{i}")));
    let usual = PARAM_BASES.iter().map(|&base| base.to_owned());
    let more = (1..).map(|n| format!("x{}", "_".repeat(n)));
    usual
        .chain(more)
        .find(|base| free(base))
        .expect("one of infinitely many is free")
}
