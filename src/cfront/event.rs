//! What happens in a run, in the words of the source.

/// Something that happens in a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A function gives an input.
    Input {
        /// The function, as in `__VERIFIER_nondet_int`.
        function: String,
        /// The value.
        value: String,
    },
    /// A variable without an initialiser has a value.
    Uninitialised {
        /// Its name.
        variable: String,
        /// The value.
        value: String,
    },
    /// A variable, an element or a member gets a value.
    Change {
        /// Its name.
        variable: String,
        /// The value; of a pointer, what it points to.
        value: String,
    },
    /// A condition is tested.
    Test {
        /// The condition in C.
        condition: String,
        /// Is it true?
        holds: bool,
    },
    /// A function of the program is called.
    Call {
        /// Its name.
        function: String,
        /// The parameters that matter for reaching the end, with their values.
        arguments: Vec<(String, String)>,
    },
    /// A function of the program or of the C library returns.
    Return {
        /// Its name.
        function: String,
        /// What it returns, if that matters for reaching the end.
        value: Option<String>,
    },
    /// Memory is allocated.
    Allocation {
        /// The name that the run has for it.
        memory: String,
    },
}
