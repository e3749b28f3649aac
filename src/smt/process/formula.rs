//! Formulas as solvers print them, over symbols that they were sent.
//!
//! This is no reader of SMT-LIB: the words that solvers put into interpolants are few, and all
//! names are of our own making. Anything else is an error, never a guess. A formula may be nested
//! as deeply as memory allows, so nothing here recurses over its structure.

use super::sexpr::Sexpr;
use super::theory::{self, MOST_BITS};
use super::value::parse_bitvec;
use crate::number::Rational;
use crate::smt::script::{ctor_name, func_name, selector_name, sort_name, var_name};
use crate::term::{CtorId, FuncId, Op, SelectorId, Sort, SortKind, Term, Terms};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

/// An expression that cannot be read: what it is a part of, or what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct NotRead(pub(super) String);

/// Sorts nest no deeper than this.
const MOST_NESTING: u32 = 64;
/// How much of an expression goes into an error.
const QUOTED: usize = 80;

/// What a name stands for.
#[derive(Clone, Copy)]
enum Meaning {
    Var(Term),
    Func(FuncId),
    Ctor(CtorId),
    Field(SelectorId),
}

/// The symbols that a solver was sent.
pub(super) struct Signature<'t> {
    t: &'t Terms,
    meanings: FxHashMap<String, Meaning>,
    sorts: FxHashMap<String, Sort>,
}

impl<'t> Signature<'t> {
    /// The symbols of formulas.
    pub(super) fn of(t: &'t Terms, formulas: impl IntoIterator<Item = Term>) -> Self {
        let mut signature = Signature {
            t,
            meanings: FxHashMap::default(),
            sorts: FxHashMap::default(),
        };
        let mut seen = FxHashSet::default();
        for term in t.post_order(formulas) {
            match t.op(term) {
                Op::Var(_) => signature.add(var_name(term), Meaning::Var(term)),
                Op::Apply(func) => signature.add(func_name(func), Meaning::Func(func)),
                _ => {}
            }
            if seen.insert(t.sort_of(term)) {
                signature.add_sorts(t.sort_of(term));
            }
        }
        signature
    }

    fn add(&mut self, name: String, meaning: Meaning) {
        self.meanings.insert(name, meaning);
    }

    fn add_sorts(&mut self, root: Sort) {
        let t = self.t;
        for sort in t.sort_groups(root).into_iter().flatten() {
            if let SortKind::Uninterpreted(..) | SortKind::Datatype(_) = t.sort_kind(sort) {
                self.sorts.insert(sort_name(sort), sort);
            }
            let Some(datatype) = t.datatype_of(sort) else {
                continue;
            };
            for &ctor in t.datatype(datatype).ctors() {
                self.add(ctor_name(ctor), Meaning::Ctor(ctor));
                for &field in &t.ctor(ctor).fields {
                    self.add(selector_name(field), Meaning::Field(field));
                }
            }
        }
    }

    /// The formula that an expression denotes.
    pub(super) fn formula(&self, text: Sexpr<'_>) -> Result<Term, NotRead> {
        let mut reader = Reader {
            signature: self,
            bound: FxHashMap::default(),
            tasks: vec![Task::Read(text)],
            results: Vec::new(),
        };
        while let Some(task) = reader.tasks.pop() {
            reader.run(task)?;
        }
        match reader.results[..] {
            [formula] if self.t.sort_of(formula) == Sort::BOOL => Ok(formula),
            _ => Err(not_read(text)),
        }
    }

    fn sort(&self, text: Sexpr<'_>, nesting: u32) -> Option<Sort> {
        if let Some(name) = symbol(text) {
            return match name {
                "Bool" => Some(Sort::BOOL),
                "Int" => Some(Sort::INT),
                "Real" => Some(Sort::REAL),
                _ => self.sorts.get(name).copied(),
            };
        }
        let nesting = nesting.checked_sub(1)?;
        match *text.short_list()? {
            [head, index, element] if head.atom() == Some("Array") => {
                let index = self.sort(index, nesting)?;
                Some(self.t.array_sort(index, self.sort(element, nesting)?))
            }
            [head, name, width] if head.atom() == Some("_") && name.atom() == Some("BitVec") => {
                let width = index(width).filter(|width| (1..=MOST_BITS).contains(width))?;
                Some(self.t.bitvec_sort(width))
            }
            _ => None,
        }
    }

