//! Programs without side effects in expressions: objects, places, expressions, instructions.
//!
//! The values of all scalars are integers; floating-point numbers are numbered in their order
//! ([`super::float`]). Memory is made of units, one a scalar: pointers count
//! units, not bytes, so that the elements of an array of scalars have addresses one after the
//! other. An access through a pointer of another size of unit is reported as unsupported by the
//! analysis of memory.

use super::source::Place;
use super::types::{CType, IntType, StructId};
use std::collections::BTreeMap;
use std::rc::Rc;

pub(crate) use super::types::ObjectId;

/// A function of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct FuncId(pub(crate) usize);

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    /// Lives as long as the program.
    Static,
    /// Belongs to a call of a function. Parameters and results, too.
    Local(FuncId),
    /// All that is allocated at one place of a function.
    Heap(FuncId),
}

/// An object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub(crate) name: Rc<str>,
    pub(crate) kind: ObjectKind,
    /// Of heap objects: of one element; `void` until it is known.
    pub(crate) ty: CType,
    /// Made by the front end: invariants do not speak of it, and its uninitialised value is never
    /// read.
    pub(crate) hidden: bool,
    /// Of heap objects: is it more than one element?
    pub(crate) many: bool,
    /// Of variables that begin without a value: where in the text an initialiser can stand.
    pub(crate) initialiser: Option<usize>,
    /// Of heap objects: where in the text the call that allocates them begins and ends.
    pub(crate) allocation: Option<(usize, usize)>,
    /// Of heap objects: does the memory belong to the call of a function, as that of `alloca`?
    pub(crate) automatic: bool,
}

/// A step from an object to a part of it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Step {
    Field(StructId, usize),
    Index(Expr),
}

/// Where a place begins.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Base {
    Object(ObjectId),
    /// What a pointer points to, and its type.
    Deref(Box<Expr>, CType),
}

/// An lvalue.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Lvalue {
    pub(crate) base: Base,
    pub(crate) path: Vec<Step>,
    pub(crate) ty: CType,
}

/// Operators on two operands of one integer type, with a result of that type; comparisons have the
/// result `int`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Lt,
    Le,
    Eq,
    Ne,
}

impl Binary {
    pub(crate) fn is_comparison(self) -> bool {
        matches!(self, Binary::Lt | Binary::Le | Binary::Eq | Binary::Ne)
    }
}

/// How a floating-point number becomes a whole one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    Down,
    Up,
    ToZero,
    /// The nearest, halves away from zero.
    Nearest,
    /// The nearest, halves to even.
    ToEven,
}

/// Operators on floating-point numbers: on one or two of one type, with a result of that type;
/// tests have the result `int`. Subtraction is addition of the negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatOp {
    Add,
    Multiply,
    Divide,
    Root,
    Round(Rounding),
    Negate,
    Absolute,
    Less,
    AtMost,
    Equal,
    Differ,
    IsNan,
    /// Is the sign set? Of a NaN it is any.
    IsNegative,
    /// From an integer.
    FromInt,
    /// To an integer, towards zero.
    ToInt,
    /// From another format.
    Resize,
}

impl FloatOp {
    /// Is the result 1 or 0?
    pub(crate) fn is_test(self) -> bool {
        matches!(
            self,
            FloatOp::Less
                | FloatOp::AtMost
                | FloatOp::Equal
                | FloatOp::Differ
                | FloatOp::IsNan
                | FloatOp::IsNegative
        )
    }
}

/// An expression without side effects.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Expr {
    pub(crate) kind: ExprKind,
    pub(crate) ty: IntType,
}

/// The elements that a pointer is moved over.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Stride {
    /// The units of an element; of an array of variable length, those of an element of that.
    pub(crate) units: u64,
    /// Its type. A pointer to something of another type is moved by other distances, which units do
    /// not tell.
    pub(crate) of: CType,
    /// Does the pointer go from a member to the structure around it, and to which?
    pub(crate) container: Option<Container>,
}

