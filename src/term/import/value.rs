//! Values of one store in another.

use super::Import;
use crate::term::value::{ArrayValue, Value};

/// A value under way: its parts lie on top of the result stack.
enum Task<'v> {
    Visit(&'v Value),
    Build(&'v Value),
}

impl Import<'_> {
    /// The value in the other store. It costs nothing where the stores share its sort.
    pub fn value(&mut self, value: &Value) -> Value {
        let mut tasks = vec![Task::Visit(value)];
        let mut results: Vec<Value> = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Visit(value) => match self.simple(value) {
                    Some(simple) => results.push(simple),
                    None => {
                        tasks.push(Task::Build(value));
                        tasks.extend(value.parts().rev().map(Task::Visit));
                    }
                },
                Task::Build(value) => {
                    let built = self.build(value, &mut results);
                    let known = (value.clone(), built.clone());
                    self.values
                        .extend(value.place().map(|place| (place, known)));
                    results.push(built);
                }
            }
        }
        results.pop().expect("one value for one value")
    }

    /// The value where nothing has to be built from parts.
    fn simple(&mut self, value: &Value) -> Option<Value> {
        let shared = match value {
            Value::Bool(_) | Value::Number(_) | Value::BitVec(_) => true,
            Value::Element { sort, index } => {
                return Some(Value::Element {
                    sort: self.sort(*sort),
                    index: *index,
                });
            }
            Value::Array(array) => self.shares_sort(array.sort()),
            Value::Datatype(data) => self.shares_ctor(data.ctor()),
        };
        if shared {
            return Some(value.clone());
        }
        let (_, known) = self.values.get(&value.place()?)?;
        Some(known.clone())
    }

    /// A compound value, whose parts are taken from the end of `results`.
    fn build(&mut self, value: &Value, results: &mut Vec<Value>) -> Value {
        let mut parts = results.split_off(results.len() - value.parts().count());
        match value {
            Value::Datatype(data) => Value::datatype(self.into, self.ctor(data.ctor()), parts),
            Value::Array(array) => {
                let sort = self.sort(array.sort());
                let mut entries = parts.drain(1..);
                let changes = std::iter::from_fn(|| Some((entries.next()?, entries.next()?)));
                let changes: Vec<_> = changes.collect();
                drop(entries);
                let default = parts.pop().expect("the default is the first part");
                let array = ArrayValue::constant(self.into, sort, default);
                Value::Array(array.store(self.into, changes))
            }
            _ => unreachable!("only these have parts"),
        }
    }
}
