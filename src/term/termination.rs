//! Does the evaluation of functions that are defined by recursion end? \[LJB01\]
//!
//! A value is smaller than another one if it is a proper part of it. For each application of `g` in
//! a case of `f` a *size-change graph* says which arguments of `g` are arguments of `f`, or parts
//! of them. An infinite chain of applications has a suffix that is made of the same graph over and
//! over, one that is its own composition. If it makes an argument smaller, the chain does not
//! exist, because no value has infinitely many smaller ones. So it suffices that each such graph
//! has an arc from an argument to itself that makes it smaller.

use super::{Case, FuncId, Op, Term, Terms};
use rustc_hash::FxHashSet;

/// Functions whose applications have more graphs than these are refused. The value was not tuned.
const GRAPHS: usize = 4000;

/// From an argument of the function to one of the function that it applies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Arc {
    from: usize,
    to: usize,
    /// Is the second value a proper part of the first? Otherwise the two are equal, or it is a
    /// part.
    is_smaller: bool,
}

/// What an application does with the arguments.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Graph {
    caller: FuncId,
    applied: FuncId,
    /// In order; of two arcs between the same arguments, the one that makes them smaller.
    arcs: Vec<Arc>,
}

impl Graph {
    fn new(caller: FuncId, applied: FuncId, mut arcs: Vec<Arc>) -> Graph {
        let key = |arc: &Arc| (arc.from, arc.to, !arc.is_smaller);
        arcs.sort_unstable_by_key(key);
        arcs.dedup_by_key(|arc| (arc.from, arc.to));
        Graph {
            caller,
            applied,
            arcs,
        }
    }

    /// The application of one function by way of another one.
    fn then(&self, next: &Graph) -> Graph {
        let through = |first: &Arc| {
            let (from, middle, is_smaller) = (first.from, first.to, first.is_smaller);
            let arcs = next.arcs.iter().filter(move |second| second.from == middle);
            arcs.map(move |second| Arc {
                from,
                to: second.to,
                is_smaller: is_smaller || second.is_smaller,
            })
        };
        let arcs = self.arcs.iter().flat_map(through).collect();
        Graph::new(self.caller, next.applied, arcs)
    }

    /// May it be repeated without an end, as far as it says?
    fn may_repeat(&self) -> bool {
        let shrinks = |arc: &Arc| arc.from == arc.to && arc.is_smaller;
        self.caller == self.applied && self.then(self) == *self && !self.arcs.iter().any(shrinks)
    }
}

impl Terms {
    /// Does the evaluation of these functions, whose definitions apply no others, end at all
    /// arguments? `false` if it is not known.
    pub fn terminate(&self, funcs: &FxHashSet<FuncId>) -> bool {
        let single: Vec<Graph> = funcs.iter().flat_map(|&func| graphs(self, func)).collect();
        let mut known: FxHashSet<Graph> = single.iter().cloned().collect();
        let mut open: Vec<Graph> = known.iter().cloned().collect();
        while let Some(graph) = open.pop() {
            if graph.may_repeat() || known.len() > GRAPHS {
                return false;
            }
            for next in single.iter().filter(|next| next.caller == graph.applied) {
                let longer = graph.then(next);
                if known.insert(longer.clone()) {
                    open.push(longer);
                }
            }
        }
        true
    }
}

