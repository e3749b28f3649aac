//! Terms of tests as text: s-expressions, and their meaning in a small fixed vocabulary. It is
//! independent of the SMT-LIB reader, and panics on everything that the tests do not write.

use horn::number::Rational;
use horn::term::{BvOp, CtorId, DatatypeId, Sort, SortKind, Symbol, Term, Terms, Value};
use num_bigint::BigInt;
use std::fmt;

/// An s-expression.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Text {
    Atom(String),
    List(Vec<Text>),
}

impl Text {
    pub(crate) fn atom(text: impl Into<String>) -> Text {
        Text::Atom(text.into())
    }

    /// Reads one s-expression.
    pub(crate) fn parse(text: &str) -> Text {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut stack: Vec<Vec<Text>> = vec![vec![]];
        for token in spaced.split_whitespace() {
            match token {
                "(" => stack.push(vec![]),
                ")" => {
                    let list = stack
                        .pop()
                        .expect("a closing parenthesis has an opening one");
                    stack.last_mut().expect("balanced").push(Text::List(list));
                }
                _ => stack.last_mut().expect("balanced").push(Text::atom(token)),
            }
        }
        let mut all = stack.pop().expect("balanced");
        assert!(stack.is_empty() && all.len() == 1, "one expression: {text}");
        all.pop().expect("one")
    }

    /// The name of an atom, empty for a list.
    pub(crate) fn name(&self) -> &str {
        match self {
            Text::Atom(name) => name,
            Text::List(_) => "",
        }
    }

    /// The members of a list, none of an atom.
    pub(crate) fn list(&self) -> &[Text] {
        match self {
            Text::Atom(_) => &[],
            Text::List(list) => list,
        }
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Text::Atom(name) => f.write_str(name),
            Text::List(list) => {
                for (i, part) in list.iter().enumerate() {
                    write!(f, "{}{part}", if i == 0 { "(" } else { " " })?;
                }
                f.write_str(")")
            }
        }
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The variables that texts may use, with their sorts.
pub(crate) const VARS: [(&str, &str); 17] = [
    ("p", "Bool"),
    ("q", "Bool"),
    ("x", "Int"),
    ("y", "Int"),
    ("z", "Int"),
    ("r", "Real"),
    ("s", "Real"),
    ("v", "(_ BitVec 8)"),
    ("w", "(_ BitVec 8)"),
    ("a", "(Array Int Int)"),
    ("b", "(Array Int Int)"),
    ("m", "(Array Bool Int)"),
    ("l", "List"),
    ("k", "List"),
    ("c", "Color"),
    ("e", "U"),
    ("f", "U"),
];

/// A store with the datatypes `Color = red | green | blue`,
/// `List = nil | cons (head Int) (tail List)`, `Box = box (left Color) (right Bool)` and
/// `Tree = node (kids (Array Int Tree)) | leaf (tag Int)`, and the uninterpreted sort `U`.
pub(crate) struct Vocabulary {
    pub(crate) terms: Terms,
    datatypes: [DatatypeId; 4],
    /// Literals become variables with these values, where this is wanted.
    hidden: Option<Vec<(Term, Value)>>,
}

impl Vocabulary {
    pub(crate) fn new() -> Vocabulary {
        let t = Terms::new();
        let s = |name: &str| t.symbol(name);
        let [color, list, boxes, tree] =
            ["Color", "List", "Box", "Tree"].map(|name| t.declare_datatype(s(name), &[]));
        let sort = |id| t.datatype(id).sort;
        let colors = ["red", "green", "blue"].map(|name| (s(name), vec![]));
        t.define_datatype(color, &colors);
        let cons = vec![(s("head"), Sort::INT), (s("tail"), sort(list))];
        t.define_datatype(list, &[(s("nil"), vec![]), (s("cons"), cons)]);
        let fields = vec![(s("left"), sort(color)), (s("right"), Sort::BOOL)];
        t.define_datatype(boxes, &[(s("box"), fields)]);
        let kids = t.array_sort(Sort::INT, sort(tree));
        let node = (s("node"), vec![(s("kids"), kids)]);
        t.define_datatype(tree, &[node, (s("leaf"), vec![(s("tag"), Sort::INT)])]);
        let datatypes = [color, list, boxes, tree];
        Vocabulary {
            terms: t,
            datatypes,
            hidden: None,
        }
    }

    /// From now on literals are made variables, so that builders cannot fold them.
    pub(crate) fn hide_literals(&mut self) {
        self.hidden = Some(Vec::new());
    }

