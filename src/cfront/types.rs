//! C types: sizes by data model, conversions, structures.

use super::attributes::Packing;
use std::rc::Rc;

/// The sizes of `long` and of pointers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum DataModel {
    /// `long` and pointers have 32 bits.
    #[default]
    Ilp32,
    /// `long` and pointers have 64 bits.
    Lp64,
}

impl DataModel {
    /// The bits of `long` and of pointers.
    pub(crate) fn long_bits(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// The name in witnesses.
    pub fn name(self) -> &'static str {
        match self {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        }
    }
}

/// An integer type; pointers are treated as one, and so are the floating-point types, whose numbers
/// are numbered in their order ([`super::float`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct IntType {
    pub(crate) bits: u32,
    pub(crate) signed: bool,
    /// `_Bool`: conversion compares with zero.
    pub(crate) boolean: bool,
    /// Are these the numbers of a floating-point format? Then the type is signed.
    pub(crate) float: bool,
}

impl IntType {
    pub(crate) const INT: IntType = IntType::new(32, true);
    pub(crate) const UINT: IntType = IntType::new(32, false);
    pub(crate) const CHAR: IntType = IntType::new(8, true);
    pub(crate) const BOOL: IntType = IntType {
        bits: 8,
        signed: false,
        boolean: true,
        float: false,
    };

    pub(crate) const fn new(bits: u32, signed: bool) -> Self {
        IntType {
            bits,
            signed,
            boolean: false,
            float: false,
        }
    }

    /// The numbers of the floating-point format of this number of bits.
    pub(crate) const fn float(bits: u32) -> Self {
        IntType {
            bits,
            signed: true,
            boolean: false,
            float: true,
        }
    }

    /// The smallest value.
    pub(crate) fn min(self) -> i128 {
        match self.signed {
            true => -(1 << (self.bits - 1)),
            false => 0,
        }
    }

    /// The largest value.
    pub(crate) fn max(self) -> i128 {
        match (self.boolean, self.signed) {
            (true, _) => 1,
            (_, true) => (1 << (self.bits - 1)) - 1,
            (_, false) => (1 << self.bits) - 1,
        }
    }

    /// The number of values of a representation with this number of bits.
    pub(crate) fn modulus(self) -> i128 {
        1 << self.bits
    }

    /// The value that the machine stores for a mathematical one.
    pub(crate) fn wrap(self, value: i128) -> i128 {
        if self.boolean {
            return i128::from(value != 0);
        }
        let low = value.rem_euclid(self.modulus());
        if low > self.max() {
            low - self.modulus()
        } else {
            low
        }
    }

    /// Is a value of another type one of this type, or can be converted as integers are?
    ///
    /// # Errors
    /// One of the types is floating, and they differ.
    pub(crate) fn check_kind(self, other: IntType) -> Result<(), Rc<str>> {
        match (self.float || other.float) && self != other {
            true => Err("a floating-point number as a value of another type".into()),
            false => Ok(()),
        }
    }

    /// The type after the integer promotions.
    pub(crate) fn promoted(self) -> IntType {
        if (self.bits < 32 || self.boolean) && !self.float {
            IntType::INT
        } else {
            self
        }
    }

    /// The common type of the usual arithmetic conversions.
    pub(crate) fn common(self, other: IntType) -> IntType {
        match (self.float, other.float) {
            (true, true) => return IntType::float(self.bits.max(other.bits)),
            (true, false) => return self,
            (false, true) => return other,
            (false, false) => {}
        }
        let (a, b) = (self.promoted(), other.promoted());
        match a.bits.cmp(&b.bits) {
            std::cmp::Ordering::Greater => a,
            std::cmp::Ordering::Less => b,
            std::cmp::Ordering::Equal => IntType::new(a.bits, a.signed && b.signed),
        }
    }
}

/// A structure or union of a [`Structs`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct StructId(pub(crate) usize);

/// An object of a program: a variable, a place of allocation, a string.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct ObjectId(pub(crate) usize);

