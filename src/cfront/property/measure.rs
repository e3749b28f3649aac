//! Measures of loops and of recursive calls: integers that may become smaller with each round.
//!
//! A test that keeps a run in a loop gives the distance to where it would not: for `a < b` that is
//! `b - a`. Then come sums of two of these, and the variables that the loop changes, with both
//! signs. Measures are computed in a type that holds them exactly.

use super::build::{address, binary, convert, load};
use super::nest::Nested;
use crate::cfront::ir::{
    Base, Binary, Cfa, Edge, Expr, ExprKind, FuncId, Instr, Lvalue, Step, Stride,
};
use crate::cfront::memory::{Memory, Target, for_each_place};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType, Length};

/// Sums are made of the first 4 distances. The value was not tuned.
const SUMMANDS: usize = 4;
/// A loop has at most 40 measures. The value was not tuned.
const MEASURES: usize = 40;

/// Addresses of the encoding are below this.
const HIGHEST: i128 = 1 << 60;

/// The type of measures of variables of up to 32 bits.
const WIDE: IntType = IntType::new(64, true);
/// The type of measures of other variables.
const WIDER: IntType = IntType::new(80, true);

/// The scalar variables that a loop reads or writes, the written ones first.
pub(super) fn variables(program: &Program, cfa: &Cfa, nested: &Nested) -> Vec<Lvalue> {
    let (mut written, mut read) = (Vec::new(), Vec::new());
    for edge in &cfa.edges {
        if !nested.members.contains(&edge.from.0) || !nested.members.contains(&edge.to.0) {
            continue;
        }
        if let Instr::Assign(place, _) | Instr::Havoc(place, _) = &edge.instr {
            written.push(place.clone());
        }
        if let Instr::Assign(_, e) | Instr::Assume(e, _) = &edge.instr {
            e.walk(&mut |part| {
                if let ExprKind::Load(place) = &part.kind {
                    read.push((**place).clone());
                }
            });
        }
    }
    let mut found: Vec<Lvalue> = Vec::new();
    for place in written.into_iter().chain(read) {
        if is_variable(program, &place) && !found.contains(&place) {
            found.push(place);
        }
    }
    found
}

/// Is this a scalar of an object of the program, at a constant place in it?
fn is_variable(program: &Program, place: &Lvalue) -> bool {
    let Base::Object(_) = place.base else {
        return false;
    };
    let is_constant = place.path.iter().all(|step| match step {
        Step::Field(..) => true,
        Step::Index(index) => index.as_const().is_some(),
    });
    let fits = place.ty.int(program.model).is_some_and(|ty| ty.bits <= 64);
    is_constant && fits && place.ty.is_scalar()
}

/// The value of a variable.
pub(super) fn value_of(program: &Program, place: &Lvalue) -> Expr {
    let ty = place.ty.int(program.model).unwrap_or(IntType::INT);
    load(place.clone(), ty)
}

/// Measures that are collected, of these variables.
struct Collected<'a> {
    program: &'a Program,
    memory: &'a Memory,
    variables: &'a [Lvalue],
    /// The type of measures.
    wide: IntType,
    found: Vec<Expr>,
}

impl<'a> Collected<'a> {
    fn new(program: &'a Program, memory: &'a Memory, variables: &'a [Lvalue]) -> Self {
        let is_wide = |place: &Lvalue| place.ty.int(program.model).is_some_and(|ty| ty.bits > 32);
        let wide = match variables.iter().any(is_wide) {
            true => WIDER,
            false => WIDE,
        };
        Collected {
            program,
            memory,
            variables,
            wide,
            found: Vec::new(),
        }
    }

    /// Adds an expression that is a new measure.
    fn add(&mut self, e: Expr) {
        let known = |place: &Lvalue| self.variables.contains(place).then_some(0);
        let place_at = |place: &Lvalue| address_of(self.program, self.memory, place);
        let is_known = self.found.contains(&e) || e.as_const().is_some();
        if !is_known && self.found.len() < MEASURES && evaluate(&e, &known, &place_at).is_some() {
            self.found.push(e);
        }
    }

    /// The value of a variable in the type of measures.
    fn value(&self, place: &Lvalue) -> Expr {
        convert(value_of(self.program, place), self.wide)
    }

    /// Adds the value of a variable, and its distance from a number above it.
    fn add_both(&mut self, place: &Lvalue, above: i128) {
        let (value, above) = (self.value(place), Expr::constant(above, self.wide));
        self.add(value.clone());
        self.add(binary(Binary::Sub, above, value));
    }

    /// The variables that are pointers, or that are none.
    fn pointers(&self, wanted: bool) -> impl Iterator<Item = &'a Lvalue> + use<'a> {
        let variables = self.variables.iter();
        variables.filter(move |place| place.ty.is_pointer() == wanted)
    }