    /// The values of the variables made for literals.
    pub(crate) fn hidden(&self) -> &[(Term, Value)] {
        self.hidden.as_deref().unwrap_or_default()
    }

    fn sort_of_name(&self, name: &str) -> Option<Sort> {
        let t = &self.terms;
        match name {
            "Bool" => Some(Sort::BOOL),
            "Int" => Some(Sort::INT),
            "Real" => Some(Sort::REAL),
            "U" => Some(t.sort(SortKind::Uninterpreted(t.symbol("U"), [].into()))),
            _ => None,
        }
    }

    pub(crate) fn sort(&self, text: &Text) -> Sort {
        let t = &self.terms;
        match text.list() {
            [] => self.sort_of_name(text.name()).unwrap_or_else(|| {
                let mut datatypes = self.datatypes.iter().map(|&id| t.datatype(id));
                let found = datatypes.find(|d| t.name(d.name) == text.name());
                found.unwrap_or_else(|| panic!("no sort {text}")).sort
            }),
            [_, index, element] if text.list()[0].name() == "Array" => {
                t.array_sort(self.sort(index), self.sort(element))
            }
            [_, _, width] => t.bitvec_sort(number(width)),
            _ => panic!("no sort {text}"),
        }
    }

    /// The variable of [`VARS`].
    pub(crate) fn var(&self, name: &str) -> Term {
        let (_, sort) = (VARS.iter().find(|(var, _)| *var == name))
            .unwrap_or_else(|| panic!("no variable {name}"));
        self.terms.var(name, self.sort(&Text::parse(sort)))
    }

    fn literal(&mut self, term: Term) -> Term {
        let t = &self.terms;
        let Some(hidden) = &mut self.hidden else {
            return term;
        };
        let var = t.fresh_var("literal", t.sort_of(term));
        hidden.push((var, t.ground_value(term).expect("a literal")));
        var
    }

    /// The term that a text means, made by the builders.
    pub(crate) fn term(&mut self, text: &Text) -> Term {
        match text.list() {
            [] => self.atom(text.name()),
            [head, index, width] if head.name() == "_" && index.name().starts_with("bv") => {
                let value: BigInt = index.name()[2..].parse().expect("a number");
                let term = self.terms.bitvec(&value, number(width));
                self.literal(term)
            }
            [head, vars, body] if matches!(head.name(), "forall" | "exists") => {
                let vars: Vec<Term> = vars
                    .list()
                    .iter()
                    .map(|v| self.var(v.list()[0].name()))
                    .collect();
                let body = self.term(body);
                if head.name() == "forall" {
                    self.terms.forall(&vars, body)
                } else {
                    self.terms.exists(&vars, body)
                }
            }
            [head, args @ ..] => {
                let args: Vec<Term> = args.iter().map(|arg| self.term(arg)).collect();
                if head.list().is_empty() {
                    self.apply(head.name(), &args)
                } else {
                    self.apply_indexed(head.list(), &args)
                }
            }
        }
    }

    fn atom(&mut self, name: &str) -> Term {
        let t = &self.terms;
        let literal = match name.as_bytes() {
            b"true" => Term::TRUE,
            b"false" => Term::FALSE,
            [b'#', base, ..] => {
                let (radix, bits) = if *base == b'x' { (16, 4) } else { (2, 1) };
                let value = BigInt::parse_bytes(&name.as_bytes()[2..], radix).expect("digits");
                t.bitvec(&value, bits * u32::try_from(name.len() - 2).expect("short"))
            }
            [b'0'..=b'9', ..] => {
                let value = Rational::parse(name).expect("a numeral");
                t.number(
                    value,
                    if name.contains('.') {
                        Sort::REAL
                    } else {
                        Sort::INT
                    },
                )
            }
            [b'U', b'!', ..] => return t.var(name, self.sort_of_name("U").expect("U")),
            _ if VARS.iter().any(|(var, _)| *var == name) => return self.var(name),
            _ => return self.apply(name, &[]),
        };
        self.literal(literal)
    }