/// How many elements an array has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Length {
    Constant(u64),
    /// The value of a variable of a signed type of the width of addresses, which is assigned where
    /// the length is evaluated, and nowhere else.
    Variable(ObjectId),
    /// The text does not say it here, or the memory is allocated.
    Unknown,
}

impl Length {
    /// The number of elements, where it is a constant.
    pub(crate) fn constant(self) -> Option<u64> {
        match self {
            Length::Constant(count) => Some(count),
            Length::Variable(_) | Length::Unknown => None,
        }
    }
}

/// A type of C. Qualifiers are forgotten.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CType {
    Void,
    Int(IntType),
    /// A floating-point type of this number of bits. With one bit more, it is complex: a pair of
    /// these.
    Float(u32),
    Pointer(Rc<CType>),
    Array(Rc<CType>, Length),
    Struct(StructId),
    Function(Rc<FunctionType>),
}

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FunctionType {
    pub(crate) result: CType,
    pub(crate) params: Vec<CType>,
    /// More arguments may follow, or nothing is known of the parameters.
    pub(crate) open: bool,
}

/// A member.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    /// Empty for an anonymous structure or union.
    pub(crate) name: Rc<str>,
    pub(crate) ty: CType,
    pub(crate) bits: Option<BitField>,
    /// The bits to a multiple of which a bit-field without a width moves what follows; 1 for none.
    pub(crate) gap: u64,
    /// The least alignment in bytes that an attribute gives it, and whether it is `packed`.
    pub(crate) align: Option<u64>,
    pub(crate) packed: bool,
}

impl Field {
    /// A member that lies as its type says.
    pub(crate) fn new(name: &str, ty: CType) -> Field {
        Field {
            name: name.into(),
            ty,
            bits: None,
            gap: 1,
            align: None,
            packed: false,
        }
    }
}

/// A bit-field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitField {
    /// The type that it is declared with.
    pub(crate) declared: IntType,
    pub(crate) width: u32,
}

/// A structure or union; without members while it is only declared.
#[derive(Clone, Debug, Default)]
pub(crate) struct StructDef {
    pub(crate) union: bool,
    pub(crate) fields: Option<Vec<Field>>,
    /// What attributes and pragmas say.
    pub(crate) packing: Packing,
    /// The bits to a multiple of which bit-fields without a width move the end; 0 and 1 for none.
    pub(crate) gap: u64,
}

/// All structures and unions of a program.
#[derive(Clone, Debug, Default)]
pub(crate) struct Structs {
    pub(crate) defs: Vec<StructDef>,
}

/// The next multiple of a number, or the largest number where that is too large.
fn up(at: u64, of: u64) -> u64 {
    at.checked_next_multiple_of(of).unwrap_or(u64::MAX)
}

/// Does a bit-field lie in more units than its declared type has, each of that many bits? It may
/// only if it is packed, or a pragma says how.
fn crosses(at: u64, width: u64, (unit, size): (u64, u64)) -> bool {
    (at % unit + width).div_ceil(unit) > size.div_ceil(unit)
}

/// Where the members of a structure lie.
struct Placed {
    /// The bits before each member.
    offsets: Vec<u64>,
    /// In bytes.
    size: u64,
    align: u64,
}

impl Structs {
    pub(crate) fn def(&self, id: StructId) -> &StructDef {
        &self.defs[id.0]
    }

    /// The members; none of an incomplete type.
    pub(crate) fn fields(&self, id: StructId) -> &[Field] {
        self.def(id).fields.as_deref().unwrap_or(&[])
    }

    /// The way to a member by name, through anonymous members.
    pub(crate) fn find(&self, id: StructId, name: &str) -> Option<Vec<(StructId, usize)>> {
        for (at, field) in self.fields(id).iter().enumerate() {
            if &*field.name == name {
                return Some(vec![(id, at)]);
            }
            if let (true, CType::Struct(inner)) = (field.name.is_empty(), &field.ty)
                && let Some(mut path) = self.find(*inner, name)
            {
                path.insert(0, (id, at));
                return Some(path);
            }
        }
        None
    }

