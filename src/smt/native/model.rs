//! Values of terms in the model that a search has found.

use super::egraph::Node;
use super::encoder::is_bitvec;
use super::search::Search;
use crate::number::Rational;
use crate::smt::Failure;
use crate::term::{
    BitVec, Evaluator, FuncId, Op, SelectorId, Sort, SortKind, Term, Unspecified, Value,
};
use num_bigint::BigUint;

impl Search<'_> {
    /// The values of terms. The last search must have found a model, and nothing have changed
    /// since.
    ///
    /// # Errors
    /// The core has no values for terms that it does not support.
    pub(super) fn values(&self, terms: &[Term]) -> Result<Vec<Value>, Failure> {
        let t = self.t;
        let epsilon = self.arith.simplex.epsilon();
        let mut evaluator = Evaluator::new(t, Unspecified::Default);
        for subterm in t.post_order(terms.iter().copied()) {
            let value = match t.op(subterm) {
                Op::Var(_) => self.value_of(subterm, &epsilon),
                Op::Apply(func) => self.result_of(&mut evaluator, subterm, func, &epsilon),
                Op::Field(selector) => match self.field_of(&mut evaluator, subterm, selector) {
                    None => continue,
                    value => value,
                },
                _ => continue,
            };
            evaluator.assign(subterm, value.ok_or_else(|| self.no_value(subterm))?);
        }
        let value = |&x: &Term| evaluator.eval(x).map_err(|_| self.no_value(x));
        terms.iter().map(value).collect()
    }

    fn no_value(&self, term: Term) -> Failure {
        Failure::Unsupported(format!(
            "the value of {:.100}",
            self.t.display(term).to_string()
        ))
    }

    /// The value of an application: what the function has on these arguments in the model, else
    /// any.
    fn result_of(
        &self,
        evaluator: &mut Evaluator<'_>,
        application: Term,
        func: FuncId,
        epsilon: &Rational,
    ) -> Option<Value> {
        let args = self.t.args(application).iter();
        let args: Vec<Value> = args
            .map(|&x| evaluator.eval(x).ok())
            .collect::<Option<_>>()?;
        if args.is_empty() {
            return self.value_of(application, epsilon);
        }
        let known = self.model.as_ref()?.functions.get(&(func, args)).cloned();
        known.or_else(|| self.t.default_value(self.t.sort_of(application)))
    }

    /// The value of a field of a term that is built by another constructor, where the model says
    /// something of it.
    fn field_of(
        &self,
        evaluator: &mut Evaluator<'_>,
        field: Term,
        selector: SelectorId,
    ) -> Option<Value> {
        let t = self.t;
        let value = evaluator.eval(t.args(field)[0]).ok()?;
        let Value::Datatype(data) = &value else {
            return None;
        };
        if data.ctor() == t.selector(selector).ctor {
            return None;
        }
        self.model.as_ref()?.fields.get(&(selector, value)).cloned()
    }

    /// The value of a variable. Of sorts that the core does not know it has decided nothing, so
    /// that any value will do, if there is one.
    fn value_of(&self, term: Term, epsilon: &Rational) -> Option<Value> {
        let sort = self.t.sort_of(term);
        if sort == Sort::BOOL {
            // What is open does not matter.
            let var = self.encoder.variable(term);
            let value = var.and_then(|v| self.sat.value(v.positive()));
            return Some(Value::Bool(value.unwrap_or(false)));
        }
        if sort.is_arith() {
            let var = self.encoder.arith_var(term);
            let value = var.map(|v| self.arith.simplex.value(v).at(epsilon));
            return Some(Value::Number(value.unwrap_or_default()));
        }
        if is_bitvec(self.t, sort) {
            return self.value_of_bits(term);
        }
        let node = self.equality.graph.find(term);
        let root = node.map(|x| self.equality.graph.root(x));
        if let (Some(root), Some(model)) = (root, &self.model)
            && let Some(value) = model.values.get(&root)
        {
            return Some(value.clone());
        }
        if let SortKind::Uninterpreted(..) = self.t.sort_kind(sort) {
            // Terms of one class have one value, others have others.
            let number = root.map_or((1 << 40) + term.index() as u64, Node::number);
            return Some(Value::Element {
                sort,
                index: number,
            });
        }
        self.class_value(root, sort)
    }

    /// The value of a bit-vector where the variables that are open are false.
    pub(super) fn value_of_bits(&self, term: Term) -> Option<Value> {
        let width = self.t.bitvec_width(self.t.sort_of(term))?;
        let bits = self.encoder.bits(term).map_or(&[][..], |bits| &**bits);
        let mut value = BigUint::default();
        for (index, &bit) in (0..).zip(bits) {
            // A bit and its negation differ, also where they are open.
            let is_set = self.sat.value(bit).unwrap_or(!bit.is_positive());
            value.set_bit(index, is_set);
        }
        Some(Value::BitVec(BitVec::new(value, width)))
    }

    /// The value of a class that no application and no disequality has.
    fn class_value(&self, root: Option<Node>, sort: Sort) -> Option<Value> {
        let graph = &self.equality.graph;
        let mut members = root.into_iter().flat_map(|r| graph.class(r));
        let model = self.model.as_ref();
        let known = members.find_map(|x| model?.values.get(&x).cloned());
        known.or_else(|| self.t.default_value(sort))
    }
}
