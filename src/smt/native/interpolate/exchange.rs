//! Interpolants of contradictory equations, by an exchange between the sides.
//!
//! Each side closes its own equations under congruence and the rules of constructors. It tells the
//! other side which shared terms are equal, until one side is contradictory \[YM05\]. What `A` has
//! told, each equation under the condition of those of `B` that it rests on, follows from `A` and
//! contradicts `B`.
//!
//! Functions are shared as well, so the sides also agree on terms to speak of: an application of a
//! shared function is shared once its arguments are equal to shared terms, and so are the fields of
//! a shared term that one side knows to be built by a constructor. These are the terms that make
//! the proof colorable in \[FGGKT09\]. DIVERGENCE: there the paths of one congruence graph are
//! divided between the sides. Here each side searches anew, since the proof does not say which
//! paths the search took.
//!
//! A mixed equation `a = b` is `a = v` of `A` and `v = b` of `B`. A mixed disequality is a property
//! that `a` has and `b` has not; see `mixed`.
//!
//! Complete for uninterpreted functions and datatypes. Of arrays it finds what needs no terms of
//! both sides.

use super::colors::{Color, Colors};
use crate::smt::native::check::{Checker, Closure, Premises};
use crate::smt::native::proof::Literal;
use crate::smt::{Failure, Limit};
use crate::term::{Op, Sort, Term, Terms};
use crate::work;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The exchange is given up when more terms are shared, or more equations told. The values were not
/// tuned.
const MOST_SHARED: usize = 512;
const MOST_TOLD: usize = 512;

/// `A` and `B`, as indices.
const SIDES: [usize; 2] = [A, B];
const A: usize = 0;
const B: usize = 1;

/// The contradiction, divided between the sides.
#[derive(Default)]
pub(super) struct Contradiction {
    /// By side: the literals of the clause that count as its own.
    pub(super) literals: [Vec<Literal>; 2],
    /// By side: its part of mixed equations.
    pub(super) divided: [Vec<(Term, Term)>; 2],
    /// Mixed disequalities: a term of `A`, one of `B`, and the atom.
    pub(super) apart: Vec<(Term, Term, u32)>,
    /// The terms of the clause.
    pub(super) terms: Vec<Term>,
    /// Do the rules of arrays take part?
    pub(super) arrays: bool,
}

/// What a side tells of shared terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fact {
    Equal(Term, Term),
    Different(Term, Term),
    /// `A` says that a term has the property of the mixed disequality with this number: it is equal
    /// to the term of `A`, so `B`'s term is another one.
    Property(usize, Term),
}

/// A fact that a side has told the other.
struct Told {
    by: usize,
    fact: Fact,
}

/// The exchange under way.
pub(super) struct Exchange<'a, 'p> {
    t: &'a Terms,
    colors: &'a Colors<'p>,
    checker: &'a Checker<'p>,
    contradiction: &'a Contradiction,
    limit: &'a Limit,
    shared: Vec<Term>,
    told: Vec<Told>,
}

impl<'a, 'p> Exchange<'a, 'p> {
    /// The beginning, with the terms of the contradiction that both sides can say.
    pub(super) fn new(
        t: &'a Terms,
        colors: &'a Colors<'p>,
        checker: &'a Checker<'p>,
        contradiction: &'a Contradiction,
        limit: &'a Limit,
    ) -> Self {
        let divided = contradiction.divided.iter().flatten();
        let roots = (contradiction.terms.iter().copied())
            .chain(divided.flat_map(|&(x, y)| [x, y]))
            .chain([Term::TRUE, Term::FALSE]);
        let shared = t.post_order(roots);
        let shared = shared
            .filter(|&x| colors.of_term(t, x) == Color::Both)
            .collect();
        Exchange {
            t,
            colors,
            checker,
            contradiction,
            limit,
            shared,
            told: Vec::new(),
        }
    }

    /// The interpolant; `None` if the exchange finds no contradiction. `property` says of an atom
    /// that is a mixed equation, and of a shared term: it has the property that is divided there.
    ///
    /// # Errors
    /// The limit is reached.
    pub(super) fn interpolant(
        mut self,
        property: impl FnMut(u32, Term) -> Term,
    ) -> Result<Option<Term>, Failure> {
        loop {
            self.limit.check()?;
            let mut closures = SIDES.map(|side| self.closure(side, |_| true));
            let arrays = self.contradiction.arrays;
            for side in SIDES {
                if closures[side].saturate(arrays) {
                    return self.conclude(side, property).map(Some);
                }
            }
            let before = (self.shared.len(), self.told.len());
            self.tell(&closures);
            self.share(&closures);
            let after = (self.shared.len(), self.told.len());
            if before == after || after.0 > MOST_SHARED || after.1 > MOST_TOLD {
                return Ok(None);
            }
        }
    }