/// A structure that a pointer to a member of it leads to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Container {
    pub(crate) of: StructId,
    /// The scalars before the member, those of an array's elements counted once.
    pub(crate) leaves: usize,
}

impl Stride {
    /// A stride over elements of a type with this number of units.
    pub(crate) fn over(units: u64, of: CType) -> Stride {
        Stride {
            units,
            of,
            container: None,
        }
    }
}

/// What an expression is.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum ExprKind {
    Const(i128),
    Load(Box<Lvalue>),
    Address(Box<Lvalue>),
    Function(FuncId),
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// 1 where the operand is 0, else 0.
    Not(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Conversion to the expression's type.
    Convert(Box<Expr>),
    /// The pointer moved by a number of elements.
    Move(Box<Expr>, Box<Expr>, Stride),
    /// 1 where both are other than 0.
    Both(Box<Expr>, Box<Expr>),
    /// 1 where one is other than 0.
    Either(Box<Expr>, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// An operation on one or two floating-point numbers.
    Float(FloatOp, Vec<Expr>),
}

impl Expr {
    pub(crate) fn constant(value: i128, ty: IntType) -> Expr {
        Expr {
            kind: ExprKind::Const(ty.wrap(value)),
            ty,
        }
    }

    /// Is this the distance of two pointers? Their difference is a number, and no address.
    pub(crate) fn is_distance(&self) -> bool {
        // Differences of pointers are lowered to pointers that are moved by nothing; no other
        // expression is. The difference of two addresses that were converted to numbers counts
        // bytes, which units do not tell.
        let is_pointer = |e: &Expr| {
            let mut e = e;
            while let ExprKind::Convert(inner) = &e.kind {
                e = inner;
            }
            matches!(&e.kind, ExprKind::Move(_, by, _) if by.as_const() == Some(0))
        };
        matches!(&self.kind, ExprKind::Binary(Binary::Sub, a, b) if is_pointer(a) && is_pointer(b))
    }

    pub(crate) fn as_const(&self) -> Option<i128> {
        match self.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// Calls `visit` on all parts, the expression itself first, also within places.
    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Const(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) | ExprKind::Address(place) => place.walk(visit),
            ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Not(a) | ExprKind::Convert(a) => {
                a.walk(visit);
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::Move(a, b, _)
            | ExprKind::Both(a, b)
            | ExprKind::Either(a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::Choose(a, b, c) => {
                a.walk(visit);
                b.walk(visit);
                c.walk(visit);
            }
            ExprKind::Float(_, operands) => operands.iter().for_each(|e| e.walk(visit)),
        }
    }

    /// Has evaluation a value, whatever the variables are? Then it may take place although C would
    /// not evaluate it.
    pub(crate) fn is_total(&self) -> bool {
        let mut total = true;
        self.walk(&mut |e| {
            total &= match &e.kind {
                ExprKind::Load(place) | ExprKind::Address(place) => {
                    matches!(place.base, Base::Object(_))
                        && place.path.iter().all(|s| match s {
                            Step::Field(..) => true,
                            Step::Index(i) => i.as_const().is_some(),
                        })
                }
                ExprKind::Binary(Binary::Div | Binary::Rem, _, d) => {
                    d.as_const().is_some_and(|d| d != 0)
                }
                ExprKind::Float(FloatOp::ToInt, _) => false,
                _ => true,
            };
        });
        total
    }
}

impl Lvalue {
    pub(crate) fn of(object: ObjectId, ty: CType) -> Lvalue {
        Lvalue {
            base: Base::Object(object),
            path: Vec::new(),
            ty,
        }
    }

    /// A member.
    pub(crate) fn field(&self, of: StructId, at: usize, ty: CType) -> Lvalue {
        let mut place = self.clone();
        place.path.push(Step::Field(of, at));
        place.ty = ty;
        place
    }

    /// Is this an element of an array, or a part of one?
    pub(crate) fn has_index(&self) -> bool {
        self.path.iter().any(|step| matches!(step, Step::Index(_)))
    }

    /// An element.
    pub(crate) fn index(&self, index: Expr, ty: CType) -> Lvalue {
        let mut place = self.clone();
        place.path.push(Step::Index(index));
        place.ty = ty;
        place
    }

    pub(crate) fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        if let Base::Deref(pointer, _) = &self.base {
            pointer.walk(visit);
        }
        for step in &self.path {
            if let Step::Index(index) = step {
                index.walk(visit);
            }
        }
    }
}

/// Why a value is not determined.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Unknown {
    /// An input: the function that gives it.
    Input(Rc<str>),
    /// A variable that has not been given a value.
    Uninitialised,
    /// The front end cannot say which it is: what is over-approximated.
    Approximated(Rc<str>),
}

