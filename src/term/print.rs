//! Terms, sorts and symbols as SMT-LIB text.
//!
//! Subterms that occur more than once are bound by `let` if that saves space, so that the text is
//! linear in the size of the graph. Quantified formulas are printed with separate bindings inside
//! the quantifier.

use super::{
    BitVec, BvOp, CtorId, FuncId, Op, SelectorId, Sort, SortKind, Symbol, Term, TermMap, Terms,
};
use crate::number::Rational;
use std::fmt::{self, Display, Write};

/// A shared subterm is bound by `let` from this many characters of text on (estimated as tree
/// nodes). The value was not tuned.
const SHARE_FROM: u32 = 6;

/// Can this name be written without bars? Reserved words cannot.
pub fn is_simple_symbol(name: &str) -> bool {
    const RESERVED: [&str; 15] = [
        "!",
        "_",
        "as",
        "BINARY",
        "DECIMAL",
        "exists",
        "HEXADECIMAL",
        "forall",
        "let",
        "match",
        "NUMERAL",
        "par",
        "STRING",
        "true",
        "false",
    ];
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    name.chars().all(simple)
        && name.chars().next().is_some_and(|c| !c.is_ascii_digit())
        && !RESERVED.contains(&name)
}

/// The name as an SMT-LIB symbol: in bars where it needs them.
pub fn quote_symbol(name: &str) -> std::borrow::Cow<'_, str> {
    if is_simple_symbol(name) {
        name.into()
    } else {
        format!("|{name}|").into()
    }
}

/// What is declared under a name, variables apart.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Declared {
    /// A datatype or uninterpreted sort, with its arguments: the text stands for all of it.
    Sort(Sort),
    /// A function.
    Func(FuncId),
    /// A constructor; its text is not given a sort beside it.
    Ctor(CtorId),
    /// A selector.
    Selector(SelectorId),
}

/// A piece of the text of a term. Pieces are separated by spaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Text as it is, for example `(and`.
    Text(String),
    /// A term.
    Term(Term),
    /// A closing parenthesis, without a space before it.
    Close,
}

/// How what has a name is written when terms are printed.
#[derive(Clone, Copy)]
pub struct Printer<'t> {
    terms: &'t Terms,
    share: bool,
    form: &'t dyn Fn(Term) -> Option<Vec<Piece>>,
    var: &'t dyn Fn(Term) -> Option<String>,
    declared: &'t dyn Fn(Declared) -> Option<String>,
}

impl Terms {
    /// The term as SMT-LIB text, with `let` for shared subterms.
    pub fn display(&self, term: Term) -> impl Display + '_ {
        Printer::new(self).text(term)
    }

    /// The sort as SMT-LIB text.
    pub fn display_sort(&self, sort: Sort) -> impl Display + '_ {
        Printer::new(self).sort(sort)
    }

    /// The symbol as SMT-LIB text.
    pub fn display_symbol(&self, symbol: Symbol) -> impl Display + '_ {
        quote_symbol(self.name(symbol))
    }
}

impl<'t> Printer<'t> {
    /// Names as they are, with sharing.
    pub fn new(terms: &'t Terms) -> Self {
        Printer {
            terms,
            share: true,
            form: &|_| None,
            var: &|_| None,
            declared: &|_| None,
        }
    }

    /// Without `let`: the text may be exponentially larger than the term.
    pub fn without_sharing(mut self) -> Self {
        self.share = false;
        self
    }

    /// With other names for the variables on which `var` answers a text (written as it is).
    pub fn with_vars(mut self, var: &'t dyn Fn(Term) -> Option<String>) -> Self {
        self.var = var;
        self
    }

    /// With another form of the terms on which `form` answers pieces. They must mean the term, and
    /// terms among them must be smaller.
    pub fn with_forms(mut self, form: &'t dyn Fn(Term) -> Option<Vec<Piece>>) -> Self {
        self.form = form;
        self
    }

