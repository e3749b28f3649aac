//! Table 1 of \[BDW18\]: the choices that make the framework one of the schools.

use std::fmt::Write;

/// Where blocks end: `blk`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BlockEnd {
    /// At every predicate.
    Every,
    /// At the predicates that cannot be eliminated, which are, roughly, loop heads.
    Loops,
    /// Nowhere: path formulas reach from the facts to `false`.
    Never,
}

/// What becomes of paths that meet inside of a block: `merge`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merge {
    /// One formula says that one of them is taken.
    Joined,
    /// Each stays a path by itself.
    Separate,
}

/// How the abstraction formula of a new state is computed: `prec`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AbstractionKind {
    /// It is `true`.
    Trivial,
    /// The conjunction of the predicates that follow \[BPR01\].
    Cartesian,
    /// The strongest Boolean combination of the predicates, as a binary decision diagram.
    Boolean,
    /// The values of the arguments of the precision.
    Values,
    /// Both the values and the conjunction of the predicates that follow.
    ValuesCartesian,
}

/// How a state is covered by another one: `stop`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Coverage {
    /// Not at all.
    Never,
    /// Diagrams say so, and a solver where there are none.
    Diagrams,
    /// A solver says so.
    Solver,
}

/// Are states strengthened so that older ones cover them: `fcover`?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ForcedCovering {
    /// No: the identity.
    Identity,
    /// By interpolants, as many older states as the option says.
    Impact,
}

/// What a derivation without values changes: `refine`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refinement {
    /// Nothing: the bound of the unrolling grows.
    None,
    /// Its assertions become predicates of the precision.
    Predicates,
    /// Its assertions strengthen its states.
    Impact,
    /// Both.
    Both,
    /// Its assertions split its states.
    Splitting,
}

/// The algorithm around the reachability analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Driver {
    /// Algorithm 3. The merged states of blocks that never end are the nodes of `engine::unroll`.
    KInduction {
        /// Is there a step case (lines 15 to 23)?
        step_case: bool,
    },
    /// Algorithm 4.
    Cegar,
}

/// A row of Table 1: what makes the framework one of the schools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Configuration {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The options of the command line that choose it.
    pub(crate) command: &'static str,
    pub(crate) driver: Driver,
    pub(crate) blocks: BlockEnd,
    pub(crate) merge: Merge,
    pub(crate) abstraction: AbstractionKind,
    pub(crate) coverage: Coverage,
    pub(crate) forced_covering: ForcedCovering,
    pub(crate) refinement: Refinement,
}

/// Bounded model checking.
pub(crate) const BMC: Configuration = Configuration {
    name: "bounded model checking",
    command: "--engine bmc",
    driver: Driver::KInduction { step_case: false },
    blocks: BlockEnd::Never,
    merge: Merge::Joined,
    abstraction: AbstractionKind::Trivial,
    coverage: Coverage::Never,
    forced_covering: ForcedCovering::Identity,
    refinement: Refinement::None,
};

/// The method of k-induction.
pub(crate) const K_INDUCTION: Configuration = Configuration {
    name: "k-induction",
    command: "--engine kind",
    driver: Driver::KInduction { step_case: true },
    ..BMC
};

/// Predicate abstraction.
pub(crate) const PREDICATES: Configuration = Configuration {
    name: "predicate abstraction",
    command: "--engine predicates --set predicates.abstraction=boolean",
    driver: Driver::Cegar,
    blocks: BlockEnd::Every,
    merge: Merge::Joined,
    abstraction: AbstractionKind::Boolean,
    coverage: Coverage::Diagrams,
    forced_covering: ForcedCovering::Identity,
    refinement: Refinement::Predicates,
};

/// Predicate abstraction with conjunctions of predicates alone.
pub(crate) const CARTESIAN_PREDICATES: Configuration = Configuration {
    name: "cartesian predicate abstraction",
    command: "--engine predicates",
    abstraction: AbstractionKind::Cartesian,
    coverage: Coverage::Solver,
    ..PREDICATES
};

