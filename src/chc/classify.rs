//! Kind and size of a system: the tracks of CHC-COMP, and counts.

use super::{Clause, System};
use crate::term::{Op, Sort, SortKind, Term, Terms};
use rustc_hash::FxHashSet;
use std::fmt;

/// The theories that a system uses beyond truth values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Theories {
    /// Integers.
    pub ints: bool,
    /// Reals.
    pub reals: bool,
    /// Products of variables, or division by them.
    pub nonlinear: bool,
    /// Arrays.
    pub arrays: bool,
    /// Algebraic datatypes.
    pub datatypes: bool,
    /// Bit-vectors.
    pub bitvectors: bool,
    /// Declared sorts.
    pub uninterpreted: bool,
}

/// Kind and size of a system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classification {
    /// Has every clause at most one atom in its body?
    pub linear: bool,
    /// The theories.
    pub theories: Theories,
    /// Number of predicates.
    pub predicates: usize,
    /// Number of clauses.
    pub clauses: usize,
    /// Clauses with head `false`.
    pub queries: usize,
    /// Clauses without atoms in the body.
    pub facts: usize,
    /// The largest number of atoms in a body.
    pub widest_body: usize,
    /// The number of variables, summed over the clauses.
    pub variables: usize,
    /// The number of different subterms of all clauses.
    pub nodes: usize,
}

impl Classification {
    /// Classifies a system.
    pub fn of(t: &Terms, system: &System) -> Self {
        let clauses = &system.clauses;
        let mut theories = Theories::default();
        let mut sorts = FxHashSet::default();
        let params = system
            .preds
            .iter()
            .flat_map(|pred| t.func(pred.func).params.iter().copied());
        for sort in params.chain(
            clauses
                .iter()
                .flat_map(|clause| &clause.vars)
                .map(|&var| t.sort_of(var)),
        ) {
            theories.add_sort(t, sort, &mut sorts);
        }
        let roots = clauses.iter().flat_map(Clause::terms);
        let mut nodes = 0;
        for term in t.post_order(roots) {
            nodes += 1;
            theories.add_sort(t, t.sort_of(term), &mut sorts);
            theories.nonlinear |= is_nonlinear(t, term);
        }
        Classification {
            linear: system.is_linear(),
            theories,
            predicates: system.preds.len(),
            clauses: clauses.len(),
            queries: clauses.iter().filter(|clause| clause.is_query()).count(),
            facts: clauses.iter().filter(|clause| clause.is_fact()).count(),
            widest_body: clauses
                .iter()
                .map(|clause| clause.body.len())
                .max()
                .unwrap_or(0),
            variables: clauses.iter().map(|clause| clause.vars.len()).sum(),
            nodes,
        }
    }

    /// The track of CHC-COMP that the system belongs to, or a name of the same form.
    pub fn track(&self) -> String {
        let Theories {
            ints,
            reals,
            nonlinear,
            arrays,
            datatypes,
            bitvectors,
            ..
        } = self.theories;
        let mut parts = Vec::new();
        if datatypes {
            parts.push("ADT");
        }
        let arithmetic = match (ints, reals, nonlinear) {
            (true, true, false) => Some("LIRA"),
            (true, true, true) => Some("NIRA"),
            (false, true, false) => Some("LRA"),
            (false, true, true) => Some("NRA"),
            (true, false, true) => Some("NIA"),
            (true, false, false) => Some("LIA"),
            (false, false, _) => None,
        };
        if bitvectors {
            parts.push("BV");
        }
        // The competition calls systems over truth values only, or datatypes only, LIA.
        parts.extend(arithmetic.or((!bitvectors).then_some("LIA")));
        // It distinguishes linear clauses for arithmetic only.
        if self.linear && !datatypes && !bitvectors {
            parts.push("Lin");
        }
        if arrays {
            parts.push("Arrays");
        }
        parts.join("-")
    }
}

impl Theories {
    fn add_sort(&mut self, t: &Terms, sort: Sort, seen: &mut FxHashSet<Sort>) {
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            if !seen.insert(sort) {
                continue;
            }
            match t.sort_kind(sort) {
                SortKind::Bool => {}
                SortKind::Int => self.ints = true,
                SortKind::Real => self.reals = true,
                SortKind::BitVec(_) => self.bitvectors = true,
                SortKind::Uninterpreted(..) => self.uninterpreted = true,
                SortKind::Array(index, element) => {
                    self.arrays = true;
                    open.extend([*index, *element]);
                }
                SortKind::Datatype(_) => self.datatypes = true,
            }
            open.extend(t.field_sorts(sort));
        }
    }
}

/// Is an arithmetic operation not linear in its arguments?
fn is_nonlinear(t: &Terms, term: Term) -> bool {
    match t.op(term) {
        Op::Mul => t.is_product(term),
        Op::Div | Op::IDiv | Op::Mod => t
            .as_number(t.args(term)[1])
            .is_none_or(|divisor| divisor.is_zero()),
        _ => false,
    }
}

impl fmt::Display for Classification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "track: {}", self.track())?;
        writeln!(
            f,
            "clauses: {} ({})",
            self.clauses,
            if self.linear { "linear" } else { "non-linear" }
        )?;
        writeln!(f, "queries: {}", self.queries)?;
        writeln!(f, "facts: {}", self.facts)?;
        writeln!(f, "widest body: {}", self.widest_body)?;
        writeln!(f, "predicates: {}", self.predicates)?;
        writeln!(f, "variables: {}", self.variables)?;
        write!(f, "term nodes: {}", self.nodes)
    }
}