    /// With other names for what is declared, where `declared` answers a text (written as it is).
    pub fn with_declared(mut self, declared: &'t dyn Fn(Declared) -> Option<String>) -> Self {
        self.declared = declared;
        self
    }

    /// The sort, ready to be written.
    pub fn sort(self, sort: Sort) -> SortText<'t> {
        SortText {
            printer: self,
            sort,
        }
    }

    /// The term, ready to be written.
    pub fn text(self, term: Term) -> TermText<'t> {
        TermText {
            printer: self,
            term,
        }
    }

    /// Writes the term.
    pub fn write(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let mut names = TermMap::default();
        let mut open = 0;
        if self.share {
            for shared in self.shared(term) {
                let name = self.let_name(names.len());
                write!(out, "(let (({name} ")?;
                self.write_tree(out, shared, &names)?;
                out.write_str(")) ")?;
                names.insert(shared, name);
                open += 1;
            }
        }
        self.write_tree(out, term, &names)?;
        (0..open).try_for_each(|_| out.write_char(')'))
    }

    /// Names that no symbol of the store has.
    fn let_name(&self, index: usize) -> String {
        let mut name = format!("?{index}");
        while self.terms.has_symbol(&name) {
            name.insert(0, '?');
        }
        name
    }

    /// The subterms outside of quantifiers that are worth a binding, arguments first.
    fn shared(&self, root: Term) -> Vec<Term> {
        let t = self.terms;
        let mut uses: TermMap<u32> = TermMap::default();
        let mut size: TermMap<u32> = TermMap::default();
        let mut order = Vec::new();
        // A post-order walk that does not enter quantifiers, whose variables must not leave them.
        let mut stack = vec![(root, false)];
        while let Some((term, leave)) = stack.pop() {
            if leave {
                let sum: u32 = t
                    .args(term)
                    .iter()
                    .map(|a| size.get(a).copied().unwrap_or(1))
                    .fold(1, u32::saturating_add);
                size.insert(term, sum);
                order.push(term);
                continue;
            }
            let count = uses.entry(term).or_insert(0);
            *count += 1;
            let binder = matches!(t.op(term), Op::Forall | Op::Exists);
            if *count == 1 && !binder && !t.args(term).is_empty() {
                stack.push((term, true));
                stack.extend(t.args(term).iter().rev().map(|&a| (a, false)));
            }
        }
        order.retain(|term| uses[term] > 1 && size[term] >= SHARE_FROM && *term != root);
        order
    }

    /// Writes a term, using the names of what is bound already.
    fn write_tree(&self, out: &mut dyn Write, root: Term, names: &TermMap<String>) -> fmt::Result {
        let t = self.terms;
        let mut stack = vec![Piece::Term(root)];
        let mut first = true;
        while let Some(piece) = stack.pop() {
            let term = match piece {
                Piece::Close => {
                    out.write_char(')')?;
                    continue;
                }
                Piece::Text(text) => {
                    out.write_str(if first { "" } else { " " })?;
                    first = false;
                    out.write_str(&text)?;
                    continue;
                }
                Piece::Term(term) => term,
            };
            let form = match names.contains_key(&term) {
                true => None,
                false => (self.form)(term),
            };
            if let Some(pieces) = form {
                stack.extend(pieces.into_iter().rev());
                continue;
            }
            if !first {
                out.write_char(' ')?;
            }
            first = false;
            if let Some(name) = names.get(&term) {
                out.write_str(name)?;
            } else if matches!(t.op(term), Op::Forall | Op::Exists) {
                self.write_quantified(out, term)?;
            } else if t.args(term).is_empty() {
                self.write_leaf(out, term)?;
            } else {
                out.write_char('(')?;
                self.write_head(out, term)?;
                stack.push(Piece::Close);
                stack.extend(t.args(term).iter().rev().map(|&a| Piece::Term(a)));
            }
        }
        Ok(())
    }

    fn write_quantified(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let t = self.terms;
        let (&body, vars) = t.args(term).split_last().expect("a quantifier has a body");
        let word = if t.op(term) == Op::Forall {
            "forall"
        } else {
            "exists"
        };
        write!(out, "({word} (")?;
        for (i, &v) in vars.iter().enumerate() {
            let space = if i == 0 { "" } else { " " };
            write!(out, "{space}(")?;
            self.write_leaf(out, v)?;
            write!(out, " {})", self.sort(t.sort_of(v)))?;
        }
        out.write_str(") ")?;
        self.write(out, body)?;
        out.write_char(')')
    }

    fn write_leaf(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let t = self.terms;
        match t.op(term) {
            Op::Var(name) => match (self.var)(term) {
                Some(text) => out.write_str(&text),
                None => write!(out, "{}", t.display_symbol(name)),
            },
            Op::Number(id) => write_number(out, t.number_value(id), t.sort_of(term)),
            Op::BitVec(id) => {
                let width = t.bitvec_width(t.sort_of(term)).expect("a bit-vector");
                write!(
                    out,
                    "{}",
                    BitVec::from_int(&t.number_value(id).numer(), width)
                )
            }
            _ => self.write_head(out, term),
        }
    }

    fn write_head(&self, out: &mut dyn Write, term: Term) -> fmt::Result {
        let t = self.terms;
        match t.op(term) {
            Op::Apply(func) => self.write_declared(out, Declared::Func(func), t.func(func).name),
            Op::Construct(ctor) => self.write_ctor(out, ctor, t.sort_of(term)),
            Op::Field(selector) => {
                let name = t.selector(selector).name;
                self.write_declared(out, Declared::Selector(selector), name)
            }
            Op::Is(ctor) => {
                out.write_str("(_ is ")?;
                self.write_declared(out, Declared::Ctor(ctor), t.ctor(ctor).name)?;
                out.write_char(')')
            }
            Op::ConstArray => write!(out, "(as const {})", self.sort(t.sort_of(term))),
            Op::Bv(op) => write_bv_op(out, op),
            op => out.write_str(plain_name(op)),
        }
    }

    /// A constructor; with its sort where the arguments do not determine the instance of a
    /// parametric datatype.
    fn write_ctor(&self, out: &mut dyn Write, ctor: CtorId, sort: Sort) -> fmt::Result {
        let t = self.terms;
        let decl = t.ctor(ctor);
        if let Some(text) = (self.declared)(Declared::Ctor(ctor)) {
            return out.write_str(&text);
        }
        let name = t.display_symbol(decl.name);
        if t.datatype(decl.datatype).args.is_empty() {
            write!(out, "{name}")
        } else {
            write!(out, "(as {name} {})", self.sort(sort))
        }
    }

    fn write_declared(&self, out: &mut dyn Write, what: Declared, name: Symbol) -> fmt::Result {
        match (self.declared)(what) {
            Some(text) => out.write_str(&text),
            None => write!(out, "{}", self.terms.display_symbol(name)),
        }
    }
}