    /// What a side knows by its own literals and by what it was told, as far as it may use that.
    fn closure(&self, side: usize, may_use: impl Fn(usize) -> bool) -> Closure<'a> {
        let literals = &self.contradiction.literals[side];
        let of_clause = literals
            .iter()
            .flat_map(|&l| self.checker.atom(l).terms())
            .chain(self.shared.iter().copied());
        let roots: Vec<Term> = of_clause.collect();
        let mut premises: Premises = self.checker.premises(literals, roots.iter().copied());
        premises.equal.extend(&self.contradiction.divided[side]);
        for (number, told) in self.told.iter().enumerate() {
            if told.by != side && may_use(number) {
                match told.fact {
                    Fact::Equal(x, y) => premises.equal.push((x, y)),
                    Fact::Different(x, y) => premises.different.push((x, y)),
                    Fact::Property(number, x) => {
                        let (_, b, _) = self.contradiction.apart[number];
                        premises.different.push((x, b));
                    }
                }
            }
        }
        let apart = self.contradiction.apart.iter();
        let own = apart.map(|&(a, b, _)| [a, b][side]);
        Closure::new(self.t, roots.into_iter().chain(own), &premises)
    }

    /// Each side tells what the other does not know: which shared terms are equal, which indices of
    /// arrays are different, and `A` which terms have a property that its own terms have.
    fn tell(&mut self, closures: &[Closure<'_>; 2]) {
        let indices = match self.contradiction.arrays {
            true => self.indices(closures),
            false => Vec::new(),
        };
        for side in SIDES {
            let first = self.representatives(&closures[side]);
            let (own, other) = (&closures[side], &closures[1 - side]);
            let representative = |x: Term| own.class(x).and_then(|c| first.get(&c)).copied();
            let mut facts = Vec::new();
            for &x in &self.shared {
                if let Some(same) = representative(x)
                    && other.class(same) != other.class(x)
                {
                    facts.push(Fact::Equal(same, x));
                }
            }
            for (number, &x) in indices.iter().enumerate() {
                let others = indices[..number].iter().copied();
                let news =
                    others.filter(|&y| own.are_different(x, y) && !other.are_different(x, y));
                facts.extend(news.map(|y| Fact::Different(x, y)));
            }
            if side == A {
                let apart = self.contradiction.apart.iter().enumerate();
                let news = apart.filter_map(|(number, &(a, b, _))| {
                    let x = representative(a)?;
                    (!other.are_different(x, b)).then_some(Fact::Property(number, x))
                });
                facts.extend(news);
            }
            let told = facts.into_iter().map(|fact| Told { by: side, fact });
            self.told.extend(told);
        }
    }

    /// The shared terms at which some array is read or written.
    fn indices(&self, closures: &[Closure<'_>; 2]) -> Vec<Term> {
        let t = self.t;
        let mut used: FxHashSet<Option<usize>> = FxHashSet::default();
        for (closure, side) in std::iter::zip(closures, SIDES) {
            for &term in closure.terms() {
                if matches!(t.op(term), Op::Select | Op::Store) {
                    // Classes of the two sides have different numbers.
                    let class = closure.class(t.args(term)[1]);
                    used.insert(class.map(|c| 2 * c + side));
                }
            }
        }
        let is_used = |&x: &Term| {
            let classes = std::iter::zip(closures, SIDES);
            classes
                .into_iter()
                .any(|(c, side)| used.contains(&c.class(x).map(|c| 2 * c + side)))
        };
        self.shared.iter().copied().filter(is_used).collect()
    }

    /// By class of a side: the first shared term.
    fn representatives(&self, closure: &Closure<'_>) -> FxHashMap<usize, Term> {
        let mut first = FxHashMap::default();
        for &term in &self.shared {
            if let Some(class) = closure.class(term) {
                first.entry(class).or_insert(term);
            }
        }
        first
    }

    /// Makes terms that both sides can say of terms that one side knows to be equal to them.
    fn share(&mut self, closures: &[Closure<'_>; 2]) {
        let t = self.t;
        let known: FxHashSet<Term> = self.shared.iter().copied().collect();
        let mut new: BTreeSet<Term> = BTreeSet::new();
        for closure in closures {
            let first = self.representatives(closure);
            let shared = |x: Term| closure.class(x).and_then(|c| first.get(&c)).copied();
            for &term in closure.terms() {
                work::spend_on(1 + t.args(term).len());
                if let (Op::Construct(ctor), Some(whole)) = (t.op(term), shared(term)) {
                    let fields = t.ctor(ctor).fields.iter();
                    let fields: Vec<Term> = fields.map(|&s| t.field(s, whole)).collect();
                    new.insert(t.rebuild(term, &fields));
                }
                if t.args(term).is_empty() || !self.is_shared_operation(term) {
                    continue;
                }
                let args: Option<Vec<Term>> = t.args(term).iter().map(|&x| shared(x)).collect();
                if let Some(args) = args {
                    new.insert(t.rebuild(term, &args));
                }
            }
        }
        if self.contradiction.arrays {
            new.extend(self.reads(closures));
        }
        let new: Vec<Term> = t.post_order(new).collect();
        let new = new.into_iter().filter(|x| !known.contains(x));
        self.shared.extend(new);
    }

    /// The elements of shared arrays at shared indices at which some array is read or written.
    fn reads(&self, closures: &[Closure<'_>; 2]) -> Vec<Term> {
        let t = self.t;
        let indices = self.indices(closures);
        let mut reads = Vec::new();
        for &array in &self.shared {
            if let Some((index, _)) = t.array_parts(t.sort_of(array)) {
                let at = indices.iter().filter(|&&i| t.sort_of(i) == index);
                reads.extend(at.map(|&i| t.select(array, i)));
            }
        }
        reads
    }

    /// Can both sides say what is at the head of the term? Connectives and comparisons have their
    /// meaning from elsewhere.
    fn is_shared_operation(&self, term: Term) -> bool {
        match self.t.op(term) {
            Op::Apply(func) => self.colors.of_function(func) == Color::Both,
            Op::Is(_) | Op::Field(_) | Op::Select => true,
            Op::Forall | Op::Exists => false,
            _ => self.t.sort_of(term) != Sort::BOOL,
        }
    }

    /// `⋀ (what B has told → what A has told)` of what makes a side contradictory.
    fn conclude(
        &self,
        side: usize,
        mut property: impl FnMut(u32, Term) -> Term,
    ) -> Result<Term, Failure> {
        let t = self.t;
        let mut formula = |fact: Fact| match fact {
            Fact::Equal(x, y) => t.eq(x, y),
            Fact::Different(x, y) => t.not(t.eq(x, y)),
            Fact::Property(number, x) => property(self.contradiction.apart[number].2, x),
        };
        let mut formulas = |numbers: &[usize]| {
            let facts = numbers.iter().map(|&n| formula(self.told[n].fact));
            t.and(facts.collect::<Vec<_>>())
        };
        let mut todo = self.needed(side, self.told.len(), |_| false)?;
        let mut parts = Vec::new();
        if side == A {
            parts.push(t.not(formulas(&todo)));
        }
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        while let Some(number) = todo.pop() {
            if !seen.insert(number) {
                continue;
            }
            let Told { by, fact } = self.told[number];
            let needed = self.needed(by, number, |closure| self.is_known(closure, fact))?;
            if by == A {
                parts.push(t.implies(formulas(&needed), formulas(&[number])));
            }
            todo.extend(needed);
        }
        Ok(t.and(parts))
    }

    /// Does the side that tells a fact know it?
    fn is_known(&self, closure: &Closure<'_>, fact: Fact) -> bool {
        match fact {
            Fact::Equal(x, y) => closure.class(x) == closure.class(y),
            Fact::Different(x, y) => closure.are_different(x, y),
            Fact::Property(number, x) => {
                let (a, _, _) = self.contradiction.apart[number];
                closure.class(x) == closure.class(a)
            }
        }
    }

    /// A smallest set of what a side was told, before the one with this number, under which it
    /// comes to this or is contradictory.
    fn needed(
        &self,
        side: usize,
        before: usize,
        comes_to: impl Fn(&Closure<'_>) -> bool,
    ) -> Result<Vec<usize>, Failure> {
        let told = 0..before;
        let mut needed: Vec<usize> = told.filter(|&n| self.told[n].by != side).collect();
        let suffices = |numbers: &[usize]| {
            let mut closure = self.closure(side, |n| numbers.contains(&n));
            closure.saturate(self.contradiction.arrays) || comes_to(&closure)
        };
        // The last first: the first ones were there with fewer conditions.
        for number in needed.clone().into_iter().rev() {
            self.limit.check()?;
            let others: Vec<usize> = needed.iter().copied().filter(|&n| n != number).collect();
            if suffices(&others) {
                needed = others;
            }
        }
        Ok(needed)
    }
}
