//! Traversal of terms as the directed acyclic graphs that they are: each subterm once, without
//! recursion.

use super::{Op, Sort, Term, Terms};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of terms.
pub type TermSet = FxHashSet<Term>;

/// A map from terms.
pub type TermMap<V> = FxHashMap<Term, V>;

/// The subterms of some roots, each once, arguments before the terms that have them.
pub struct PostOrder<'t> {
    terms: &'t Terms,
    seen: TermSet,
    /// Terms under way, and how many of their arguments were looked at.
    stack: Vec<(Term, usize)>,
    /// Roots not begun, the next one last.
    roots: Vec<Term>,
}

impl Iterator for PostOrder<'_> {
    type Item = Term;

    fn next(&mut self) -> Option<Term> {
        loop {
            let Some((term, next)) = self.stack.last_mut() else {
                // A root that is a subterm of an earlier one has been visited with it.
                let root = self.roots.pop()?;
                if self.seen.insert(root) {
                    self.stack.push((root, 0));
                }
                continue;
            };
            match self.terms.args(*term).get(*next) {
                Some(&arg) => {
                    *next += 1;
                    if self.seen.insert(arg) {
                        self.stack.push((arg, 0));
                    }
                }
                None => {
                    work::spend(2);
                    return self.stack.pop().map(|(term, _)| term);
                }
            }
        }
    }
}

impl Terms {
    /// The subterms of `roots`, each once, arguments first. Variables bound by a quantifier are
    /// visited like others.
    pub fn post_order(&self, roots: impl IntoIterator<Item = Term>) -> PostOrder<'_> {
        let mut roots: Vec<Term> = roots.into_iter().collect();
        roots.reverse();
        PostOrder {
            terms: self,
            seen: TermSet::default(),
            stack: Vec::new(),
            roots,
        }
    }

    /// Does a subterm of `root` satisfy `test`?
    pub fn any_subterm(&self, root: Term, test: impl FnMut(Term) -> bool) -> bool {
        self.post_order([root]).any(test)
    }

    /// The variables of terms without quantifiers, in the order of first occurrence.
    pub fn vars(&self, roots: impl IntoIterator<Item = Term>) -> Vec<Term> {
        self.post_order(roots).filter(|&s| self.is_var(s)).collect()
    }

    /// Has `root` a quantifier?
    pub fn has_quantifier(&self, root: Term) -> bool {
        self.any_subterm(root, |s| matches!(self.op(s), Op::Forall | Op::Exists))
    }

    /// The number of different subterms of `roots`.
    pub fn size(&self, roots: impl IntoIterator<Item = Term>) -> usize {
        self.post_order(roots).count()
    }

    /// Is a formula an atom: not built by a Boolean connective from other formulas?
    pub fn is_atom(&self, formula: Term) -> bool {
        debug_assert_eq!(self.sort_of(formula), Sort::BOOL);
        match self.op(formula) {
            Op::Not | Op::And | Op::Or | Op::Ite | Op::Forall | Op::Exists => false,
            Op::Eq => self.sort_of(self.args(formula)[0]) != Sort::BOOL,
            _ => true,
        }
    }
}
