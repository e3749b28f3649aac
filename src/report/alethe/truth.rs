//! Formulas are shown to be true, or false, from their atoms up.

use super::{Instance, StepId, Writer, negation};
use crate::report::Obstacle;
use crate::smtlib::shorten;
use crate::term::{Op, Sort, Term, TermMap};

impl Writer<'_> {
    /// Shows a formula that is true.
    pub(super) fn holds(
        &mut self,
        formula: Term,
        instance: &mut Instance<'_>,
    ) -> Result<StepId, Obstacle> {
        match self.truth(formula, instance)? {
            (true, step) => Ok(step),
            (false, _) => Err(Obstacle::from("a constraint is false")),
        }
    }

    /// Shows a formula or its negation, whichever is true.
    pub(super) fn truth(
        &mut self,
        root: Term,
        instance: &mut Instance<'_>,
    ) -> Result<(bool, StepId), Obstacle> {
        let t = self.t;
        let mut shown: TermMap<(bool, StepId)> = TermMap::default();
        // From the root down to atoms, then the connectives from the atoms up.
        let mut stack = vec![(root, false)];
        while let Some((formula, is_ready)) = stack.pop() {
            self.within_length()?;
            if shown.contains_key(&formula) {
                continue;
            }
            let is_connective = match t.op(formula) {
                Op::Not | Op::And | Op::Or | Op::Ite => true,
                Op::Eq => t.sort_of(t.args(formula)[0]) == Sort::BOOL,
                _ => false,
            };
            if is_connective && !is_ready {
                stack.push((formula, true));
                stack.extend(t.args(formula).iter().map(|&part| (part, false)));
                continue;
            }
            let found = match is_connective {
                true => self.connective(formula, &shown, &instance.values),
                false => self.atom(formula, instance)?,
            };
            shown.insert(formula, found);
        }
        Ok(shown[&root])
    }

    /// Shows a connective, or its negation, from its parts.
    fn connective(
        &mut self,
        formula: Term,
        shown: &TermMap<(bool, StepId)>,
        values: &TermMap<String>,
    ) -> (bool, StepId) {
        let parts = self.t.args(formula);
        let truths: Vec<bool> = parts.iter().map(|part| shown[part].0).collect();
        let steps: Vec<StepId> = parts.iter().map(|part| shown[part].1).collect();
        let texts: Vec<String> = parts.iter().map(|&part| self.write(part, values)).collect();
        let whole = self.write(formula, values);
        let all = |no: bool| {
            texts
                .iter()
                .map(move |text| if no { negation(text) } else { text.clone() })
        };
        let yes = |at: usize| texts[at].clone();
        let not = |at: usize| negation(&texts[at]);
        let one = |at: usize| vec![at.to_string()];
        // The truth of the whole, the rule, its other literals, its arguments, the parts it needs.
        let place = |wanted: bool| truths.iter().position(|&truth| truth == wanted);
        let every: Vec<usize> = (0..parts.len()).collect();
        let (truth, rule, literals, args, needed) = match self.t.op(formula) {
            // The step of the part is one of the negation, except that `p` stands for `¬¬p`.
            Op::Not => return (!truths[0], steps[0]),
            Op::And => match place(false) {
                None => (true, "and_neg", all(true).collect(), vec![], every),
                Some(at) => (false, "and_pos", vec![yes(at)], one(at), vec![at]),
            },
            Op::Or => match place(true) {
                Some(at) => (true, "or_neg", vec![not(at)], one(at), vec![at]),
                None => (false, "or_pos", all(false).collect(), vec![], every),
            },
            Op::Ite => match (truths[0], truths[if truths[0] { 1 } else { 2 }]) {
                (true, true) => (true, "ite_neg2", vec![not(0), not(1)], vec![], vec![0, 1]),
                (false, true) => (true, "ite_neg1", vec![yes(0), not(2)], vec![], vec![0, 2]),
                (true, false) => (false, "ite_pos2", vec![not(0), yes(1)], vec![], vec![0, 1]),
                (false, false) => (false, "ite_pos1", vec![yes(0), yes(2)], vec![], vec![0, 2]),
            },
            _ => match (truths[0], truths[1]) {
                (true, true) => (true, "equiv_neg1", vec![not(0), not(1)], vec![], every),
                (false, false) => (true, "equiv_neg2", vec![yes(0), yes(1)], vec![], every),
                (true, false) => (false, "equiv_pos2", vec![not(0), yes(1)], vec![], every),
                (false, true) => (false, "equiv_pos1", vec![yes(0), not(1)], vec![], every),
            },
        };
        if self.t.op(formula) == Op::Eq && texts[0] == texts[1] {
            return (true, self.step(&[whole], "eq_reflexive", &[], &[]));
        }
        let result = if truth { whole } else { negation(&whole) };
        let literals: Vec<String> = [result.clone()].into_iter().chain(literals).collect();
        let mut used = vec![self.step(&literals, rule, &[], &args)];
        // A clause is a set of literals: parts that become equal are resolved once.
        let is_first = |&at: &usize| !needed.iter().any(|&o| o < at && texts[o] == texts[at]);
        used.extend(needed.iter().filter(|at| is_first(at)).map(|&at| steps[at]));
        (truth, self.step(&[result], "resolution", &used, &[]))
    }

    /// Shows an atom or its negation.
    fn atom(
        &mut self,
        atom: Term,
        instance: &mut Instance<'_>,
    ) -> Result<(bool, StepId), Obstacle> {
        let t = self.t;
        let truth = instance.evaluator.eval_bool(atom);
        let truth = truth.map_err(|_| Obstacle::from("a constraint has no value"))?;
        let text = self.write(atom, &instance.values);
        if matches!(t.op(atom), Op::True | Op::False | Op::Var(_)) {
            return Ok(match truth {
                true => (true, self.step(&[text], "true", &[], &[])),
                false => (false, self.step(&[negation(&text)], "false", &[], &[])),
            });
        }
        let is_numeric = |&arg: &Term| t.sort_of(arg).is_arith();
        match t.op(atom) {
            Op::Le | Op::Lt | Op::Eq if t.args(atom).iter().all(is_numeric) => {}
            _ => return Err(self.no_rules(atom)),
        }
        for &side in t.args(atom) {
            self.linear(side)?;
        }
        if truth && t.op(atom) == Op::Eq {
            let sides: Vec<_> = (t.args(atom).iter())
                .map(|&side| self.write(side, &instance.values))
                .collect();
            return Ok((true, self.equal_numbers(&sides[0], &sides[1])));
        }
        let literal = if truth { text } else { negation(&text) };
        Ok((
            truth,
            self.step(&[literal], "la_generic", &[], &["1".to_owned()]),
        ))
    }

    /// Is a term calculated by linear arithmetic when its variables are numerals?
    pub(super) fn linear(&self, root: Term) -> Result<(), Obstacle> {
        let t = self.t;
        let is_simple = |&term: &Term| matches!(t.op(term), Op::Var(_) | Op::Number(_));
        let wrong = t.post_order([root]).find(|&term| match t.op(term) {
            Op::Var(_) | Op::Number(_) | Op::Add | Op::ToReal => false,
            Op::Mul => !(t.args(term).len() == 2 && t.args(term).iter().any(is_simple)),
            _ => true,
        });
        wrong.map_or(Ok(()), |term| Err(self.no_rules(term)))
    }

    /// The obstacle that a term is.
    fn no_rules(&self, term: Term) -> Obstacle {
        let text = shorten(self.t.display(term).to_string());
        Obstacle(format!("the format Alethe has no rules here for `{text}`"))
    }
}
