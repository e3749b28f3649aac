//! What folds say of the terms of a clause.

use super::fold::{Fold, Folds, is_opaque};
use crate::term::{Op, Sort, Term, TermMap, TermSet, Terms};

/// Folds with a parameter are taken at the parameter of the conclusion and at most 4 other integers
/// of a clause. The value was not tuned.
const INTEGERS: usize = 4;

/// What folds say of the terms of a clause.
pub(super) struct View<'a> {
    t: &'a Terms,
    folds: &'a Folds,
    /// The terms without datatypes that stand for terms of other sorts.
    pub(super) terms: TermMap<Term>,
    /// What is known of new variables.
    pub(super) facts: Vec<Term>,
    /// The integers that folds with a parameter are taken at.
    pub(super) parameters: Vec<Term>,
    /// The datatype terms, arguments first.
    data: Vec<Term>,
    /// The folds of datatype terms by their position, once for each parameter. Folds without a
    /// parameter are in the first group.
    values: TermMap<Vec<Option<Term>>>,
    /// Variables that say whether two datatype terms are equal, with the terms.
    equations: Vec<(Term, Term, Term)>,
}

impl<'a> View<'a> {
    pub(super) fn new(t: &'a Terms, folds: &'a Folds) -> Self {
        View {
            t,
            folds,
            terms: TermMap::default(),
            facts: Vec::new(),
            parameters: Vec::new(),
            data: Vec::new(),
            values: TermMap::default(),
            equations: Vec::new(),
        }
    }

    /// The terms that stand for an argument, with the parameter at that place.
    pub(super) fn of(&self, arg: Term, at: usize) -> Vec<Term> {
        if !self.values.contains_key(&arg) {
            return self.terms.get(&arg).copied().into_iter().collect();
        }
        let folds = self.folds.of(self.t.sort_of(arg));
        folds.map(|(place, _)| self.value(arg, place, at)).collect()
    }

    /// A fold of a term that was viewed.
    fn value(&self, term: Term, place: usize, at: usize) -> Term {
        let at = match self.folds.all[place].has_parameter {
            true => at,
            false => 0,
        };
        let value = self.values[&term][place + at * self.folds.all.len()];
        value.expect("a fold of the term's sort")
    }

    /// Views the terms and all their subterms.
    pub(super) fn take(&mut self, roots: impl Iterator<Item = Term>) {
        for term in self.t.post_order(roots) {
            let sort = self.t.sort_of(term);
            if self.t.datatype_of(sort).is_some() {
                self.data.push(term);
                self.values.insert(term, vec![None; self.folds.all.len()]);
                self.add_values(term, false, 0);
            } else if !is_opaque(self.t, sort) {
                let new = self.plain(term);
                self.terms.insert(term, new);
            }
        }
    }

    /// Takes the folds with a parameter at an integer of which nothing is known, and at integers of
    /// the clause: the fields of values, and these arguments of atoms.
    pub(super) fn at_integers(&mut self, args: impl Iterator<Item = Term>) {
        let t = self.t;
        self.parameters.push(t.fresh_var("parameter", Sort::INT));
        let built = self
            .data
            .iter()
            .filter(|&&x| matches!(t.op(x), Op::Construct(_)));
        let fields = built.flat_map(|&term| t.args(term).iter().copied());
        let mut seen = TermSet::default();
        let integers = fields.chain(args).filter_map(|term| self.integer(term));
        let integers = integers.filter(|&x| t.as_number(x).is_none() && seen.insert(x));
        let integers: Vec<Term> = integers.take(INTEGERS).collect();
        self.parameters.extend(integers);
        let count = self.parameters.len();
        for term in self.data.clone() {
            let values = self.values.get_mut(&term).expect("it was viewed");
            values.resize(self.folds.all.len() * count, None);
            (0..count).for_each(|at| self.add_values(term, true, at));
        }
    }

    /// The integer that a term is or stands for.
    fn integer(&self, term: Term) -> Option<Term> {
        let sort = self.t.sort_of(term);
        if sort == Sort::INT {
            return self.terms.get(&term).copied();
        }
        let (_, func) = self.folds.integers.iter().find(|(of, _)| *of == sort)?;
        Some(self.value(term, self.folds.position(*func), 0))
    }

    /// Adds the folds of a term, those with the parameter at that place or those without.
    fn add_values(&mut self, term: Term, with_parameter: bool, at: usize) {
        let (folds, sort) = (self.folds, self.t.sort_of(term));
        for (place, fold) in folds.of(sort) {
            if fold.has_parameter == with_parameter {
                let value = self.fold(term, place, fold, at);
                let values = self.values.get_mut(&term).expect("it is being viewed");
                values[place + at * folds.all.len()] = Some(value);
            }
        }
    }

    /// A fold of a term: an unknown one unless a constructor or a choice is at the term's head.
    fn fold(&mut self, term: Term, place: usize, fold: &Fold, at: usize) -> Term {
        let (t, args) = (self.t, self.t.args(term));
        match t.op(term) {
            Op::Construct(ctor) => {
                let case = fold.cases.iter().find(|case| case.ctor == ctor);
                let case = case.expect("folds have all cases");
                // Fields that are no datatype's are what stands for them.
                let fields = (args.iter()).map(|field| *self.terms.get(field).unwrap_or(field));
                let parameter = fold.has_parameter.then(|| self.parameters[at]);
                let args: Vec<Term> = fields.chain(parameter).collect();
                let known = |field, place| self.value(field, place, at);
                self.folds.at(t, case, &args, known)
            }
            Op::Ite => {
                let [yes, no] = [args[1], args[2]].map(|arg| self.value(arg, place, at));
                t.ite(self.terms[&args[0]], yes, no)
            }
            _ => {
                let value = t.fresh_var("fold", t.func(fold.func).result);
                self.facts.push(fold.range.contains(t, value));
                value
            }
        }
    }

    /// The term that stands for one of another sort.
    fn plain(&mut self, term: Term) -> Term {
        let (t, args) = (self.t, self.t.args(term));
        let known: Option<Vec<Term>> = (args.iter())
            .map(|arg| self.terms.get(arg).copied())
            .collect();
        match (known, t.op(term)) {
            (Some(args), _) => t.rebuild(term, &args),
            (None, Op::Eq) => {
                let is_equal = t.fresh_var("equal", Sort::BOOL);
                self.equations.push((is_equal, args[0], args[1]));
                is_equal
            }
            // Tests and fields of values beyond the limit of cases, and reads of arrays of values.
            (None, _) => t.fresh_var("any", t.sort_of(term)),
        }
    }

    /// Adds what equations of datatype terms say of folds: equal terms have equal folds.
    pub(super) fn compare(&mut self) {
        let t = self.t;
        for &(is_equal, x, y) in &self.equations {
            let same = self.are_alike(x, y);
            self.facts.push(t.implies(is_equal, same));
        }
    }

    /// That all folds of two terms are equal, or the terms themselves where they are of another
    /// sort.
    pub(super) fn are_alike(&self, x: Term, y: Term) -> Term {
        let t = self.t;
        match (self.values.get(&x), self.values.get(&y)) {
            (Some(x), Some(y)) => {
                let pairs = std::iter::zip(x, y).filter_map(|(&x, &y)| x.zip(y));
                t.and(pairs.map(|(x, y)| t.eq(x, y)))
            }
            _ => match (self.terms.get(&x), self.terms.get(&y)) {
                (Some(&x), Some(&y)) => t.eq(x, y),
                _ => Term::TRUE,
            },
        }
    }
}