/// What a call calls.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Callee {
    Function(FuncId),
    /// By a pointer: candidates are found by the analysis of memory.
    Pointer(Expr),
}

/// One step of a program.
#[derive(Clone, Debug)]
pub(crate) enum Instr {
    /// Nothing happens.
    Skip,
    /// The body of a function begins that was put into its caller. Nothing happens.
    Enter(FuncId),
    /// The body of a function ends that was put into its caller. Nothing happens.
    Leave(FuncId),
    /// Goes on where the expression is other than 0 (`true`), or 0.
    Assume(Expr, bool),
    /// To a scalar.
    Assign(Lvalue, Expr),
    /// A scalar, or all of an array, gets any value of its type.
    Havoc(Lvalue, Unknown),
    /// All scalars of an array get one value.
    Fill(Lvalue, Expr),
    /// A pointer to a new object; the expression is its size in bytes.
    Allocate(Lvalue, ObjectId, Expr),
    /// Arguments become values of the callee's parameters by position. The result is in the
    /// callee's result object; for a pointer, it is copied from the candidate's to the place given.
    Call(Callee, Vec<Argument>, Option<Lvalue>),
    /// The error that the specification speaks of.
    Error(Rc<str>),
    /// Changes no variable; some properties speak of it.
    Mark(Mark),
    /// What the front end does not support.
    Unsupported(Rc<str>),
}

impl Instr {
    /// Does the step change no variable, and does every run go on after it?
    pub(crate) fn is_silent(&self) -> bool {
        matches!(
            self,
            Instr::Skip | Instr::Enter(_) | Instr::Leave(_) | Instr::Mark(_)
        )
    }

    /// Does no run go on after the step?
    pub(crate) fn is_last(&self) -> bool {
        matches!(
            self,
            Instr::Error(_) | Instr::Unsupported(_) | Instr::Mark(Mark::Ends(_))
        )
    }

    /// The expressions that the step computes, and the places that it reads or writes as a whole.
    pub(crate) fn operands(&self) -> (Vec<&Expr>, Vec<&Lvalue>) {
        match self {
            Instr::Assume(e, _) | Instr::Mark(Mark::Free(e) | Mark::Unused(e)) => {
                (vec![e], Vec::new())
            }
            Instr::Assign(place, e) | Instr::Fill(place, e) | Instr::Allocate(place, _, e) => {
                (vec![e], vec![place])
            }
            Instr::Havoc(place, _) => (Vec::new(), vec![place]),
            Instr::Call(callee, arguments, result) => {
                let mut values = Vec::new();
                let mut places: Vec<&Lvalue> = result.iter().collect();
                if let Callee::Pointer(e) = callee {
                    values.push(e);
                }
                for argument in arguments {
                    match argument {
                        Argument::Scalar(e) => values.push(e),
                        Argument::Struct(place) => places.push(place),
                    }
                }
                (values, places)
            }
            Instr::Skip
            | Instr::Enter(_)
            | Instr::Leave(_)
            | Instr::Error(_)
            | Instr::Unsupported(_)
            | Instr::Mark(_) => (Vec::new(), Vec::new()),
        }
    }
}

