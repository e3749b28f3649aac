//! Derivations of clauses from instances of rules without premises.

use crate::number::Rational;
use crate::smt::native::proof::Literal;
use crate::term::{LinearSum, Op, Printer, Term, Terms};

/// A literal of a tautology, as the rule states it: a formula or its negation, where the formula
/// may be a negation itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stated {
    /// A formula of the store, with this sign.
    Formula(Term, bool),
    /// A formula that is written out, with this sign.
    Text(String, bool),
    /// A literal of the clause that is derived.
    Own(Literal),
}

/// The derivation of a clause from tautologies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Derivation {
    /// A literal and its negation: nothing is to be done.
    Same,
    /// An instance of a rule without premises.
    Axiom {
        rule: &'static str,
        clause: Vec<Stated>,
        args: Vec<String>,
    },
    /// These two numbers are equal, or one of them is less.
    Disequality(Term, Term),
    /// The first with the second, the result with the third, and so on.
    Resolution(Vec<Derivation>),
}

impl Derivation {
    pub(super) fn axiom(rule: &'static str, clause: Vec<Stated>) -> Self {
        let args = Vec::new();
        Derivation::Axiom { rule, clause, args }
    }

    /// That a conjunction implies one of its parts, or the negation of a disjunction.
    pub(super) fn part(t: &Terms, whole: Term, positive: bool, index: usize) -> Self {
        let rule = if positive { "and_pos" } else { "or_neg" };
        Derivation::Axiom {
            rule,
            clause: vec![
                Stated::Formula(whole, !positive),
                Stated::Formula(t.args(whole)[index], positive),
            ],
            args: vec![index.to_string()],
        }
    }
}

/// A formula or a term as text, without `let`.
///
/// The constants at which arrays differ have a name that no symbol of the store has.
pub(super) fn formula(t: &Terms, f: Term) -> String {
    let name = |x: Term| difference_name(t, x);
    let printer = Printer::new(t).without_sharing().with_vars(&name);
    printer.text(f).to_string()
}

/// The names of constants at which two arrays differ begin with this.
pub(super) const DIFFERENCE: &str = "difference!";

/// The name of a constant at which two arrays differ.
pub(super) fn difference_name(t: &Terms, x: Term) -> Option<String> {
    let Op::Var(symbol) = t.op(x) else {
        return None;
    };
    let places = t
        .name(symbol)
        .strip_prefix("difference\\")?
        .replace(',', "!");
    let mut name = format!("{DIFFERENCE}{places}");
    while t.has_symbol(&name) {
        name.push('!');
    }
    Some(name)
}

/// The equation of two terms, as the store orders it, with a sign.
pub(super) fn equation(t: &Terms, x: Term, y: Term, positive: bool) -> Stated {
    let built = t.eq(x, y);
    let is_itself = t.op(built) == Op::Eq && (t.args(built) == [x, y] || t.args(built) == [y, x]);
    if is_itself {
        return Stated::Formula(built, positive);
    }
    let text = format!("(= {} {})", formula(t, x.min(y)), formula(t, x.max(y)));
    Stated::Text(text, positive)
}

/// The linear sum that a term is, with remainders of constant divisors in terms of quotients.
pub(super) fn sum(t: &Terms, term: Term) -> LinearSum {
    let mut sum = t.linear_sum(term);
    let is_remainder = |x: Term| t.op(x) == Op::Mod && divisor(t, x).is_some();
    while let Some((x, factor)) = sum.terms.iter().find(|&&(x, _)| is_remainder(x)).cloned() {
        let args = t.args(x);
        let divisor = divisor(t, x).expect("just tested");
        sum.remove(x);
        sum.add_scaled(&factor, &t.linear_sum(args[0]));
        sum.add_scaled(
            &-(&factor * divisor),
            &t.linear_sum(t.idiv(args[0], args[1])),
        );
    }
    sum
}

/// The numeral other than 0 by which a quotient or remainder divides.
pub(super) fn divisor(t: &Terms, term: Term) -> Option<&Rational> {
    t.as_number(t.args(term)[1]).filter(|k| !k.is_zero())
}

/// A factor as text.
pub(super) fn factor(number: &Rational) -> String {
    let sign = |text: String| match number.is_negative() {
        true => format!("(- {text})"),
        false => text,
    };
    let absolute = number.abs();
    match absolute.is_integer() {
        true => sign(absolute.to_string()),
        false => sign(format!("(/ {} {})", absolute.numer(), absolute.denom())),
    }
}
