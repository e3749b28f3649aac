//! Facts about functions that are defined by recursion, for a solver that knows nothing of them.
//!
//! [`Terms::saturation`] says which instances of definitions and of quantified premises matter to
//! a question. It goes on as long as there is something new, within bounds:
//!
//! ```text
//! close the equations under congruence
//! unfold f(v, …) where v is known to be built by a constructor
//! instantiate the premises at terms that match their triggers, modulo the equations \[DNS05\]
//! if nothing is new: one case for each disjunct of a formula that is a disjunction, and
//!                    for a value that stops an unfolding, one case for each constructor
//! ```
//!
//! All facts are consequences of the premises and definitions. Which of them are found matters only
//! for what a solver can prove with them.

use super::closure::Closure;
use super::triggers::{Index, Premise, matches};
use super::{CtorId, FuncId, Op, Term, TermSet, Terms};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Rounds of instantiation. The value was not tuned.
const ROUNDS: usize = 6;
/// Instances of a premise in a round. The value was not tuned.
const INSTANCES: usize = 40;
/// One disjunction after the other is split into its cases, as long as all of them together have at
/// most 16. The value was not tuned.
const DISJUNCTS: usize = 16;

/// How far saturation goes.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The number of values that are distinguished by their constructors at the same time.
    pub splits: usize,
    /// Nothing is added to what is known of more terms.
    pub terms: usize,
    /// Is an equation instantiated only where its larger side matches, if this side is an
    /// application with all its variables? Otherwise equations that make terms larger may use up
    /// the terms before the one that is needed.
    pub reduces: bool,
}

impl Effort {
    /// Attempts that go further and further. The values were not tuned.
    pub const RISING: [Effort; 4] = [
        Effort::reducing(2, 200),
        Effort::of(1, 200),
        Effort::of(2, 400),
        Effort::of(3, 800),
    ];

    /// This number of splits and of terms, with equations from both sides.
    pub const fn of(splits: usize, terms: usize) -> Effort {
        Effort {
            splits,
            terms,
            reduces: false,
        }
    }

    /// This number of splits and of terms, with equations that make terms smaller.
    pub const fn reducing(splits: usize, terms: usize) -> Effort {
        Effort {
            reduces: true,
            ..Effort::of(splits, terms)
        }
    }
}

/// Where a fact is from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// It holds of all values of a datatype.
    Datatype,
    /// It is the definition of a function at these arguments.
    Definition(FuncId, Vec<Term>),
    /// It is the premise at this place, with these values for its variables, in their order.
    Premise(usize, Vec<Term>),
    /// It says that two arrays are equal, or differ at this index, which is a new variable.
    Difference(Term, [Term; 2]),
}

/// A formula without quantifiers that a question may assume: a consequence of the premises and of
/// definitions of functions, or what says which value a new variable has.
#[derive(Clone, Debug)]
pub struct Fact {
    /// What it says.
    pub formula: Term,
    /// Why it holds.
    pub origin: Origin,
}

/// What saturation has found.
#[derive(Clone, Debug, Default)]
pub struct Saturation {
    /// The facts, each once.
    pub facts: Vec<Fact>,
    /// Do the facts contradict the formulas by equations alone?
    pub is_contradiction: bool,
}

impl Saturation {
    /// What the facts say.
    pub fn formulas(&self) -> impl Iterator<Item = Term> {
        self.facts.iter().map(|fact| fact.formula)
    }
}

impl Terms {
    /// Facts that follow from universally quantified premises and from the definitions of
    /// functions, for a question about these formulas. Neither the formulas nor the premises under
    /// their quantifiers have quantifiers.
    pub fn saturation(&self, formulas: &[Term], premises: &[Term], effort: Effort) -> Saturation {
        let premises = premises.iter();
        let premises = premises.map(|&premise| Premise::new(self, premise, effort.reduces));
        let premises: Vec<Premise> = premises.collect();
        let mut closure = Closure::new(self);
        let mut constants = TermSet::default();
        for premise in &premises {
            let closed = |&part: &Term| !premise.open.contains(&part);
            let matrix = self.post_order([premise.matrix]);
            for part in matrix.filter(closed) {
                closure.add(part);
                if self.is_var(part) {
                    constants.insert(part);
                }
            }
        }
        formulas.iter().for_each(|&f| closure.assert(f));
        let mut search = Search {
            t: self,
            premises,
            constants,
            facts: Vec::new(),
            known: TermSet::default(),
            terms: effort.terms,
        };
        let choices = choices(self, formulas);
        let mut done = Done::default();
        let is_contradiction = search.saturate(closure, &mut done, effort.splits, &choices);
        Saturation {
            facts: search.facts,
            is_contradiction,
        }
    }
}

