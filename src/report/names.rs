//! The names of a predicate's parameters: those of the variables that clauses have there.

use crate::chc::{PredId, System};
use crate::term::{Op, Term, Terms, is_simple_symbol};

/// For each parameter of a predicate the name that most of the system's atoms have there, without
/// names that are taken: by another parameter, by a predicate, by what `body` mentions, or by
/// SMT-LIB. `None` where no name is left. (Names with `!` are the store's.)
pub(super) fn param_names(
    t: &Terms,
    system: &System,
    pred: PredId,
    body: Term,
) -> Vec<Option<String>> {
    let arity = t.func(system.pred(pred).func).params.len();
    let mut counts: Vec<Vec<(&str, usize)>> = vec![Vec::new(); arity];
    let atoms = system.clauses.iter().flat_map(|clause| clause.atoms());
    for atom in atoms.filter(|atom| atom.pred == pred) {
        for (counted, &arg) in counts.iter_mut().zip(&atom.args) {
            let Some(name) = t.as_var(arg).map(|symbol| t.name(symbol)) else {
                continue;
            };
            match counted.iter_mut().find(|(known, _)| *known == name) {
                Some((_, count)) => *count += 1,
                None => counted.push((name, 1)),
            }
        }
    }
    let taken = mentioned(t, system, body);
    let mut names: Vec<Option<String>> = Vec::with_capacity(arity);
    for mut counted in counts {
        // The sort is stable: of names as frequent as each other the first one in the text wins.
        counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let is_free = |name: &str| {
            let is_new = !names.iter().flatten().any(|other| other == name);
            is_new
                && !name.contains('!')
                && is_simple_symbol(name)
                && !is_theory_symbol(name)
                && !taken.contains(&name)
        };
        let free = counted.iter().find(|(name, _)| is_free(name));
        names.push(free.map(|(name, _)| (*name).to_owned()));
    }
    names
}

/// The names of the predicates, and of what is declared and occurs in the formula.
fn mentioned<'t>(t: &'t Terms, system: &System, body: Term) -> Vec<&'t str> {
    let of = |term: Term| match t.op(term) {
        Op::Apply(func) => Some(t.func(func).name),
        Op::Construct(ctor) | Op::Is(ctor) => Some(t.ctor(ctor).name),
        Op::Field(selector) => Some(t.selector(selector).name),
        _ => None,
    };
    let declared = t.post_order([body]).filter_map(of);
    let preds = system.preds.iter().map(|pred| t.func(pred.func).name);
    let names = declared.chain(preds);
    names.map(|name| t.name(name)).collect()
}

/// Is the name one of a theory of SMT-LIB's? A parameter of this name would hide it.
fn is_theory_symbol(name: &str) -> bool {
    const WORDS: [&str; 22] = [
        "not", "and", "or", "xor", "=>", "=", "ite", "distinct", "+", "-", "*", "/", "<", "<=",
        ">", ">=", "div", "mod", "abs", "select", "store", "const",
    ];
    let prefixes = ["bv", "to_", "is_", "int2bv", "concat", "extract"];
    WORDS.contains(&name) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}