    /// Size and alignment in bytes, as compilers have them on common machines.
    pub(crate) fn layout(&self, ty: &CType, model: DataModel) -> (u64, u64) {
        let scalar = |bits: u32| {
            let bytes = u64::from(bits.div_ceil(8)).next_power_of_two();
            (bytes, bytes)
        };
        match ty {
            CType::Void | CType::Function(_) => (1, 1),
            CType::Int(int) if int.bits == 64 && model == DataModel::Ilp32 => (8, 4),
            CType::Int(int) => scalar(int.bits),
            CType::Float(64) if model == DataModel::Ilp32 => (8, 4),
            // `long double` has the format of the 8087 with 80 bits.
            CType::Float(80) if model == DataModel::Ilp32 => (12, 4),
            CType::Float(bits) if bits % 2 == 1 => {
                let (size, align) = self.layout(&CType::Float(bits - 1), model);
                (2 * size, align)
            }
            CType::Float(bits) => scalar(*bits),
            CType::Pointer(_) => scalar(model.long_bits()),
            CType::Array(element, count) => {
                let (size, align) = self.layout(element, model);
                (size.saturating_mul(count.constant().unwrap_or(0)), align)
            }
            CType::Struct(id) => {
                let placed = self.placed(*id, model);
                (placed.size, placed.align)
            }
        }
    }

    /// Is it known where the parts of a type lie? Attributes may say more than is understood.
    pub(crate) fn is_laid_out(&self, ty: &CType) -> bool {
        match ty {
            CType::Array(element, _) => self.is_laid_out(element),
            CType::Struct(id) => {
                let mut fields = self.fields(*id).iter();
                !self.def(*id).packing.unknown && fields.all(|field| self.is_laid_out(&field.ty))
            }
            _ => true,
        }
    }

    /// Where the members of a structure lie, by the rules of the System V ABI for C, and of GCC
    /// for attributes and pragmas.
    fn placed(&self, id: StructId, model: DataModel) -> Placed {
        let def = self.def(id);
        let pragma = def.packing.pragma.unwrap_or(u64::MAX);
        let (mut at, mut end, mut align) = (0_u64, 0_u64, 1);
        let mut offsets = Vec::new();
        for field in self.fields(id) {
            if def.union {
                at = 0;
            }
            at = up(at, field.gap);
            let packed = def.packing.packed || field.packed;
            let most = if packed { 1 } else { u64::MAX };
            let declared = field.bits.map(|bits| CType::Int(bits.declared));
            let ty = declared.as_ref().unwrap_or(&field.ty);
            let (size, natural) = self.layout(ty, model);
            let own = natural.min(most).max(field.align.unwrap_or(1)).min(pragma);
            let size = match field.bits {
                Some(bits) => {
                    let width = u64::from(bits.width);
                    at = up(at, field.align.map_or(1, |align| 8 * align.min(pragma)));
                    let may_cross = packed || def.packing.pragma.is_some();
                    if !may_cross && crosses(at, width, (8 * natural, 8 * size)) {
                        at = up(at, 8 * natural);
                    }
                    width
                }
                None => {
                    at = up(at, 8 * own);
                    size.saturating_mul(8)
                }
            };
            // A bit-field without a name has no effect on the alignment of the whole. For one with
            // a name, a pragma takes the place of `packed`.
            align = align.max(match (field.bits, field.name.is_empty()) {
                (None, _) => own,
                (Some(_), true) => 1,
                (Some(_), false) if def.packing.pragma.is_some() => own.max(natural.min(pragma)),
                (Some(_), false) => own,
            });
            offsets.push(at);
            at = at.saturating_add(size);
            end = end.max(at);
        }
        align = align.max(def.packing.align.unwrap_or(1));
        if !def.union {
            end = end.max(up(at, def.gap.max(1)));
        }
        Placed {
            offsets,
            size: up(end.div_ceil(8), align),
            align,
        }
    }

    /// The bytes before a member of a structure.
    pub(crate) fn member_offset(&self, id: StructId, member: usize, model: DataModel) -> u64 {
        let placed = self.placed(id, model);
        placed.offsets.get(member).map_or(0, |bits| bits / 8)
    }

