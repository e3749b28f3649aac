//! Selectors as functions.
//!
//! SMT-LIB leaves open what a selector gives on a value of another constructor. It is a function
//! all the same: equal arguments have equal fields. The evaluator of terms refuses a selector on
//! another constructor. So models are judged on formulas in which declared functions stand for the
//! selectors. The solver under test gives their values as it gives those of other functions.

use horn::term::{FuncId, Op, SelectorId, Term, TermMap, Terms, Value};
use std::collections::BTreeMap;

/// The functions that stand for selectors in a store.
pub(crate) struct Selectors<'t> {
    t: &'t Terms,
    functions: BTreeMap<SelectorId, FuncId>,
    rewritten: TermMap<Term>,
}

impl<'t> Selectors<'t> {
    /// No selector has a function yet.
    pub(crate) fn new(t: &'t Terms) -> Self {
        Selectors {
            t,
            functions: BTreeMap::new(),
            rewritten: TermMap::default(),
        }
    }

    /// Is the value of this term not given by those of its arguments?
    pub(crate) fn is_open(&self, term: Term) -> bool {
        match self.t.op(term) {
            Op::Var(_) | Op::Apply(_) => true,
            Op::Field(selector) => self.is_partial(selector),
            _ => false,
        }
    }

    /// Has the selector's datatype other constructors?
    fn is_partial(&self, selector: SelectorId) -> bool {
        let ctor = self.t.selector(selector).ctor;
        let datatype = self.t.ctor(ctor).datatype;
        self.t.datatype(datatype).ctors().len() > 1
    }

    /// A term with functions in the place of selectors.
    pub(crate) fn as_functions(&mut self, root: Term) -> Term {
        let t = self.t;
        if let Some(&known) = self.rewritten.get(&root) {
            return known;
        }
        for term in t.post_order([root]) {
            if self.rewritten.contains_key(&term) {
                continue;
            }
            let args: Vec<Term> = t.args(term).iter().map(|x| self.rewritten[x]).collect();
            let rewritten = match t.op(term) {
                Op::Field(selector) if self.is_partial(selector) => {
                    t.apply(self.function(selector), &args)
                }
                _ => t.rebuild(term, &args),
            };
            self.rewritten.insert(term, rewritten);
        }
        self.rewritten[&root]
    }

    fn function(&mut self, selector: SelectorId) -> FuncId {
        let t = self.t;
        *self.functions.entry(selector).or_insert_with(|| {
            let decl = t.selector(selector);
            t.declare(decl.name, &[t.ctor_sort(decl.ctor)], decl.sort)
        })
    }

    /// What a function gives if it stands for a selector and its argument has the field.
    pub(crate) fn field(&self, op: Op, args: &[Value]) -> Option<Value> {
        let is_meant = |&(_, func): &(&SelectorId, &FuncId)| op == Op::Apply(*func);
        let (&selector, _) = self.functions.iter().find(is_meant)?;
        let decl = self.t.selector(selector);
        let whole = args.first()?.as_datatype()?;
        let field = (whole.ctor() == decl.ctor).then(|| &whole.fields()[decl.index as usize]);
        field.cloned()
    }
}
