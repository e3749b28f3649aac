//! Greatest inductive subsets: of candidate invariants, the ones which can be kept together.
//!
//! A set of candidates is inductive if every step preserves each of them when all of them are
//! assumed before it. The union of two inductive sets is inductive, so there is a greatest one.
//!
//! Houdini \[FL01\] finds it from above: a candidate that fails while all others are assumed goes,
//! until none fails. The order of the queries is that of EXTRACTINVS, Fig. 7 of \[KGCC13\]. Within
//! a round the assumptions stay the same. Candidates that were seen to fail count no longer, until
//! no other one fails; then they go together. So one context serves a whole round.

/// The greatest inductive subset of the candidates, in their order.
///
/// `failing(kept, counted)` answers some of `counted` that fail while all of `kept` are assumed,
/// and none only if none of `counted` fails. `counted` is a part of `kept`.
///
/// # Errors
/// What `failing` fails with.
pub fn inductive_subset<C: Clone + PartialEq, E>(
    candidates: Vec<C>,
    mut failing: impl FnMut(&[C], &[C]) -> Result<Vec<C>, E>,
) -> Result<Vec<C>, E> {
    // Invariant: the greatest inductive subset is a part of `kept`.
    let mut kept = candidates;
    loop {
        let mut counted = kept.clone();
        while !counted.is_empty() {
            let failed = failing(&kept, &counted)?;
            if failed.is_empty() {
                break;
            }
            let before = counted.len();
            counted.retain(|candidate| !failed.contains(candidate));
            assert!(counted.len() < before, "what fails is among what counts");
        }
        if counted.len() == kept.len() {
            return Ok(kept);
        }
        kept = counted;
    }
}

#[cfg(test)]
mod tests {
    use super::inductive_subset;
    use std::convert::Infallible;

    /// The subset for candidates that each need others (by number) to be preserved; one failure is
    /// found at a time, or all.
    fn subset(needs: &[&[usize]], all_at_once: bool) -> (Vec<usize>, u32) {
        let mut questions = 0;
        let found = inductive_subset((0..needs.len()).collect(), |kept, counted| {
            questions += 1;
            assert!(counted.iter().all(|c| kept.contains(c)));
            let fails = |&&c: &&usize| needs[c].iter().any(|n| !kept.contains(n));
            let failing = counted.iter().filter(fails).copied();
            let most = if all_at_once { usize::MAX } else { 1 };
            Ok::<_, Infallible>(failing.take(most).collect())
        });
        (found.expect("no question fails"), questions)
    }

    #[test]
    fn what_is_kept_is_the_greatest_inductive_subset() {
        // No candidate has this number.
        const NEVER: usize = 99;
        let tables: [(&[&[usize]], &[usize]); 6] = [
            (&[], &[]),
            (&[&[], &[0]], &[0, 1]),
            (&[&[NEVER], &[0], &[1]], &[]),
            (&[&[1], &[0]], &[0, 1]),
            (&[&[1], &[NEVER], &[3], &[2]], &[2, 3]),
            (&[&[3], &[0], &[], &[2], &[NEVER, 0]], &[0, 1, 2, 3]),
        ];
        for (needs, expected) in tables {
            for all_at_once in [false, true] {
                assert_eq!(subset(needs, all_at_once).0, expected, "{needs:?}");
            }
        }
        // Two rounds that end with a question where nothing more fails, and the last one.
        assert_eq!(subset(&[&[NEVER], &[NEVER], &[0], &[]], true).1, 5);
    }
}
