//! Derivations of clauses from instances of rules without premises.

use crate::number::Rational;
use crate::term::{Printer, Term, Terms};

/// A literal of a tautology, as the rule states it: a formula or its negation, where the formula
/// may be a negation itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Stated {
    /// A formula of the store, with this sign.
    Formula(Term, bool),
    /// A formula that is written out, with this sign.
    Text(String, bool),
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
    /// The two numbers of this equation are equal, or one of them is less.
    Disequality(Term),
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
pub(super) fn formula(t: &Terms, f: Term) -> String {
    Printer::new(t).without_sharing().text(f).to_string()
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
