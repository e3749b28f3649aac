//! A synthetic transition relation: some variables and some branches, each with a guard and
//! updates, nested like a program's.

use fastrand::Rng;
use horn::term::{Sort, Term, Terms};

/// The seed of all examples.
pub(crate) const SEED: u64 = 1;

/// A transition relation.
pub(crate) struct Step {
    pub(crate) pre: Vec<Term>,
    pub(crate) post: Vec<Term>,
    pub(crate) relation: Term,
}

/// A number of that sort.
pub(crate) fn number(t: &Terms, sort: Sort, n: i64) -> Term {
    t.number(n.into(), sort)
}

/// One of these variables.
pub(crate) fn any(random: &mut Rng, vars: &[Term]) -> Term {
    vars[random.usize(..vars.len())]
}

/// A relation with these numbers of variables and branches, and with guards over the variables
/// before.
pub(crate) fn step(
    t: &Terms,
    sort: Sort,
    (variables, branches): (usize, usize),
    mut guard: impl FnMut(&mut Rng, &[Term]) -> Vec<Term>,
) -> Step {
    let mut random = Rng::with_seed(SEED);
    let named = |prime: &str| -> Vec<Term> {
        let name = |i| t.var(&format!("v{i}{prime}"), sort);
        (0..variables).map(name).collect()
    };
    let (pre, post) = (named(""), named("'"));
    let mut branch = || {
        let mut parts = guard(&mut random, &pre);
        for (i, &x) in post.iter().enumerate() {
            let y = any(&mut random, &pre);
            let c = number(t, sort, random.i64(-5..=5));
            let value = match random.u8(..4) {
                0 => t.add([pre[i], y]),
                1 => t.add([pre[i], c]),
                2 => t.ite(t.lt(y, c), t.add([y, c]), pre[i]),
                _ => pre[i],
            };
            parts.push(t.eq(x, value));
        }
        t.and(parts)
    };
    let branches: Vec<Term> = (0..branches).map(|_| branch()).collect();
    // The prestates are bounded, as by an invariant, so that many poststates have no predecessor.
    let radius = (number(t, sort, -20), number(t, sort, 20));
    let bounds = pre
        .iter()
        .flat_map(|&x| [t.le(radius.0, x), t.le(x, radius.1)]);
    let relation = t.and([t.or(branches)].into_iter().chain(bounds));
    Step {
        pre,
        post,
        relation,
    }
}
