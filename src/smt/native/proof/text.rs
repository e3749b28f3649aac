//! Proofs as text, one step a line.

use super::{Gate, Literal, Proof, ProofAtom, Why, bit_is_set};
use crate::term::{LinearSum, Sort, Term, Terms};
use std::fmt::Write;

impl Proof {
    /// What an atom says, as a formula; `true` for what holds by itself, and a Boolean variable for
    /// a gate.
    pub fn formula(&self, t: &Terms, literal: Literal) -> Term {
        let formula = match &self.atoms[literal.atom as usize] {
            ProofAtom::Truth | ProofAtom::Operator(_) | ProofAtom::Scope => Term::TRUE,
            ProofAtom::Formula(term) => *term,
            ProofAtom::Equal(x, y) => t.eq(*x, *y),
            ProofAtom::Bit(x, index) => bit_is_set(t, *x, *index),
            ProofAtom::Gate(_) => t.var(&format!("gate{}", literal.atom), Sort::BOOL),
            ProofAtom::Bound {
                form,
                bound,
                is_int,
            } => return bound_term(t, form, bound, *is_int, literal.positive),
        };
        if literal.positive {
            formula
        } else {
            t.not(formula)
        }
    }

    /// The gates, one a line, then the steps, one a line: number, clause, reason.
    pub fn text(&self, t: &Terms) -> String {
        let mut text = String::new();
        for (number, atom) in self.atoms.iter().enumerate() {
            if let ProofAtom::Gate(gate) = atom {
                let show = |&l: &Literal| t.display(self.formula(t, l)).to_string();
                let inputs: Vec<String> = gate.inputs().iter().map(show).collect();
                let kind = gate_name(*gate);
                let _ = writeln!(text, "(gate gate{number} ({kind} {}))", inputs.join(" "));
            }
        }
        for (number, step) in self.steps.iter().enumerate() {
            let clause: Vec<String> = step
                .clause
                .iter()
                .map(|&l| t.display(self.formula(t, l)).to_string())
                .collect();
            let why = match &step.why {
                Why::Input { rule, .. } => format!(":input {}", rule_name(*rule)),
                Why::Farkas(factors) => {
                    let factors: Vec<String> = factors.iter().map(ToString::to_string).collect();
                    format!(":farkas ({})", factors.join(" "))
                }
                Why::Chain(steps) => {
                    let steps: Vec<String> = steps.iter().map(|s| format!("s{s}")).collect();
                    format!(":resolution ({})", steps.join(" "))
                }
            };
            let _ = writeln!(text, "(step s{number} (cl {}) {why})", clause.join(" "));
        }
        text
    }
}

fn rule_name(rule: super::Justification) -> &'static str {
    match rule {
        super::Justification::Assertion(..) => "assertion",
        super::Justification::Definition(_) => "definition",
        super::Justification::Operator(_) => "operator",
        super::Justification::Closure => "closure",
        super::Justification::Shared(..) => "shared",
        super::Justification::Arrays => "arrays",
        super::Justification::Extensionality(..) => "extensionality",
        super::Justification::Exhaustive(_) => "exhaustive",
        super::Justification::Expand(..) => "expand",
        super::Justification::Product(_) => "product",
        super::Justification::Gate => "gate",
        super::Justification::Equation => "equation",
    }
}

fn gate_name(gate: Gate<Literal>) -> &'static str {
    match gate {
        Gate::And(_) => "and",
        Gate::Xor(_) => "xor",
        Gate::Mux(_) => "ite",
        Gate::Majority(_) => "majority",
    }
}

/// `form ≤ bound` or its negation.
fn bound_term(
    t: &Terms,
    form: &[(Term, crate::number::Rational)],
    bound: &crate::number::DeltaRational,
    is_int: bool,
    positive: bool,
) -> Term {
    let is_real = form.iter().any(|&(x, _)| t.sort_of(x) == Sort::REAL);
    let sort = if is_real { Sort::REAL } else { Sort::INT };
    let mut terms = form.to_vec();
    terms.sort_by_key(|&(x, _)| x);
    let sum = LinearSum {
        terms,
        constant: crate::number::Rational::zero(),
    };
    let sum = t.sum_term(&sum, sort);
    let limit = t.number(bound.real.clone(), sort);
    // A negative infinitesimal part makes the bound strict.
    match (positive, bound.delta.is_negative()) {
        (true, false) => t.le(sum, limit),
        (true, true) => t.lt(sum, limit),
        (false, true) => t.ge(sum, limit),
        (false, false) if is_int => t.ge(
            sum,
            t.number(&bound.real + &crate::number::Rational::one(), sort),
        ),
        (false, false) => t.gt(sum, limit),
    }
}
