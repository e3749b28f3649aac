//! Conjectures: equations between small terms over the functions of a system that hold in tests
//! \[CSH10\].
//!
//! ```text
//! terms by size, over variables:
//!   the values of a term in all tests are those of an earlier term:  conjecture an equation
//!   otherwise build larger terms with it
//! ```

use super::ground::Ground;
use super::tuples::{Choice, Tuples};
use super::values::Values;
use crate::smt::Limit;
use crate::term::{CtorId, FuncId, Op, Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Terms are compared by their values in 24 tests first. The value was not tuned.
const TESTS: usize = 24;
/// The numbers of variables of a datatype's sort, and of any other. The last variable of a sort
/// stands for elements ([`Conjectures::element`]). The values were not tuned.
const VARIABLES: (usize, usize) = (3, 2);

/// The terms that equations are made of.
pub(super) struct Conjectures<'t> {
    pub(super) t: &'t Terms,
    pub(super) ground: Ground<'t>,
    /// The variables by sort, in their order.
    variables: FxHashMap<Sort, Vec<Term>>,
    /// Terms whose values differ, with their sizes, which ascend, and values.
    pub(super) terms: Vec<(Term, usize, Vec<Term>)>,
    /// Was the number of terms limited?
    pub(super) is_cut: bool,
    /// At most this number of terms is compared.
    most: usize,
    limit: Limit,
    /// The terms by their values. Those of the same values differ in further tests.
    known: FxHashMap<Vec<Term>, Vec<Term>>,
    symbols: Vec<Symbol>,
    count: usize,
    size: usize,
}

/// What terms are built with.
#[derive(Clone)]
enum Symbol {
    /// A function, whose arguments are in this order those of the application.
    Function(FuncId),
    Constructor(CtorId),
    /// The sum of two integers.
    Sum,
}