    /// The distances of pointers to the ends of the arrays that they may point into.
    fn ends(&self, far: &mut Vec<Expr>) {
        for place in self.pointers(true) {
            let own = value_of(self.program, place);
            for end in ends_of(self.program, self.memory, place) {
                let test = binary(Binary::Lt, own.clone(), end);
                distances(self.program, &test, true, self.wide, far);
            }
        }
    }
}

/// The measures of a loop, the most likely first.
pub(super) fn measures(
    program: &Program,
    memory: &Memory,
    cfa: &Cfa,
    nested: &Nested,
    variables: &[Lvalue],
) -> Vec<Expr> {
    let mut all = Collected::new(program, memory, variables);
    let tests = distances_of_tests(program, cfa, nested, all.wide);
    tests.iter().for_each(|test| all.add(test.clone()));
    let mut far = lengths(program, cfa, nested, all.wide);
    for (at, a) in tests.iter().enumerate().take(SUMMANDS) {
        for b in tests.iter().take(SUMMANDS).skip(at + 1) {
            all.add(binary(Binary::Add, a.clone(), b.clone()));
        }
    }
    all.ends(&mut far);
    far.into_iter().for_each(|e| all.add(e));
    for place in all.pointers(false) {
        all.add_both(place, 0);
    }
    // Memory has addresses in the order of its allocation, and so have the elements of a list that
    // grows at one of its ends.
    // DIVERGENCE: addresses of the encoding grow with each allocation, those of a machine need not.
    // No run depends on the order, so a loop that ends here ends there.
    for place in all.pointers(true) {
        all.add_both(place, HIGHEST);
    }
    all.found
}

/// The measures of the calls of a recursive function, the most likely first: its parameters, their
/// differences, and the distances that its tests have.
pub(super) fn call_measures(
    program: &Program,
    memory: &Memory,
    func: FuncId,
    parameters: &[Lvalue],
) -> Vec<Expr> {
    let mut all = Collected::new(program, memory, parameters);
    for place in all.pointers(false) {
        all.add(all.value(place));
    }
    for a in all.pointers(false) {
        for b in all.pointers(false).filter(|b| *b != a) {
            all.add(binary(Binary::Sub, all.value(a), all.value(b)));
        }
    }
    let mut far = Vec::new();
    for edge in program.function(func).cfa.iter().flat_map(|cfa| &cfa.edges) {
        if let Instr::Assume(e, wanted) = &edge.instr {
            distances(program, e, *wanted, all.wide, &mut far);
        }
    }
    all.ends(&mut far);
    far.into_iter().for_each(|e| all.add(e));
    for place in parameters {
        let above = if place.ty.is_pointer() { HIGHEST } else { 0 };
        all.add_both(place, above);
    }
    all.found
}

/// An expression with these values in place of variables.
pub(super) fn substituted(e: &Expr, variables: &[Lvalue], values: &[Expr]) -> Expr {
    let of = |e: &Expr| Box::new(substituted(e, variables, values));
    let kind = match &e.kind {
        ExprKind::Load(place) => {
            let at = variables.iter().position(|variable| variable == &**place);
            return match at.and_then(|at| values.get(at)) {
                Some(value) => convert(value.clone(), e.ty),
                None => e.clone(),
            };
        }
        ExprKind::Move(a, by, stride) => ExprKind::Move(of(a), of(by), stride.clone()),
        ExprKind::Convert(a) => ExprKind::Convert(of(a)),
        ExprKind::Binary(op, a, b) => ExprKind::Binary(*op, of(a), of(b)),
        // Measures have no other parts.
        other => other.clone(),
    };
    Expr { kind, ty: e.ty }
}

/// The distances of all tests of a loop, first of the tests that may leave it.
fn distances_of_tests(program: &Program, cfa: &Cfa, nested: &Nested, wide: IntType) -> Vec<Expr> {
    let inside = |at: usize| nested.members.contains(&at);
    let leaves = |edge: &Edge| !inside(edge.to.0);
    let mut found = Vec::new();
    for is_exit in [true, false] {
        for edge in &cfa.edges {
            let Instr::Assume(e, wanted) = &edge.instr else {
                continue;
            };
            let mut others = cfa.edges.iter().filter(|other| other.from == edge.from);
            let stays = inside(edge.from.0) && !leaves(edge);
            if stays && others.any(leaves) == is_exit {
                distances(program, e, *wanted, wide, &mut found);
            }
        }
    }
    found
}

/// The ends of the arrays that a pointer variable may point into.
fn ends_of(program: &Program, memory: &Memory, place: &Lvalue) -> Vec<Expr> {
    let own = value_of(program, place);
    let mut objects: Vec<_> = (memory.points_to.targets(program, &own).into_iter())
        .filter_map(|target| match target {
            Target::Cell(cell) => Some(cell.object),
            Target::Function(_) => None,
        })
        .collect();
    objects.dedup();
    let ends = objects.into_iter().filter_map(|object| {
        let ty = program.object(object).ty.clone();
        let CType::Array(element, Length::Constant(count)) = &ty else {
            return None;
        };
        let last = Expr::constant(i128::from(*count), IntType::new(64, true));
        let end = Lvalue::of(object, ty.clone()).index(last, (**element).clone());
        Some(address(end, own.ty))
    });
    ends.collect()
}

