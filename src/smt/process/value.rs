//! Values as solvers print them.
//!
//! SMT-LIB says how the values of most sorts are written, and solvers keep to it more or less; the
//! tests have what was met. Z3 abbreviates by `let`. A value may be nested as deeply as memory
//! allows, so nothing here recurses over its structure.

use super::sexpr::Sexpr;
use crate::number::Rational;
use crate::smt::script;
use crate::term::{BitVec, CtorId, Sort, SortKind, Terms, Value};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;

/// Why an expression is not read as a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ValueError {
    /// It denotes something that [`Value`] cannot represent: an irrational number, an array that is
    /// no finite map.
    NotRepresentable(&'static str),
    /// It denotes nothing.
    Garbage,
}

use ValueError::{Garbage, NotRepresentable};

/// The value of that sort that an expression denotes, in the names of our own making.
pub(super) fn parse_value(t: &Terms, sort: Sort, text: Sexpr<'_>) -> Result<Value, ValueError> {
    let mut reader = Reader {
        t,
        scopes: Vec::new(),
        known: FxHashMap::default(),
        tasks: vec![Task::Read(Place { text, scope: None }, sort)],
        results: Vec::new(),
    };
    while let Some(task) = reader.tasks.pop() {
        reader.run(task)?;
    }
    reader.results.pop().ok_or(Garbage)
}

/// An expression and the `let` around it.
#[derive(Clone, Copy)]
struct Place<'a> {
    text: Sexpr<'a>,
    scope: Option<usize>,
}

/// The names that a `let` binds, and where it stands.
struct Scope<'a> {
    names: FxHashMap<&'a str, Sexpr<'a>>,
    outer: Option<usize>,
}

/// What is to be done; the values of parts lie on top of the results, the last part topmost.
enum Task<'a> {
    Read(Place<'a>, Sort),
    /// The value on top is that of a name; it is kept for the next use.
    Keep((usize, Option<usize>)),
    Construct(CtorId),
    /// An array of the sort, with this number of stores: a base, then element and index of each
    /// store, the innermost first.
    Store(Sort, usize),
    Constant(Sort),
}

struct Reader<'a> {
    t: &'a Terms,
    scopes: Vec<Scope<'a>>,
    known: FxHashMap<(usize, Option<usize>), Value>,
    tasks: Vec<Task<'a>>,
    results: Vec<Value>,
}