impl<'t> Conjectures<'t> {
    /// Over these functions, and the constructors of the datatypes of their arguments. At most this
    /// number of terms is compared, and none after the limit.
    pub(super) fn new(
        t: &'t Terms,
        funcs: &[FuncId],
        most: usize,
        limit: Limit,
    ) -> Conjectures<'t> {
        let sorts_of = |&func: &FuncId| {
            let decl = t.func(func);
            decl.params
                .iter()
                .chain([&decl.result])
                .copied()
                .collect::<Vec<_>>()
        };
        let mut sorts: Vec<Sort> = funcs.iter().flat_map(sorts_of).collect();
        sorts.sort_unstable();
        sorts.dedup();
        sorts.retain(|&sort| sort != Sort::BOOL);
        let datatypes = sorts.iter().filter_map(|&sort| t.datatype_of(sort));
        let ctors = datatypes.flat_map(|datatype| t.datatype(datatype).ctors().iter().copied());
        let constructors: Vec<Symbol> = ctors.map(Symbol::Constructor).collect();
        let functions = funcs.iter().map(|&func| Symbol::Function(func));
        let sum = sorts.contains(&Sort::INT).then_some(Symbol::Sum);
        let mut made = Conjectures {
            t,
            ground: Ground::new(t),
            variables: FxHashMap::default(),
            terms: Vec::new(),
            is_cut: false,
            most,
            limit,
            known: FxHashMap::default(),
            symbols: functions.chain(constructors).chain(sum).collect(),
            count: 0,
            size: 0,
        };
        made.add_variables(&sorts);
        // Formulas are conjectured to be true or false.
        for truth in [Term::TRUE, Term::FALSE] {
            made.known.insert(vec![truth; TESTS], vec![truth]);
        }
        made
    }

    /// Adds variables of these sorts, and constants.
    fn add_variables(&mut self, sorts: &[Sort]) {
        let t = self.t;
        // Of natural numbers more holds than of integers, see `guarded`.
        let mut random = Values::new(t, 1).with_least(0);
        for &sort in sorts {
            let count = match t.datatype_of(sort) {
                Some(_) => VARIABLES.0,
                None => VARIABLES.1,
            };
            for _ in 0..count {
                let var = t.fresh_var("v", sort);
                let values = (0..TESTS).map(|test| random.for_test(sort, test));
                let values: Option<Vec<Term>> = values.collect();
                let Some(values) = values else {
                    continue;
                };
                self.known.entry(values.clone()).or_default().push(var);
                self.variables.entry(sort).or_default().push(var);
                self.terms.push((var, 0, values));
            }
        }
        for symbol in self.symbols.clone() {
            let value = match symbol {
                Symbol::Constructor(ctor) if t.ctor(ctor).fields.is_empty() => {
                    t.construct(ctor, &[])
                }
                Symbol::Sum => t.int(0),
                _ => continue,
            };
            let values = vec![value; TESTS];
            self.known.entry(values.clone()).or_default().push(value);
            self.terms.push((value, 0, values));
        }
    }

    /// The equations of the terms that are larger by one symbol than those so far.
    pub(super) fn larger(&mut self, is_last: bool) -> Vec<Term> {
        self.size += 1;
        let mut found = Vec::new();
        let symbols = self.symbols.clone();
        for (number, symbol) in symbols.iter().enumerate() {
            let sorts = self.sorts(symbol);
            if sorts.is_empty() {
                continue;
            }
            // Each symbol has its part of the terms that are left.
            let part = self.most.saturating_sub(self.count) / (symbols.len() - number);
            let end = self.count + part;
            let choices = sorts.iter().map(|&sort| self.choices(symbol, sort));
            let tuples = Tuples::new(choices.collect(), self.size - 1);
            for tuple in tuples {
                let args: Vec<Term> = tuple.iter().map(|&at| self.terms[at].0).collect();
                let term = self.applied(symbol, &args);
                // A term that differs from another one in names alone is made for larger terms.
                if is_last && !self.is_ordered(term) {
                    continue;
                }
                if self.count >= end || self.is_over() {
                    self.is_cut = true;
                    break;
                }
                self.count += 1;
                found.extend(self.equation(symbol, &tuple, term));
            }
        }
        found
    }

    /// Is the limit reached?
    pub(super) fn is_over(&self) -> bool {
        self.limit.check().is_err()
    }

    /// The terms that may be arguments of this sort, by their places, with their sizes.
    fn choices(&self, symbol: &Symbol, sort: Sort) -> Vec<Choice> {
        let element = self.is_element(symbol, sort).then(|| self.element(sort));
        let is_choice = |term: Term| {
            let is_applied = matches!(self.t.op(term), Op::Apply(_));
            let may_be = element.is_none_or(|element| is_applied || element == Some(term));
            may_be && self.t.sort_of(term) == sort
        };
        let terms = self.terms.iter().enumerate();
        let terms = terms.filter(|(_, (term, ..))| is_choice(*term));
        let choice = |(number, (_, size, _)): (usize, &(_, usize, _))| Choice {
            number,
            size: *size,
        };
        terms.map(choice).collect()
    }

    /// Is an argument of this sort no part of the same sort as the value that is built?
    fn is_element(&self, symbol: &Symbol, sort: Sort) -> bool {
        match *symbol {
            Symbol::Function(_) | Symbol::Sum => false,
            Symbol::Constructor(ctor) => self.t.ctor_sort(ctor) != sort,
        }
    }

    /// The one variable that stands for elements of a sort, beside values of functions: the last
    /// one, so that functions can be applied to another value than an element.
    fn element(&self, sort: Sort) -> Option<Term> {
        self.variables.get(&sort)?.last().copied()
    }

    fn sorts(&self, symbol: &Symbol) -> Vec<Sort> {
        let t = self.t;
        match *symbol {
            Symbol::Function(func) => t.func(func).params.to_vec(),
            Symbol::Sum => vec![Sort::INT; 2],
            Symbol::Constructor(ctor) => t.sorts_of_fields(ctor).collect(),
        }
    }

    fn applied(&self, symbol: &Symbol, args: &[Term]) -> Term {
        match *symbol {
            Symbol::Function(func) => self.t.apply(func, args),
            Symbol::Sum => self.t.add(args.iter().copied()),
            Symbol::Constructor(ctor) => self.t.construct(ctor, args),
        }
    }

    /// Do the variables of each sort occur in order, without a gap? The one that stands for
    /// elements may occur anywhere.
    fn is_ordered(&self, term: Term) -> bool {
        let t = self.t;
        let mut next: FxHashMap<Sort, usize> = FxHashMap::default();
        t.vars([term]).into_iter().all(|var| {
            let sort = t.sort_of(var);
            if self.element(sort) == Some(var) {
                return true;
            }
            let place = next.entry(sort).or_default();
            *place += 1;
            self.variables[&sort].get(*place - 1) == Some(&var)
        })
    }

    /// The equation of a new term with an earlier one of the same values, if there is one.
    fn equation(&mut self, symbol: &Symbol, args: &[usize], term: Term) -> Option<Term> {
        let t = self.t;
        let mut values = Vec::with_capacity(TESTS);
        for test in 0..TESTS {
            let args: Vec<Term> = args.iter().map(|&at| self.terms[at].2[test]).collect();
            let applied = self.applied(symbol, &args);
            values.push(self.ground.value(applied)?);
        }
        let same = self.known.entry(values.clone()).or_default();
        let equal = same.iter().copied().find(|&earlier| {
            let is_equation = t.sort_of(earlier) == t.sort_of(term);
            is_equation && self.ground.passes(t.eq(term, earlier), 0) != Some(false)
        });
        if let Some(earlier) = equal {
            return Some(guarded(t, t.eq(term, earlier)));
        }
        same.push(term);
        self.terms.push((term, self.size, values));
        None
    }
}

