//! Which measures of a loop allow all rounds that are known: a lexicographic order of them, by the
//! greedy choice of \[BMS05\].

use crate::cfront::{Loops, Round};

/// The numbers of measures of a loop that allow these rounds, or `None` if no order of them does:
/// in each round one is at least 0 and becomes smaller, and none before it becomes larger.
///
/// Each measure that is chosen lets no known round that is left become larger, and settles as many
/// of them as possible. That finds an order if there is one: choosing more never hurts.
pub(super) fn choose(loops: &Loops, number: usize, rounds: &[Round]) -> Option<Vec<usize>> {
    let values = |measure: usize, round: &Round| {
        let before = loops.measure(number, measure, &round.before)?;
        let after = loops.measure(number, measure, &round.after)?;
        Some((before, after))
    };
    let mut left: Vec<&Round> = rounds.iter().filter(|r| r.number == number).collect();
    let mut chosen = Vec::new();
    while !left.is_empty() {
        let settled = |measure: usize| {
            let mut count = 0;
            for round in &left {
                let (before, after) = values(measure, round)?;
                if after > before {
                    return None;
                }
                count += usize::from(after < before && before >= 0);
            }
            Some(count).filter(|count| *count > 0)
        };
        let open = (0..loops.measures(number)).filter(|measure| !chosen.contains(measure));
        // Of several, the first: measures stand in the order of their likelihood.
        let best = open
            .filter_map(|measure| Some((settled(measure)?, std::cmp::Reverse(measure))))
            .max()?;
        let measure = best.1.0;
        left.retain(|round| {
            values(measure, round).is_none_or(|(before, after)| after >= before || before < 0)
        });
        chosen.push(measure);
    }
    Some(chosen)
}
