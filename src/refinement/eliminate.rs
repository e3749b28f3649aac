//! Elimination of existential quantifiers from conjunctions.
//!
//! From the cheapest way to the most expensive one:
//!
//! 1. Equations are solved (destructive equality resolution [DHMNP17]).
//! 2. Conjuncts that have no symbol in common with the others but eliminated variables are dropped
//!    if they can be true (unconnected parameter drop [DHMNP17]).
//! 3. Bounds of numbers are combined pair by pair, where that is exact (Fourier and Motzkin's
//!    method; over integers one of two coefficients must be 1).
//! 4. Cubes are projected, model by model ([`project`]), until they cover the formula.
//!
//! A formula whose cubes are too many is dropped. The result is weaker then, and says so.

use super::bounds::Bounds;
use crate::logic::equations::{Role, solve};
use crate::logic::{Valuation, project, without_weaker_bounds};
use crate::smt::{Failure, SatResult};
use crate::term::{Op, Term, TermMap, TermSet, Terms};
use crate::transform::Tools;

/// More cubes than this are not enumerated. The value was not tuned.
const MOST_CUBES: usize = 16;
/// The budget in ticks for the questions about one formula, about 0.1 s. The value was not tuned.
const TICKS: u64 = 3_000_000;

/// A conjunction without the variables that were to be eliminated.
pub(super) struct Projected {
    pub(super) conjuncts: Vec<Term>,
    /// Is it equivalent to the quantified formula? Else it is weaker.
    pub(super) is_exact: bool,
}

/// Eliminates all variables but those of `keep` from a conjunction.
///
/// # Errors
/// The limit is reached.
pub(super) fn exists(
    tools: &Tools<'_>,
    keep: &TermSet,
    conjuncts: Vec<Term>,
) -> Result<Projected, Failure> {
    tools.limit.check()?;
    let conjuncts = solved(tools.terms, keep, conjuncts);
    let mut elimination = Elimination {
        tools,
        keep,
        result: Projected {
            conjuncts: Vec::new(),
            is_exact: true,
        },
    };
    for part in elimination.connected(conjuncts) {
        elimination.eliminate(part)?;
    }
    let mut result = elimination.result;
    let t = tools.terms;
    if result.conjuncts.contains(&Term::FALSE) {
        result.conjuncts = vec![Term::FALSE];
    }
    debug_assert!(
        t.vars(result.conjuncts.iter().copied())
            .iter()
            .all(|x| keep.contains(x))
    );
    result.conjuncts = without_weaker_bounds(t, &result.conjuncts);
    Ok(result)
}

/// Solves equations for the variables that are not kept, until none is left that can be solved.
fn solved(t: &Terms, keep: &TermSet, mut conjuncts: Vec<Term>) -> Vec<Term> {
    let role = |x: Term| match keep.contains(&x) {
        true => Role::Fixed,
        false => Role::Free,
    };
    loop {
        let whole = t.and(conjuncts);
        conjuncts = without_stores_of_what_is_there(t, t.conjuncts(whole));
        match solve(t, &conjuncts, role) {
            Some(round) => conjuncts = round.rest,
            None => return conjuncts,
        }
    }
}

/// Where a conjunct says that `a[i] = v`, `store(a, i, v)` becomes `a` in the other ones.
fn without_stores_of_what_is_there(t: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    let mut known: TermMap<Term> = TermMap::default();
    for &conjunct in &conjuncts {
        let read = match (t.op(conjunct), t.args(conjunct)) {
            (Op::Select, _) => Some((conjunct, Term::TRUE)),
            (Op::Not, &[x]) => Some((x, Term::FALSE)),
            (Op::Eq, &[x, y]) if t.op(x) == Op::Select => Some((x, y)),
            (Op::Eq, &[x, y]) => Some((y, x)),
            _ => None,
        };
        if let Some((read, value)) = read.filter(|&(read, _)| t.op(read) == Op::Select) {
            known.insert(read, value);
        }
    }
    if known.is_empty() {
        return conjuncts;
    }
    let stored = |x: Term| match (t.op(x), t.args(x)) {
        (Op::Store, &[array, index, value])
            if known.get(&t.select(array, index)) == Some(&value) =>
        {
            array
        }
        _ => x,
    };
    let rewritten = conjuncts.into_iter().map(|c| t.rewrite(c, stored));
    rewritten.filter(|&c| c != Term::TRUE).collect()
}