    /// A head applied to arguments; `None` if it is unknown or the arguments do not fit.
    fn apply(&self, head: Sexpr<'_>, args: &[Term]) -> Option<Term> {
        let t = self.t;
        if let Some(name) = symbol(head) {
            return match self.meanings.get(name) {
                Some(&meaning) => self.declared(meaning, args),
                None => theory::apply(t, name, args),
            };
        }
        let parts: Vec<Sexpr<'_>> = head.items()?.collect();
        match (parts.first()?.atom()?, &parts[1..]) {
            ("as", &[what, sort]) => {
                let sort = self.sort(sort, MOST_NESTING)?;
                if let (Some("const"), &[element]) = (what.atom(), args) {
                    let (_, element_sort) = t.array_parts(sort)?;
                    return Some(t.const_array(sort, theory::as_sort(t, element, element_sort)?));
                }
                let term = self.declared(*self.meanings.get(symbol(what)?)?, args)?;
                (t.sort_of(term) == sort).then_some(term)
            }
            ("_", &[what, ctor]) if what.atom() == Some("is") => {
                let Meaning::Ctor(ctor) = *self.meanings.get(symbol(ctor)?)? else {
                    return None;
                };
                let &[x] = args else {
                    return None;
                };
                (t.sort_of(x) == t.ctor_sort(ctor)).then(|| t.is(ctor, x))
            }
            ("_", [name, indices @ ..]) => {
                let indices: Vec<u32> = indices.iter().map(|&i| index(i)).collect::<Option<_>>()?;
                theory::apply_indexed(t, name.atom()?, &indices, args)
            }
            _ => None,
        }
    }

    fn declared(&self, meaning: Meaning, args: &[Term]) -> Option<Term> {
        let t = self.t;
        let fitting = |sorts: &[Sort]| {
            let pairs = std::iter::zip(args, sorts);
            let fitting = pairs.map(|(&x, &sort)| theory::as_sort(t, x, sort));
            let fitting: Vec<Term> = fitting.collect::<Option<_>>()?;
            (args.len() == sorts.len()).then_some(fitting)
        };
        Some(match meaning {
            Meaning::Var(var) => args.is_empty().then_some(var)?,
            Meaning::Func(func) => t.apply(func, &fitting(&t.func(func).params)?),
            Meaning::Ctor(ctor) => {
                let sorts: Vec<Sort> = t.sorts_of_fields(ctor).collect();
                t.construct(ctor, &fitting(&sorts)?)
            }
            Meaning::Field(field) => {
                let of = t.ctor_sort(t.selector(field).ctor);
                t.field(field, fitting(&[of])?[0])
            }
        })
    }
}

