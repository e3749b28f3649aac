//! Formulas as people write them: still SMT-LIB, of the same meaning.
//!
//! The store keeps a comparison as one sum against another. Here each part of it stands on the side
//! where its coefficient is positive, differences are written as differences, and two bounds of one
//! sum become one range:
//!
//! ```text
//! (<= (+ (* (- 1) y) x) 3)       (<= (- x y) 3)
//! (and (<= 0 x) p (<= x 9))      (and (<= 0 x 9) p)
//! ```

use crate::number::Rational;
use crate::term::{LinearSum, Op, Piece, Sort, Term, Terms};

/// The text of a term in another form; `None` where the usual one is as good.
pub(super) fn form(t: &Terms, term: Term) -> Option<Vec<Piece>> {
    match t.op(term) {
        Op::Le | Op::Lt => Some(Comparison::of(t, term)?.pieces(t)),
        Op::Eq => equation(t, term),
        Op::And => conjunction(t, term),
        _ => None,
    }
}

/// `sum ≤ 0`, `sum < 0` or `sum = 0`, with integer coefficients.
struct Comparison {
    sort: Sort,
    strict: bool,
    sum: LinearSum,
}

impl Comparison {
    /// The comparison that a term is; `None` if it is another term, or compares a real with
    /// integers.
    fn of(t: &Terms, term: Term) -> Option<Comparison> {
        let strict = match t.op(term) {
            Op::Le | Op::Eq => false,
            Op::Lt => true,
            _ => return None,
        };
        let &[left, right] = t.args(term) else {
            return None;
        };
        let sort = t.sort_of(left);
        if !matches!(sort, Sort::INT | Sort::REAL) {
            return None;
        }
        let mut sum = t.linear_sum(left);
        sum.add_scaled(&Rational::from(-1), &t.linear_sum(right));
        sum.scale(&sum.normalizer());
        if sort == Sort::INT && !sum.constant.is_integer() {
            // The terms are an integer: `sum ≤ 1/2` is `sum ≤ 0`, and so is `sum < 1/2`.
            sum.constant = match t.op(term) {
                Op::Le => sum.constant.ceil(),
                Op::Lt => sum.constant.floor(),
                _ => return None,
            };
        }
        let mut strict = strict;
        if sort == Sort::INT && t.op(term) != Op::Eq && sum.terms.len() > 1 {
            // `x - y < 1` is `x ≤ y`, and `x + 1 ≤ y` is `x < y`.
            let nearly = if strict { -1 } else { 1 };
            if sum.constant == Rational::from(nearly) {
                (strict, sum.constant) = (!strict, Rational::zero());
            }
        }
        let is_plain = sum.terms.iter().all(|&(x, _)| t.sort_of(x) == sort);
        (is_plain && !sum.is_constant()).then_some(Comparison { sort, strict, sum })
    }

    /// The sum without its constant, with a first coefficient that is positive; is it an upper
    /// bound of that; and the bound.
    fn bound(&self) -> (LinearSum, bool, Rational) {
        let mut sum = self.sum.clone();
        let upper = !sum.terms[0].1.is_negative();
        if !upper {
            sum.scale(&Rational::from(-1));
        }
        let bound = -std::mem::take(&mut sum.constant);
        (sum, upper, bound)
    }

    fn pieces(&self, t: &Terms) -> Vec<Piece> {
        let (less, greater) = match self.strict {
            true => ("(<", "(>"),
            false => ("(<=", "(>="),
        };
        let (plus, minus) = sides(&self.sum);
        let constant = &self.sum.constant;
        let number = |value: Rational| numeral(t, value, self.sort);
        let (word, left, right) = if minus.is_empty() {
            (less, total(t, &plus, None), vec![number(-constant.clone())])
        } else if plus.is_empty() {
            (
                greater,
                total(t, &minus, None),
                vec![number(constant.clone())],
            )
        } else if constant.is_zero() {
            (less, total(t, &plus, None), total(t, &minus, None))
        } else if is_difference(&plus, &minus) {
            match constant.is_negative() {
                true => (
                    less,
                    difference(plus[0].0, minus[0].0),
                    vec![number(-constant.clone())],
                ),
                false => (
                    greater,
                    difference(minus[0].0, plus[0].0),
                    vec![number(constant.clone())],
                ),
            }
        } else {
            match constant.is_negative() {
                true => (
                    less,
                    total(t, &plus, None),
                    total(t, &minus, Some(number(-constant.clone()))),
                ),
                false => (
                    less,
                    total(t, &plus, Some(number(constant.clone()))),
                    total(t, &minus, None),
                ),
            }
        };
        enclosed(word, [left, right].concat())
    }
}

