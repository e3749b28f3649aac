//! From a cube about a step of a loop to the translation that it is.

use crate::logic::{LinearLiteral, Relation};
use crate::number::Rational;
use crate::term::{LinearSum, Op, Sort, Term, TermMap, TermSet, Terms};

/// What a step makes of an argument.
enum Update {
    /// It grows by a constant, perhaps 0.
    Grows(Rational),
    /// It becomes what this term is before the step: one over arguments that stay or grow and over
    /// inputs, so that it grows by this number from the second step on.
    Becomes(Term, Rational),
}

/// A step that can be repeated: each argument grows by a constant, or becomes something that does
/// so from then on, where a guard holds that is convex in what grows.
pub(super) struct Translation {
    before: Vec<Term>,
    updates: Vec<Update>,
    guard: Vec<Term>,
}

impl Translation {
    /// Of a cube over the arguments `before` and `after` a step, which are the same terms where an
    /// argument stays. `None` where it is no such step, or one that leads nowhere when repeated.
    pub(super) fn of(
        t: &Terms,
        before: &[Term],
        after: &[Term],
        cube: &[Term],
    ) -> Option<Translation> {
        let mut literals = Literals::new(t, cube);
        let new: Vec<Term> = (after.iter().copied().filter(|x| !before.contains(x))).collect();
        let known = literals.solve(t, &new);
        let values = resolved(t, after, &new, known)?;
        let guard = literals.guard(t, |literal| {
            t.substitute(literal, after.iter().copied().zip(values.iter().copied()))
        });
        let growth = |(&x, &value): (&Term, &Term)| growth(t, x, value);
        let growths: Vec<Option<Rational>> = before.iter().zip(&values).map(growth).collect();
        let known: TermMap<&Option<Rational>> = before.iter().copied().zip(&growths).collect();
        let update = |(growth, value): (Option<Rational>, Term)| match growth {
            Some(by) => Some(Update::Grows(by)),
            None => Some(Update::Becomes(value, growth_of_value(t, value, &known)?)),
        };
        let updates = growths.iter().cloned().zip(values.iter().copied());
        let translation = Translation {
            before: before.to_vec(),
            updates: updates.map(update).collect::<Option<_>>()?,
            guard,
        };
        let growing: TermMap<&Rational> = translation.growing().collect();
        let convex = |&literal: &Term| is_convex(t, literal, &growing);
        let is_repeated = !growing.is_empty() && translation.guard.iter().all(convex);
        is_repeated.then_some(translation)
    }

    /// The arguments that grow by something, from the second step on at the latest, with what they
    /// grow by.
    fn growing(&self) -> impl Iterator<Item = (Term, &Rational)> {
        let pairs = self.before.iter().zip(&self.updates);
        pairs.filter_map(|(&x, update)| match update {
            Update::Grows(by) | Update::Becomes(_, by) => (!by.is_zero()).then_some((x, by)),
        })
    }

    /// The least number of steps for which more is said than by the step itself: 1, or 2 where the
    /// first step makes something what it is from then on.
    fn least(&self) -> i64 {
        1 + i64::from(self.becomes())
    }

    fn becomes(&self) -> bool {
        let mut updates = self.updates.iter();
        updates.any(|update| matches!(update, Update::Becomes(..)))
    }

    /// The arguments after `n - less` steps, which are at least one; `less` is a constant.
    pub(super) fn state(&self, t: &Terms, n: Term, less: i64) -> Vec<Term> {
        let grown = |x: Term, by: &Rational, less: i64| {
            let mut sum = t.linear_sum(x);
            let mut steps = t.linear_sum(n);
            steps.constant = &steps.constant - &Rational::from(less);
            sum.add_scaled(by, &steps);
            t.sum_term(&sum, t.sort_of(x))
        };
        let arg = |(&x, update): (&Term, &Update)| match update {
            Update::Becomes(value, by) if by.is_zero() => *value,
            // What it is one step earlier.
            Update::Becomes(value, by) => grown(*value, by, less + 1),
            Update::Grows(by) if by.is_zero() => x,
            Update::Grows(by) => grown(x, by, less),
        };
        self.before.iter().zip(&self.updates).map(arg).collect()
    }

