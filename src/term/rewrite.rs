//! Rebuilding of terms: substitution without capture.

use super::{Op, Term, TermMap, TermSet, Terms};
use crate::work;
use smallvec::SmallVec;

/// A simultaneous substitution of terms for variables, with a memory of what was rewritten, so that
/// terms that share subterms cost their joint size once.
///
/// Bound variables are never replaced, and never capture: a quantifier whose bound variables occur
/// in the terms put in is given fresh ones.
pub struct Substitution<'t> {
    terms: &'t Terms,
    map: TermMap<Term>,
    done: TermMap<Term>,
    /// The variables of the terms put in; computed when the first quantifier is met.
    range_vars: Option<TermSet>,
}

/// A term under way: the arguments rewritten so far lie on top of the result stack.
enum Task {
    Visit(Term),
    Rebuild(Term),
}

impl<'t> Substitution<'t> {
    /// Replaces each variable of the pairs by the term beside it, of the same sort.
    pub fn new(terms: &'t Terms, pairs: impl IntoIterator<Item = (Term, Term)>) -> Self {
        let map: TermMap<Term> = pairs.into_iter().collect();
        debug_assert!(
            map.iter()
                .all(|(&v, &x)| terms.is_var(v) && terms.sort_of(v) == terms.sort_of(x))
        );
        Substitution {
            terms,
            map,
            done: TermMap::default(),
            range_vars: None,
        }
    }

    /// From now on `var` is replaced, too, by a term of its sort. It must not occur in the terms
    /// rewritten so far, which are remembered as they are.
    pub fn define(&mut self, var: Term, by: Term) {
        debug_assert!(self.terms.is_var(var) && self.terms.sort_of(var) == self.terms.sort_of(by));
        self.map.insert(var, by);
        self.range_vars = None;
    }

    /// Forgets what was rewritten, which takes more memory than the pairs.
    pub fn forget(&mut self) {
        self.done = TermMap::default();
    }

    /// `root` with the variables replaced.
    pub fn apply(&mut self, root: Term) -> Term {
        let t = self.terms;
        let mut tasks = vec![Task::Visit(root)];
        let mut results: Vec<Term> = Vec::new();
        while let Some(task) = tasks.pop() {
            work::spend(1);
            match task {
                Task::Visit(term) => {
                    if let Some(&known) = self.done.get(&term) {
                        results.push(known);
                        continue;
                    }
                    match t.op(term) {
                        Op::Var(_) => results.push(*self.map.get(&term).unwrap_or(&term)),
                        Op::Forall | Op::Exists => {
                            let rewritten = self.under_binder(term);
                            self.done.insert(term, rewritten);
                            results.push(rewritten);
                        }
                        _ if t.args(term).is_empty() => results.push(term),
                        _ => {
                            tasks.push(Task::Rebuild(term));
                            tasks.extend(t.args(term).iter().rev().map(|&a| Task::Visit(a)));
                        }
                    }
                }
                Task::Rebuild(term) => {
                    let old = t.args(term);
                    debug_assert!(results.len() >= old.len(), "each argument has its result");
                    let new = &results[results.len() - old.len()..];
                    let rewritten = if new == old {
                        term
                    } else {
                        t.rebuild(term, new)
                    };
                    results.truncate(results.len() - old.len());
                    self.done.insert(term, rewritten);
                    results.push(rewritten);
                }
            }
        }
        debug_assert_eq!(results.len(), 1, "one result for one root");
        debug_assert_eq!(t.sort_of(results[0]), t.sort_of(root), "sorts are kept");
        results.pop().expect("one result for one root")
    }

    /// A quantified formula: its bound variables leave the substitution, and change their names
    /// where they would capture.
    ///
    /// The call depth is the nesting of quantifiers; each level is a separate substitution.
    fn under_binder(&mut self, term: Term) -> Term {
        let t = self.terms;
        let (&body, bound) = t.args(term).split_last().expect("a quantifier has a body");
        let range_vars = self
            .range_vars
            .get_or_insert_with(|| t.vars(self.map.values().copied()).into_iter().collect());
        let mut inner: Vec<(Term, Term)> = self
            .map
            .iter()
            .filter(|(v, _)| !bound.contains(v))
            .map(|(&v, &x)| (v, x))
            .collect();
        let mut args: Vec<Term> = Vec::with_capacity(bound.len() + 1);
        for &v in bound {
            if range_vars.contains(&v) {
                let name = t.as_var(v).expect("a bound variable is a variable");
                let fresh = t.fresh_var(t.name(name), t.sort_of(v));
                inner.push((v, fresh));
                args.push(fresh);
            } else {
                args.push(v);
            }
        }
        args.push(Substitution::new(t, inner).apply(body));
        t.rebuild(term, &args)
    }
}

impl Terms {
    /// `root` with each variable of the pairs replaced by the term beside it, all at once.
    ///
    /// ```
    /// use horn::term::{Sort, Terms};
    ///
    /// let t = Terms::new();
    /// let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
    /// let f = t.lt(x, y);
    /// // All at once: the two change places.
    /// assert_eq!(t.substitute(f, [(x, y), (y, x)]), t.lt(y, x));
    /// ```
    pub fn substitute(&self, root: Term, pairs: impl IntoIterator<Item = (Term, Term)>) -> Term {
        Substitution::new(self, pairs).apply(root)
    }

    /// `root`, without quantifiers, with the rule applied to each of its subterms once its
    /// arguments have been rewritten. What the rule gives is of the same sort and is not rewritten
    /// again.
    pub fn rewrite(&self, root: Term, mut rule: impl FnMut(Term) -> Term) -> Term {
        let mut done: TermMap<Term> = TermMap::default();
        for term in self.post_order([root]) {
            let args: SmallVec<[Term; 4]> = self.args(term).iter().map(|a| done[a]).collect();
            let rebuilt = match *args == *self.args(term) {
                true => term,
                false => self.rebuild(term, &args),
            };
            done.insert(term, rule(rebuilt));
        }
        done[&root]
    }
}

#[cfg(test)]
mod tests {
    use crate::term::{Sort, Terms};

    #[test]
    fn quantifiers_do_not_capture() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let f = t.exists(&[y], t.lt(x, y));
        let g = t.substitute(f, [(x, y)]);
        assert_eq!(t.display(g).to_string(), "(exists ((y!0 Int)) (< y y!0))");
        assert_eq!(t.substitute(f, [(y, x)]), f, "a bound variable is not free");
    }

    #[test]
    fn deep_terms_do_not_overflow() {
        let t = Terms::new();
        let (x, y) = (t.var("x", Sort::INT), t.var("y", Sort::INT));
        let deep = |v| (0..100_000).fold(v, |f, _| t.abs(f));
        assert_eq!(t.substitute(deep(x), [(x, y)]), deep(y));
    }
}
