//! Atoms of linear arithmetic: variables of propositional search that say `x ≤ c`, and how they
//! meet the simplex.
//!
//! The negation of `x ≤ c` is `x ≥ c + 1` where `x` is an integer, else `x ≥ c + δ`. So the
//! division into cases that integers need, `x ≤ k ∨ x ≥ k + 1`, is a decision like any other.
//!
//! Invariant: the bounds of the simplex are those of the first `told` literals of the trail.

use super::literal::{Lit, Var};
use super::log::StepId;
use super::sat::{Conflict, Lowest, Reason, Sat};
use super::simplex::{ArithVar, Checked, Infeasible, Side, Simplex};
use super::theory::Theory;
use crate::number::{DeltaRational, Rational};
use crate::smt::{Failure, Limit};

/// `var ≤ bound`
#[derive(Clone, Debug)]
pub(super) struct BoundAtom {
    pub(super) var: ArithVar,
    pub(super) bound: DeltaRational,
}

/// Linear arithmetic as a theory of propositional search.
#[derive(Debug, Default)]
pub(super) struct Arithmetic {
    pub(super) simplex: Simplex,
    /// The atom of each variable of propositional search; `None` for variables that are no bounds.
    atoms: Vec<Option<BoundAtom>>,
    /// The atoms of each arithmetic variable, in ascending order of their bounds.
    atoms_of: Vec<Vec<Var>>,
    /// The simplex knows this many literals of the trail.
    told: usize,
    /// For each decision level above 0, the mark of the simplex before it.
    marks: Vec<usize>,
    /// Implied bounds found.
    pub(super) implied: u64,
}

/// The least bound above `bound` in the order of atoms: what `¬(x ≤ bound)` says.
fn successor(bound: &DeltaRational, is_int: bool) -> DeltaRational {
    if is_int {
        return DeltaRational::from(&bound.real + &Rational::one());
    }
    DeltaRational::new(bound.real.clone(), &bound.delta + &Rational::one())
}

impl Arithmetic {
    /// A new variable without bounds.
    pub(super) fn new_var(&mut self, is_int: bool) -> ArithVar {
        self.atoms_of.push(Vec::new());
        self.simplex.new_var(is_int)
    }

    /// A new variable that stands for a form.
    pub(super) fn new_form(&mut self, form: Box<[(ArithVar, Rational)]>) -> ArithVar {
        self.atoms_of.push(Vec::new());
        self.simplex.new_form(form)
    }

    /// The atom of a variable of propositional search.
    pub(super) fn atom(&self, var: Var) -> Option<&BoundAtom> {
        self.atoms.get(var.index())?.as_ref()
    }

    /// The variable that a literal bounds, on which side, by what.
    pub(super) fn bound_of(&self, lit: Lit) -> Option<(ArithVar, Side, DeltaRational)> {
        let atom = self.atom(lit.var())?;
        Some(if lit.is_positive() {
            (atom.var, Side::Upper, atom.bound.clone())
        } else {
            let bound = successor(&atom.bound, self.simplex.is_int(atom.var));
            (atom.var, Side::Lower, bound)
        })
    }

    /// The literal `var ≤ bound`, and whether it is new. For an integer the bound must be one; else
    /// its infinitesimal part is 0 or -1.
    pub(super) fn at_most(
        &mut self,
        sat: &mut Sat,
        var: ArithVar,
        bound: DeltaRational,
    ) -> (Lit, bool) {
        debug_assert!(!self.simplex.is_int(var) || bound.is_integer());
        let list = &self.atoms_of[var.index()];
        let key = |&v: &Var| &self.atoms[v.index()].as_ref().expect("it is an atom").bound;
        match list.binary_search_by(|v| key(v).cmp(&bound)) {
            Ok(found) => (list[found].positive(), false),
            Err(place) => {
                let new = sat.new_var(false);
                self.atoms.resize(new.index() + 1, None);
                self.atoms[new.index()] = Some(BoundAtom { var, bound });
                self.atoms_of[var.index()].insert(place, new);
                debug_assert!(
                    self.is_sorted_at(var, place),
                    "atoms ascend with their bounds"
                );
                (new.positive(), true)
            }
        }
    }

    /// Tells the simplex of the literals that are true since, and makes true what follows from
    /// single bounds.
    fn tell(&mut self, sat: &mut Sat) -> Result<(), Infeasible> {
        while let Some(&lit) = sat.trail().get(self.told) {
            self.told += 1;
            if self.is_weak(lit) {
                continue;
            }
            let Some((var, side, bound)) = self.bound_of(lit) else {
                continue;
            };
            self.simplex.assert(var, side, bound, lit)?;
            self.imply(sat, lit);
        }
        Ok(())
    }

    /// Is the literal a bound that follows from one that the simplex has? Where a form has many
    /// atoms most literals are.
    fn is_weak(&self, lit: Lit) -> bool {
        let Some(atom) = self.atom(lit.var()) else {
            return false;
        };
        if lit.is_positive() {
            let upper = self.simplex.bound(atom.var, Side::Upper);
            upper.is_some_and(|b| b.value <= atom.bound)
        } else {
            let lower = self.simplex.bound(atom.var, Side::Lower);
            lower.is_some_and(|b| b.value > atom.bound)
        }
    }