    /// The condition under which `n` steps follow each other: the guard at the first and at the
    /// last step, and therefore between them. If the first step sets an argument, the guard at the
    /// second step is needed too.
    pub(super) fn condition(&self, t: &Terms, n: Term) -> Vec<Term> {
        let guard = |state: Vec<Term>| -> Vec<Term> {
            let state = || self.before.iter().copied().zip(state.iter().copied());
            let said = self.guard.iter();
            said.map(|&literal| t.substitute(literal, state()))
                .collect()
        };
        let least = t.le(t.int(self.least()), n);
        let mut condition = [vec![least], self.guard.clone(), guard(self.state(t, n, 1))].concat();
        if self.becomes() {
            condition.extend(guard(self.state(t, t.int(1), 0)));
        }
        condition
    }
}

/// By how much a value exceeds that of a variable, where that is a constant.
fn growth(t: &Terms, x: Term, value: Term) -> Option<Rational> {
    if x == value {
        return Some(Rational::zero());
    }
    if !t.sort_of(x).is_arith() {
        return None;
    }
    let mut sum = t.linear_sum(value);
    sum.add_scaled(&Rational::from(-1), &t.linear_sum(x));
    sum.is_constant().then_some(sum.constant)
}

/// By how much a value over arguments that stay or grow does so from one step to the next; `None`
/// if it is not linear in what grows, or speaks of others.
fn growth_of_value(t: &Terms, value: Term, known: &TermMap<&Option<Rational>>) -> Option<Rational> {
    let changes = |part: Term| {
        let growth = known.get(&part);
        growth.is_some_and(|growth| !growth.as_ref().is_some_and(Rational::is_zero))
    };
    let speaks = |term: Term| t.any_subterm(term, changes);
    if !speaks(value) {
        return Some(Rational::zero());
    }
    if !t.sort_of(value).is_arith() {
        return None;
    }
    let mut growth = Rational::zero();
    for (term, factor) in &t.linear_sum(value).terms {
        match known.get(term) {
            Some(by) => growth.add_mul(factor, by.as_ref()?),
            None if speaks(*term) => return None,
            None => {}
        }
    }
    Some(growth)
}

/// Does a literal that holds in two states hold between them, where these variables grow from one
/// to the other, step by step?
fn is_convex(t: &Terms, literal: Term, growing: &TermMap<&Rational>) -> bool {
    let speaks = |term: Term| t.any_subterm(term, |part| growing.contains_key(&part));
    let Some(linear) = LinearLiteral::of_term(t, literal) else {
        return !speaks(literal);
    };
    let mut terms = linear.sum.terms.iter();
    match linear.relation {
        Relation::Eq | Relation::Le | Relation::Lt => {
            terms.all(|&(term, _)| t.is_var(term) || !speaks(term))
        }
        // The remainder stays where a multiple of the divisor is added.
        Relation::Divides(divisor) | Relation::NotDivides(divisor) => {
            let mut change = Rational::zero();
            terms.all(|(term, factor)| match growing.get(term) {
                Some(by) => {
                    change.add_mul(factor, by);
                    true
                }
                None => !speaks(*term),
            }) && change.is_divisible_by(&divisor)
        }
        Relation::Ne => !speaks(literal),
    }
}

