//! Functions that models define by recursion over datatypes, as text.

use crate::chc::Model;
use crate::term::{FuncId, Printer, Term, TermMap, Terms};

/// The definitions of the functions that a model speaks of, each a command, in an order in which
/// each function is defined before it is used. Functions that refer to each other have one command.
pub(super) fn recursive_definitions(t: &Terms, model: &Model, base: &str) -> Vec<String> {
    let bodies = model.interpretations.iter().map(|i| i.body);
    let funcs = t.defined_functions(bodies);
    let applied = |func: FuncId| {
        let bodies = t.func(func).cases().iter().map(|case| case.body);
        t.defined_functions(bodies)
    };
    let applied: Vec<Vec<FuncId>> = funcs.iter().map(|&func| applied(func)).collect();
    let uses = |a: usize, b: usize| applied[a].contains(&funcs[b]);
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for at in 0..funcs.len() {
        if !groups.iter().any(|group| group.contains(&at)) {
            let related = |&other: &usize| other == at || uses(at, other) && uses(other, at);
            groups.push((0..funcs.len()).filter(related).collect());
        }
    }
    // What uses more functions of other groups comes later: all that a function uses, by way of
    // others as well, is among what its user uses.
    groups.sort_by_key(|group| {
        let others = (0..funcs.len()).filter(|other| !group.contains(other));
        others.filter(|&other| uses(group[0], other)).count()
    });
    let text = |group: &Vec<usize>| {
        let is_recursive = uses(group[0], group[0]);
        let funcs: Vec<FuncId> = group.iter().map(|&at| funcs[at]).collect();
        command(t, &funcs, is_recursive, base)
    };
    groups.iter().map(text).collect()
}

/// The command that defines functions which refer to each other, or one function.
fn command(t: &Terms, funcs: &[FuncId], is_recursive: bool, base: &str) -> String {
    let parts: Vec<(String, String, String)> = (funcs.iter())
        .map(|&func| definition(t, func, base))
        .collect();
    if let [(name, signature, body)] = &parts[..] {
        let word = match is_recursive {
            true => "define-fun-rec",
            false => "define-fun",
        };
        return format!("({word} {name} {signature}\n    {body})");
    }
    let signatures = parts
        .iter()
        .map(|(name, signature, _)| format!("({name} {signature})"));
    let signatures: Vec<String> = signatures.collect();
    let bodies: Vec<&str> = parts.iter().map(|(_, _, body)| body.as_str()).collect();
    let (signatures, bodies) = (signatures.join("\n    "), bodies.join("\n    "));
    format!("(define-funs-rec (\n    {signatures}) (\n    {bodies}))")
}

/// The name of a function, its parameters with the sort of its values, and its body.
fn definition(t: &Terms, func: FuncId, base: &str) -> (String, String, String) {
    let decl = t.func(func);
    let params = decl.params.iter().map(|&sort| t.fresh_var("x", sort));
    let params: Vec<Term> = params.collect();
    let mut names = TermMap::default();
    let typed = params.iter().enumerate().map(|(i, &param)| {
        names.insert(param, format!("{base}{i}"));
        format!("({base}{i} {})", t.display_sort(t.sort_of(param)))
    });
    let typed: Vec<String> = typed.collect();
    let name = |param| names.get(&param).cloned();
    // Shared subterms would stand in front of the tests that choose among them.
    let printer = Printer::new(t).with_vars(&name).without_sharing();
    let cases = t.definition_cases(func, &params);
    let ((_, last), cases) = cases.split_last().expect("a defined function has cases");
    let mut body = printer.text(*last).to_string();
    for &(ctor, value) in cases.iter().rev() {
        let ctor = t.display_symbol(t.ctor(ctor).name);
        body = format!(
            "(ite ((_ is {ctor}) {base}0) {} {body})",
            printer.text(value)
        );
    }
    let signature = format!("({}) {}", typed.join(" "), t.display_sort(decl.result));
    (t.display_symbol(decl.name).to_string(), signature, body)
}
