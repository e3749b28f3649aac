//! Where the scalars of an object lie when the elements of its arrays are apart.

use crate::cfront::ir::{ObjectId, Step};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, Length, Structs};

/// The number of scalars of a type, those of all elements of arrays counted; `None` if it is not
/// known.
pub(super) fn scalars(structs: &Structs, ty: &CType) -> Option<u64> {
    match ty {
        CType::Array(element, count) => scalars(structs, element)?.checked_mul(count.constant()?),
        CType::Struct(id) => {
            let counts = structs.fields(*id).iter();
            counts
                .map(|field| scalars(structs, &field.ty))
                .try_fold(0_u64, |sum, count| sum.checked_add(count?))
        }
        _ => Some(1),
    }
}

/// The positions of the first scalars that a path in an object may lead to, each with the values
/// that its indices then have which are no constants. None where an index is out of bounds.
pub(super) fn positions(
    program: &Program,
    object: ObjectId,
    path: &[Step],
) -> Vec<(Vec<i128>, usize)> {
    let structs = &program.structs;
    let count = |ty: &CType| {
        let count = scalars(structs, ty).and_then(|count| usize::try_from(count).ok());
        count.unwrap_or(0)
    };
    let mut ty = &program.object(object).ty;
    let mut found = vec![(Vec::new(), 0)];
    for step in path {
        match (step, ty) {
            (Step::Field(of, at), _) => {
                let fields = structs.fields(*of);
                let before: usize = fields[..*at].iter().map(|field| count(&field.ty)).sum();
                found.iter_mut().for_each(|(_, at)| *at += before);
                ty = &fields[*at].ty;
            }
            (Step::Index(index), CType::Array(element, Length::Constant(length))) => {
                let (size, length) = (count(element), i128::from(*length));
                let values = match index.as_const() {
                    Some(at) if at < 0 || at >= length => return Vec::new(),
                    Some(at) => at..at + 1,
                    None => 0..length,
                };
                let variable = index.as_const().is_none();
                found = found
                    .into_iter()
                    .flat_map(|(chosen, first)| {
                        values.clone().map(move |at| {
                            let mut chosen = chosen.clone();
                            chosen.extend(variable.then_some(at));
                            let at = usize::try_from(at).expect("an index in bounds");
                            (chosen, first + at * size)
                        })
                    })
                    .collect();
                ty = element;
            }
            _ => return Vec::new(),
        }
    }
    found
}
