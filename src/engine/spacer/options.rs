//! The options of the engine.

use super::{Bounding, Granularity, Raise, Refinement};
use crate::engine::option::{UNLIMITED, declare_options, word_option};
use crate::engine::pdr;

declare_options! {
    /// Options of SPACER.
    pub struct Options {
        /// What an abstraction can leave out. `next-state`: equations that give a variable its next
        /// value. `conjuncts`: every conjunct.
        granularity: Granularity = Granularity::NextState, from "KGCC13";
        /// What an under-approximation bounds. `heights`: the height of derivations. `counters`:
        /// the iterations of each loop.
        bounding: Bounding = Bounding::Heights, from "KGCC13";
        /// Which loop bounds rise. `all`: every bound. `failing`: the bounds of loops whose lemmas
        /// are not inductive.
        raise: Raise = Raise::All;
        /// What a spurious counterexample brings back. `counterexamples`: the conjuncts that
        /// exclude it. `proofs`: all conjuncts, which is `t_p` of the paper's Table 1.
        refine: Refinement = Refinement::Counterexamples, from "KGCC13";
        /// Searches of abstractions that cost more than the other work of the engine and this many
        /// thousand ticks are given up. All conjuncts come back then.
        patience: u32 = 10000, in 0..=UNLIMITED;
        /// The number of conjuncts that are tried when an unsat core is minimised.
        mus_attempts: u32 = 100, in 0..=1000000;
        /// Give up beyond this bound.
        max_bound: u32 = UNLIMITED;
    }
    uses {
        /// For SOLVE, which is about bounded derivations: by default no obligation is requeued
        /// above the level at which a parent needs it, and guidance strengthens none by values of a
        /// model, so that SOLVE ends.
        pdr: pdr::Options = pdr::Options {
            requeue: false,
            guidance: false,
            ..pdr::Options::default()
        };
    }
}

word_option!(Granularity: "conjuncts" => Conjuncts, "next-state" => NextState);
word_option!(Bounding: "heights" => Heights, "counters" => Counters);
word_option!(Raise: "all" => All, "failing" => Failing);
word_option!(Refinement: "counterexamples" => Counterexamples, "proofs" => Proofs);