/// What is to be done. The results of the parts of an expression lie on top of the results, the
/// last part topmost.
enum Task<'a> {
    Read(Sexpr<'a>),
    /// The values of these names are on top.
    Bind(Vec<&'a str>),
    /// The scope of these names ends.
    Unbind(Vec<&'a str>),
    /// A head applied to that many results.
    Apply(Sexpr<'a>, usize),
}

struct Reader<'a, 't> {
    signature: &'a Signature<'t>,
    /// The values of each name that a `let` around binds, the innermost last.
    bound: FxHashMap<&'a str, Vec<Term>>,
    tasks: Vec<Task<'a>>,
    results: Vec<Term>,
}

impl<'a> Reader<'a, '_> {
    fn run(&mut self, task: Task<'a>) -> Result<(), NotRead> {
        match task {
            Task::Read(text) => return self.read(text),
            Task::Bind(names) => {
                let values = self.results.split_off(self.results.len() - names.len());
                for (&name, value) in std::iter::zip(&names, values) {
                    self.bound.entry(name).or_default().push(value);
                }
            }
            Task::Unbind(names) => {
                for name in names {
                    self.bound.entry(name).or_default().pop();
                }
            }
            Task::Apply(head, count) => {
                let args = self.results.split_off(self.results.len() - count);
                let applied = self.signature.apply(head, &args);
                self.results.push(applied.ok_or_else(|| not_read(head))?);
            }
        }
        Ok(())
    }

    fn read(&mut self, text: Sexpr<'a>) -> Result<(), NotRead> {
        if let Some(name) = text.atom() {
            let bound = self.bound.get(name).and_then(|values| values.last());
            match bound.copied().or_else(|| self.literal(text)) {
                Some(value) => self.results.push(value),
                None => self.tasks.push(Task::Apply(text, 0)),
            }
            return Ok(());
        }
        let parts: Vec<Sexpr<'a>> = text.items().into_iter().flatten().collect();
        let &[head, ref args @ ..] = &parts[..] else {
            return Err(not_read(text));
        };
        match head.atom() {
            Some("let") => self.read_let(text, args)?,
            Some("_") => {
                let literal = self.literal(text).ok_or_else(|| not_read(text))?;
                self.results.push(literal);
            }
            Some("as") => self.tasks.push(Task::Apply(text, 0)),
            _ => {
                self.tasks.push(Task::Apply(head, args.len()));
                self.tasks.extend(args.iter().rev().map(|&x| Task::Read(x)));
            }
        }
        Ok(())
    }

    fn read_let(&mut self, text: Sexpr<'a>, args: &[Sexpr<'a>]) -> Result<(), NotRead> {
        let &[bindings, body] = args else {
            return Err(not_read(text));
        };
        let (mut names, mut values) = (Vec::new(), Vec::new());
        for binding in bindings.items().ok_or_else(|| not_read(text))? {
            let pair = binding.short_list().unwrap_or_default();
            let &[name, value] = &pair[..] else {
                return Err(not_read(binding));
            };
            names.push(name.atom().ok_or_else(|| not_read(binding))?);
            values.push(Task::Read(value));
        }
        self.tasks.push(Task::Unbind(names.clone()));
        self.tasks.push(Task::Read(body));
        self.tasks.push(Task::Bind(names));
        self.tasks.extend(values.into_iter().rev());
        Ok(())
    }

    /// A numeral, a decimal or a bit-vector.
    fn literal(&self, text: Sexpr<'_>) -> Option<Term> {
        let t = self.signature.t;
        let Some(atom) = text.atom() else {
            let width = index(*text.short_list()?.get(2)?)?;
            return self.bits(text, width);
        };
        if let Some(digits) = atom.strip_prefix("#b") {
            return self.bits(text, u32::try_from(digits.len()).ok()?);
        }
        if let Some(digits) = atom.strip_prefix("#x") {
            return self.bits(text, u32::try_from(digits.len()).ok()?.checked_mul(4)?);
        }
        let sort = if atom.contains('.') {
            Sort::REAL
        } else {
            Sort::INT
        };
        Some(t.number(Rational::parse(atom)?, sort))
    }

    fn bits(&self, text: Sexpr<'_>, width: u32) -> Option<Term> {
        if !(1..=MOST_BITS).contains(&width) {
            return None;
        }
        let value = parse_bitvec(text, width)?;
        let value = BigInt::from(value.unsigned().clone());
        Some(self.signature.t.bitvec(&value, width))
    }
}

/// The name of a symbol, without the bars.
fn symbol(text: Sexpr<'_>) -> Option<&str> {
    let atom = text.atom()?;
    let quoted = atom
        .strip_prefix('|')
        .and_then(|rest| rest.strip_suffix('|'));
    Some(quoted.unwrap_or(atom))
}

fn index(text: Sexpr<'_>) -> Option<u32> {
    text.atom()?.parse().ok()
}

fn not_read(text: Sexpr<'_>) -> NotRead {
    NotRead(text.text().chars().take(QUOTED).collect())
}

#[cfg(test)]
mod tests {
    use super::super::fixture::list_of_integers;
    use super::super::sexpr::Sexprs;
    use super::*;

    /// Reads a text in which our own names stand for the names in it, and prints the formula with
    /// the latter.
    fn read(t: &Terms, vars: &[(&str, Sort)], text: &str) -> Option<String> {
        let vars: Vec<(&str, Term)> = (vars.iter())
            .map(|&(name, sort)| (name, t.var(name, sort)))
            .collect();
        let signature = Signature::of(t, vars.iter().map(|&(_, var)| var));
        let text = (vars.iter()).fold(text.to_owned(), |text, &(name, var)| {
            text.replace(&format!("${name}"), &var_name(var))
        });
        let all = Sexprs::parse(&text).expect("it is balanced");
        let root = all.roots().next().expect("it is not empty");
        let formula = signature.formula(root).ok()?;
        Some(t.display(formula).to_string())
    }

    #[track_caller]
    fn check(t: &Terms, vars: &[(&str, Sort)], rows: &[(&str, Option<&str>)]) {
        for &(text, expected) in rows {
            let expected = expected.map(str::to_owned);
            assert_eq!(read(t, vars, text), expected, "{text}");
        }
    }

    #[test]
    fn numbers_and_booleans() {
        let t = Terms::new();
        let vars = [("x", Sort::INT), ("r", Sort::REAL), ("p", Sort::BOOL)];
        check(
            &t,
            &vars,
            &[
                ("true", Some("true")),
                ("$p", Some("p")),
                ("|$p|", Some("p")),
                ("(<= $x (- 1))", Some("(<= x (- 1))")),
                (
                    "(<= (+ $x (* (- 2) $x)) 5)",
                    Some("(<= (+ x (* (- 2) x)) 5)"),
                ),
                ("(< 1 $x 3)", Some("(and (< 1 x) (< x 3))")),
                ("(>= $r (/ 1 2))", Some("(<= (/ 1.0 2.0) r)")),
                ("(= $r (/ (- 1.0) 2.0))", Some("(= r (- (/ 1.0 2.0)))")),
                (
                    "(<= (to_real $x) (* 2 $r))",
                    Some("(<= (to_real x) (* 2.0 r))"),
                ),
                ("(=> $p $p false)", Some("(not p)")),
                (
                    "(ite $p (> $x 0) (< $x 0))",
                    Some("(ite p (< 0 x) (< x 0))"),
                ),
                ("(= (mod $x 2) 0)", Some("(= (mod x 2) 0)")),
                ("((_ divisible 3) $x)", Some("(= (mod x 3) 0)")),
                (
                    "(let ((a!1 (+ $x 1)) (b (< $x 0))) (let ((a!1 (* 2 a!1))) (and b (< a!1 3))))",
                    Some("(and (< x 0) (< (* 2 (+ x 1)) 3))"),
                ),
                (
                    "(let ((a (let ((a $x)) (+ a 1)))) (< a 0))",
                    Some("(< (+ x 1) 0)"),
                ),
                // Nothing is guessed.
                ("x", None),
                ("$x", None),
                ("(< $x $p)", None),
                ("(< $x)", None),
                ("(not $p $p)", None),
                ("(and)", None),
                ("()", None),
                ("(f $x)", None),
                ("($x 1)", None),
                ("((< $x 1))", None),
                ("(let ((a 1)) a)", None),
                ("(and (let ((a $p)) a) a)", None),
                ("(let ((a $p)))", None),
                ("(let (a) $p)", None),
                ("(! $p :named n)", None),
                ("(exists ((y Int)) (= y $x))", None),
                ("(= (mod0 $x) 1)", None),
                ("(= $x \"$x\")", None),
                ("(= $x +1)", None),
                ("(= $x 1e3)", None),
                ("(_ p 3)", None),
            ],
        );
    }

    #[test]
    fn arrays_and_bits() {
        let t = Terms::new();
        let row = t.array_sort(Sort::INT, Sort::INT);
        let byte = t.bitvec_sort(8);
        check(
            &t,
            &[("a", row), ("b", byte)],
            &[
                ("(= (select $a 1) 2)", Some("(= (select a 1) 2)")),
                (
                    "(= $a (store ((as const (Array Int Int)) 0) 1 2))",
                    Some("(= a (store ((as const (Array Int Int)) 0) 1 2))"),
                ),
                ("(= (select $a 1.0) 2)", None),
                ("(= (select $a) 2)", None),
                ("(= $a ((as const (Array Int Bool)) true))", None),
                ("(bvule $b #x0f)", Some("(bvule b #x0f)")),
                ("(bvugt $b #b00000001)", Some("(bvult #x01 b)")),
                (
                    "(= ((_ extract 0 0) $b) #b1)",
                    Some("(= ((_ extract 0 0) b) #b1)"),
                ),
                ("((_ bit2bool 0) $b)", Some("(= ((_ extract 0 0) b) #b1)")),
                (
                    "(= (concat $b #xf) (_ bv15 12))",
                    Some("(= (concat b #xf) #x00f)"),
                ),
                ("(= $b #xf)", None),
                ("(= $b (_ bv256 8))", None),
                ("(= $b (bvadd $b #b1))", None),
                ("(= ((_ extract 8 0) $b) (_ bv0 9))", None),
                ("(= ((_ extract 0 1) $b) #b1)", None),
                ("(= ((_ repeat 0) $b) $b)", None),
                ("(= ((_ zero_extend 4294967295) $b) $b)", None),
                ("(= (bvnot $b $b) $b)", None),
                ("(bvadd)", None),
            ],
        );
    }

    #[test]
    fn datatypes_and_functions() {
        let t = Terms::new();
        let (sort, [nil, cons]) = list_of_integers(&t);
        let head = selector_name(t.ctor(cons).fields[0]);
        let (nil, cons) = (ctor_name(nil), ctor_name(cons));
        let f = t.declare(t.symbol("f"), &[Sort::REAL], Sort::REAL);
        let (x, l) = (t.var("x", Sort::INT), t.var("l", sort));
        let sent = t.eq(t.apply(f, &[t.to_real(x)]), t.to_real(x));
        let signature = Signature::of(&t, [sent, l]);
        let (f, x, l) = (func_name(f), var_name(x), var_name(l));
        let read = |text: &str| {
            let all = Sexprs::parse(text).expect("it is balanced");
            let formula = signature.formula(all.roots().next()?).ok()?;
            Some(t.display(formula).to_string())
        };
        let sort = sort_name(sort);
        for (text, expected) in [
            (format!("((_ is {cons}) {l})"), Some("((_ is cons) l)")),
            (format!("(= {l} (as {nil} {sort}))"), Some("(= l nil)")),
            (
                format!("(= {l} ({cons} {x} {nil}))"),
                Some("(= l (cons x nil))"),
            ),
            (format!("(< ({head} {l}) 0)"), Some("(< (head l) 0)")),
            (format!("(< ({f} {x}) 0)"), Some("(< (f (to_real x)) 0.0)")),
            (format!("((_ is {f}) {l})"), None),
            (format!("((_ is {cons}) {x})"), None),
            (format!("(= {l} ({cons} {x}))"), None),
            (format!("(< ({head} {x}) 0)"), None),
            (format!("(< {f} 0)"), None),
            (format!("(= {l} (as {nil} Int))"), None),
        ] {
            assert_eq!(read(&text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_levels() {
        let t = Terms::new();
        let vars = [("x", Sort::INT), ("p", Sort::BOOL)];
        let deep = "(not (< 0 ".repeat(100_000) + "$x" + &"))".repeat(100_000);
        assert_eq!(read(&t, &vars, &deep), None, "a Boolean is no number");
        let deep = "(ite $p false ".repeat(100_000) + "$p" + &")".repeat(100_000);
        assert!(read(&t, &vars, &deep).is_some());
        let deep = "(let ((a $p)) ".repeat(100_000) + "a" + &")".repeat(100_000);
        assert_eq!(read(&t, &vars, &deep).as_deref(), Some("p"));
        let sort = "(Array Int ".repeat(100_000) + "Int" + &")".repeat(100_000);
        let deep = format!("(= ((as const {sort}) 0) 0)");
        assert_eq!(read(&t, &vars, &deep), None);
    }
}
