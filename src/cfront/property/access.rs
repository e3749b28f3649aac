//! Accesses: indices are in the bounds of their arrays, and pointers point to memory that is there.
//!
//! An access through a pointer is valid if its address is in one of the objects that the pointer
//! may point to by the analysis of memory, and this object is there: a variable of a function while
//! a call of that function has not ended, and allocated memory until it is freed.

use super::build::{address, all, any, binary, convert, is_on, not, truth, variable, within};
use super::heap::{Heap, owner, root};
use crate::cfront::ir::{
    Base, Binary, Expr, ExprKind, FuncId, Instr, Lvalue, Mark, Object, ObjectId, ObjectKind, Step,
};
use crate::cfront::memory::{Memory, Target, for_each_place};
use crate::cfront::program::Program;
use crate::cfront::types::{CType, IntType, Length};
use rustc_hash::FxHashMap;

/// What is known of memory.
pub(super) struct Accesses<'a> {
    pub(super) program: &'a Program,
    pub(super) memory: &'a Memory,
    pub(super) heap: &'a Heap,
    /// Variables that say whether a call of a function is under way.
    pub(super) active: &'a FxHashMap<FuncId, ObjectId>,
    /// Variables that say whether a variable of a block exists.
    pub(super) alive: &'a FxHashMap<ObjectId, ObjectId>,
    /// Does `main` read the pointer to the program's arguments?
    pub(super) has_arguments: bool,
}

/// Does `main` read the pointer to the program's arguments?
pub(super) fn reads_arguments(program: &Program) -> bool {
    let main = program.functions.iter().find(|f| &*f.name == "main");
    let Some(&arguments) = main.and_then(|main| main.params.get(1)) else {
        return false;
    };
    let edges = main
        .and_then(|main| main.cfa.as_ref())
        .map(|cfa| &cfa.edges);
    let mut is_read = false;
    for edge in edges.into_iter().flatten() {
        for_each_place(&edge.instr, &mut |place| {
            is_read |= matches!(place.base, Base::Object(object) if object == arguments);
        });
    }
    is_read
}

/// Is it a type of what the program's arguments point to: a character, or a pointer to one?
fn is_of_arguments(ty: &CType) -> bool {
    match ty {
        CType::Int(int) => int.bits == 8,
        CType::Pointer(to) => matches!(&**to, CType::Int(int) if int.bits == 8),
        _ => false,
    }
}

/// A condition under which an access is a violation, and how the run ends there.
pub(super) type Violation = (Expr, Instr);

/// The error of a property.
pub(super) fn error(property: super::Property, what: &str) -> Instr {
    Instr::Error(format!("{}: {what}", property.name()).into())
}

