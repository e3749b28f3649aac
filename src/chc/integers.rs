//! A system over bit-vectors, read as one over integers.

use super::{Atom, Clause, Interpretation, Predicate, System};
use crate::term::intblast::{Integers, Signedness};
use crate::term::{Op, Sort, Term, Terms};

/// Of the operators at most every sixth may take bits out of bit-vectors. Tried on 450 random loops
/// with operators on bits: 3 more are decided within 5 s than if none may, and none fewer.
const OPERATORS_BESIDE_CUT: usize = 6;

/// A system over integers that says the same as one over bit-vectors \[ZIMN22, BRZ18\].
///
/// Each argument and each variable that is a bit-vector is an integer there. Predicates and clauses
/// are in the same order, and so are arguments and variables.
///
/// Variables are bounded by what their widths allow, as [`Bounded`] says. A system that is made by
/// [`OverIntegers::above`] derives what the old one derives, and may derive more.
pub struct OverIntegers<'t> {
    integers: Integers<'t>,
    /// The number of different terms of the old system that are made by operators on bit-vectors.
    operators: usize,
    /// How the integers are read off bit-vectors.
    pub signedness: Signedness,
    /// The system over integers.
    pub system: System,
}

impl<'t> OverIntegers<'t> {
    /// The system over integers; `None` if there is no bit-vector in the old one, or if one of its
    /// operators is not translated.
    pub fn new(t: &'t Terms, old: &System, bounded: Bounded) -> Option<Self> {
        OverIntegers::by(t, old, bounded, Integers::new)
    }

    /// As [`OverIntegers::new`], but what is not translated may have any value. What holds of all
    /// that this system derives holds of all that the old system derives.
    pub fn above(t: &'t Terms, old: &System) -> Option<Self> {
        OverIntegers::by(t, old, Bounded::Used, Integers::above)
    }

    /// The system by a translation that is made with the usual signedness.
    fn by(
        t: &'t Terms,
        old: &System,
        bounded: Bounded,
        integers: fn(&'t Terms, Signedness) -> Integers<'t>,
    ) -> Option<Self> {
        let mut vars = old.clauses.iter().flat_map(|clause| &clause.vars);
        if !vars.any(|&var| is_word(t, t.sort_of(var))) {
            return None;
        }
        let signedness = Integers::usual_signedness(t, old.clauses.iter().flat_map(Clause::terms));
        let mut integers = integers(t, signedness);
        let clauses = old.clauses.iter();
        let clauses = clauses.map(|clause| over_integers(t, &mut integers, clause, bounded));
        let clauses = clauses.collect::<Option<_>>()?;
        let preds = old.preds.iter().map(|pred| predicate(t, pred)).collect();
        let roots = old.clauses.iter().flat_map(Clause::terms);
        let operators = t.post_order(roots);
        Some(OverIntegers {
            integers,
            operators: operators.filter(|&x| matches!(t.op(x), Op::Bv(_))).count(),
            signedness,
            system: System { preds, clauses },
        })
    }

    /// The integer variable in the place of a variable.
    pub fn variable(&mut self, var: Term) -> Term {
        self.integers.variable(var)
    }

    /// What stands for a term of the old system or a part of one, see [`Integers::reading`].
    pub fn reading(&self, term: Term) -> Option<(Term, Option<u32>)> {
        self.integers.reading(term)
    }

    /// An interpretation of the old predicate as one of the new predicate; `None` if it has an
    /// operator that is not translated.
    pub fn interpretation(&mut self, old: &Interpretation) -> Option<Interpretation> {
        let params = old
            .params
            .iter()
            .map(|&param| self.integers.variable(param));
        let params = params.collect();
        let body = self.integers.translate(old.body)?;
        Some(Interpretation { params, body })
    }

    /// Do few operators take bits out of a bit-vector, of the system and of what was translated
    /// since? Otherwise it is simpler to look at bits.
    pub fn has_few_cuts(&self) -> bool {
        self.integers.cuts() * OPERATORS_BESIDE_CUT <= self.operators
    }
}

/// Which variables of a clause are bounded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bounded {
    /// All of them, so that interpretations matter within the bounds only.
    All,
    /// The variables that the clause computes with. Others are only passed on, and have any values:
    /// a derivation in which they are outside their bounds is one of the old system when they are
    /// taken modulo `2^width`. So an argument that no clause computes with stays free.
    Used,
}

fn is_word(t: &Terms, sort: Sort) -> bool {
    t.bitvec_width(sort).is_some()
}

/// The predicate over integers.
fn predicate(t: &Terms, old: &Predicate) -> Predicate {
    let decl = t.func(old.func);
    if !decl.params.iter().any(|&sort| is_word(t, sort)) {
        return old.clone();
    }
    let sorts = decl.params.iter().map(|&sort| match is_word(t, sort) {
        true => Sort::INT,
        false => sort,
    });
    Predicate {
        func: t.declare(decl.name, &sorts.collect::<Vec<_>>(), decl.result),
        span: old.span,
    }
}

/// The clause over integers; `None` if one of its operators is not translated.
fn over_integers(
    t: &Terms,
    integers: &mut Integers<'_>,
    old: &Clause,
    bounded: Bounded,
) -> Option<Clause> {
    let mut atom = |atom: &Atom| {
        let args = atom.args.iter().map(|&arg| integers.translate(arg));
        Some(Atom {
            pred: atom.pred,
            args: args.collect::<Option<_>>()?,
        })
    };
    let body = old.body.iter().map(&mut atom).collect::<Option<_>>()?;
    let head = match &old.head {
        Some(head) => Some(atom(head)?),
        None => None,
    };
    let constraint = integers.translate(old.constraint)?;
    let bounded = match bounded {
        Bounded::All => old.vars.clone(),
        Bounded::Used => t.vars(old.terms().filter(|&term| !t.is_var(term))),
    };
    let ranges: Vec<Term> = bounded.iter().map(|&var| integers.in_range(var)).collect();
    let mut new = Clause {
        vars: old.vars.iter().map(|&var| integers.variable(var)).collect(),
        body,
        head,
        constraint: t.and(ranges.into_iter().chain([constraint])),
        origin: old.origin,
    };
    let (unknowns, bounds) = integers.unknowns(&t.vars(new.terms()));
    new.vars.extend(unknowns);
    new.constraint = t.and([new.constraint].into_iter().chain(bounds));
    Some(new)
}
