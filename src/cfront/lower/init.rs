//! Initialisers: lists with designators, with braces or without, and zeros for the rest.

use super::literal::Text;
use super::{Lowered, Lowerer, unsupported};
use crate::cfront::ir::{Base, Expr, Instr, Lvalue, ObjectKind, Step};
use crate::cfront::types::{CType, IntType, Length};
use lang_c::ast::{Designator, Expression, Initializer, InitializerListItem};
use lang_c::span::Node;
use std::rc::Rc;

/// Arrays within arrays or behind pointers are filled with up to 64 zeros. The value was not tuned.
const FILLED: u64 = 64;

/// A designator names up to 4096 elements at once. The value was not tuned.
const REPEATED: usize = 4096;

const NO_ELEMENT: &str = "there is no such element";

/// The items of a list that are still to come.
type Items<'i> = std::iter::Peekable<std::slice::Iter<'i, Node<InitializerListItem>>>;

/// The parts of an aggregate that a designator names, by their positions.
#[derive(Clone, Copy)]
struct Named {
    first: usize,
    last: usize,
}

impl Named {
    /// One part.
    fn only(at: usize) -> Named {
        Named {
            first: at,
            last: at,
        }
    }
}

/// Is this an array that a text can be the initial value of?
fn takes_text(ty: &CType) -> bool {
    matches!(ty, CType::Array(element, _) if matches!(**element, CType::Int(_)))
}

/// Is a place within an array?
fn is_element(place: &Lvalue) -> bool {
    place.path.iter().any(|step| matches!(step, Step::Index(_)))
}