impl<'a> Reader<'a> {
    fn run(&mut self, task: Task<'a>) -> Result<(), ValueError> {
        match task {
            Task::Read(place, sort) => return self.read(place, sort),
            Task::Keep(key) => {
                let value = self.results.last().ok_or(Garbage)?.clone();
                self.known.insert(key, value);
            }
            Task::Construct(ctor) => {
                let fields = self.t.ctor(ctor).fields.len();
                let fields = self.take(fields)?;
                self.results.push(Value::datatype(self.t, ctor, fields));
            }
            Task::Constant(sort) => {
                let element = self.results.pop().ok_or(Garbage)?;
                self.results.push(Value::const_array(self.t, sort, element));
            }
            Task::Store(sort, stores) => {
                let mut parts = self.take(2 * stores)?.into_iter();
                let mut changes = Vec::with_capacity(stores);
                while let (Some(element), Some(index)) = (parts.next(), parts.next()) {
                    changes.push((index, element));
                }
                let Some(Value::Array(base)) = self.results.pop() else {
                    return Err(Garbage);
                };
                debug_assert_eq!(base.sort(), sort);
                let array = base.store(self.t, changes);
                self.results.push(Value::Array(array));
            }
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<Vec<Value>, ValueError> {
        let from = self.results.len().checked_sub(count).ok_or(Garbage)?;
        Ok(self.results.split_off(from))
    }

    fn read(&mut self, place: Place<'a>, sort: Sort) -> Result<(), ValueError> {
        if self.read_bound(place, sort)? {
            return Ok(());
        }
        let text = place.text;
        let value = match self.t.sort_kind(sort) {
            SortKind::Bool => match text.atom() {
                Some("true") => Value::Bool(true),
                Some("false") => Value::Bool(false),
                _ => return Err(Garbage),
            },
            SortKind::Int => {
                let number = parse_number(text)?;
                Value::Number(Some(number).filter(Rational::is_integer).ok_or(Garbage)?)
            }
            SortKind::Real => Value::Number(parse_number(text)?),
            SortKind::BitVec(width) => Value::BitVec(parse_bitvec(text, *width).ok_or(Garbage)?),
            SortKind::Uninterpreted(..) => {
                // Every solver numbers the elements, somehow: `U!val!3`, `@U_3`.
                let name = text.unquoted().ok_or(Garbage)?;
                let digits = name.rsplit(|c: char| !c.is_ascii_digit()).next();
                let index = digits.and_then(|d| d.parse().ok()).ok_or(Garbage)?;
                Value::Element { sort, index }
            }
            SortKind::Datatype(_) => return self.read_datatype(place, sort),
            SortKind::Array(..) => return self.read_array(place, sort),
        };
        self.results.push(value);
        Ok(())
    }

    /// What is written in the same way for all sorts: a name that a `let` bound, a `let`, and a
    /// sort given by `as`.
    fn read_bound(&mut self, place: Place<'a>, sort: Sort) -> Result<bool, ValueError> {
        let Place { text, scope } = place;
        if let Some(name) = text.atom() {
            let Some(bound) = self.look_up(name, scope) else {
                return Ok(false);
            };
            let key = (bound.text.position(), bound.scope);
            match self.known.get(&key) {
                Some(value) => self.results.push(value.clone()),
                None => {
                    self.tasks.push(Task::Keep(key));
                    self.tasks.push(Task::Read(bound, sort));
                }
            }
            return Ok(true);
        }
        let Some(list) = text.short_list() else {
            return Ok(false);
        };
        match (list.first().and_then(|head| head.atom()), &list[..]) {
            (Some("let"), &[_, bindings, body]) => {
                let mut names = FxHashMap::default();
                for binding in bindings.items().ok_or(Garbage)? {
                    match binding.short_list().as_deref() {
                        Some(&[name, value]) => names.insert(name.atom().ok_or(Garbage)?, value),
                        _ => return Err(Garbage),
                    };
                }
                self.scopes.push(Scope {
                    names,
                    outer: scope,
                });
                let scope = Some(self.scopes.len() - 1);
                self.tasks
                    .push(Task::Read(Place { text: body, scope }, sort));
                Ok(true)
            }
            (Some("as"), &[_, value, _]) => {
                self.tasks
                    .push(Task::Read(Place { text: value, scope }, sort));
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn look_up(&self, name: &str, mut scope: Option<usize>) -> Option<Place<'a>> {
        while let Some(at) = scope {
            let Scope { names, outer } = &self.scopes[at];
            if let Some(&text) = names.get(name) {
                let scope = *outer;
                return Some(Place { text, scope });
            }
            scope = *outer;
        }
        None
    }

    fn read_datatype(&mut self, place: Place<'a>, sort: Sort) -> Result<(), ValueError> {
        let datatype = self.t.datatype_of(sort).ok_or(Garbage)?;
        let mut parts: Vec<Sexpr<'a>> = match place.text.items() {
            None => vec![place.text],
            Some(items) => items.collect(),
        };
        let head = *parts.first().ok_or(Garbage)?;
        // A constructor of a parametric datatype may have its sort beside it.
        let name = head
            .atom()
            .or_else(|| head.short_list()?.get(1)?.atom())
            .ok_or(Garbage)?;
        let mut ctors = self.t.datatype(datatype).ctors().iter();
        let ctor = *ctors
            .find(|&&c| script::ctor_name(c) == name)
            .ok_or(Garbage)?;
        let fields = &self.t.ctor(ctor).fields;
        parts.remove(0);
        if parts.len() != fields.len() {
            return Err(Garbage);
        }
        self.tasks.push(Task::Construct(ctor));
        let sorts = fields.iter().map(|&field| self.t.selector(field).sort);
        let reads: Vec<_> = std::iter::zip(parts, sorts)
            .map(|(text, sort)| Task::Read(Place { text, ..place }, sort))
            .collect();
        self.tasks.extend(reads.into_iter().rev());
        Ok(())
    }

    fn read_array(&mut self, place: Place<'a>, sort: Sort) -> Result<(), ValueError> {
        let (index_sort, element_sort) = self.t.array_parts(sort).ok_or(Garbage)?;
        let (mut text, mut stores) = (place.text, 0);
        let mut reads = Vec::new();
        let mut read = |text, sort| reads.push(Task::Read(Place { text, ..place }, sort));
        loop {
            let list = text.short_list().ok_or(Garbage)?;
            match (list.first().and_then(|head| head.atom()), &list[..]) {
                (Some("store"), &[_, base, index, element]) => {
                    read(index, index_sort);
                    read(element, element_sort);
                    stores += 1;
                    text = base;
                    if is_store(base) {
                        continue;
                    }
                    read(base, sort);
                }
                (None, &[head, element]) if is_const(head) => {
                    self.tasks.push(Task::Constant(sort));
                    self.tasks.push(Task::Read(
                        Place {
                            text: element,
                            ..place
                        },
                        element_sort,
                    ));
                    return Ok(());
                }
                (Some("lambda"), _) => return Err(NotRepresentable("an array given by a lambda")),
                (Some("_"), _) => return Err(NotRepresentable("an array given by a function")),
                _ => return Err(Garbage),
            }
            break;
        }
        // What is pushed last is read first: the base, then the innermost store.
        self.tasks.push(Task::Store(sort, stores));
        self.tasks.extend(reads);
        Ok(())
    }
}

fn is_store(text: Sexpr<'_>) -> bool {
    let head = text.items().and_then(|mut items| items.next());
    head.and_then(Sexpr::atom) == Some("store")
}

/// Is this `(as const S)`?
fn is_const(text: Sexpr<'_>) -> bool {
    let list = text.short_list().unwrap_or_default();
    let atoms: Vec<_> = list.iter().take(2).map(|e| e.atom()).collect();
    atoms == [Some("as"), Some("const")]
}

/// Solvers write numbers as `5`, `2.5`, `(- 5)`, `(/ 1 3)`, `(- (/ 1.0 3.0))`, `(/ (- 1) 3)`;
/// deeper they do not nest.
fn parse_number(text: Sexpr<'_>) -> Result<Rational, ValueError> {
    if let Some(atom) = text.atom() {
        return Rational::parse(atom).ok_or(Garbage);
    }
    let list = text.short_list().unwrap_or_default();
    let head = list.first().and_then(|head| head.atom());
    match (head, &list[..]) {
        (Some("-"), &[_, x]) => parse_fraction(x).map(|x| -x).ok_or(Garbage),
        (Some("/"), _) => parse_fraction(text).ok_or(Garbage),
        (Some("root-obj" | "_"), _) => Err(NotRepresentable("an irrational number")),
        _ => Err(Garbage),
    }
}

fn parse_fraction(text: Sexpr<'_>) -> Option<Rational> {
    if text.atom().is_some() {
        return parse_signed(text);
    }
    match *text.short_list()? {
        [slash, num, den] if slash.atom() == Some("/") => {
            let (num, den) = (parse_signed(num)?, parse_signed(den)?);
            (!den.is_zero()).then(|| num / den)
        }
        _ => parse_signed(text),
    }
}

fn parse_signed(text: Sexpr<'_>) -> Option<Rational> {
    match text.atom() {
        Some(atom) => Rational::parse(atom),
        None => match *text.short_list()? {
            [minus, x] if minus.atom() == Some("-") => Rational::parse(x.atom()?).map(|x| -x),
            _ => None,
        },
    }
}

/// Bit-vectors are written as `#x0f`, `#b01` or `(_ bv15 8)`.
pub(super) fn parse_bitvec(text: Sexpr<'_>, width: u32) -> Option<BitVec> {
    let (digits, radix, said) = match text.atom() {
        Some(atom) => {
            let (radix, bits) = if atom.starts_with("#x") {
                (16, 4)
            } else {
                (2, 1)
            };
            let digits = atom
                .strip_prefix("#x")
                .or_else(|| atom.strip_prefix("#b"))?;
            (digits, radix, digits.len().checked_mul(bits)?)
        }
        None => match *text.short_list()? {
            [head, value, width] if head.atom() == Some("_") => (
                value.atom()?.strip_prefix("bv")?,
                10,
                width.atom()?.parse().ok()?,
            ),
            _ => return None,
        },
    };
    let value = BigUint::parse_bytes(digits.as_bytes(), radix)?;
    let fits = said == width as usize && value.bits() <= u64::from(width);
    fits.then(|| BitVec::new(value, width))
}

#[cfg(test)]
mod tests {
    use super::super::fixture::list_of_integers;
    use super::super::sexpr::Sexprs;
    use super::*;

    fn read(t: &Terms, sort: Sort, text: &str) -> Result<Value, ValueError> {
        let all = Sexprs::parse(text).expect("it is an expression");
        let root = all.roots().next().expect("there is one");
        parse_value(t, sort, root)
    }

    /// What is read, as a term; `None` where nothing is.
    fn check(t: &Terms, sort: Sort, table: &[(&str, Option<&str>)]) {
        for &(text, expected) in table {
            let found = read(t, sort, text).ok();
            let found = found.map(|value| t.display(t.value_term(&value, sort)).to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn numbers_and_truth_values() {
        let t = Terms::new();
        check(&t, Sort::BOOL, &[("true", Some("true")), ("0", None)]);
        check(
            &t,
            Sort::INT,
            &[
                ("5", Some("5")),
                ("(- 5)", Some("(- 5)")),
                ("5.0", Some("5")),
                ("5.5", None),
                ("(- (- 5))", Some("5")),
                ("x", None),
                ("()", None),
                (
                    "(- 123456789012345678901234567890)",
                    Some("(- 123456789012345678901234567890)"),
                ),
            ],
        );
        check(
            &t,
            Sort::REAL,
            &[
                ("2.5", Some("(/ 5.0 2.0)")),
                ("(/ 1 3)", Some("(/ 1.0 3.0)")),
                ("(/ 1.0 3.0)", Some("(/ 1.0 3.0)")),
                ("(/ (- 1) 3)", Some("(- (/ 1.0 3.0))")),
                ("(- (/ 1 3))", Some("(- (/ 1.0 3.0))")),
                ("(/ 1 0)", None),
            ],
        );
        let root = read(&t, Sort::REAL, "(root-obj (+ (^ x 2) (- 2)) 1)");
        assert!(matches!(root, Err(NotRepresentable(_))));
    }

    #[test]
    fn bit_vectors() {
        let t = Terms::new();
        check(
            &t,
            t.bitvec_sort(8),
            &[
                ("#x0f", Some("#x0f")),
                ("#b00001111", Some("#x0f")),
                ("(_ bv15 8)", Some("#x0f")),
                ("#xf", None),
                ("(_ bv256 8)", None),
                ("15", None),
            ],
        );
    }

    #[test]
    fn arrays() {
        let t = Terms::new();
        let row = t.array_sort(Sort::INT, Sort::INT);
        check(
            &t,
            row,
            &[
                (
                    "((as const (Array Int Int)) (- 1))",
                    Some("((as const (Array Int Int)) (- 1))"),
                ),
                (
                    "(store (store (store ((as const (Array Int Int)) 0) 1 10) 2 20) 1 30)",
                    Some("(store (store ((as const (Array Int Int)) 0) 1 30) 2 20)"),
                ),
                (
                    "(let ((a!1 (store ((as const (Array Int Int)) 0) 1 10))) (let ((a!1 (store a!1 2 5)) (b 7)) (store a!1 3 b)))",
                    Some("(store (store (store ((as const (Array Int Int)) 0) 1 10) 2 5) 3 7)"),
                ),
                ("(store a!1 3 4)", None),
                ("(_ as-array k!0)", None),
                ("(lambda ((x!1 Int)) 3)", None),
            ],
        );
    }

    #[test]
    fn a_hundred_thousand_levels() {
        let t = Terms::new();
        let (sort, [nil, cons]) = list_of_integers(&t);
        let (nil, cons) = (script::ctor_name(nil), script::ctor_name(cons));
        let deep = format!("({cons} 1 ").repeat(100_000) + &nil + &")".repeat(100_000);
        assert!(read(&t, sort, &deep).is_ok());
        assert_eq!(read(&t, sort, &format!("({cons} 1)")), Err(Garbage));
        let row = t.array_sort(Sort::INT, Sort::INT);
        let stores: String = (0..100_000).map(|i| format!(" {i} {i})")).collect();
        let deep = "(store ".repeat(100_000) + "((as const (Array Int Int)) 0)" + &stores;
        let array = read(&t, row, &deep).expect("an array");
        let entries = array.as_array().map(|a| a.entries().len());
        assert_eq!(entries, Some(99_999));
    }
}
