//! The names of a predicate's parameters: those of the variables that clauses have there.

use crate::chc::{PredId, Predicate, System};
use crate::term::{Op, Term, Terms, is_simple_symbol};
use rustc_hash::FxHashSet;

/// The names that the parameters of a system's predicates can have.
pub(super) struct ParamNames<'t> {
    t: &'t Terms,
    /// For each predicate and each of its parameters the names that atoms have there, and in how
    /// many, in the order of the text.
    counts: Vec<Vec<Vec<(&'t str, usize)>>>,
    /// The names of the predicates.
    preds: FxHashSet<&'t str>,
}

impl<'t> ParamNames<'t> {
    /// Of the atoms of a system.
    pub(super) fn new(t: &'t Terms, system: &System) -> Self {
        let arity = |pred: &Predicate| t.func(pred.func).params.len();
        let none = |pred: &Predicate| vec![Vec::new(); arity(pred)];
        let mut counts: Vec<Vec<Vec<(&str, usize)>>> = system.preds.iter().map(none).collect();
        for atom in system.clauses.iter().flat_map(|clause| clause.atoms()) {
            for (counted, &arg) in counts[atom.pred.index()].iter_mut().zip(&atom.args) {
                let Some(name) = t.as_var(arg).map(|symbol| t.name(symbol)) else {
                    continue;
                };
                match counted.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, count)) => *count += 1,
                    None => counted.push((name, 1)),
                }
            }
        }
        // The sort is stable: of names as frequent as each other the first one in the text wins.
        let by_count = |counted: &mut Vec<(&str, usize)>| {
            counted.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        };
        counts.iter_mut().flatten().for_each(by_count);
        let preds = system
            .preds
            .iter()
            .map(|pred| t.name(t.func(pred.func).name));
        ParamNames {
            t,
            counts,
            preds: preds.collect(),
        }
    }

    /// For each parameter of a predicate the name that most of the system's atoms have there,
    /// without names that are taken: by another parameter, by a predicate, by what `body` mentions,
    /// or by SMT-LIB. `None` where no name is left. (Names with `!` are the store's.)
    pub(super) fn of(&self, pred: PredId, body: Term) -> Vec<Option<String>> {
        let mentioned = mentioned(self.t, body);
        let mut names: Vec<Option<String>> = Vec::new();
        for counted in &self.counts[pred.index()] {
            let is_free = |name: &str| {
                let is_new = !names.iter().flatten().any(|other| other == name);
                is_new
                    && !name.contains('!')
                    && is_simple_symbol(name)
                    && !is_theory_symbol(name)
                    && !self.preds.contains(name)
                    && !mentioned.contains(name)
            };
            let free = counted.iter().find(|(name, _)| is_free(name));
            names.push(free.map(|(name, _)| (*name).to_owned()));
        }
        names
    }
}

/// The names of what is declared and occurs in the formula.
fn mentioned(t: &Terms, body: Term) -> FxHashSet<&str> {
    let of = |term: Term| match t.op(term) {
        Op::Apply(func) => Some(t.func(func).name),
        Op::Construct(ctor) | Op::Is(ctor) => Some(t.ctor(ctor).name),
        Op::Field(selector) => Some(t.selector(selector).name),
        _ => None,
    };
    let declared = t.post_order([body]).filter_map(of);
    declared.map(|name| t.name(name)).collect()
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