/// Value analysis.
pub(crate) const VALUES: Configuration = Configuration {
    name: "value analysis",
    command: "--engine predicates --set predicates.abstraction=values",
    abstraction: AbstractionKind::Values,
    ..CARTESIAN_PREDICATES
};

/// Value analysis beside predicate abstraction.
pub(crate) const VALUES_AND_PREDICATES: Configuration = Configuration {
    name: "value analysis with predicates",
    command: "--engine predicates --set predicates.abstraction=values-cartesian",
    abstraction: AbstractionKind::ValuesCartesian,
    ..CARTESIAN_PREDICATES
};

/// Impact.
pub(crate) const IMPACT: Configuration = Configuration {
    name: "Impact",
    command: "--engine impact",
    abstraction: AbstractionKind::Trivial,
    coverage: Coverage::Solver,
    forced_covering: ForcedCovering::Impact,
    refinement: Refinement::Impact,
    ..PREDICATES
};

/// UFO: Impact whose new states are abstractions.
pub(crate) const UFO: Configuration = Configuration {
    name: "UFO",
    command: "--engine impact --set impact.abstraction=cartesian",
    abstraction: AbstractionKind::Cartesian,
    refinement: Refinement::Both,
    ..IMPACT
};

/// Symbolic execution.
pub(crate) const SYMBOLIC_EXECUTION: Configuration = Configuration {
    name: "symbolic execution",
    command: "--engine bmc --set bmc.merge=separate",
    blocks: BlockEnd::Never,
    merge: Merge::Separate,
    coverage: Coverage::Never,
    forced_covering: ForcedCovering::Identity,
    ..IMPACT
};

/// State splitting.
pub(crate) const SPLITTING: Configuration = Configuration {
    name: "state splitting",
    command: "--engine splitting",
    coverage: Coverage::Never,
    forced_covering: ForcedCovering::Identity,
    refinement: Refinement::Splitting,
    ..IMPACT
};

/// Table 1, the four rows of the paper first.
const TABLE: [Configuration; 10] = [
    BMC,
    K_INDUCTION,
    PREDICATES,
    IMPACT,
    CARTESIAN_PREDICATES,
    VALUES,
    VALUES_AND_PREDICATES,
    UFO,
    SYMBOLIC_EXECUTION,
    SPLITTING,
];

/// Table 1 of \[BDW18\] as a table in Markdown.
pub fn schools() -> String {
    let mut text = "| School | Command | Algorithm | `blk` | `merge` | `prec` | `stop` | `fcover` | `refine` |\n\
                    | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n"
        .to_owned();
    for row in TABLE {
        let driver = match row.driver {
            Driver::KInduction { step_case: false } => "3, without its step case",
            Driver::KInduction { step_case: true } => "3, k-induction",
            Driver::Cegar => "4, CEGAR",
        };
        let blocks = match row.blocks {
            BlockEnd::Every => "every predicate",
            BlockEnd::Loops => "loop heads",
            BlockEnd::Never => "never",
        };
        let merge = match row.merge {
            Merge::Joined => "joined",
            Merge::Separate => "separate",
        };
        let abstraction = match row.abstraction {
            AbstractionKind::Trivial => "`true`",
            AbstractionKind::Cartesian => "cartesian",
            AbstractionKind::Boolean => "boolean",
            AbstractionKind::Values => "values",
            AbstractionKind::ValuesCartesian => "values and cartesian",
        };
        let coverage = match row.coverage {
            Coverage::Never => "never",
            Coverage::Diagrams => "diagrams",
            Coverage::Solver => "solver",
        };
        let forced_covering = match row.forced_covering {
            ForcedCovering::Identity => "identity",
            ForcedCovering::Impact => "Impact",
        };
        let refinement = match row.refinement {
            Refinement::None => "none",
            Refinement::Predicates => "predicates",
            Refinement::Impact => "Impact",
            Refinement::Both => "both",
            Refinement::Splitting => "splitting",
        };
        let Configuration { name, command, .. } = row;
        writeln!(
            text,
            "| {name} | `{command}` | {driver} | {blocks} | {merge} | {abstraction} | {coverage} \
             | {forced_covering} | {refinement} |"
        )
        .expect("strings take all text");
    }
    text
}