/// A term on its way to text.
pub struct TermText<'t> {
    printer: Printer<'t>,
    term: Term,
}

impl Display for TermText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.printer.write(f, self.term)
    }
}

/// A sort on its way to text.
pub struct SortText<'t> {
    printer: Printer<'t>,
    sort: Sort,
}

impl Display for SortText<'_> {
    /// Sorts nest no deeper than the user wrote them, a few levels: recursion is fine, the reader
    /// bounds the depth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let t = self.printer.terms;
        let applied = |f: &mut fmt::Formatter<'_>, name: Symbol, args: &[Sort]| {
            if let Some(text) = (self.printer.declared)(Declared::Sort(self.sort)) {
                return f.write_str(&text);
            }
            if args.is_empty() {
                return write!(f, "{}", t.display_symbol(name));
            }
            write!(f, "({}", t.display_symbol(name))?;
            args.iter()
                .try_for_each(|&a| write!(f, " {}", self.printer.sort(a)))?;
            f.write_char(')')
        };
        match t.sort_kind(self.sort) {
            SortKind::Bool => f.write_str("Bool"),
            SortKind::Int => f.write_str("Int"),
            SortKind::Real => f.write_str("Real"),
            SortKind::BitVec(width) => write!(f, "(_ BitVec {width})"),
            SortKind::Array(index, element) => {
                let (index, element) = (self.printer.sort(*index), self.printer.sort(*element));
                write!(f, "(Array {index} {element})")
            }
            SortKind::Datatype(id) => {
                let datatype = t.datatype(*id);
                applied(f, datatype.name, &datatype.args)
            }
            SortKind::Uninterpreted(name, args) => applied(f, *name, args),
        }
    }
}