/// The graphs of all applications in a function's definition.
fn graphs(t: &Terms, func: FuncId) -> Vec<Graph> {
    let of_case = |case: &Case| -> Vec<Graph> {
        let fields = t.ctor(case.ctor).fields.len();
        let arc = |arg: Term, to: usize| -> Option<Arc> {
            let place = case.params.iter().position(|&param| param == arg);
            let whole =
                t.op(arg) == Op::Construct(case.ctor) && t.args(arg) == &case.params[..fields];
            match place {
                Some(place) if place < fields => Some((0, true)),
                Some(place) => Some((place - fields + 1, false)),
                None => whole.then_some((0, false)),
            }
            .map(|(from, is_smaller)| Arc {
                from,
                to,
                is_smaller,
            })
        };
        let applied = t.post_order([case.body]).filter_map(|term| {
            let Op::Apply(applied) = t.op(term) else {
                return None;
            };
            let args = t.args(term).iter().enumerate();
            let arcs = args.filter_map(|(to, &arg)| arc(arg, to));
            Some(Graph::new(func, applied, arcs.collect()))
        });
        applied.collect()
    };
    t.func(func).cases().iter().flat_map(of_case).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::examples::Naturals;

    /// What is made of functions, a predecessor, another argument, and `succ`.
    type Body = fn(&Terms, &[FuncId], Term, Term, &dyn Fn(Term) -> Term) -> Term;

    /// Do functions terminate that have these values at `succ(m), n`, and `n` at `zero, n`?
    fn check(bodies: &[Body]) -> bool {
        let t = &Terms::new();
        let sort = Naturals::new(t).sort;
        let datatype = t.datatype_of(sort).expect("it is one");
        let ctors = t.datatype(datatype).ctors();
        let succ = |n: Term| t.construct(ctors[1], &[n]);
        let funcs: Vec<FuncId> = (bodies.iter())
            .map(|_| t.declare(t.fresh_symbol("f"), &[sort, sort], sort))
            .collect();
        let (m, n) = (t.var("m", sort), t.var("n", sort));
        for (&func, body) in funcs.iter().zip(bodies) {
            let case = |ctor, params: &[Term], body| Case {
                ctor,
                params: params.into(),
                body,
            };
            let bodies = [
                case(ctors[0], &[n], n),
                case(ctors[1], &[m, n], body(t, &funcs, m, n, &succ)),
            ];
            t.define_by_cases(func, bodies.into());
        }
        t.terminate(&funcs.into_iter().collect())
    }

    #[test]
    fn size_change_shows_termination() {
        let terminating: [&[Body]; 7] = [
            // Addition, and its result as an argument.
            &[|t, f, m, n, succ| succ(t.apply(f[0], &[m, n]))],
            &[
                |t, f, m, n, _| t.apply(f[1], &[n, t.apply(f[0], &[m, n])]),
                |t, f, m, n, succ| succ(t.apply(f[1], &[m, n])),
            ],
            // An argument that grows.
            &[|t, f, m, n, succ| t.apply(f[0], &[m, succ(n)])],
            // The arguments change places.
            &[|t, f, m, n, _| t.apply(f[0], &[n, m])],
            // One of two functions takes the argument apart.
            &[
                |t, f, m, n, _| t.apply(f[1], &[n, m]),
                |t, f, m, n, succ| t.apply(f[0], &[n, succ(m)]),
            ],
            &[
                |t, f, m, n, succ| t.apply(f[1], &[succ(m), n]),
                |t, f, m, n, _| t.apply(f[0], &[m, n]),
            ],
            // Nested applications to what is smaller.
            &[|t, f, m, n, _| t.apply(f[0], &[m, t.apply(f[0], &[m, n])])],
        ];
        for (at, bodies) in terminating.iter().enumerate() {
            assert!(check(bodies), "functions {at}");
        }
        let others: [&[Body]; 5] = [
            &[|t, f, m, n, succ| t.apply(f[0], &[succ(m), n])],
            &[|t, f, m, n, succ| t.apply(f[0], &[succ(n), m])],
            // A result is not known to be smaller.
            &[|t, f, m, n, _| t.apply(f[0], &[t.apply(f[0], &[m, n]), n])],
            &[
                |t, f, m, n, succ| t.apply(f[1], &[succ(m), n]),
                |t, f, m, n, succ| t.apply(f[0], &[succ(m), n]),
            ],
            &[|t, f, m, n, succ| t.apply(f[0], &[n, succ(m)])],
        ];
        for (at, bodies) in others.iter().enumerate() {
            assert!(!check(bodies), "functions {at}");
        }
    }
}
