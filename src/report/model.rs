//! Models as text: what CHC-COMP's validator and SMT-LIB's `get-model` expect.
//!
//! The text is one list of `define-fun`, one for each predicate, under the user's names. Functions
//! that the model defines by recursion over datatypes come before, each in a `define-fun-rec`. A
//! parameter has the name that clauses use there (`names`), or one that occurs nowhere else; in
//! either case it hides nothing. Comparisons are written as people do (`readable`).

use super::functions::recursive_definitions;
use super::names::ParamNames;
use super::readable;
use crate::chc::{Interpretation, Model, PredId, System};
use crate::term::{FuncId, Op, Piece, Printer, Sort, Term, TermMap, Terms};
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
    /// Is each definition of the list four columns in, as Eldarica has it, rather than two?
    pub indented: bool,
    /// Have parameters names that occur nowhere else, and are comparisons written as the store
    /// keeps them? This is for programs that expect a certain form.
    pub plain: bool,
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
    all.extend(definitions(t, system, model, form));
    if form.single {
        return all
            .iter()
            .try_for_each(|definition| writeln!(out, "{definition}"));
    }
    writeln!(out, "(")?;
    let margin = if form.indented { "    " } else { "  " };
    for definition in all {
        writeln!(out, "{margin}{definition}")?;
    }
    writeln!(out, ")")
}

/// Is the body no connective, no equation and no comparison, and no constant?
fn is_unconnected(t: &Terms, body: Term) -> bool {
    matches!(t.op(body), Op::Select | Op::Field(_) | Op::Ite | Op::Var(_))
}

/// A `define-fun` for each predicate, in their order.
pub(super) fn definitions(
    t: &Terms,
    system: &System,
    model: &Model,
    form: ModelForm,
) -> Vec<String> {
    let base = param_base(t, model);
    let all = (!form.plain).then(|| ParamNames::new(t, system));
    let names = |pred: PredId| match &all {
        Some(all) => all.of(pred, model.get(pred).body),
        None => vec![None; model.get(pred).params.len()],
    };
    let preds = system.pred_ids();
    preds
        .map(|pred| {
            let func = system.pred(pred).func;
            definition(t, func, model.get(pred), (names(pred), &base), form)
        })
        .collect()
}

/// The `define-fun` of a predicate whose parameters have these names, where they have names. The
/// base is that of [`param_base`].
fn definition(
    t: &Terms,
    func: FuncId,
    interpretation: &Interpretation,
    (own, base): (Vec<Option<String>>, &str),
    form: ModelForm,
) -> String {
    let decl = t.func(func);
    let mut names = TermMap::default();
    for (param, name) in interpretation.params.iter().zip(own) {
        let number = names.len();
        names.insert(*param, name.unwrap_or_else(|| format!("{base}{number}")));
    }
    for var in bound(t, interpretation) {
        let number = names.len();
        names
            .entry(var)
            .or_insert_with(|| format!("{base}{number}"));
    }
    let name = |param| names.get(&param).cloned();
    let pieces =
        |term| -> Option<Vec<Piece>> { (!form.plain).then(|| readable::form(t, term)).flatten() };
    let printer = Printer::new(t).with_vars(&name).with_forms(&pieces);
    let body = match form.connected && is_unconnected(t, interpretation.body) {
        true => format!("(and {} true)", printer.text(interpretation.body)),
        false => printer.text(interpretation.body).to_string(),
    };
    let typed = interpretation.params.iter().map(|param| {
        let sort = t.display_sort(t.sort_of(*param));
        format!("({} {sort})", names[param])
    });
    let params = typed.collect::<Vec<_>>().join(" ");
    let (symbol, sort) = (t.display_symbol(decl.name), t.display_sort(Sort::BOOL));
    format!("(define-fun {symbol} ({params}) {sort}\n    {body})")
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