    fn apply(&self, name: &str, args: &[Term]) -> Term {
        let t = &self.terms;
        let chain = |f: &dyn Fn(Term, Term) -> Term| t.and(args.windows(2).map(|w| f(w[0], w[1])));
        match (name, args) {
            ("not", &[x]) => t.not(x),
            ("and", _) => t.and(args.iter().copied()),
            ("or", _) => t.or(args.iter().copied()),
            ("=>", &[x, y]) => t.implies(x, y),
            ("xor", &[x, y]) => t.xor(x, y),
            ("=", _) => chain(&|x, y| t.eq(x, y)),
            ("distinct", _) => t.distinct(args),
            ("ite", &[c, x, y]) => t.ite(c, x, y),
            ("+", _) => t.add(args.iter().copied()),
            ("-", &[x]) => t.neg(x),
            ("-", &[x, y]) => t.sub(x, y),
            ("*", _) => t.mul(args.iter().copied()),
            ("/", &[x, y]) => t.div(x, y),
            ("div", &[x, y]) => t.idiv(x, y),
            ("mod", &[x, y]) => t.modulo(x, y),
            ("abs", &[x]) => t.abs(x),
            ("<=", _) => chain(&|x, y| t.le(x, y)),
            ("<", _) => chain(&|x, y| t.lt(x, y)),
            (">=", _) => chain(&|x, y| t.ge(x, y)),
            (">", _) => chain(&|x, y| t.gt(x, y)),
            ("to_real", &[x]) => t.to_real(x),
            ("to_int", &[x]) => t.to_int(x),
            ("is_int", &[x]) => t.is_int(x),
            ("select", &[a, i]) => t.select(a, i),
            ("store", &[a, i, x]) => t.store(a, i, x),
            _ => match bv_op(name) {
                Some(op) => t.bv(op, args),
                None => self.apply_datatype(t.symbol(name), args),
            },
        }
    }

    fn ctors(&self) -> impl Iterator<Item = CtorId> + '_ {
        let ctors = self
            .datatypes
            .iter()
            .flat_map(|&id| self.terms.datatype(id).ctors());
        ctors.copied()
    }

    fn apply_datatype(&self, name: Symbol, args: &[Term]) -> Term {
        let t = &self.terms;
        for ctor in self.ctors() {
            if t.ctor(ctor).name == name {
                return t.construct(ctor, args);
            }
            for &selector in &t.ctor(ctor).fields {
                if t.selector(selector).name == name {
                    return t.field(selector, args[0]);
                }
            }
        }
        panic!("no function {}", t.name(name));
    }

    /// `(_ name …)` and `(as const sort)`, applied.
    fn apply_indexed(&self, head: &[Text], args: &[Term]) -> Term {
        let t = &self.terms;
        let n = |i: usize| number(&head[i]);
        let op = match head[1].name() {
            "const" => return t.const_array(self.sort(&head[2]), args[0]),
            "is" => {
                let ctor = self
                    .ctors()
                    .find(|&c| t.name(t.ctor(c).name) == head[2].name());
                return t.is(ctor.expect("a constructor"), args[0]);
            }
            "extract" => BvOp::Extract { hi: n(2), lo: n(3) },
            "zero_extend" => BvOp::ZeroExtend(n(2)),
            "sign_extend" => BvOp::SignExtend(n(2)),
            "rotate_left" => BvOp::RotateLeft(n(2)),
            "rotate_right" => BvOp::RotateRight(n(2)),
            "repeat" => BvOp::Repeat(n(2)),
            "int2bv" => BvOp::FromInt(n(2)),
            "divisible" => return t.divisible(Rational::from(i64::from(n(2))), args[0]),
            name => panic!("no operator {name}"),
        };
        t.bv(op, args)
    }
}

fn number(text: &Text) -> u32 {
    text.name()
        .parse()
        .unwrap_or_else(|_| panic!("{text} is no number"))
}

fn bv_op(name: &str) -> Option<BvOp> {
    Some(match name {
        "bvnot" => BvOp::Not,
        "bvand" => BvOp::And,
        "bvor" => BvOp::Or,
        "bvxor" => BvOp::Xor,
        "bvneg" => BvOp::Neg,
        "bvadd" => BvOp::Add,
        "bvmul" => BvOp::Mul,
        "bvudiv" => BvOp::Udiv,
        "bvurem" => BvOp::Urem,
        "bvsdiv" => BvOp::Sdiv,
        "bvsrem" => BvOp::Srem,
        "bvsmod" => BvOp::Smod,
        "bvshl" => BvOp::Shl,
        "bvlshr" => BvOp::Lshr,
        "bvashr" => BvOp::Ashr,
        "concat" => BvOp::Concat,
        "bvult" => BvOp::Ult,
        "bvule" => BvOp::Ule,
        "bvslt" => BvOp::Slt,
        "bvsle" => BvOp::Sle,
        "bvcomp" => BvOp::Comp,
        "bv2nat" => BvOp::ToNat,
        _ => return None,
    })
}