/// What was done in a branch: applications and tests unfolded, and premises by their places
/// instantiated at these terms. What is equal to something that was done says the same, so it is
/// not done again.
#[derive(Clone, Default)]
struct Done {
    unfolded: Vec<Term>,
    instances: Vec<Instance>,
}

/// The place of a premise, and terms for its variables in the order of these.
type Instance = (usize, SmallVec<[Term; 4]>);

/// The head of a term, and the classes of its arguments.
type Signature = (Op, SmallVec<[Term; 4]>);

/// The search for facts.
struct Search<'t> {
    t: &'t Terms,
    premises: Vec<Premise>,
    /// Variables that premises speak of and that are not bound. A hypothesis speaks of a part of
    /// what was taken apart for it.
    constants: TermSet,
    facts: Vec<Fact>,
    known: TermSet,
    terms: usize,
}

impl Search<'_> {
    /// Adds facts to a closure until they contradict it, or nothing is new. Is there a
    /// contradiction in all cases?
    fn saturate(
        &mut self,
        mut closure: Closure<'_>,
        done: &mut Done,
        splits: usize,
        choices: &[Vec<Term>],
    ) -> bool {
        for _ in 0..ROUNDS {
            if self.unfold(&mut closure, done) {
                return true;
            }
            if !self.instantiate(&mut closure, done) {
                break;
            }
        }
        if self.unfold(&mut closure, done) {
            return true;
        }
        let is_open = |choice: &Vec<Term>| choice.iter().all(|&d| closure.name(d) != Term::TRUE);
        if let Some(at) = choices.iter().position(is_open) {
            let cases: Vec<(Term, Term)> = choices[at].iter().map(|&d| (d, Term::TRUE)).collect();
            return self.by_cases(&closure, done, splits, &cases, &choices[at + 1..]);
        }
        let Some(splits) = splits.checked_sub(1) else {
            return false;
        };
        let values = self.obstacles(&closure);
        if let Some(condition) = self.condition(&closure, &values) {
            let cases = [Term::TRUE, Term::FALSE].map(|value| (condition, value));
            return self.by_cases(&closure, done, splits, &cases, &[]);
        }
        match self.obstacle(&closure, &values) {
            Some(value) => self.by_constructors(&closure, done, splits, value),
            None => false,
        }
    }

    /// Unfolds applications to values of known constructors as long as there are some. Is there a
    /// contradiction?
    fn unfold(&mut self, closure: &mut Closure<'_>, done: &mut Done) -> bool {
        let t = self.t;
        loop {
            closure.close();
            if closure.is_impossible() {
                return true;
            }
            if closure.terms().len() > self.terms {
                return false;
            }
            let mut new: Vec<Fact> = Vec::new();
            let mut unfolded: FxHashSet<Signature> = (done.unfolded.iter())
                .map(|&term| self.signature(closure, term))
                .collect();
            for &term in closure.terms() {
                let Op::Apply(func) = t.op(term) else {
                    continue;
                };
                let args = t.args(term);
                if t.func(func).cases().is_empty() {
                    continue;
                }
                if let Some(built) = closure.built(args[0])
                    && unfolded.insert(self.signature(closure, term))
                {
                    done.unfolded.push(term);
                    let args = [&[built], &args[1..]].concat();
                    new.push(Fact {
                        formula: t.unfolding(func, &args),
                        origin: Origin::Definition(func, args),
                    });
                }
            }
            self.open_values(closure, &mut unfolded, done, &mut new);
            if new.is_empty() {
                return false;
            }
            self.add(closure, new);
        }
    }

    /// What terms have in common that are equal by congruence.
    fn signature(&self, closure: &Closure<'_>, term: Term) -> Signature {
        let args = self.t.args(term).iter();
        (
            self.t.op(term),
            args.map(|&arg| closure.name(arg)).collect(),
        )
    }

    /// The fields of values whose constructor is known from a test.
    fn open_values(
        &self,
        closure: &Closure<'_>,
        unfolded: &mut FxHashSet<Signature>,
        done: &mut Done,
        new: &mut Vec<Fact>,
    ) {
        let t = self.t;
        for &test in closure.members(Term::TRUE) {
            if let Op::Is(ctor) = t.op(test)
                && closure.built(t.args(test)[0]).is_none()
                && unfolded.insert(self.signature(closure, test))
            {
                done.unfolded.push(test);
                let value = t.args(test)[0];
                new.push(Fact {
                    formula: t.implies(test, t.eq(value, self.opened(value, ctor))),
                    origin: Origin::Datatype,
                });
            }
        }
    }

    /// A value as a term of this constructor.
    fn opened(&self, value: Term, ctor: CtorId) -> Term {
        let t = self.t;
        let fields = t.ctor(ctor).fields.iter();
        let fields: Vec<Term> = fields.map(|&field| t.field(field, value)).collect();
        t.construct(ctor, &fields)
    }

    fn add(&mut self, closure: &mut Closure<'_>, new: Vec<Fact>) {
        for fact in new {
            closure.assert(fact.formula);
            if self.known.insert(fact.formula) {
                self.facts.push(fact);
            }
        }
    }

    /// Adds instances of the premises. Is there a new one?
    fn instantiate(&mut self, closure: &mut Closure<'_>, done: &mut Done) -> bool {
        let t = self.t;
        let index = Index::new(t, closure);
        let mut new: Vec<Fact> = Vec::new();
        let names = |(number, terms): &Instance| -> Instance {
            let names = terms.iter().map(|&term| closure.name(term));
            (*number, names.collect())
        };
        let mut instances: FxHashSet<Instance> = done.instances.iter().map(names).collect();
        for (number, premise) in self.premises.iter().enumerate() {
            let mut count = 0;
            for trigger in &premise.triggers {
                for found in matches(t, closure, &index, premise, trigger) {
                    // At terms of the same classes the instances say the same.
                    let mut sorted = found.clone();
                    sorted.sort_unstable();
                    let at = (number, sorted.iter().map(|&(_, term)| term).collect());
                    if count < INSTANCES && instances.insert(names(&at)) {
                        done.instances.push(at);
                        count += 1;
                        new.push(premise.instance(t, number, &found));
                    }
                }
            }
        }
        if closure.terms().len() > self.terms {
            return false;
        }
        let is_new = !new.is_empty();
        self.add(closure, new);
        is_new
    }

    /// The values that stop the unfolding of functions, and how many applications each stops.
    fn obstacles(&self, closure: &Closure<'_>) -> Vec<(Term, usize)> {
        let t = self.t;
        let mut counts: Vec<(Term, usize)> = Vec::new();
        for &term in closure.terms() {
            let Op::Apply(func) = t.op(term) else {
                continue;
            };
            let Some(&value) = t.args(term).first() else {
                continue;
            };
            if t.func(func).cases().is_empty() || closure.built(value).is_some() {
                continue;
            }
            let name = closure.name(value);
            match counts.iter_mut().find(|(of, _)| *of == name) {
                Some((_, count)) => *count += 1,
                None => counts.push((name, 1)),
            }
        }
        counts
    }

    /// The value to be taken apart: a variable where there is one, first one that no premise
    /// speaks of, and among these the one that stops most.
    fn obstacle(&self, closure: &Closure<'_>, values: &[(Term, usize)]) -> Option<Term> {
        let t = self.t;
        let is_plain = |&name: &Term| {
            let members = closure.members(name).iter();
            let mut plain = members.filter(|&&x| matches!(t.op(x), Op::Var(_) | Op::Field(_)));
            plain.next().copied()
        };
        let best = values.iter().max_by_key(|(name, count)| {
            let plain = is_plain(name);
            let is_new = plain.is_some_and(|value| !self.constants.contains(&value));
            (plain.is_some(), is_new, *count)
        })?;
        Some(is_plain(&best.0).unwrap_or(best.0))
    }

    /// A condition of a choice of which it is not known whether it holds: of one that stops an
    /// unfolding, or of any one if nothing does.
    fn condition(&self, closure: &Closure<'_>, values: &[(Term, usize)]) -> Option<Term> {
        let t = self.t;
        let is_open = |term: &Term| {
            t.op(*term) == Op::Ite && {
                let value = closure.name(t.args(*term)[0]);
                value != Term::TRUE && value != Term::FALSE
            }
        };
        let members = |(value, _): &(Term, usize)| closure.members(*value).iter();
        let mut choices = values.iter().flat_map(members).copied().filter(is_open);
        let choice = match values {
            [] => closure.terms().iter().copied().find(is_open),
            _ => choices.next(),
        };
        choice.map(|choice| t.args(choice)[0])
    }

    /// One case for each constructor of a value.
    fn by_constructors(
        &mut self,
        closure: &Closure<'_>,
        done: &Done,
        splits: usize,
        value: Term,
    ) -> bool {
        let t = self.t;
        let datatype = t.datatype_of(t.sort_of(value)).expect("it is taken apart");
        let ctors = t.datatype(datatype).ctors().iter();
        let cases: Vec<(Term, Term)> = ctors
            .map(|&ctor| (value, self.opened(value, ctor)))
            .collect();
        let exhaustive = t.or(cases.iter().map(|&(x, y)| t.eq(x, y)));
        if self.known.insert(exhaustive) {
            self.facts.push(Fact {
                formula: exhaustive,
                origin: Origin::Datatype,
            });
        }
        self.by_cases(closure, done, splits, &cases, &[])
    }

    fn by_cases(
        &mut self,
        closure: &Closure<'_>,
        done: &Done,
        splits: usize,
        cases: &[(Term, Term)],
        choices: &[Vec<Term>],
    ) -> bool {
        let mut are_contradictions = true;
        for &(x, y) in cases {
            let mut case = closure.clone();
            match y {
                Term::TRUE => case.assert(x),
                _ => case.equate(x, y),
            }
            are_contradictions &= self.saturate(case, &mut done.clone(), splits, choices);
        }
        are_contradictions
    }
}

