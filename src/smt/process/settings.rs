//! What is different from solver to solver: one row each.

/// How the assumptions of a check are made and the core is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Assume {
    /// In a scope of their own as named assertions, for `get-unsat-core`.
    Named,
    /// In a scope of their own without names; only when somebody wants the core, they are asked again by literals.
    Plain,
    /// As literals that imply them, for `check-sat-assuming` and `get-unsat-core`.
    Literals,
}

/// The row of a solver.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// What the program's file name contains.
    pub(super) name: &'static str,
    /// Arguments that make it read SMT-LIB from its standard input.
    pub(super) arguments: &'static [&'static str],
    /// The first commands.
    pub(super) prologue: &'static str,
    /// How assumptions are made.
    pub(super) assume: Assume,
    /// Asks for the core after a check by literals.
    pub(super) ask_literals: &'static str,
}

/// The solvers that are known. The last row is for all others.
pub(super) const PRESETS: [Settings; 3] = [
    Settings {
        name: "z3",
        arguments: &["-in", "-smt2"],
        prologue: "(set-option :produce-unsat-cores true)\n",
        assume: Assume::Plain,
        ask_literals: "(get-unsat-core)",
    },
    Settings {
        name: "cvc5",
        arguments: &["--lang=smt2", "--incremental", "-q"],
        prologue: "(set-option :produce-models true)\n\
                   (set-option :produce-unsat-cores true)\n\
                   (set-option :produce-unsat-assumptions true)\n\
                   (set-logic ALL)\n",
        assume: Assume::Named,
        ask_literals: "(get-unsat-assumptions)",
    },
    Settings {
        name: "",
        arguments: &[],
        prologue: "(set-option :produce-models true)\n\
                   (set-option :produce-unsat-cores true)\n\
                   (set-logic ALL)\n",
        assume: Assume::Literals,
        ask_literals: "(get-unsat-assumptions)",
    },
];