/// An equation that holds of natural numbers: as it is where it holds in tests of integers, too,
/// and otherwise under the guard that its variables are not negative.
pub(super) fn guarded(t: &Terms, equation: Term) -> Term {
    let vars = t.vars([equation]).into_iter();
    let numbers = vars.filter(|&var| t.sort_of(var) == Sort::INT);
    let guards: Vec<Term> = numbers.map(|var| t.le(t.int(0), var)).collect();
    match guards.is_empty() || passes_tests(t, equation) == Some(true) {
        true => equation,
        false => t.implies(t.and(guards), equation),
    }
}

/// Formulas that hold in tests and say that values of functions are not negative.
pub(super) fn not_negative(t: &Terms, funcs: &[FuncId]) -> Vec<Term> {
    let numbers = funcs.iter().filter(|&&f| t.func(f).result == Sort::INT);
    let bounds = numbers.map(|&func| {
        let args = t.func(func).params.iter().map(|&s| t.fresh_var("v", s));
        let args: Vec<Term> = args.collect();
        t.le(t.int(0), t.apply(func, &args))
    });
    bounds
        .filter(|&bound| passes_tests(t, bound) == Some(true))
        .collect()
}

/// Formulas that hold in tests and say that functions keep a property, which is a function with
/// truth values: if it holds of the arguments, it holds of the result.
pub(super) fn kept_properties(t: &Terms, funcs: &[FuncId]) -> Vec<Term> {
    let is_property = |func: &&FuncId| t.func(**func).result == Sort::BOOL;
    let mut found = Vec::new();
    for &property in funcs.iter().filter(is_property) {
        let params = &t.func(property).params;
        let others: Vec<Term> = params[1..].iter().map(|&s| t.fresh_var("v", s)).collect();
        let holds = |of: Term| t.apply(property, &[&[of], &others[..]].concat());
        for &func in funcs.iter().filter(|&&f| t.func(f).result == params[0]) {
            let args = t.func(func).params.iter().map(|&s| t.fresh_var("v", s));
            let args: Vec<Term> = args.collect();
            let same = args.iter().filter(|&&arg| t.sort_of(arg) == params[0]);
            let premises = t.and(same.map(|&arg| holds(arg)));
            found.push(t.implies(premises, holds(t.apply(func, &args))));
        }
    }
    found.retain(|&formula| passes_tests(t, formula) == Some(true));
    found
}

/// Is a formula true in tests? `None` if there are no values to test it with.
pub(super) fn passes_tests(t: &Terms, formula: Term) -> Option<bool> {
    let (_, matrix) = t.split_forall(formula);
    Ground::new(t).passes(matrix, -1)
}

/// The formula with its variables renamed by the order in which they occur: equal for formulas that
/// differ in names alone.
pub(super) fn canonical(t: &Terms, formula: Term) -> Term {
    let vars = t.vars([formula]).into_iter().enumerate();
    let vars = vars.map(|(at, var)| (var, t.var(&format!("v!{at}"), t.sort_of(var))));
    t.substitute(formula, vars)
}

/// The formula with its variables renamed by their order. This changes the order of the sides of
/// equations, so it is repeated, and the first one of all results is taken.
pub(super) fn same_in_any_order(t: &Terms, formula: Term) -> Term {
    let mut found = vec![canonical(t, formula)];
    loop {
        let next = canonical(t, *found.last().expect("it is not empty"));
        if found.contains(&next) {
            break;
        }
        found.push(next);
    }
    found.into_iter().min().expect("it is not empty")
}

/// Is a term a constructor's application? Equations with these on both sides are about their
/// fields.
pub(super) fn is_built(t: &Terms, term: Term) -> bool {
    matches!(t.op(term), Op::Construct(_))
}