impl Premise {
    /// The instance of the premise at a place for a match, which has a term for each variable.
    fn instance(&self, t: &Terms, place: usize, found: &[(Term, Term)]) -> Fact {
        let value = |var: &Term| found.iter().find(|(of, _)| of == var).map(|&(_, x)| x);
        let values = self.bound.iter().map(|var| value(var).expect("a match"));
        Fact {
            formula: t.substitute(self.matrix, found.iter().copied()),
            origin: Origin::Premise(place, values.collect()),
        }
    }
}

/// The disjuncts of the formulas that are disjunctions about values of datatypes, as far as there
/// are few cases. Passes of preprocessing make such clauses of several.
fn choices(t: &Terms, formulas: &[Term]) -> Vec<Vec<Term>> {
    let is_value = |&term: &Term| t.datatype_of(t.sort_of(term)).is_some();
    let is_about_values = |part: Term| t.op(part) == Op::Eq && t.args(part).iter().any(is_value);
    let mut count = 1;
    let mut found = Vec::new();
    for formula in formulas.iter().flat_map(|&formula| t.conjuncts(formula)) {
        let args = t.args(formula);
        if t.op(formula) == Op::Or
            && count * args.len() <= DISJUNCTS
            && t.any_subterm(formula, is_about_values)
        {
            count *= args.len();
            found.push(args.to_vec());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::examples::Naturals;

    #[test]
    fn equal_applications_are_unfolded_once() {
        let t = Terms::new();
        let Naturals {
            sort, zero, plus, ..
        } = Naturals::new(&t);
        let [x, y, z] = ["x", "y", "z"].map(|name| t.var(name, sort));
        let [one, other] = [x, y].map(|first| t.eq(t.apply(plus, &[first, z]), x));
        let formulas = [t.eq(x, zero), t.eq(y, zero), one, other];
        let found = t.saturation(&formulas, &[], Effort::of(0, 100));
        let facts = found.facts.iter();
        let definitions = facts.filter(|fact| matches!(fact.origin, Origin::Definition(..)));
        assert_eq!(definitions.count(), 1);
    }

    #[test]
    fn reduction_goes_to_smaller_sides() {
        let t = Terms::new();
        let Naturals {
            sort, zero, plus, ..
        } = Naturals::new(&t);
        let [n, x, y] = ["n", "x", "y"].map(|name| t.var(name, sort));
        let twice = |n: Term| t.apply(plus, &[n, n]);
        let larger = |n: Term| t.apply(plus, &[t.apply(plus, &[n, zero]), n]);
        let premise = t.forall(&[n], t.eq(twice(n), larger(n)));
        let is_used = |about: Term, effort: Effort| {
            let found = t.saturation(&[t.eq(about, y)], &[premise], effort);
            let mut facts = found.facts.iter();
            facts.any(|fact| matches!(fact.origin, Origin::Premise(..)))
        };
        assert!(!is_used(twice(x), Effort::reducing(0, 100)));
        assert!(is_used(twice(x), Effort::of(0, 100)));
        assert!(is_used(larger(x), Effort::reducing(0, 100)));
    }
}