/// An elimination under way.
struct Elimination<'a, 't> {
    tools: &'a Tools<'t>,
    keep: &'a TermSet,
    result: Projected,
}

impl Elimination<'_, '_> {
    /// The variables of a formula that are eliminated.
    fn eliminated(&self, formula: Term) -> Vec<Term> {
        let vars = self.tools.terms.vars([formula]).into_iter();
        vars.filter(|x| !self.keep.contains(x)).collect()
    }

    /// Takes the conjuncts without eliminated variables over, and answers the others: in groups
    /// that such variables connect.
    fn connected(&mut self, conjuncts: Vec<Term>) -> Vec<Vec<Term>> {
        let mut parts: Vec<(TermSet, Vec<Term>)> = Vec::new();
        for conjunct in conjuncts {
            let vars: TermSet = self.eliminated(conjunct).into_iter().collect();
            if vars.is_empty() {
                self.result.conjuncts.push(conjunct);
                continue;
            }
            let (mut all, mut formulas) = (vars, vec![conjunct]);
            parts.retain_mut(|(vars, part)| {
                let is_apart = vars.is_disjoint(&all);
                if !is_apart {
                    all.extend(vars.iter().copied());
                    formulas.append(part);
                }
                is_apart
            });
            parts.push((all, formulas));
        }
        parts.into_iter().map(|(_, formulas)| formulas).collect()
    }

    /// Eliminates from conjuncts that are connected.
    fn eliminate(&mut self, mut part: Vec<Term>) -> Result<(), Failure> {
        let t = self.tools.terms;
        let whole = t.and(part.iter().copied());
        let is_kept = |x: Term| match t.op(x) {
            Op::Var(_) => self.keep.contains(&x),
            Op::Apply(_) => true,
            _ => false,
        };
        if !t.any_subterm(whole, is_kept) {
            return self.drop_unconnected(whole);
        }
        while let Some(next) = self.combine_bounds(&part) {
            part = next;
        }
        let (open, done): (Vec<Term>, Vec<Term>) = part
            .into_iter()
            .partition(|&c| !self.eliminated(c).is_empty());
        self.result.conjuncts.extend(done);
        if open.is_empty() {
            return Ok(());
        }
        match self.cubes(t.and(open))? {
            Some(cubes) => self.result.conjuncts.extend(t.conjuncts(cubes)),
            None => self.result.is_exact = false,
        }
        Ok(())
    }

    /// A formula of eliminated variables alone is true for some values, or it is false.
    fn drop_unconnected(&mut self, formula: Term) -> Result<(), Failure> {
        let mut solver = self.tools.backend.solver(self.tools.terms, "elimination");
        solver.set_limit(self.tools.limit.part(TICKS));
        solver.assert(formula);
        match solver.check(format_args!("an unconnected part can be true"), &[]) {
            SatResult::Sat => {}
            SatResult::Unsat => self.result.conjuncts.push(Term::FALSE),
            SatResult::Unknown(_) => {
                self.tools.limit.check()?;
                self.result.is_exact = false;
            }
        }
        Ok(())
    }

    /// Eliminates one variable by combining its bounds; `None` if there is none for which this is
    /// exact.
    fn combine_bounds(&self, conjuncts: &[Term]) -> Option<Vec<Term>> {
        let t = self.tools.terms;
        let mut vars = self.eliminated(t.and(conjuncts.iter().copied()));
        vars.sort_unstable();
        vars.into_iter().find_map(|x| {
            let (with, without): (Vec<Term>, Vec<Term>) =
                (conjuncts.iter()).partition(|&&conjunct| t.any_subterm(conjunct, |s| s == x));
            let combined = Bounds::of(t, x, &with)?.combined(t)?;
            Some(without.into_iter().chain(combined).collect())
        })
    }