impl Lowerer<'_> {
    /// Gives a whole object its initial value.
    pub(super) fn initializer(&mut self, place: &Lvalue, init: &Initializer) -> Lowered<()> {
        match init {
            Initializer::Expression(e) => self.initial_expression(place, e),
            Initializer::List(items) => self.initializer_list(place, items),
        }
    }

    fn initial_expression(&mut self, place: &Lvalue, e: &Node<Expression>) -> Lowered<()> {
        if let Expression::StringLiteral(s) = &e.node
            && takes_text(&place.ty)
        {
            self.clear(place);
            self.assign_text(place, &Text::of(&s.node));
            return Ok(());
        }
        let value = self.value(e)?;
        self.see(e.span);
        self.assign(place, value)
    }

    pub(super) fn initializer_list(
        &mut self,
        place: &Lvalue,
        items: &[Node<InitializerListItem>],
    ) -> Lowered<()> {
        // `char s[] = { "text" }`, and scalars in braces.
        if let [only] = items
            && only.node.designation.is_empty()
        {
            let string = matches!(&only.node.initializer.node,
                Initializer::Expression(e) if matches!(e.node, Expression::StringLiteral(_)));
            if place.ty.is_scalar() || (string && takes_text(&place.ty)) {
                return self.initializer(place, &only.node.initializer.node);
            }
        }
        self.clear(place);
        let mut items = items.iter().peekable();
        self.fill_aggregate(place, &mut items, true).map(|_| ())
    }

    /// Takes items for the parts of an aggregate, in order; designators move to another part.
    /// Answers how many parts there are up to the last that has a value.
    fn fill_aggregate(
        &mut self,
        place: &Lvalue,
        items: &mut Items<'_>,
        braces: bool,
    ) -> Lowered<usize> {
        // The next part, and the first that has no value yet.
        let (mut at, mut untouched) = (0, 0);
        let mut copied = Vec::new();
        loop {
            untouched = untouched.max(at);
            let Some(&item) = items.peek() else {
                return Ok(untouched);
            };
            if !item.node.designation.is_empty() {
                // A designator speaks of the aggregate of the nearest braces.
                if !braces {
                    return Ok(untouched);
                }
                let position = self.designated(place, items, untouched, &mut copied)?;
                at = match position.checked_add(1) {
                    Some(next) => next,
                    None => return self.fail(NO_ELEMENT),
                };
                continue;
            }
            if self.is_padding(place, at) {
                at += 1;
                continue;
            }
            // A union has a value after its first member.
            let part = match self.is_union(&place.ty) && at > 0 {
                true => None,
                false => self.part(place, at),
            };
            let Some(part) = part else {
                // More items than parts: those after the braces' end are an error, others belong
                // outside.
                if braces {
                    return unsupported("more initial values than there are members");
                }
                return Ok(untouched);
            };
            self.note_first_member(&place.ty, at, items)?;
            if at < untouched {
                self.clear_again(&part, items);
            }
            if self.is_copy(&part.ty, &item.node.initializer.node)? {
                copied.push(at);
            }
            self.fill_part(&part, items)?;
            at += 1;
        }
    }

    /// Takes items without designators for the parts of an aggregate from a position on, after a
    /// designator that named a part before it.
    fn fill_behind(&mut self, place: &Lvalue, first: usize, items: &mut Items<'_>) -> Lowered<()> {
        if self.is_union(&place.ty) {
            return Ok(());
        }
        let mut at = first;
        while let Some(item) = items.peek()
            && item.node.designation.is_empty()
        {
            if self.is_padding(place, at) {
                at += 1;
                continue;
            }
            let Some(part) = self.part(place, at) else {
                break;
            };
            // An earlier item may have given it a value.
            self.clear_again(&part, items);
            self.fill_part(&part, items)?;
            at += 1;
        }
        Ok(())
    }

    /// Nothing is left of a whole part that the next item gives another value.
    fn clear_again(&mut self, part: &Lvalue, items: &mut Items<'_>) {
        let is_whole = items
            .peek()
            .is_some_and(|item| match &item.node.initializer.node {
                Initializer::List(_) => true,
                Initializer::Expression(e) => {
                    takes_text(&part.ty) && matches!(e.node, Expression::StringLiteral(_))
                }
            });
        if is_whole && !part.ty.is_scalar() {
            self.zero(part);
        }
    }

    fn is_union(&self, ty: &CType) -> bool {
        matches!(ty, CType::Struct(id) if self.structs.def(*id).union)
    }

    /// Notes that the first member of a union gets a value. A zero is that of each member.
    fn note_first_member(&mut self, of: &CType, at: usize, items: &mut Items<'_>) -> Lowered<()> {
        let (CType::Struct(id), 0, Some(item)) = (of, at, items.peek()) else {
            return Ok(());
        };
        if !self.is_union(of) {
            return Ok(());
        }
        let is_zero = match &item.node.initializer.node {
            Initializer::Expression(e) => {
                let is_number = matches!(self.type_of(e)?, CType::Int(_));
                is_number && self.constant(e)? == Some(0)
            }
            Initializer::List(_) => false,
        };
        if !is_zero {
            self.note_member(*id, 0);
        }
        Ok(())
    }

    /// Takes what one part needs.
    fn fill_part(&mut self, part: &Lvalue, items: &mut Items<'_>) -> Lowered<()> {
        let Some(item) = items.peek() else {
            return Ok(());
        };
        match (&item.node.initializer.node, &part.ty) {
            (Initializer::Expression(e), _) if !self.is_whole_value(&part.ty, e)? => {
                self.fill_aggregate(part, items, false).map(|_| ())
            }
            (init, _) => {
                items.next();
                self.initializer(part, init)
            }
        }
    }

    /// Does a part get the value of a structure?
    fn is_copy(&mut self, ty: &CType, init: &Initializer) -> Lowered<bool> {
        match (ty, init) {
            (CType::Struct(_), Initializer::Expression(e)) => self.is_whole_value(ty, e),
            _ => Ok(false),
        }
    }

    /// Is an expression the value of all of a part, or else of the first scalar in it?
    fn is_whole_value(&mut self, ty: &CType, e: &Node<Expression>) -> Lowered<bool> {
        Ok(match (ty, &e.node) {
            (CType::Array(..) | CType::Struct(_), Expression::StringLiteral(_)) => takes_text(ty),
            (CType::Struct(_), _) => matches!(self.type_of(e)?, CType::Struct(_)),
            (CType::Array(..), _) => false,
            _ => true,
        })
    }

    /// Fills what the designators of the next item name, and what follows it in the inner
    /// aggregates (C11, 6.7.9, 17). Answers its position in the aggregate, of which the parts
    /// before `untouched` may have values already, and the parts `copied` those of other
    /// structures. Of several parts, it is the last one's position.
    fn designated(
        &mut self,
        place: &Lvalue,
        items: &mut Items<'_>,
        untouched: usize,
        copied: &mut Vec<usize>,
    ) -> Lowered<usize> {
        let Some(item) = items.next() else {
            return self.fail("an initial value of nothing");
        };
        let mut named = Vec::new();
        let mut ty = place.ty.clone();
        for designator in &item.node.designation {
            ty = self.named_parts(ty, &designator.node, &mut named)?;
        }
        let Some(&Named { first, last }) = named.first() else {
            return self.fail("an initial value of nothing");
        };
        let init = &item.node.initializer.node;
        if named.len() > 1 && copied.iter().any(|at| (first..=last).contains(at)) {
            // Compilers differ in what is left of the structure.
            return unsupported("another initial value of a part of a structure");
        }
        if named.len() == 1 && self.is_copy(&ty, init)? {
            copied.extend(first..=last);
        }
        self.fill_named(place, &named, init, first < untouched, Some(items))?;
        Ok(last)
    }

    /// Gives parts within a place, each of which is named within the one before, their initial
    /// value. It may come after another one. The `items` that follow go on behind the last part.
    fn fill_named(
        &mut self,
        place: &Lvalue,
        named: &[Named],
        init: &Initializer,
        again: bool,
        mut items: Option<&mut Items<'_>>,
    ) -> Lowered<()> {
        let Some((outer, inner)) = named.split_first() else {
            if again && !place.ty.is_scalar() {
                // What another initialiser gave is gone.
                self.zero(place);
            }
            let inner = match init {
                Initializer::Expression(e) if !self.is_whole_value(&place.ty, e)? => {
                    [Named::only(0)]
                }
                _ => return self.initializer(place, init),
            };
            // Without braces, the first scalar gets the value (C11, 6.7.9, 20).
            self.fill_named(place, &inner, init, false, items.as_deref_mut())?;
            return match items {
                Some(items) => self.fill_behind(place, 1, items),
                None => Ok(()),
            };
        };
        for at in outer.first..=outer.last {
            let Some(part) = self.part(place, at) else {
                return self.fail(NO_ELEMENT);
            };
            let mut behind = items.as_deref_mut().filter(|_| at == outer.last);
            self.fill_named(&part, inner, init, again, behind.as_deref_mut())?;
            if let (Some(next), Some(items)) = (inner.first(), behind)
                && let Some(first) = next.last.checked_add(1)
            {
                self.fill_behind(&part, first, items)?;
            }
        }
        Ok(())
    }

    /// Adds the parts of an aggregate of this type that a designator names, and answers their type.
    /// A member of members without names is named within each of these.
    fn named_parts(
        &mut self,
        of: CType,
        designator: &Designator,
        named: &mut Vec<Named>,
    ) -> Lowered<CType> {
        let parts = match designator {
            Designator::Index(e) => Named::only(self.constant_index(e)?),
            Designator::Range(range) => {
                let first = self.constant_index(&range.node.from)?;
                let last = self.constant_index(&range.node.to)?;
                if last < first || last - first >= REPEATED {
                    return unsupported("a range of this size in an initialiser");
                }
                Named { first, last }
            }
            Designator::Member(name) => return self.named_member(of, &name.node.name, named),
        };
        named.push(parts);
        match of {
            CType::Array(element, _) => Ok((*element).clone()),
            _ => self.fail("an index into what is no array"),
        }
    }

    fn constant_index(&mut self, e: &Node<Expression>) -> Lowered<usize> {
        match self.constant(e)?.and_then(|n| usize::try_from(n).ok()) {
            Some(at) => Ok(at),
            None => self.fail("this index is not constant"),
        }
    }

    /// A member by its name, which may be one of a member without a name.
    fn named_member(&mut self, of: CType, name: &str, named: &mut Vec<Named>) -> Lowered<CType> {
        let CType::Struct(id) = of else {
            return self.fail("a member is named in what is no structure");
        };
        let Some(path) = self.structs.find(id, name) else {
            return self.no_member(id, name);
        };
        let mut ty = of;
        for (of, at) in path {
            self.note_member(of, at);
            named.push(Named::only(at));
            ty = self.structs.fields(of)[at].ty.clone();
        }
        Ok(ty)
    }

    /// Is a part of an aggregate a bit-field without a name, which has no value?
    fn is_padding(&self, place: &Lvalue, at: usize) -> bool {
        let CType::Struct(id) = place.ty else {
            return false;
        };
        let field = self.structs.fields(id).get(at);
        field.is_some_and(|field| field.name.is_empty() && field.bits.is_some())
    }

    /// A part of an aggregate by position.
    fn part(&mut self, place: &Lvalue, at: usize) -> Option<Lvalue> {
        match &place.ty {
            CType::Array(element, count) => {
                let index = i128::try_from(at).ok()?;
                let count = count.constant();
                let inside = count.is_none_or(|count| index < i128::from(count));
                let ty = (**element).clone();
                inside.then(|| place.index(Expr::constant(index, IntType::INT), ty))
            }
            CType::Struct(id) => {
                let id = *id;
                let ty = self.structs.fields(id).get(at)?.ty.clone();
                if self.structs.def(id).union && at > 0 {
                    // Only a designator gets here.
                    self.note_member(id, at);
                }
                Some(place.field(id, at, ty))
            }
            _ => (at == 0).then(|| place.clone()),
        }
    }

    /// Zeros everywhere before an initial value is given; statics have them from the start, and
    /// parts from when the whole was cleared.
    fn clear(&mut self, place: &Lvalue) {
        let from_start = match place.base {
            Base::Object(object) => self.objects[object.0].kind == ObjectKind::Static,
            Base::Deref(..) => false,
        };
        if !from_start && place.path.is_empty() {
            self.zero(place);
        }
    }

    /// Zeros everywhere.
    pub(super) fn zero(&mut self, place: &Lvalue) {
        match &place.ty {
            CType::Struct(id) => {
                let zeros = self.write_whole(place, |lowerer| {
                    for at in 0..lowerer.structs.fields(*id).len() {
                        let ty = lowerer.structs.fields(*id)[at].ty.clone();
                        lowerer.zero(&place.field(*id, at, ty));
                    }
                    Ok(())
                });
                debug_assert!(zeros.is_ok(), "zeros are supported everywhere");
            }
            // Through a pointer, and within another array, arrays are not filled at once.
            CType::Array(element, Length::Constant(count))
                if (matches!(place.base, Base::Deref(..)) || is_element(place))
                    && self.structs.units(&place.ty) <= FILLED =>
            {
                for at in 0..*count {
                    let index = Expr::constant(i128::from(at), IntType::INT);
                    self.zero(&place.index(index, (**element).clone()));
                }
            }
            CType::Array(element, _) => {
                let zero = Expr::constant(0, self.scalar_of(element));
                self.step(Instr::Fill(place.clone(), zero));
            }
            CType::Int(int) => {
                let zero = Expr::constant(0, *int);
                self.step(Instr::Assign(place.clone(), zero));
            }
            ty => {
                if let Some(int) = ty.scalar(self.model) {
                    self.step(Instr::Assign(place.clone(), Expr::constant(0, int)));
                }
            }
        }
    }

    /// The type of zeros in an array.
    fn scalar_of(&self, element: &CType) -> IntType {
        match element {
            CType::Array(inner, _) => self.scalar_of(inner),
            ty => ty.scalar(self.model).unwrap_or(IntType::INT),
        }
    }

    /// Puts a text into an array of characters, and a zero where there is room.
    pub(super) fn assign_text(&mut self, place: &Lvalue, text: &Text) {
        let CType::Array(element, count) = &place.ty else {
            return;
        };
        let ty = self.scalar_of(element);
        for (at, unit) in text.units.iter().chain([&0]).enumerate() {
            if count.constant().is_some_and(|count| at as u64 >= count) {
                break;
            }
            let index = Expr::constant(at as i128, IntType::INT);
            let cell = place.index(index, (**element).clone());
            let value = Expr::constant(*unit, ty);
            self.step(Instr::Assign(cell, value));
        }
    }

    /// The number of elements that an initialiser gives an array of elements of this type; `None`
    /// where it says nothing.
    pub(super) fn initial_length(
        &mut self,
        element: &CType,
        init: &Initializer,
    ) -> Lowered<Option<u64>> {
        match init {
            Initializer::Expression(e) => match &e.node {
                Expression::StringLiteral(s) => Ok(Some(Text::of(&s.node).length())),
                _ => Ok(None),
            },
            Initializer::List(items) => self.braced_length(element, items).map(Some),
        }
    }

    /// The number of elements that a list in braces gives an array of elements of this type.
    pub(super) fn braced_length(
        &mut self,
        element: &CType,
        items: &[Node<InitializerListItem>],
    ) -> Lowered<u64> {
        // `char s[] = { "text" }`; a pointer to a text is one element.
        if let [only] = items
            && only.node.designation.is_empty()
            && let Initializer::Expression(e) = &only.node.initializer.node
            && let Expression::StringLiteral(s) = &e.node
            && matches!(element, CType::Int(_))
        {
            return Ok(Text::of(&s.node).length());
        }
        self.list_length(element, items)
    }

    /// The number of elements of an array that a list goes through.
    fn list_length(
        &mut self,
        element: &CType,
        items: &[Node<InitializerListItem>],
    ) -> Lowered<u64> {
        // Without braces, one item may be a part of an element.
        if !element.is_scalar() {
            let ty = CType::Array(Rc::new(element.clone()), Length::Unknown);
            let mut length = Ok(0);
            self.without_effects(|lowerer| {
                let place = lowerer.temporary(ty);
                length = lowerer.fill_aggregate(&place, &mut items.iter().peekable(), true);
            });
            if let Ok(length) = length {
                return Ok(length as u64);
            }
        }
        let (mut at, mut length) = (0_u64, 0);
        for item in items {
            let designator = item.node.designation.first().map(|d| &d.node);
            let index = match designator {
                Some(Designator::Index(e)) => Some(e),
                Some(Designator::Range(range)) => Some(&range.node.to),
                _ => None,
            };
            if let Some(e) = index {
                at = self
                    .constant(e)?
                    .and_then(|n| u64::try_from(n).ok())
                    .unwrap_or(at);
            }
            at = match at.checked_add(1) {
                Some(next) => next,
                None => return self.fail(NO_ELEMENT),
            };
            length = length.max(at);
        }
        Ok(length)
    }
}