    /// Is a member the last one of its structure, or one of a union?
    pub(crate) fn is_last(&self, of: StructId, at: usize) -> bool {
        self.def(of).union || at + 1 == self.fields(of).len()
    }

    /// The units from the beginning of a value of the type to where another one can begin: all that
    /// there are, where the last member is an array without a length.
    pub(crate) fn span(&self, ty: &CType) -> u64 {
        let last = match ty {
            CType::Array(_, Length::Unknown) => return u64::MAX,
            CType::Struct(id) => self.fields(*id).last(),
            _ => None,
        };
        match last.map(|field| self.span(&field.ty)) {
            Some(u64::MAX) => u64::MAX,
            _ => self.units(ty).max(1),
        }
    }

    /// The number of scalars in a value of the type, arrays counted with all their elements (one
    /// where the length is no constant); members of unions count one after the other.
    pub(crate) fn units(&self, ty: &CType) -> u64 {
        match ty {
            CType::Array(element, length) => {
                let count = length.constant().unwrap_or(1);
                self.units(element).saturating_mul(count)
            }
            CType::Struct(id) => {
                let units = self.fields(*id).iter().map(|field| self.units(&field.ty));
                units.fold(0, u64::saturating_add).max(1)
            }
            _ => 1,
        }
    }
}

impl CType {
    pub(crate) const INT: CType = CType::Int(IntType::INT);

    /// The type of what a pointer points to, or of an array's elements.
    pub(crate) fn pointee(&self) -> Option<&CType> {
        match self {
            CType::Pointer(inner) | CType::Array(inner, _) => Some(inner),
            _ => None,
        }
    }

    /// As an integer: integers and pointers.
    pub(crate) fn int(&self, model: DataModel) -> Option<IntType> {
        match self {
            CType::Int(int) => Some(*int),
            CType::Pointer(_) | CType::Function(_) | CType::Array(..) => {
                Some(IntType::new(model.long_bits(), false))
            }
            _ => None,
        }
    }

    /// As an integer: integers, pointers, and floating-point numbers of 32 and 64 bits.
    pub(crate) fn scalar(&self, model: DataModel) -> Option<IntType> {
        match self {
            CType::Float(bits @ (32 | 64)) => Some(IntType::float(*bits)),
            ty => ty.int(model),
        }
    }

    /// The type of numbers of an arithmetic type.
    pub(crate) fn of_numbers(ty: IntType) -> CType {
        match ty.float {
            true => CType::Float(ty.bits),
            false => CType::Int(ty),
        }
    }

    /// Are the lengths of an array and of its elements constants? True for what is no array.
    pub(crate) fn is_constant(&self) -> bool {
        match self {
            CType::Array(element, length) => length.constant().is_some() && element.is_constant(),
            _ => true,
        }
    }

    /// Is it, or points it to, an array whose length is no constant?
    pub(crate) fn has_other_length(&self) -> bool {
        match self {
            CType::Array(element, length) => {
                length.constant().is_none() || element.has_other_length()
            }
            CType::Pointer(of) => of.has_other_length(),
            _ => false,
        }
    }

    /// The innermost elements whose size is constant.
    pub(crate) fn constant_part(&self) -> &CType {
        match self {
            CType::Array(element, _) if !self.lengths().is_empty() => element.constant_part(),
            _ => self,
        }
    }

    /// The variables that keep the lengths of an array and of its elements, the outermost first.
    pub(crate) fn lengths(&self) -> Vec<ObjectId> {
        let (mut ty, mut found) = (self, Vec::new());
        while let CType::Array(element, length) = ty {
            if let Length::Variable(variable) = length {
                found.push(*variable);
            }
            ty = element;
        }
        found
    }

    pub(crate) fn is_pointer(&self) -> bool {
        matches!(self, CType::Pointer(_))
    }

    pub(crate) fn is_scalar(&self) -> bool {
        matches!(self, CType::Int(_) | CType::Pointer(_) | CType::Float(_))
    }
}