/// A numeral as an SMT-LIB term of its sort: `5`, `(- 5)`, `5.0`, `(/ 1.0 3.0)`, `(- (/ 1.0 3.0))`.
fn write_number(out: &mut dyn Write, value: &Rational, sort: Sort) -> fmt::Result {
    let size = value.abs();
    if value.is_negative() {
        out.write_str("(- ")?;
    }
    match (sort == Sort::REAL, value.is_integer()) {
        (false, _) => write!(out, "{size}")?,
        (true, true) => write!(out, "{size}.0")?,
        (true, false) => write!(out, "(/ {}.0 {}.0)", size.numer(), size.denom())?,
    }
    if value.is_negative() {
        out.write_char(')')?;
    }
    Ok(())
}

fn plain_name(op: Op) -> &'static str {
    match op {
        Op::True => "true",
        Op::False => "false",
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Forall => "forall",
        Op::Exists => "exists",
        Op::Add => "+",
        Op::Mul => "*",
        Op::Div => "/",
        Op::IDiv => "div",
        Op::Mod => "mod",
        Op::Abs => "abs",
        Op::Le => "<=",
        Op::Lt => "<",
        Op::ToReal => "to_real",
        Op::ToInt => "to_int",
        Op::IsInt => "is_int",
        Op::Select => "select",
        Op::Store => "store",
        Op::Var(_)
        | Op::Apply(_)
        | Op::Number(_)
        | Op::BitVec(_)
        | Op::Construct(_)
        | Op::Field(_)
        | Op::Is(_)
        | Op::ConstArray
        | Op::Bv(_) => unreachable!("heads with more than a name are written by the caller"),
    }
}

fn write_bv_op(out: &mut dyn Write, op: BvOp) -> fmt::Result {
    let name = match op {
        BvOp::Not => "bvnot",
        BvOp::And => "bvand",
        BvOp::Or => "bvor",
        BvOp::Xor => "bvxor",
        BvOp::Neg => "bvneg",
        BvOp::Add => "bvadd",
        BvOp::Mul => "bvmul",
        BvOp::Udiv => "bvudiv",
        BvOp::Urem => "bvurem",
        BvOp::Sdiv => "bvsdiv",
        BvOp::Srem => "bvsrem",
        BvOp::Smod => "bvsmod",
        BvOp::Shl => "bvshl",
        BvOp::Lshr => "bvlshr",
        BvOp::Ashr => "bvashr",
        BvOp::Concat => "concat",
        BvOp::Ult => "bvult",
        BvOp::Ule => "bvule",
        BvOp::Slt => "bvslt",
        BvOp::Sle => "bvsle",
        BvOp::Comp => "bvcomp",
        BvOp::ToNat => "bv2nat",
        BvOp::Extract { hi, lo } => return write!(out, "(_ extract {hi} {lo})"),
        BvOp::ZeroExtend(n) => return write!(out, "(_ zero_extend {n})"),
        BvOp::SignExtend(n) => return write!(out, "(_ sign_extend {n})"),
        BvOp::RotateLeft(n) => return write!(out, "(_ rotate_left {n})"),
        BvOp::RotateRight(n) => return write!(out, "(_ rotate_right {n})"),
        BvOp::Repeat(n) => return write!(out, "(_ repeat {n})"),
        BvOp::FromInt(n) => return write!(out, "(_ int2bv {n})"),
    };
    out.write_str(name)
}
