//! Small arrays as scalars: which objects have all their elements apart, and which of these a place
//! may be.
//!
//! An object with arrays is taken apart where nothing is read or written there by a pointer and it
//! has few scalars: few where an index is a variable, since an access then is one case for each
//! element; more where all are constants. Arrays within structures, structures within arrays and
//! arrays of arrays are no different. Everything else (memory that is allocated, what pointers are
//! used for, arrays that are inputs as wholes) stays as it is.

use super::layout::scalars;
use super::places::for_each_place;
use super::points_to::{PointsTo, Target};
use crate::cfront::ir::{Base, Instr, Lvalue, ObjectId, ObjectKind, Step, Unknown};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, Length, Structs};
use rustc_hash::FxHashSet;

/// An object with a variable index is taken apart if it has up to 16 scalars. An access by a
/// variable is one case for each scalar. The value was not tuned.
const VARIABLE: u64 = 16;
/// An object with constant indices only is taken apart if it has up to 64 scalars. The value was
/// not tuned.
const CONSTANT: u64 = 64;

impl PointsTo {
    /// Analyses a program. Memory that was allocated without a type gets that of the first pointer
    /// that it is reached by.
    pub(crate) fn of(program: &mut Program) -> Self {
        let whole = PointsTo::solve(program, &FxHashSet::default());
        let split = split_objects(program, &whole);
        if split.is_empty() {
            return whole;
        }
        PointsTo::solve(program, &split)
    }
}

/// The objects whose elements are apart, by what pointers may point to where none is.
fn split_objects(program: &Program, points_to: &PointsTo) -> FxHashSet<ObjectId> {
    let mut whole: FxHashSet<ObjectId> = FxHashSet::default();
    let mut variable: FxHashSet<ObjectId> = FxHashSet::default();
    let cfas = program.functions.iter().filter_map(|f| f.cfa.as_ref());
    for edge in cfas.flat_map(|cfa| &cfa.edges) {
        if let Instr::Havoc(place, Unknown::Input(_) | Unknown::Approximated(_)) = &edge.instr
            && let Base::Object(object) = place.base
            && !place.ty.is_scalar()
        {
            whole.insert(object);
        }
        for_each_place(&edge.instr, &mut |place| {
            let object = match &place.base {
                Base::Object(object) => *object,
                Base::Deref(pointer, _) => {
                    let targets = points_to.targets(program, pointer).into_iter();
                    whole.extend(targets.filter_map(|target| match target {
                        Target::Cell(cell) => Some(cell.object),
                        Target::Function(_) => None,
                    }));
                    return;
                }
            };
            match indices(program, object, place) {
                None => drop(whole.insert(object)),
                Some(true) => drop(variable.insert(object)),
                Some(false) => {}
            }
        });
    }
    let is_split = |id: &ObjectId| {
        let object = program.object(*id);
        let limit = if variable.contains(id) {
            VARIABLE
        } else {
            CONSTANT
        };
        !whole.contains(id)
            && !matches!(object.kind, ObjectKind::Heap(_))
            && has_array(&program.structs, &object.ty)
            && scalars(&program.structs, &object.ty).is_some_and(|count| count <= limit)
    };
    let all = (0..program.objects.len()).map(ObjectId);
    all.filter(is_split).collect()
}

/// Is an index of the place in an object a variable? `None` where this is not the object's type.
fn indices(program: &Program, object: ObjectId, place: &Lvalue) -> Option<bool> {
    let (mut ty, mut variable) = (&program.object(object).ty, false);
    for step in &place.path {
        ty = match (step, ty) {
            (Step::Field(of, at), CType::Struct(id)) if of == id => {
                &program.structs.fields(*of).get(*at)?.ty
            }
            (Step::Index(index), CType::Array(element, Length::Constant(_))) => {
                variable |= index.as_const().is_none();
                element
            }
            _ => return None,
        };
    }
    (*ty == place.ty).then_some(variable)
}

fn has_array(structs: &Structs, ty: &CType) -> bool {
    match ty {
        CType::Array(..) => true,
        CType::Struct(id) => {
            let mut fields = structs.fields(*id).iter();
            fields.any(|field| has_array(structs, &field.ty))
        }
        _ => false,
    }
}