impl Accesses<'_> {
    /// Where an access of a scalar, or of all of an object, is a violation; it may be one that
    /// writes.
    pub(super) fn violations(&self, func: FuncId, place: &Lvalue, writes: bool) -> Vec<Violation> {
        let mut found = self.indices(place);
        if let Base::Deref(pointer, _) = &place.base {
            found.extend(self.pointer(func, pointer, place));
            if writes {
                found.extend(self.constant(pointer, place));
            }
        }
        found
    }

    /// Where a string of the program's text is written.
    fn constant(&self, pointer: &Expr, place: &Lvalue) -> Vec<Violation> {
        let word = self.heap.word;
        let objects = self.objects(pointer).into_iter();
        let strings = objects.filter(|object| {
            let info = self.program.object(*object);
            info.hidden && info.name.starts_with("string.")
        });
        let found = strings.map(|string| {
            let inside = self.extent(string, &convert(pointer.clone(), word));
            let what = "a string of the program's text is changed";
            (inside, error(super::Property::ValidDeref, what))
        });
        debug_assert!(matches!(place.base, Base::Deref(..)), "a pointer is used");
        found.collect()
    }

    /// Where an index is out of the bounds of its array.
    fn indices(&self, place: &Lvalue) -> Vec<Violation> {
        let mut found = Vec::new();
        let (mut ty, name) = match &place.base {
            Base::Object(object) => {
                let object = self.program.object(*object);
                let front = object.hidden && matches!(object.ty, CType::Array(_, Length::Unknown));
                if front {
                    return found;
                }
                (object.ty.clone(), format!("`{}`", object.name))
            }
            Base::Deref(_, ty) => (ty.clone(), "an array".to_owned()),
        };
        // An array of one element at the end of what is allocated has the bounds of that.
        let mut is_end = matches!(place.base, Base::Deref(..));
        for step in &place.path {
            let was_end = is_end;
            is_end = false;
            match (step, &ty) {
                (Step::Field(of, at), _) => {
                    is_end = was_end && self.program.structs.is_last(*of, *at);
                    ty = self.program.structs.fields(*of)[*at].ty.clone();
                }
                (Step::Index(_), CType::Array(element, Length::Constant(1))) if was_end => {
                    ty = (**element).clone();
                }
                (Step::Index(index), CType::Array(element, Length::Constant(count))) => {
                    let last = i128::from(*count) - 1;
                    let what = format!("an index is out of the bounds of {name}");
                    let outside = match index.as_const() {
                        Some(at) => truth(!(0..=last).contains(&at)),
                        None => not(within(index, 0, last)),
                    };
                    found.push((outside, error(super::Property::ValidDeref, &what)));
                    ty = (**element).clone();
                }
                (Step::Index(index), CType::Array(element, Length::Variable(variable))) => {
                    let what = format!("an index is out of the bounds of {name}");
                    let outside = not(self.is_below(index, *variable));
                    found.push((outside, error(super::Property::ValidDeref, &what)));
                    ty = (**element).clone();
                }
                (Step::Index(_), CType::Array(element, Length::Unknown)) => {
                    // What a pointer points to has the bounds of its object.
                    if matches!(place.base, Base::Object(_)) {
                        let what = format!("the bounds of {name}, whose length is not known");
                        found.push((truth(true), Instr::Unsupported(what.into())));
                    }
                    ty = (**element).clone();
                }
                (Step::Index(index), _) => {
                    let what = format!("an index is out of the bounds of {name}");
                    let outside = not(within(index, 0, 0));
                    found.push((outside, error(super::Property::ValidDeref, &what)));
                }
            }
        }
        found
    }

    /// The objects that a pointer may point into.
    fn objects(&self, pointer: &Expr) -> Vec<ObjectId> {
        let targets = self.memory.points_to.targets(self.program, pointer);
        let objects = targets.into_iter().filter_map(|target| match target {
            Target::Cell(cell) => Some(cell.object),
            Target::Function(_) => None,
        });
        let mut objects: Vec<ObjectId> = objects.collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Where a pointer that is gone through points to nothing.
    fn pointer(&self, func: FuncId, pointer: &Expr, place: &Lvalue) -> Vec<Violation> {
        let objects = self.objects(pointer);
        // The encoding says that it has no address for these.
        let is_local = |object: &ObjectId| match self.program.object(*object).kind {
            ObjectKind::Local(f) => self.memory.recursive[f.0],
            _ => false,
        };
        if objects.iter().any(is_local) {
            return Vec::new();
        }
        let word = self.heap.word;
        let begin = root(pointer);
        let mut found = Vec::new();
        if !matches!(begin.kind, ExprKind::Address(_)) {
            let null = binary(
                Binary::Eq,
                convert(begin.clone(), word),
                Expr::constant(0, word),
            );
            let what = "a null pointer is used";
            found.push((null, error(super::Property::ValidDeref, what)));
        }
        let at = match place.ty.is_scalar() && !place.path.is_empty() {
            true => address(place.clone(), word),
            false => convert(pointer.clone(), word),
        };
        let valid = objects
            .iter()
            .map(|&object| self.is_in(func, object, begin, &at));
        let invalid = not(any(valid));
        let is_unknown = |object: &ObjectId| {
            let info = self.program.object(*object);
            let is_variable = !matches!(info.kind, ObjectKind::Heap(_));
            is_variable && self.count(info).is_none()
        };
        let is_inner = |object: &ObjectId| self.heap.interior.contains(object);
        let end = match (objects.iter().any(is_unknown), objects.iter().any(is_inner)) {
            (true, _) => Instr::Unsupported(
                "an access by a pointer to an array whose length is not known".into(),
            ),
            (false, true) => Instr::Unsupported(
                "an access to memory of a place that allocates again and again, by a pointer that \
                 may point into its middle"
                    .into(),
            ),
            (false, false) => error(
                super::Property::ValidDeref,
                "there is no memory at this address",
            ),
        };
        found.push((invalid, end));
        if self.has_arguments && is_of_arguments(&place.ty) {
            // No memory of theirs is in the encoding.
            for (_, end) in &mut found {
                let what = "an access to what may be an argument of the program";
                *end = Instr::Unsupported(what.into());
            }
        }
        found
    }

    /// Is an address, which the pointer `begin` leads to, in an object that is there?
    fn is_in(&self, func: FuncId, object: ObjectId, begin: &Expr, at: &Expr) -> Expr {
        let info = self.program.object(object);
        let mut inside = match info.kind {
            ObjectKind::Heap(_) => self.heap.contains(object, begin, at),
            ObjectKind::Static | ObjectKind::Local(_) => self.extent(object, at),
        };
        if let Some(alive) = self.alive.get(&object) {
            inside = all([is_on(*alive), inside]);
        }
        match owner(info)
            .filter(|f| *f != func)
            .and_then(|f| self.active.get(&f))
        {
            None => inside,
            Some(active) => all([is_on(*active), inside]),
        }
    }

    /// Is an index at least 0 and less than a length that was evaluated?
    fn is_below(&self, index: &Expr, variable: ObjectId) -> Expr {
        let length = self.length(variable);
        // All values of both types are in this one.
        let wide = IntType::new(index.ty.bits.max(length.ty.bits) + 1, true);
        let (index, length) = (convert(index.clone(), wide), convert(length, wide));
        all([
            binary(Binary::Le, Expr::constant(0, wide), index.clone()),
            binary(Binary::Lt, index, length),
        ])
    }

    /// A length that was evaluated.
    fn length(&self, of: ObjectId) -> Expr {
        let ty = self.program.object(of).ty.int(self.program.model);
        variable(of, ty.unwrap_or(IntType::INT))
    }

    /// The number of elements of a variable; `None` where it is not known.
    fn count(&self, info: &Object) -> Option<Expr> {
        let constant = |count: u64| Expr::constant(i128::from(count), IntType::new(64, true));
        match info.ty {
            CType::Array(_, Length::Constant(count)) => Some(constant(count)),
            CType::Array(_, Length::Variable(variable)) => Some(self.length(variable)),
            CType::Array(_, Length::Unknown) => None,
            _ => Some(constant(1)),
        }
    }

    /// The addresses where a variable begins and ends; `None` where its length is not known.
    pub(super) fn ends(&self, object: ObjectId) -> Option<(Expr, Expr)> {
        let (word, info) = (self.heap.word, self.program.object(object));
        let whole = Lvalue::of(object, info.ty.clone());
        let element = match &info.ty {
            CType::Array(element, _) => (**element).clone(),
            ty => ty.clone(),
        };
        let count = self.count(info)?;
        let zero = Expr::constant(0, count.ty);
        let place = |index| address(whole.index(index, element.clone()), word);
        Some((place(zero), place(count)))
    }

    /// Is an address in a variable of the program? Never in one whose length is not known.
    fn extent(&self, object: ObjectId, at: &Expr) -> Expr {
        let Some((begin, end)) = self.ends(object) else {
            return truth(false);
        };
        all([
            binary(Binary::Le, begin, at.clone()),
            binary(Binary::Lt, at.clone(), end),
        ])
    }

    /// Where memory is freed that cannot be, and what becomes of it otherwise.
    pub(super) fn free(&self, mark: &Mark) -> Option<(Violation, Vec<super::weave::Woven>)> {
        let Mark::Free(pointer) = mark else {
            return None;
        };
        let objects = self.objects(pointer);
        let valid = self.heap.may_be_freed(self.program, pointer, &objects);
        let what = "this pointer is not the beginning of allocated memory";
        let end = error(super::Property::ValidFree, what);
        let heap = |object: &ObjectId| {
            let info = self.program.object(*object);
            matches!(info.kind, ObjectKind::Heap(_)) && !info.automatic
        };
        let objects: Vec<ObjectId> = objects.into_iter().filter(heap).collect();
        Some(((not(valid), end), self.heap.freed(pointer, &objects)))
    }

    /// Where a pointer is kept that may have left its object while it may point to others, so that
    /// an access by it would not be judged by the right one.
    pub(super) fn departure(&self, e: &Expr) -> Option<Violation> {
        let ExprKind::Move(..) = &e.kind else {
            return None;
        };
        let objects = self.objects(e);
        if objects.len() < 2 {
            return None;
        }
        let what = "a pointer that may be moved from one object to another";
        let begin = root(e);
        let word = self.heap.word;
        let last = convert(e.clone(), word);
        let stays = objects
            .iter()
            .map(|&object| self.stays(object, begin, &last));
        Some((not(any(stays)), Instr::Unsupported(what.into())))
    }

    /// Are a pointer before and after it is moved in one object, or at its end?
    fn stays(&self, object: ObjectId, begin: &Expr, moved: &Expr) -> Expr {
        let (word, info) = (self.heap.word, self.program.object(object));
        let (low, high) = match info.kind {
            ObjectKind::Heap(_) => match self.heap.sites.get(&object) {
                Some(site) => (variable(site.base, word), variable(site.end, word)),
                None => return truth(false),
            },
            ObjectKind::Static | ObjectKind::Local(_) => {
                match self
                    .ends(object)
                    .filter(|_| matches!(info.ty, CType::Array(..)))
                {
                    Some(ends) => ends,
                    None => return truth(false),
                }
            }
        };
        let begin = convert(begin.clone(), word);
        all([
            binary(Binary::Le, low.clone(), begin.clone()),
            binary(Binary::Le, begin, high.clone()),
            binary(Binary::Le, low, moved.clone()),
            binary(Binary::Le, moved.clone(), high),
        ])
    }
}
