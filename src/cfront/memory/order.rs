//! Which comparisons of addresses have a result that the program determines.
//!
//! Where objects lie is the encoding's choice. C gives two addresses an order only within one
//! object. The addresses of two strings may be equal. Whether an address is a certain number is the
//! machine's choice, except that no object lies at the lowest and at the highest numbers.

use super::{Memory, Target};
use crate::cfront::ir::{Expr, ExprKind, ObjectId};
use crate::cfront::program::Program;
use std::collections::BTreeSet;

/// No object and no function is in the first or in the last page of addresses, which has this size.
pub(super) const PAGE: i128 = 4096;

/// What a comparison of two values is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    /// One with a result that the program determines.
    Determined,
    /// One with a determined result if both are addresses in one of these ranges, from the first to
    /// behind the last, or if one is null or both are equal.
    Within(Vec<(i128, i128)>),
    /// A test for equality. Its result is determined unless both are addresses in different ones of
    /// these ranges.
    Across(Vec<(i128, i128)>),
    /// A test whether an address is a number, which has none.
    Open,
}

impl Memory {
    /// May the value of an expression be an address, or what is calculated from one?
    pub(crate) fn is_address(&self, program: &Program, e: &Expr) -> bool {
        e.ty.bits >= program.model.long_bits() && !self.points_to.targets(program, e).is_empty()
    }

    /// What the comparison of two expressions by `<` or `<=` is.
    pub(crate) fn order(&self, program: &Program, a: &Expr, b: &Expr) -> Comparison {
        if is_null(a) || is_null(b) || origin(a) == origin(b) {
            return Comparison::Determined;
        }
        let (x, y) = (self.objects_of(program, a), self.objects_of(program, b));
        if !self.is_address(program, a) && !self.is_address(program, b) {
            return Comparison::Determined;
        }
        let of = (&x.objects, &y.objects);
        let is_one = !x.functions && !y.functions && of.0.len() == 1 && of.0 == of.1;
        let ranges = |objects: &BTreeSet<ObjectId>| -> Vec<(i128, i128)> {
            let ranges = objects.iter().filter_map(|&o| self.range(program, o));
            ranges.collect()
        };
        let exists_once = |&object: &ObjectId| {
            self.addresses[object.0].is_some() || self.passed_once.contains(&object)
        };
        if is_one && of.0.iter().all(exists_once) {
            return Comparison::Determined;
        }
        let common = of.0.intersection(of.1).copied().collect();
        Comparison::Within(ranges(&common))
    }

    /// What the comparison of two expressions by `==` or `!=` is.
    pub(crate) fn equality(&self, program: &Program, a: &Expr, b: &Expr) -> Comparison {
        let (x, y) = (self.is_address(program, a), self.is_address(program, b));
        match (constant_of(a), constant_of(b)) {
            (Some(number), _) if y => self.equals_number(program, number),
            (_, Some(number)) if x => self.equals_number(program, number),
            _ if x && y => {
                let (x, y) = (self.objects_of(program, a), self.objects_of(program, b));
                let all: BTreeSet<ObjectId> = x.objects.union(&y.objects).copied().collect();
                let is_string = |object: &&ObjectId| program.is_string(**object);
                let strings = |objects: &BTreeSet<ObjectId>| objects.iter().any(|o| is_string(&o));
                let ranges: Vec<(i128, i128)> = (all.iter().filter(is_string))
                    .filter_map(|&object| self.range(program, object))
                    .collect();
                match strings(&x.objects) && strings(&y.objects) && ranges.len() > 1 {
                    true => Comparison::Across(ranges),
                    false => Comparison::Determined,
                }
            }
            _ => Comparison::Determined,
        }
    }

    /// What the test is whether an address is a certain number.
    fn equals_number(&self, program: &Program, number: i128) -> Comparison {
        let all = 1_i128 << program.model.long_bits();
        let number = number.rem_euclid(all);
        // Machines with 64 bits give programs addresses of at most 56 bits.
        let end = (all - PAGE).min(1 << 56);
        match (PAGE..end).contains(&number) {
            true => Comparison::Open,
            false => Comparison::Determined,
        }
    }

    /// The addresses of an object that exists once, with the one behind it.
    pub(crate) fn range(&self, program: &Program, object: ObjectId) -> Option<(i128, i128)> {
        let address = self.addresses[object.0]?;
        let object = program.object(object);
        let units = program.structs.units(&object.ty);
        if !super::is_open(object) {
            return Some((address, address + i128::from(units)));
        }
        let others = self.addresses.iter().flatten().copied();
        let next = others.filter(|&other| other > address).min();
        Some((address, next.unwrap_or(self.heap_start)))
    }

    fn objects_of(&self, program: &Program, e: &Expr) -> Pointed {
        let mut pointed = Pointed::default();
        for target in self.points_to.targets(program, e) {
            match target {
                Target::Cell(cell) => drop(pointed.objects.insert(cell.object)),
                Target::Function(_) => pointed.functions = true,
            }
        }
        pointed
    }
}

/// What an expression may point to.
#[derive(Default)]
struct Pointed {
    objects: BTreeSet<ObjectId>,
    functions: bool,
}

/// The number that an expression is in each state.
fn constant_of(e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Convert(a) if !e.ty.boolean => Some(e.ty.wrap(constant_of(a)?)),
        _ => e.as_const(),
    }
}

fn is_null(e: &Expr) -> bool {
    constant_of(e) == Some(0)
}

/// The pointer that another one is moved from, within one object.
fn origin(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Move(pointer, ..) => origin(pointer),
        ExprKind::Convert(a) if a.ty.bits == e.ty.bits => origin(a),
        _ => e,
    }
}
