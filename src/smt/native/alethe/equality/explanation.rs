//! Why two terms of a class are equal, as steps.

use super::super::Unsupported;
use super::super::derivation::{Derivation, Stated, equation, formula};
use super::super::writer::{Lit, StepName};
use super::{Closure, Equation, MAX_DEPTH, Reason};
use crate::term::Term;
use crate::work;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

impl Closure<'_, '_> {
    pub(super) fn text(&self, i: usize) -> String {
        formula(self.t, self.terms[i])
    }

    /// The equation of two terms.
    pub(super) fn equation(&mut self, x: usize, y: usize) -> Lit {
        self.out.equation(self.terms[x], self.terms[y])
    }

    pub(super) fn raw_equation(&mut self, x: &str, y: &str) -> Lit {
        self.out.written(format!("(= {x} {y})"))
    }

    /// A constructor term with this text in place of an argument.
    pub(super) fn with_argument(&self, term: usize, place: usize, text: &str) -> String {
        let args: Vec<String> = self.args(term).into_iter().map(|x| self.text(x)).collect();
        let whole = self.text(term);
        let length: usize = args.iter().map(|arg| arg.len() + 1).sum();
        let mut parts = vec![whole[..whole.len() - 1 - length].to_owned()];
        parts.extend(args);
        text.clone_into(&mut parts[place + 1]);
        format!("{})", parts.join(" "))
    }

    /// A clause without the equations in it that hold unless the goal does.
    pub(super) fn resolved(
        &mut self,
        step: StepName,
        equations: &[Equation],
    ) -> Result<StepName, Unsupported> {
        let mut steps = vec![step];
        for equation in equations {
            steps.extend(equation.step.filter(|step| !steps.contains(step)));
        }
        match steps.len() {
            1 => Ok(step),
            _ => self.out.resolve(&steps),
        }
    }

    /// What follows from equations by a rule without premises.
    pub(super) fn conclude(
        &mut self,
        rule: &str,
        equations: &[Equation],
        literal: Lit,
        args: &[String],
    ) -> Result<Equation, Unsupported> {
        let mut clause: Vec<Lit> = equations.iter().map(|equal| !equal.literal).collect();
        clause.push(literal);
        let step = self.out.tautology(rule, &clause, args);
        let step = self.resolved(step, equations)?;
        self.out.check_length()?;
        Ok(Equation {
            literal,
            step: Some(step),
        })
    }

    /// Why two terms of one class are equal.
    pub(super) fn explain(&mut self, x: usize, y: usize) -> Result<Equation, Unsupported> {
        let literal = self.equation(x, y);
        if x == y {
            let step = self.out.tautology("eq_reflexive", &[literal], &[]);
            let step = Some(step);
            return Ok(Equation { literal, step });
        }
        if self.negated.contains(&(x, y)) {
            return Ok(Equation {
                literal,
                step: None,
            });
        }
        if self.depth == MAX_DEPTH {
            return Err(Unsupported::Clause);
        }
        self.depth += 1;
        let way = self.way(x, y).ok_or(Unsupported::Clause)?;
        let steps: Result<Vec<Equation>, Unsupported> =
            way.into_iter().map(|reason| self.reason(reason)).collect();
        self.depth -= 1;
        match *steps? {
            [only] => Ok(only),
            ref steps => self.conclude("eq_transitive", steps, literal, &[]),
        }
    }

    /// The reasons on the way between two terms.
    fn way(&self, x: usize, y: usize) -> Option<Vec<usize>> {
        let mut reached: FxHashMap<usize, (usize, usize)> = FxHashMap::default();
        let mut queue = VecDeque::from([x]);
        while let Some(at) = queue.pop_front() {
            work::spend(1);
            if at == y {
                break;
            }
            for &(next, reason) in &self.joined[at] {
                if next != x && !reached.contains_key(&next) {
                    reached.insert(next, (at, reason));
                    queue.push_back(next);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = y;
        while at != x {
            let &(before, reason) = reached.get(&at)?;
            way.push(reason);
            at = before;
        }
        way.reverse();
        Some(way)
    }

    /// The equation that a reason is for.
    fn reason(&mut self, number: usize) -> Result<Equation, Unsupported> {
        if let Some(&known) = self.known.get(&number) {
            return Ok(known);
        }
        let ((x, y), reason) = self.reasons[number].clone();
        let literal = self.equation(x, y);
        let found = match reason {
            Reason::Literal => Equation {
                literal,
                step: None,
            },
            Reason::Truth(derivation) => self.truth((x, y), &derivation)?,
            Reason::Congruence => {
                let pairs = std::iter::zip(self.args(x), self.args(y));
                let equations: Result<Vec<Equation>, Unsupported> =
                    pairs.map(|(a, b)| self.explain(a, b)).collect();
                self.conclude("eq_congruent", &equations?, literal, &[])?
            }
            Reason::Inject(left, right, place) => {
                let equal = self.explain(left, right)?;
                self.conclude("dt_inject", &[equal], literal, &[place.to_string()])?
            }
            Reason::Field(built) => {
                let argument = self.args(x)[0];
                let equal = self.explain(argument, built)?;
                self.conclude("dt_select", &[equal], literal, &[])?
            }
            Reason::Test(built) => {
                let argument = self.args(x)[0];
                let equal = self.explain(argument, built)?;
                self.conclude("dt_test", &[equal], literal, &[])?
            }
            Reason::Read(access) => self.access(&access, literal)?,
        };
        self.known.insert(number, found);
        Ok(found)
    }

    /// That a formula equals `true` or `false`.
    fn truth(
        &mut self,
        (formula, value): (usize, usize),
        derivation: &Derivation,
    ) -> Result<Equation, Unsupported> {
        let (formula, value) = (self.terms[formula], self.terms[value]);
        let is_true = value == Term::TRUE;
        let literal = self.out.equation(formula, value);
        let own = |sign| Stated::Formula(formula, sign);
        // `(cl (= v f) (not v) (not f))`, or `(cl (= v f) v f)`: constants are the oldest terms.
        let rule = if is_true { "equiv_neg1" } else { "equiv_neg2" };
        let clause = vec![
            equation(self.t, formula, value, true),
            Stated::Formula(value, !is_true),
            own(!is_true),
        ];
        let of_value = vec![Stated::Formula(value, is_true)];
        let name = if is_true { "true" } else { "false" };
        let parts = vec![
            Derivation::axiom(rule, clause),
            Derivation::axiom(name, of_value),
            derivation.clone(),
        ];
        let step = self.out.derive(&Derivation::Resolution(parts))?;
        Ok(Equation { literal, step })
    }
}
