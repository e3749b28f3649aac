//! Equations of bit-vectors that follow from others by elimination \[How86\].
//!
//! A solver that computes with bits may need minutes for `y = 10·x` after `x + 1` and `y + 10`.

use crate::number::Rational;
use crate::number::howell::{Howell, Row};
use crate::term::{Term, TermMap, Terms, WordEquation};
use rustc_hash::FxHashMap;

/// The equations of bit-vectors among the premises of a clause: all sums of them, times any
/// numbers, follow.
pub(super) struct WordEquations {
    /// Of each width.
    forms: FxHashMap<u32, Form>,
    /// Is some number that is not 0 equal to 0?
    is_contradiction: bool,
}

/// The equations of one width. Each term of the premises has a column, and a last one stands for
/// the number 1.
struct Form {
    columns: TermMap<usize>,
    howell: Howell,
}

impl WordEquations {
    /// Those among these premises.
    pub(super) fn among(t: &Terms, premises: &[Term]) -> Self {
        let mut sums: FxHashMap<u32, Vec<WordEquation>> = FxHashMap::default();
        for equation in premises.iter().filter_map(|&f| t.word_equation(f)) {
            sums.entry(equation.width).or_default().push(equation);
        }
        let form = |(width, sums): (u32, Vec<WordEquation>)| {
            let mut columns: TermMap<usize> = TermMap::default();
            for (term, _) in sums.iter().flat_map(|equation| &equation.terms) {
                let next = columns.len();
                columns.entry(*term).or_insert(next);
            }
            let rows = sums.iter().filter_map(|sum| row(&columns, sum));
            let howell = Howell::new(width, rows.collect::<Vec<_>>());
            (width, Form { columns, howell })
        };
        let forms: FxHashMap<u32, Form> = sums.into_iter().map(form).collect();
        let has_number = |form: &Form| {
            let last = form.howell.rows().last();
            last.is_some_and(|row| row[0].0 == form.columns.len())
        };
        WordEquations {
            is_contradiction: forms.values().any(has_number),
            forms,
        }
    }

    /// Does a conclusion follow? `false` says nothing.
    pub(super) fn imply(&self, conclusion: &WordEquation) -> bool {
        if self.is_contradiction {
            return true;
        }
        let Some(Form { columns, howell }) = self.forms.get(&conclusion.width) else {
            return false;
        };
        row(columns, conclusion).is_some_and(|row| howell.implies(&row))
    }
}

/// An equation as a row; `None` if it has a term without a column.
fn row(columns: &TermMap<usize>, equation: &WordEquation) -> Option<Row> {
    let mut row: Row = (equation.terms.iter())
        .map(|(term, c)| Some((*columns.get(term)?, Rational::from(c.clone()))))
        .chain([Some((
            columns.len(),
            Rational::from(equation.constant.clone()),
        ))])
        .collect::<Option<_>>()?;
    row.sort_unstable_by_key(|(column, _)| *column);
    Some(row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{BitVec, Evaluator, Unspecified, Value};

    /// What is said to follow from two equations does, for all words of three bits. If both
    /// terms occur in them, whatever follows is found.
    #[test]
    fn what_follows_is_what_is_found() {
        let t = Terms::new();
        let sort = t.bitvec_sort(3);
        let [x, y] = ["x", "y"].map(|name| t.var(name, sort));
        let equation = |a: i32, b: i32, c: i32| {
            let sum = t.sum_of_words(sort, [(x, a.into()), (y, b.into())]);
            t.eq(sum, t.bitvec(&c.into(), 3))
        };
        let numbers = (0..512).map(|n| [n / 64, n / 8 % 8, n % 8]);
        let all: Vec<Term> = numbers.map(|[a, b, c]| equation(a, b, c)).collect();
        let states = |formula: Term| -> u64 {
            let word = |n: i32| Value::BitVec(BitVec::from_int(&n.into(), 3));
            let holds = |n: &i32| {
                let model = [(x, word(n / 8)), (y, word(n % 8))];
                Evaluator::with(&t, Unspecified::Refuse, model).holds(formula)
            };
            (0..64).filter(holds).fold(0, |states, n| states | 1 << n)
        };
        let of_all: Vec<u64> = all.iter().map(|&f| states(f)).collect();
        let mut found = 0;
        for (i, j) in (0..40).map(|n| (n * 37 % 512, n * 101 % 512)) {
            let premises = [all[i], all[j]];
            let equations = WordEquations::among(&t, &premises);
            let before = of_all[i] & of_all[j];
            for (&conclusion, &after) in all.iter().zip(&of_all) {
                let follows = before & !after == 0;
                let text = |f| t.display(f).to_string();
                let shown = || format!("{:?} to {}", premises.map(text), text(conclusion));
                let Some(equation) = t.word_equation(conclusion) else {
                    continue;
                };
                let is_found = equations.imply(&equation);
                assert!(follows || !is_found, "{}", shown());
                let form = equations.forms.get(&3);
                if form.is_some_and(|form| form.columns.len() == 2) {
                    assert_eq!(is_found, follows, "{}", shown());
                    found += u32::from(is_found);
                }
            }
        }
        assert!(found > 1000, "{found}");
    }
}