    /// The disjunction of projected cubes that is equivalent to the formula with quantifiers;
    /// `None` if it is not found within the budget.
    fn cubes(&self, formula: Term) -> Result<Option<Term>, Failure> {
        let t = self.tools.terms;
        let (vars, eliminated) = (t.vars([formula]), self.eliminated(formula));
        let mut solver = self.tools.backend.solver(t, "elimination");
        solver.set_limit(self.tools.limit.part(TICKS));
        solver.assert(formula);
        let mut cubes = Vec::new();
        for _ in 0..=MOST_CUBES {
            // φ ∧ ¬⋁ cubes
            match solver.check(format_args!("a cube that is not projected"), &[]) {
                SatResult::Unsat => return Ok(Some(t.or(cubes))),
                SatResult::Sat => {}
                SatResult::Unknown(_) => break,
            }
            let Ok(values) = solver.values(&vars) else {
                break;
            };
            let mut model = Valuation::new(t, vars.iter().copied().zip(values));
            if !model.holds(formula) {
                break;
            }
            let cube = project(t, &mut model, eliminated.iter().copied(), [formula]);
            let cube = t.and(without_weaker_bounds(t, &cube));
            if !self.eliminated(cube).is_empty() {
                break;
            }
            solver.assert(t.not(cube));
            cubes.push(cube);
        }
        self.tools.limit.check()?;
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number::Rational;
    use crate::smt::native::NativeOptions;
    use crate::smt::{Backend, Limit};
    use crate::term::Sort;

    #[test]
    fn variables_are_eliminated() {
        let t = Terms::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let array = t.array_sort(Sort::INT, Sort::BOOL);
        let [a, b] = ["a", "b"].map(|name| t.var(name, array));
        let [one, two, five] = [1, 2, 5].map(|n| t.int(n));
        let twice = t.scale(Rational::from(2), x);
        let freed = t.store(b, x, Term::FALSE);
        let is_free = t.not(t.select(b, x));
        // Without x: what is equivalent, or follows.
        let table = [
            (vec![t.eq(x, t.add([y, one])), t.le(x, z)], t.lt(y, z), true),
            (vec![t.le(y, x), t.lt(x, z)], t.lt(y, z), true),
            (
                vec![t.le(y, twice), t.le(twice, z), t.lt(x, z), t.eq(y, z)],
                {
                    let even = t.divisible(Rational::from(2), y);
                    t.and([t.eq(y, z), even, t.ge(y, one)])
                },
                true,
            ),
            (
                vec![t.eq(twice, y)],
                t.divisible(Rational::from(2), y),
                true,
            ),
            (vec![t.not(t.eq(x, y)), t.lt(x, z)], Term::TRUE, true),
            (vec![t.gt(x, five), t.eq(y, two)], t.eq(y, two), true),
            (
                vec![t.gt(x, five), t.lt(x, five), t.eq(y, two)],
                Term::FALSE,
                true,
            ),
            (
                vec![t.or([t.eq(x, y), t.eq(x, z)]), t.ge(x, two)],
                { t.or([t.ge(y, two), t.ge(z, two)]) },
                true,
            ),
            (vec![is_free, t.eq(a, freed)], t.eq(a, b), false),
        ];
        let backend = Backend::native(NativeOptions::for_engines());
        let tools = Tools::new(&t, &backend, Limit::none());
        let keep: TermSet = [y, z, a, b].into_iter().collect();
        for (conjuncts, expected, is_exact) in table {
            let whole = t.and(conjuncts.iter().copied());
            let found = exists(&tools, &keep, conjuncts).expect("there is no limit");
            let result = t.and(found.conjuncts);
            assert!(!t.any_subterm(result, |s| s == x), "{}", t.display(result));
            assert_eq!(found.is_exact, is_exact, "{}", t.display(whole));
            let mut solver = backend.solver(&t, "test");
            let differs = t.not(t.eq(result, expected));
            let outcome = solver.check(format_args!("they differ"), &[differs]);
            assert_eq!(
                outcome,
                SatResult::Unsat,
                "{}: {}",
                t.display(whole),
                t.display(result)
            );
        }
    }
}