    /// Makes true the open atoms of a variable that follow from its new bound.
    fn imply(&mut self, sat: &mut Sat, by: Lit) {
        let atom = self.atom(by.var()).expect("it is a bound");
        let list = &self.atoms_of[atom.var.index()];
        let key = |v: &Var| &self.atoms[v.index()].as_ref().expect("it is an atom").bound;
        let place = list.binary_search_by(|v| key(v).cmp(&atom.bound));
        let place = place.expect("the atom is in its list");
        debug_assert_eq!(list[place], by.var(), "an atom is in its list once");
        debug_assert!(sat.value(by) == Some(true), "what implies is true");
        // Beyond the first atom that is decided already, all are: they followed from that one.
        if by.is_positive() {
            for &var in &list[place + 1..] {
                match sat.value(var.positive()) {
                    None => sat.enqueue(var.positive(), Reason::Bound(by)),
                    Some(true) => break,
                    Some(false) => {}
                }
                self.implied += 1;
            }
        } else {
            for &var in list[..place].iter().rev() {
                match sat.value(var.positive()) {
                    None => sat.enqueue(var.literal(false), Reason::Bound(by)),
                    Some(false) => break,
                    Some(true) => {}
                }
                self.implied += 1;
            }
        }
    }

    /// The clause that says that these bounds are contradictory.
    fn conflict(&self, sat: &mut Sat, infeasible: Infeasible) -> Conflict {
        debug_assert!(self.is_contradictory(&infeasible));
        let mut clause = Vec::with_capacity(infeasible.bounds.len());
        let mut factors = Vec::new();
        for (lit, factor) in infeasible.bounds {
            clause.push(!lit);
            factors.push(factor);
        }
        debug_assert!(
            clause.iter().all(|&l| sat.value(l) == Some(false)),
            "the bounds of a conflict are true literals"
        );
        let step = if sat.log.is_on() {
            sat.log.farkas(&clause, &factors)
        } else {
            StepId::NONE
        };
        Conflict { clause, step }
    }

    /// The number of decision levels that it has a mark of.
    pub(super) fn levels(&self) -> usize {
        self.marks.len()
    }

    /// Are the atoms of a variable in strictly ascending order of their bounds, around a place?
    fn is_sorted_at(&self, var: ArithVar, place: usize) -> bool {
        let list = &self.atoms_of[var.index()];
        let around = &list[place.saturating_sub(1)..list.len().min(place + 2)];
        let atoms: Option<Vec<&BoundAtom>> = around.iter().map(|&v| self.atom(v)).collect();
        atoms.is_some_and(|atoms| {
            atoms.iter().all(|a| a.var == var) && atoms.is_sorted_by(|a, b| a.bound < b.bound)
        })
    }

    /// Does the value that the simplex has now make an atom true? A decision that agrees costs no
    /// pivot.
    pub(super) fn holds_now(&self, var: Var) -> Option<bool> {
        let atom = self.atom(var)?;
        Some(self.simplex.value(atom.var) <= atom.bound)
    }

    /// Do the bounds times the factors add up to falsity?
    pub(super) fn is_contradictory(&self, infeasible: &Infeasible) -> bool {
        let mut sum: rustc_hash::FxHashMap<ArithVar, Rational> = Default::default();
        let mut constant = DeltaRational::zero();
        for (lit, factor) in &infeasible.bounds {
            let (var, side, bound) = self.bound_of(*lit).expect("it is a bound");
            let sign = match side {
                Side::Upper => factor.clone(),
                Side::Lower => -factor,
            };
            constant.add_mul(&sign, &bound);
            match self.simplex.form(var) {
                Some(form) => {
                    for (x, a) in form {
                        sum.entry(*x).or_default().add_mul(&sign, a);
                    }
                }
                None => *sum.entry(var).or_default() += &sign,
            }
            if !factor.is_positive() {
                return false;
            }
        }
        sum.values().all(Rational::is_zero) && constant.signum() < 0
    }
}

impl Theory for Arithmetic {
    fn new_level(&mut self, sat: &Sat) {
        debug_assert_eq!(self.told, sat.trail().len());
        self.marks.push(self.simplex.mark());
    }

    fn backtrack(&mut self, lowest: Lowest) {
        if let Some(&mark) = self.marks.get(lowest.level) {
            self.simplex.backtrack(mark);
            self.marks.truncate(lowest.level);
        }
        self.told = self.told.min(lowest.trail);
    }

    fn forget_others(&mut self, sat: &Sat) {
        self.told = sat.trail().len();
    }

    fn propagate(&mut self, sat: &mut Sat) -> Option<Conflict> {
        let told = self.tell(sat);
        told.err().map(|infeasible| self.conflict(sat, infeasible))
    }

    /// Are there values within all bounds?
    fn check(&mut self, sat: &mut Sat, limit: &Limit) -> Result<Option<Conflict>, Failure> {
        Ok(match self.simplex.check(limit)? {
            Checked::Feasible => None,
            Checked::Infeasible(infeasible) => Some(self.conflict(sat, infeasible)),
        })
    }
}