/// What the arguments become, each with what it mentions put in; what nothing determines of the
/// `new` ones is an input, the same in each step. `None` where they go in circles.
fn resolved(
    t: &Terms,
    after: &[Term],
    new: &[Term],
    mut known: TermMap<Term>,
) -> Option<Vec<Term>> {
    for &x in new {
        (known.entry(x)).or_insert_with(|| t.fresh_var("input", t.sort_of(x)));
    }
    let value = |x: &Term| known.get(x).copied().unwrap_or(*x);
    let mut values: Vec<Term> = after.iter().map(value).collect();
    let open = |value: &Term| t.any_subterm(*value, |part| known.contains_key(&part));
    for _ in new {
        if !values.iter().any(open) {
            break;
        }
        for value in values.iter_mut() {
            *value = t.substitute(*value, known.iter().map(|(&x, &value)| (x, value)));
        }
    }
    (!values.iter().any(open)).then_some(values)
}

/// The literals of a cube.
struct Literals {
    equations: Vec<LinearLiteral>,
    others: Vec<Term>,
}

impl Literals {
    fn new(t: &Terms, cube: &[Term]) -> Self {
        let mut literals = Literals {
            equations: Vec::new(),
            others: Vec::new(),
        };
        for &literal in cube {
            match LinearLiteral::of_term(t, literal) {
                Some(linear) if linear.relation == Relation::Eq => literals.equations.push(linear),
                _ => literals.others.push(literal),
            }
        }
        literals
    }

    /// Solves equations for variables; the equations used are removed. The solutions may contain
    /// others of the variables.
    fn solve(&mut self, t: &Terms, variables: &[Term]) -> TermMap<Term> {
        let wanted: TermSet = variables.iter().copied().collect();
        let mut values = TermMap::default();
        let mut open = std::mem::take(&mut self.equations);
        while let Some(equation) = open.pop() {
            let Some((x, value)) = solved(t, &equation, &wanted) else {
                self.equations.push(equation);
                continue;
            };
            for other in open.iter_mut().chain(&mut self.equations) {
                let factor = other.sum.remove(x);
                other.sum.add_scaled(&factor, &value);
            }
            values.insert(x, t.sum_term(&value, t.sort_of(x)));
            // What could not be solved may be another equation now.
            open.append(&mut self.equations);
        }
        self.others.retain(|&literal| {
            let is_open = |x: Term| wanted.contains(&x) && !values.contains_key(&x);
            let found = definition(t, literal, is_open);
            values.extend(found);
            found.is_none()
        });
        values
    }

    /// All that is left, rewritten: what is true is not said.
    fn guard(&self, t: &Terms, rewrite: impl Fn(Term) -> Term) -> Vec<Term> {
        let equations = self.equations.iter().map(|equation| equation.to_term(t));
        let all = self.others.iter().copied().chain(equations).map(rewrite);
        all.filter(|&literal| literal != Term::TRUE).collect()
    }
}

/// One of the variables, and what an equation says that it is: of an integer only where it is one
/// whatever the others are.
fn solved(t: &Terms, equation: &LinearLiteral, wanted: &TermSet) -> Option<(Term, LinearSum)> {
    let mut sum = equation.sum.clone();
    sum.scale(&sum.normalizer());
    let integral = equation.is_integral(t) && sum.constant.is_integer();
    let is_solved = |x: Term, c: &Rational| {
        wanted.contains(&x) && (t.sort_of(x) == Sort::REAL || integral && c.abs().is_one())
    };
    let &(x, _) = sum.terms.iter().find(|(x, c)| is_solved(*x, c))?;
    let coefficient = sum.remove(x);
    sum.scale(&-&coefficient.recip());
    Some((x, sum))
}

/// One of the variables that are looked for, and what a literal that is no equation of numbers says
/// that it is.
fn definition(t: &Terms, literal: Term, is_open: impl Fn(Term) -> bool) -> Option<(Term, Term)> {
    let (atom, positive) = match t.as_not(literal) {
        Some(atom) => (atom, false),
        None => (literal, true),
    };
    if is_open(atom) {
        return Some((atom, t.bool(positive)));
    }
    match (t.op(atom), t.args(atom)) {
        (Op::Eq, &[x, y]) if positive && is_open(x) => Some((x, y)),
        (Op::Eq, &[x, y]) if positive && is_open(y) => Some((y, x)),
        _ => None,
    }
}
