//! Minimal unsatisfiable subsets (MUS) of assumptions, by deletion \[DHN06\].
//!
//! Each assumption is left out in turn, and stays out if the rest is still unsatisfiable. An unsat
//! core of the rest then takes the place of the whole.

use crate::term::Term;

/// A subset of an unsatisfiable core that is unsatisfiable, too; minimal if `attempts` suffice,
/// each of which is one question, and all are decided. `core_of` answers a core of what it is
/// given, or `None` if that is satisfiable or not decided.
///
/// # Errors
/// What `core_of` fails with.
pub fn shrink<E>(
    mut core: Vec<Term>,
    attempts: u32,
    mut core_of: impl FnMut(&[Term]) -> Result<Option<Vec<Term>>, E>,
) -> Result<Vec<Term>, E> {
    // Invariant: without one of the first `needed` the core is satisfiable, or this was not
    // decided.
    let mut needed = 0;
    for _ in 0..attempts {
        if needed == core.len() {
            break;
        }
        debug_assert!(
            needed < core.len(),
            "there is an assumption that was not left out"
        );
        let mut rest = core.clone();
        rest.remove(needed);
        match core_of(&rest)? {
            None => needed += 1,
            Some(smaller) => {
                debug_assert!(
                    smaller.iter().all(|l| rest.contains(l)),
                    "a core is a part of what it is a core of"
                );
                // What the larger core needs the smaller one needs, too; what was not decided may
                // go.
                let stays = |l: &&Term| smaller.contains(l);
                needed = rest[..needed].iter().filter(stays).count();
                core = rest.iter().filter(stays).copied().collect();
            }
        }
        debug_assert!(needed <= core.len(), "what is needed is in the core");
    }
    Ok(core)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::{Sort, Terms};
    use std::convert::Infallible;

    #[test]
    fn what_is_not_needed_goes() {
        let t = Terms::new();
        let all: Vec<Term> = (0..6)
            .map(|i| t.var(&format!("a{i}"), Sort::BOOL))
            .collect();
        // Unsatisfiable with the second and the fifth.
        let needs = [all[1], all[4]];
        let run = |attempts| {
            let mut questions = 0;
            let result = shrink(all.clone(), attempts, |rest| {
                questions += 1;
                let unsat = needs.iter().all(|n| rest.contains(n));
                Ok::<_, Infallible>(unsat.then(|| rest.to_vec()))
            });
            (result.expect("no question fails"), questions)
        };
        assert_eq!(run(u32::MAX), (needs.to_vec(), 6));
        assert_eq!(run(0), (all.clone(), 0));
        let (some, questions) = run(2);
        assert_eq!((some.len(), questions), (5, 2));
    }

    /// The first question is not decided, so its assumption counts as needed; the core of the
    /// second one does without it.
    #[test]
    fn what_was_not_decided_may_go() {
        let t = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| t.var(name, Sort::BOOL));
        let mut questions = 0;
        let result = shrink(vec![a, b, c], u32::MAX, |rest| {
            questions += 1;
            let core = rest.iter().copied().filter(|&l| l == c).collect();
            Ok::<_, Infallible>((questions > 1 && rest.contains(&c)).then_some(core))
        });
        assert_eq!(result.expect("no question fails"), [c]);
        let result = shrink(vec![a, b], u32::MAX, |rest| {
            Ok::<_, Infallible>(rest.contains(&a).then(Vec::new))
        });
        assert_eq!(result.expect("no question fails"), []);
    }
}