/// `x = …` with a variable of coefficient 1 alone on the left, where there is one.
fn equation(t: &Terms, term: Term) -> Option<Vec<Piece>> {
    let Comparison { sort, mut sum, .. } = Comparison::of(t, term)?;
    let is_alone = |(x, c): &(Term, Rational)| t.is_var(*x) && c.abs() == Rational::one();
    let at = sum.terms.iter().rposition(is_alone)?;
    let (plus, minus) = sides(&sum);
    if sum.constant.is_zero() && is_difference(&plus, &minus) {
        return None;
    }
    let (x, c) = sum.terms.remove(at);
    if !c.is_negative() {
        sum.scale(&Rational::from(-1));
    }
    let (plus, minus) = sides(&sum);
    let constant = sum.constant.clone();
    let number = (!constant.is_zero()).then(|| numeral(t, constant.clone(), sort));
    let right = match (plus.is_empty(), minus.is_empty()) {
        (true, true) => vec![numeral(t, constant, sort)],
        (_, true) => total(t, &plus, number),
        (true, false) => {
            let zero = number.unwrap_or_else(|| numeral(t, Rational::zero(), sort));
            let subtrahends = minus.iter().flat_map(|summand| multiple(t, summand));
            enclosed("(-", [zero].into_iter().chain(subtrahends).collect())
        }
        (false, false) => {
            let subtrahends = minus.iter().flat_map(|summand| multiple(t, summand));
            let minuend = total(t, &plus, number);
            enclosed("(-", minuend.into_iter().chain(subtrahends).collect())
        }
    };
    let left = vec![Piece::Term(x)];
    Some(enclosed("(=", [left, right].concat()))
}

/// The conjunction with pairs of bounds of one sum as ranges; `None` if there is no pair.
fn conjunction(t: &Terms, term: Term) -> Option<Vec<Piece>> {
    let conjuncts = t.args(term);
    let is_bound = |&c: &Term| matches!(t.op(c), Op::Le | Op::Lt);
    let bounds: Vec<Option<Comparison>> = conjuncts
        .iter()
        .map(|c| is_bound(c).then(|| Comparison::of(t, *c)).flatten())
        .collect();
    let mut partner = vec![None; conjuncts.len()];
    for at in 0..conjuncts.len() {
        let Some(bound) = bounds[at].as_ref().filter(|_| partner[at].is_none()) else {
            continue;
        };
        let (sum, upper, _) = bound.bound();
        let fits = |&other: &usize| {
            partner[other].is_none()
                && bounds[other].as_ref().is_some_and(|other| {
                    let (its, is_upper, _) = other.bound();
                    other.strict == bound.strict && is_upper != upper && its == sum
                })
        };
        if let Some(other) = (at + 1..conjuncts.len()).find(fits) {
            (partner[at], partner[other]) = (Some(other), Some(at));
        }
    }
    partner.iter().any(Option::is_some).then_some(())?;
    let mut parts = Vec::new();
    for (at, &conjunct) in conjuncts.iter().enumerate() {
        match (partner[at], &bounds[at]) {
            (Some(other), Some(bound)) if at < other => {
                let other = bounds[other].as_ref().expect("a partner is a bound");
                parts.push(range(t, bound, other));
            }
            (Some(_), _) => {}
            (None, _) => parts.push(vec![Piece::Term(conjunct)]),
        }
    }
    match parts.len() {
        1 => parts.pop(),
        _ => Some(enclosed("(and", parts.concat())),
    }
}

/// `(<= lower sum upper)`, of two bounds of one sum; an equation, where they are the same.
fn range(t: &Terms, one: &Comparison, other: &Comparison) -> Vec<Piece> {
    let (sum, is_upper, first) = one.bound();
    let (_, _, second) = other.bound();
    let (lower, upper) = match is_upper {
        true => (second, first),
        false => (first, second),
    };
    let (plus, minus) = sides(&sum);
    if !one.strict && lower == upper {
        let value = vec![numeral(t, upper.clone(), one.sort)];
        let (left, right) = match upper.is_zero() && !minus.is_empty() {
            true => (total(t, &plus, None), total(t, &minus, None)),
            false if minus.is_empty() => (total(t, &plus, None), value),
            false => {
                let constant = Some(numeral(t, upper, one.sort));
                (total(t, &plus, None), total(t, &minus, constant))
            }
        };
        return enclosed("(=", [left, right].concat());
    }
    let middle = match minus.is_empty() {
        true => total(t, &plus, None),
        false => {
            let subtrahends = minus.iter().flat_map(|summand| multiple(t, summand));
            let minuend = total(t, &plus, None);
            enclosed("(-", minuend.into_iter().chain(subtrahends).collect())
        }
    };
    let word = if one.strict { "(<" } else { "(<=" };
    let ends = |value: Rational| vec![numeral(t, value, one.sort)];
    enclosed(word, [ends(lower), middle, ends(upper)].concat())
}

/// Terms with their coefficients.
type Summands = Vec<(Term, Rational)>;

/// The summands with positive coefficients, and the others with the opposite ones.
fn sides(sum: &LinearSum) -> (Summands, Summands) {
    let (minus, plus): (Vec<_>, Vec<_>) =
        (sum.terms.iter().cloned()).partition(|(_, c)| c.is_negative());
    (plus, minus.into_iter().map(|(x, c)| (x, -c)).collect())
}

/// Is it the difference of two terms?
fn is_difference(plus: &[(Term, Rational)], minus: &[(Term, Rational)]) -> bool {
    let is_one = |side: &[(Term, Rational)]| matches!(side, [(_, c)] if *c == Rational::one());
    is_one(plus) && is_one(minus)
}