/// The distances of indices to the ends of their arrays.
fn lengths(program: &Program, cfa: &Cfa, nested: &Nested, wide: IntType) -> Vec<Expr> {
    let mut found = Vec::new();
    let inside = cfa
        .edges
        .iter()
        .filter(|edge| nested.members.contains(&edge.from.0));
    for edge in inside {
        for_each_place(&edge.instr, &mut |place| {
            let (Base::Object(object), [Step::Index(index)]) = (&place.base, &place.path[..])
            else {
                return;
            };
            if let CType::Array(_, Length::Constant(count)) = &program.object(*object).ty {
                let count = Expr::constant(i128::from(*count), wide);
                found.push(binary(Binary::Sub, count, convert(index.clone(), wide)));
            }
        });
    }
    found
}

/// The distances to where a test would have the other result.
fn distances(program: &Program, e: &Expr, wanted: bool, wide: IntType, found: &mut Vec<Expr>) {
    let difference = |a: &Expr, b: &Expr| {
        let (a, b) = match (pointer(program, a), pointer(program, b)) {
            (None, None) => (a.clone(), b.clone()),
            (Some(a), Some(b)) => (a, b),
            // A pointer has no distance from a number.
            _ => return None,
        };
        let (a, b) = (convert(a, wide), convert(b, wide));
        Some(match b.as_const() {
            Some(0) => a,
            _ => binary(Binary::Sub, a, b),
        })
    };
    match &e.kind {
        ExprKind::Not(a) => distances(program, a, !wanted, wide, found),
        ExprKind::Convert(a) => distances(program, a, wanted, wide, found),
        ExprKind::Both(a, b) | ExprKind::Either(a, b) => {
            distances(program, a, wanted, wide, found);
            distances(program, b, wanted, wide, found);
        }
        ExprKind::Binary(Binary::Lt | Binary::Le, a, b) => found.extend(match wanted {
            true => difference(b, a),
            false => difference(a, b),
        }),
        ExprKind::Binary(Binary::Eq | Binary::Ne, a, b) => {
            found.extend([difference(a, b), difference(b, a)].into_iter().flatten());
        }
        _ if pointer(program, e).is_some() => {}
        _ => {
            let value = convert(e.clone(), wide);
            let less = binary(Binary::Sub, Expr::constant(0, wide), value.clone());
            found.extend([value, less]);
        }
    }
}

/// A pointer as an operand of a distance; `None` for numbers.
fn pointer(program: &Program, e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Convert(a) => pointer(program, a),
        ExprKind::Move(..) | ExprKind::Address(_) => Some(e.clone()),
        ExprKind::Load(place) => {
            let CType::Pointer(of) = &place.ty else {
                return None;
            };
            let stride = Stride::over(program.structs.units(of), (**of).clone());
            let none = Box::new(Expr::constant(0, IntType::INT));
            Some(Expr {
                kind: ExprKind::Move(Box::new(e.clone()), none, stride),
                ty: e.ty,
            })
        }
        _ => None,
    }
}

/// The value of a measure, where the variables have these values; `None` if it has other parts.
pub(super) fn evaluate(
    e: &Expr,
    value: &dyn Fn(&Lvalue) -> Option<i128>,
    address: &dyn Fn(&Lvalue) -> Option<i128>,
) -> Option<i128> {
    let of = |e: &Expr| evaluate(e, value, address);
    Some(match &e.kind {
        ExprKind::Const(value) => *value,
        ExprKind::Load(place) => value(place)?,
        ExprKind::Address(place) => address(place)?,
        ExprKind::Move(pointer, by, stride) if stride.of.is_constant() => {
            let by = of(by)?.checked_mul(i128::from(stride.units))?;
            of(pointer)?.checked_add(by)?
        }
        ExprKind::Convert(a) => e.ty.wrap(of(a)?),
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            e.ty.wrap(match op {
                Binary::Add => a.checked_add(b)?,
                Binary::Sub => a.checked_sub(b)?,
                Binary::Mul => a.checked_mul(b)?,
                _ => return None,
            })
        }
        _ => return None,
    })
}

/// The address of an object of the program, or of one of its elements.
pub(super) fn address_of(program: &Program, memory: &Memory, place: &Lvalue) -> Option<i128> {
    let Base::Object(object) = place.base else {
        return None;
    };
    let begin = memory.address(program, object).ok()?;
    match &place.path[..] {
        [] => Some(begin),
        [Step::Index(index)] => {
            let units = i128::from(program.structs.units(&place.ty));
            begin.checked_add(index.as_const()?.checked_mul(units)?)
        }
        _ => None,
    }
}

/// The type that the value of a measure has as a variable.
pub(super) fn type_of(e: &Expr) -> CType {
    CType::Int(e.ty)
}