/// What some properties speak of although it changes no variable.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Mark {
    /// The memory that a pointer points to is freed.
    Free(Expr),
    /// The program ends, by a call of this function.
    Ends(Rc<str>),
    /// A signed operation on constants leaves its type.
    Overflow,
    /// An expression is evaluated, and its value is not used.
    Unused(Expr),
    /// A variable of a block within a function begins to exist.
    Enter(ObjectId),
    /// Variables of blocks within a function cease to exist.
    Leave(Vec<ObjectId>),
    /// This function, which has no model, is called with a pointer: which memory it reads and
    /// writes is not known.
    Unjudged(Rc<str>),
}

/// An argument of a call.
#[derive(Clone, Debug)]
pub(crate) enum Argument {
    Scalar(Expr),
    Struct(Lvalue),
}

/// A point of a program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub(crate) struct NodeId(pub(crate) usize);

/// A step between two points.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) from: NodeId,
    pub(crate) to: NodeId,
    pub(crate) instr: Instr,
    pub(crate) place: Place,
}

/// The control-flow automaton of a function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cfa {
    /// The place of each point, and whether a loop of the source begins there.
    pub(crate) nodes: Vec<CfaNode>,
    pub(crate) edges: Vec<Edge>,
    /// Where calls begin.
    pub(crate) entry: usize,
    /// Where calls end.
    pub(crate) exit: usize,
}

/// A point.
#[derive(Clone, Debug)]
pub(crate) struct CfaNode {
    pub(crate) place: Place,
    /// Is this the head of a loop statement?
    pub(crate) loop_head: bool,
    /// The function whose text this is.
    pub(crate) func: FuncId,
    /// Are the steps that leave here those of a witness or of a check, and not the program's?
    pub(crate) claim: Option<Claimed>,
    /// Is the step that leaves here a part of one that writes to all members of a union?
    pub(crate) writes_whole: bool,
    /// What names mean here, at heads of loop statements.
    pub(crate) scope: Option<Rc<Scope>>,
}

/// What names mean at a place of the text.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    /// Names of blocks around the place, with the variables that they are.
    pub(crate) inner: BTreeMap<Rc<str>, Option<ObjectId>>,
    /// Objects with smaller numbers are declared before it.
    pub(crate) declared: usize,
}

/// What steps are that the program does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claimed {
    /// Of the check of a property. It compares addresses as the encoding has them: the property
    /// does not depend on where objects lie.
    Check,
    /// The check of this invariant, which a step without a meaning violates.
    Invariant(usize),
    /// Of a waypoint.
    Waypoint,
    /// Of a write to a member of a union: what the other members are then.
    Shared,
}

impl Cfa {
    pub(crate) fn add_node(&mut self, place: Place, func: FuncId) -> NodeId {
        self.nodes.push(CfaNode {
            place,
            loop_head: false,
            func,
            claim: None,
            writes_whole: false,
            scope: None,
        });
        NodeId(self.nodes.len() - 1)
    }

    /// Do all edges lead between points of the automaton, and are its ends among them?
    pub(crate) fn is_valid(&self) -> bool {
        let count = self.nodes.len();
        let mut edges = self.edges.iter();
        edges.all(|edge| edge.from.0 < count && edge.to.0 < count)
            && (count == 0 || self.entry < count && self.exit < count)
    }

    /// For each point, the edges that leave it.
    pub(crate) fn leaving(&self) -> Vec<Vec<usize>> {
        debug_assert!(self.is_valid(), "edges lead between points");
        let mut leaving = vec![Vec::new(); self.nodes.len()];
        for (at, edge) in self.edges.iter().enumerate() {
            leaving[edge.from.0].push(at);
        }
        leaving
    }
}

/// A function.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: Rc<str>,
    /// Objects that arguments are put into.
    pub(crate) params: Vec<ObjectId>,
    /// The object that the result is put into.
    pub(crate) result: Option<ObjectId>,
    pub(crate) result_ty: CType,
    /// The body; `None` for what is only declared.
    pub(crate) cfa: Option<Cfa>,
    /// Is its address taken?
    pub(crate) address_taken: bool,
    /// Is this a model of a function of the C library?
    pub(crate) library: bool,
    /// Of a model, the text of its one call, if that is short.
    pub(crate) call: Option<Rc<str>>,
}