fn difference(x: Term, y: Term) -> Vec<Piece> {
    enclosed("(-", vec![Piece::Term(x), Piece::Term(y)])
}

/// The sum of the summands, and of the constant if there is one.
fn total(t: &Terms, summands: &[(Term, Rational)], constant: Option<Piece>) -> Vec<Piece> {
    let parts = summands.iter().map(|summand| multiple(t, summand));
    let parts: Vec<Vec<Piece>> = parts.chain(constant.map(|c| vec![c])).collect();
    match parts.len() {
        1 => parts.concat(),
        _ => enclosed("(+", parts.concat()),
    }
}

/// `x` or `(* c x)`.
fn multiple(t: &Terms, (x, c): &(Term, Rational)) -> Vec<Piece> {
    match *c == Rational::one() {
        true => vec![Piece::Term(*x)],
        false => {
            let factor = numeral(t, c.clone(), t.sort_of(*x));
            enclosed("(*", vec![factor, Piece::Term(*x)])
        }
    }
}

fn numeral(t: &Terms, value: Rational, sort: Sort) -> Piece {
    Piece::Term(t.number(value, sort))
}

/// The parts of a term behind its opening parenthesis and head.
fn enclosed(word: &str, parts: Vec<Piece>) -> Vec<Piece> {
    let head = [Piece::Text(word.to_owned())].into_iter();
    head.chain(parts).chain([Piece::Close]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Printer;

    fn text(t: &Terms, term: Term) -> String {
        let form = |term| form(t, term);
        Printer::new(t).with_forms(&form).text(term).to_string()
    }

    #[test]
    fn bounds_differences_and_ranges_are_written_as_people_do() {
        let t = Terms::new();
        let [x, y] = ["x", "y"].map(|name| t.var(name, Sort::INT));
        let b = t.var("b", Sort::BOOL);
        let int = |n| t.int(n);
        let twice = t.scale(2.into(), x);
        for (term, expected) in [
            (t.ge(x, int(0)), "(>= x 0)"),
            (t.le(t.sub(x, y), int(3)), "(<= (- x y) 3)"),
            (t.le(t.sub(y, x), int(-3)), "(>= (- x y) 3)"),
            (t.le(x, y), "(<= x y)"),
            (t.lt(x, y), "(< x y)"),
            (t.le(t.add([x, int(1)]), y), "(< x y)"),
            (t.lt(x, t.add([y, int(1)])), "(<= x y)"),
            (t.le(twice, t.add([y, int(5)])), "(<= (* 2 x) (+ y 5))"),
            (t.and([t.ge(x, int(0)), t.le(x, int(9))]), "(<= 0 x 9)"),
            (
                t.and([t.ge(x, int(0)), b, t.le(x, int(9))]),
                "(and (<= 0 x 9) b)",
            ),
            (t.and([t.ge(x, int(4)), t.le(x, int(4))]), "(= x 4)"),
            (t.and([t.ge(x, y), t.le(x, y)]), "(= x y)"),
            (t.eq(y, t.add([x, int(1)])), "(= y (+ x 1))"),
            (t.eq(t.add([x, y]), int(7)), "(= y (- 7 x))"),
        ] {
            assert_eq!(text(&t, term), expected, "{}", t.display(term));
        }
    }

    #[test]
    fn what_is_written_means_the_same() {
        let t = Terms::new();
        let vars = ["x", "y", "z"].map(|name| t.var(name, Sort::INT));
        let mut random = fastrand::Rng::with_seed(31);
        for round in 0..2000 {
            let atom = |random: &mut fastrand::Rng| {
                let scaled = vars.map(|x| t.scale(random.i64(-2..=2).into(), x));
                let left = t.add(scaled);
                let right = t.int(random.i64(-3..=3));
                match random.u8(0..3) {
                    0 => t.le(left, right),
                    1 => t.lt(left, right),
                    _ => t.eq(left, right),
                }
            };
            let parts: Vec<Term> = (0..random.usize(1..4)).map(|_| atom(&mut random)).collect();
            let formula = t.and(parts);
            let read = reread(&t, &text(&t, formula), &vars);
            for _ in 0..20 {
                let values = vars.map(|_| random.i64(-4..=4));
                let at = |term| {
                    let point = vars.into_iter().zip(values.map(|v| t.int(v)));
                    t.substitute(term, point)
                };
                assert_eq!(
                    at(formula),
                    at(read),
                    "round {round}: {}",
                    t.display(formula)
                );
            }
        }
    }

    /// The formula that a text means to the reader of SMT-LIB.
    fn reread(t: &Terms, text: &str, vars: &[Term]) -> Term {
        use crate::smtlib::{Source, read_system};
        let params: Vec<String> = (vars.iter())
            .map(|&x| format!("({} Int)", t.display(x)))
            .collect();
        let script = format!("(assert (forall ({}) (=> {text} false)))", params.join(" "));
        let system = read_system(t, &Source::from_text("text", &script)).expect("it is Horn");
        system.clauses.first().map_or(Term::FALSE, |c| c.constraint)
    }
}
