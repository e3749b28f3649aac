//! From values to the ground terms that denote them.

use super::Value;
use crate::term::{Sort, SortKind, Symbol, Term, Terms};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

/// Between the name of an uninterpreted sort and the number of its element; Z3 names elements so
/// too.
const ELEMENT_INFIX: &str = "!val!";

/// A value under way: the terms of its parts lie on top of the result stack.
enum Task<'v> {
    Visit(&'v Value, Sort),
    Build(&'v Value),
}

impl Terms {
    /// The ground term that denotes a value of that sort. An element of an uninterpreted sort, for
    /// which SMT-LIB has no syntax, is a variable whose name says which element it is: `U!val!3`.
    pub fn value_term(&self, value: &Value, sort: Sort) -> Term {
        debug_assert!(value.is_of(self, sort));
        let mut tasks = vec![Task::Visit(value, sort)];
        let mut results: Vec<Term> = Vec::new();
        // The terms of compound values, by the place of their parts.
        let mut done: FxHashMap<usize, Term> = FxHashMap::default();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(value, sort) => match value.place() {
                    Some(place) if done.contains_key(&place) => results.push(done[&place]),
                    Some(_) => self.plan_parts(value, &mut tasks),
                    None => results.push(self.simple_value_term(value, sort)),
                },
                Task::Build(value) => {
                    let term = self.build_value(value, &mut results);
                    done.extend(value.place().map(|place| (place, term)));
                    results.push(term);
                }
            }
        }
        results.pop().expect("one term for one value")
    }

    fn plan_parts<'v>(&self, value: &'v Value, tasks: &mut Vec<Task<'v>>) {
        tasks.push(Task::Build(value));
        let start = tasks.len();
        match value {
            Value::Datatype(data) => {
                let sorts = self.ctor(data.ctor()).fields.iter();
                let sorts = sorts.map(|&selector| self.selector(selector).sort);
                tasks.extend(
                    data.fields()
                        .iter()
                        .zip(sorts)
                        .map(|(v, s)| Task::Visit(v, s)),
                );
            }
            Value::Array(array) => {
                let (index, element) = self.array_parts(array.sort()).expect("an array sort");
                tasks.push(Task::Visit(array.default_element(), element));
                tasks.extend(
                    array
                        .entries()
                        .flat_map(|(i, v)| [Task::Visit(i, index), Task::Visit(v, element)]),
                );
            }
            _ => unreachable!("only these have parts"),
        }
        tasks[start..].reverse();
    }

    /// The term of a compound value, whose parts are taken from the end of `results`.
    fn build_value(&self, value: &Value, results: &mut Vec<Term>) -> Term {
        match value {
            Value::Datatype(data) => {
                let fields = results.split_off(results.len() - data.fields().len());
                self.construct(data.ctor(), &fields)
            }
            Value::Array(array) => {
                let parts = results.split_off(results.len() - 1 - 2 * array.entries().len());
                let base = self.const_array(array.sort(), parts[0]);
                parts[1..]
                    .chunks_exact(2)
                    .fold(base, |array, entry| self.store(array, entry[0], entry[1]))
            }
            _ => unreachable!("only these have parts"),
        }
    }

    fn simple_value_term(&self, value: &Value, sort: Sort) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Number(number) => self.number(number.clone(), sort),
            Value::BitVec(bits) => {
                self.bitvec(&BigInt::from(bits.unsigned().clone()), bits.width())
            }
            Value::Element { sort, index } => {
                let SortKind::Uninterpreted(name, _) = self.sort_kind(*sort) else {
                    unreachable!("an element is of an uninterpreted sort");
                };
                let name = format!("{}{ELEMENT_INFIX}{index}", self.name(*name));
                self.var(&name, *sort)
            }
            Value::Array(_) | Value::Datatype(_) => unreachable!("these have parts"),
        }
    }

    /// The element of an uninterpreted sort that a variable of that name and sort denotes, see
    /// [`Terms::value_term`]; `None` for other names and sorts.
    pub fn element_named(&self, name: Symbol, sort: Sort) -> Option<Value> {
        let SortKind::Uninterpreted(sort_name, _) = self.sort_kind(sort) else {
            return None;
        };
        let digits = self
            .name(name)
            .strip_prefix(self.name(*sort_name))?
            .strip_prefix(ELEMENT_INFIX)?;
        let index: u64 = digits.parse().ok()?;
        // Another spelling of the number is another name.
        (index.to_string() == digits).then_some(Value::Element { sort, index })
    }
}
