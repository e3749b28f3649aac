//! The options of the engine: each with the paper that it comes from.

use crate::engine::option::{UNLIMITED, declare_options};

declare_options! {
    /// Options of property-directed reachability.
    pub struct Options {
        /// Generalise a blocked cube by interpolation instead of an unsat core, where the solver
        /// can.
        weaken: bool = true, from "BG15";
        /// Drop the literals of a cube one by one, relative to the lemmas of the level before.
        drop_literals: bool = true, from "Bra11";
        /// If a literal cannot be dropped, block up to this many counterexamples to generalisation
        /// and try again.
        ctg: u32 = 0, in 0..=1000, from "HBS13";
        // The default was not tuned.
        /// Try up to this many sums of two inequalities for each lemma.
        pairs: u32 = 12, in 0..=1000;
        /// Weaken the value of a bit-vector to some of its bits or to a bound.
        bits: bool = true;
        /// Global guidance: replace families of lemmas by one lemma, and bound variables whose
        /// coefficients diverge.
        guidance: bool = true, from "VCSG20";
        /// The number of proof obligations that may follow from one conjecture of global guidance;
        /// 0 for no conjectures.
        conjecture_gas: u32 = 10, in 0..=1000000, from "VCSG20";
        /// Before a proof obligation is blocked, ask whether the lemmas block it already.
        lemmas_first: bool = true, from "EMB11";
        /// Put a blocked proof obligation back into the queue one level higher. This finds deep
        /// counterexamples early, as in Z3.
        requeue: bool = true;
        /// Add with a lemma its images under symmetries of the system.
        symmetry: bool = true, from "GS21";
        /// Give up beyond this number of frames. A derivation that is found may be higher.
        max_depth: u32 = UNLIMITED;
    }
}
