//! More general formulas that hold in tests, too: conjectures from what proofs are left with
//! \[BM79\].
//!
//! ```text
//! leave out premises
//! replace a term that occurs twice by a variable, large terms first
//! replace an equation of two applications that differ in one argument by that of the arguments
//! replace a constant by a variable
//! replace a variable by a new one in some of its places
//! ```

use super::conjectures::guarded;
use super::ground::Ground;
use super::prover::literals;
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms};

/// Formulas with more nodes, as trees, are not considered: they are walked as trees. The value was
/// not tuned.
const LARGEST: usize = 60;
/// The premises of a formula must hold in 4 tests. The value was not tuned.
const MODELS: usize = 4;
/// Formulas with more than 3 premises are no conjectures. The value was not tuned.
const PREMISES: usize = 3;
/// A variable is replaced in some of its places if it has at most 6. The value was not tuned.
const PLACES: usize = 6;

/// A more general formula and the formula itself, without premises that it does not need; nothing
/// if it fails in a test, or if its premises hold in none.
pub(super) fn generalised(ground: &mut Ground<'_>, t: &Terms, formula: Term) -> Vec<Term> {
    if nodes(t, formula) > LARGEST || !holds(ground, formula) {
        return Vec::new();
    }
    let plain = without_premises(ground, t, formula);
    let mut general = plain;
    for part in repeated(t, general) {
        let by = t.fresh_var("v", t.sort_of(part));
        general = replaced_if_it_holds(ground, t, general, part, by);
    }
    while let Some(inner) = inner_equation(ground, t, general) {
        general = inner;
    }
    for constant in constants(t, general) {
        let by = t.fresh_var("v", t.sort_of(constant));
        general = replaced_if_it_holds(ground, t, general, constant, by);
    }
    general = apart(ground, t, general);
    let general = without_premises(ground, t, general);
    let mut found = vec![general];
    if plain != general {
        found.push(plain);
    }
    found.retain(|&formula| has_models(ground, t, formula));
    found
        .into_iter()
        .map(|formula| guarded(t, formula))
        .collect()
}

/// The number of nodes of a term as a tree, or the largest number.
fn nodes(t: &Terms, term: Term) -> usize {
    let mut counts: TermMap<usize> = TermMap::default();
    for part in t.post_order([term]) {
        let args = t.args(part).iter().map(|arg| counts[arg]);
        counts.insert(part, args.fold(1, usize::saturating_add));
    }
    counts[&term]
}

fn holds(ground: &mut Ground<'_>, formula: Term) -> bool {
    formula != Term::TRUE && ground.passes(formula, 0) == Some(true)
}

/// Are the premises few, and do they hold in enough tests?
fn has_models(ground: &mut Ground<'_>, t: &Terms, formula: Term) -> bool {
    let (premises, _) = literals(t, formula);
    premises.len() <= PREMISES
        && (premises.is_empty() || ground.is_true_in(t.and(premises), MODELS))
}

/// The formula without premises that it does not need in tests.
fn without_premises(ground: &mut Ground<'_>, t: &Terms, formula: Term) -> Term {
    let (mut premises, conclusion) = literals(t, formula);
    let mut formula = formula;
    for at in (0..premises.len()).rev() {
        let premise = premises.remove(at);
        let fewer = t.implies(t.and(premises.iter().copied()), conclusion);
        match holds(ground, fewer) {
            true => formula = fewer,
            false => premises.insert(at, premise),
        }
    }
    formula
}

fn replaced_if_it_holds(
    ground: &mut Ground<'_>,
    t: &Terms,
    formula: Term,
    part: Term,
    by: Term,
) -> Term {
    let general = t.rewrite(formula, |x| if x == part { by } else { x });
    match general != formula && holds(ground, general) {
        true => general,
        false => formula,
    }
}

/// Terms that are no variables and constants and that occur more than once, large ones first.
fn repeated(t: &Terms, formula: Term) -> Vec<Term> {
    let mut counts: Vec<(Term, usize)> = Vec::new();
    let mut open = vec![formula];
    while let Some(term) = open.pop() {
        open.extend(t.args(term));
        let is_part = !t.args(term).is_empty() && t.sort_of(term) != Sort::BOOL;
        if !is_part {
            continue;
        }
        match counts.iter_mut().find(|(of, _)| *of == term) {
            Some((_, count)) => *count += 1,
            None => counts.push((term, 1)),
        }
    }
    counts.retain(|&(_, count)| count > 1);
    counts.sort_by_key(|&(term, _)| std::cmp::Reverse(t.size([term])));
    counts.into_iter().map(|(term, _)| term).collect()
}

