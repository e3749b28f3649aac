//! Greatest inductive subsets: of candidate invariants, the ones which can be kept together.
//!
//! A set of candidates is inductive if every step preserves each of them when all of them are
//! assumed before it. The union of two inductive sets is inductive, so there is a greatest one.
//!
//! Houdini \[FL01\] finds it from above: a candidate that fails while all others are assumed goes,
//! until none fails.
//!
//! DIVERGENCE: EXTRACTINVS, Fig. 7 of \[KGCC13\], keeps the assumptions of a round until no other
//! candidate fails. Here a candidate that fails is no longer assumed at once. The subset is the
//! same one. Where each candidate needs the next one, as with the lemmas of a loop that counts, it
//! is half the number of queries.

/// The greatest inductive subset of the candidates, in their order.
///
/// `failing(kept)` answers some of `kept` that fail while all of `kept` are assumed, and none only
/// if none of them fails.
///
/// # Errors
/// What `failing` fails with.
pub fn inductive_subset<C: Clone + PartialEq, E>(
    candidates: Vec<C>,
    mut failing: impl FnMut(&[C]) -> Result<Vec<C>, E>,
) -> Result<Vec<C>, E> {
    // Invariant: the greatest inductive subset is a part of `kept`.
    let mut kept = candidates;
    while !kept.is_empty() {
        let failed = failing(&kept)?;
        debug_assert!(
            failed.iter().all(|c| kept.contains(c)),
            "what fails was assumed"
        );
        if failed.is_empty() {
            break;
        }
        let before = kept.len();
        kept.retain(|candidate| !failed.contains(candidate));
        assert!(kept.len() < before, "what fails is among what was kept");
    }
    Ok(kept)
}

#[cfg(test)]
mod tests {
    use super::inductive_subset;
    use std::convert::Infallible;

    /// The subset for candidates that each need others (by number) to be preserved; one failure is
    /// found at a time, or all.
    fn subset(needs: &[&[usize]], all_at_once: bool) -> (Vec<usize>, u32) {
        let mut questions = 0;
        let found = inductive_subset((0..needs.len()).collect(), |kept| {
            questions += 1;
            let fails = |&&c: &&usize| needs[c].iter().any(|n| !kept.contains(n));
            let failing = kept.iter().filter(fails).copied();
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
        // Two questions after which candidates go, and the last one.
        assert_eq!(subset(&[&[NEVER], &[NEVER], &[0], &[]], true).1, 3);
        // None where no candidate is left.
        assert_eq!(subset(&[&[NEVER]], true).1, 1);
    }
}