/// The constants of datatypes in a formula.
fn constants(t: &Terms, formula: Term) -> Vec<Term> {
    let parts = t.post_order([formula]);
    let is_constant =
        |&part: &Term| matches!(t.op(part), Op::Construct(_)) && t.args(part).is_empty();
    parts.filter(is_constant).collect()
}

/// The formula with a variable replaced by a new one in some of its places, if that holds in tests.
fn apart(ground: &mut Ground<'_>, t: &Terms, formula: Term) -> Term {
    let mut general = formula;
    let mut seen = TermSet::default();
    for var in t.vars([formula]) {
        let places = occurrences(t, formula, var);
        if !seen.insert(var) || !(3..=PLACES).contains(&places) {
            continue;
        }
        let by = t.fresh_like(var, t.sort_of(var));
        // The last place keeps the variable: the others are all subsets but for names.
        let found = (1..1_u32 << (places - 1)).find_map(|chosen| {
            let renamed = renamed_at(t, general, (var, by), chosen, &mut 0);
            holds(ground, renamed).then_some(renamed)
        });
        general = found.unwrap_or(general);
    }
    general
}

/// How often a variable occurs in a term.
fn occurrences(t: &Terms, term: Term, var: Term) -> usize {
    match term == var {
        true => 1,
        false => t
            .args(term)
            .iter()
            .map(|&arg| occurrences(t, arg, var))
            .sum(),
    }
}

/// The term with a variable replaced at the places whose bits are set. `next` is the number of the
/// next place.
fn renamed_at(t: &Terms, term: Term, pair: (Term, Term), chosen: u32, next: &mut u32) -> Term {
    if term == pair.0 {
        *next += 1;
        return match chosen >> (*next - 1) & 1 {
            1 => pair.1,
            _ => term,
        };
    }
    let args = t.args(term).iter();
    let args: Vec<Term> = args
        .map(|&arg| renamed_at(t, arg, pair, chosen, next))
        .collect();
    match args[..] == *t.args(term) {
        true => term,
        false => t.rebuild(term, &args),
    }
}

/// The equation of the only arguments in which the sides of the conclusion differ, if it holds in
/// tests.
fn inner_equation(ground: &mut Ground<'_>, t: &Terms, formula: Term) -> Option<Term> {
    let (premises, conclusion) = literals(t, formula);
    let (Op::Eq, &[x, y]) = (t.op(conclusion), t.args(conclusion)) else {
        return None;
    };
    if t.op(x) != t.op(y) || t.args(x).len() != t.args(y).len() {
        return None;
    }
    let pairs = t.args(x).iter().zip(t.args(y));
    let differ: Vec<_> = pairs.filter(|(x, y)| x != y).collect();
    let [(&x, &y)] = differ[..] else {
        return None;
    };
    let inner = t.implies(t.and(premises), t.eq(x, y));
    holds(ground, inner).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::examples::Naturals;

    #[test]
    fn conjectures_hold_in_tests_and_their_premises_in_some() {
        let t = Terms::new();
        let naturals = Naturals::new(&t);
        let [x, y] = ["x", "y"].map(|name| t.var(name, naturals.sort));
        let plus = |x: Term, y: Term| t.apply(naturals.plus, &[x, y]);
        let zero = naturals.zero;
        let ground = &mut Ground::new(&t);
        let sum = plus(x, y);
        let right = [
            t.eq(plus(sum, zero), sum),
            t.implies(t.eq(x, y), t.eq(plus(x, zero), x)),
        ];
        for formula in right {
            let found = generalised(ground, &t, formula);
            assert!(!found.is_empty());
            assert!(found.into_iter().all(|general| holds(ground, general)));
        }
        assert_eq!(generalised(ground, &t, t.eq(sum, x)), []);
        let one = t.construct(naturals.succ, &[zero]);
        let never = t.eq(plus(x, one), zero);
        let mut shown = |formula: Term| -> Vec<String> {
            let found = generalised(ground, &t, formula).into_iter();
            found.map(|found| t.display(found).to_string()).collect()
        };
        assert_eq!(shown(t.implies(never, t.eq(x, y))), Vec::<String>::new());
    }
}
