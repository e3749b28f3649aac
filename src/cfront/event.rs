//! What happens in a run, in the words of the source.

use serde::{Serialize, Serializer};

/// Something that happens in a run. As JSON it is what docs/src/c-programs.md describes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub enum Event {
    /// A function gives an input.
    Input {
        /// The function, as in `__VERIFIER_nondet_int`.
        #[serde(rename = "from")]
        function: String,
        /// The value.
        #[serde(serialize_with = "from_outside")]
        value: String,
    },
    /// A variable without an initialiser has a value.
    Uninitialised {
        /// Its name.
        variable: String,
        /// The value.
        #[serde(serialize_with = "from_outside")]
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
        #[serde(rename = "callee")]
        function: String,
        /// The parameters that matter for reaching the end.
        arguments: Vec<EventArgument>,
    },
    /// A function of the program or of the C library returns.
    Return {
        /// Its name.
        #[serde(rename = "callee")]
        function: String,
        /// Of a function of the C library, the text of the call, if that is short.
        #[serde(skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// What it returns, if that matters for reaching the end.
        value: Option<String>,
    },
    /// Memory is allocated.
    Allocation {
        /// The name that the run has for it.
        memory: String,
    },
    /// Memory is given back.
    Free {
        /// The pointer in C.
        pointer: String,
    },
}

/// A parameter of a call, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EventArgument {
    /// The parameter.
    pub name: String,
    /// The value; of a pointer, what it points to.
    pub value: String,
}

/// A value from outside of the program, for people: an address there has no number.
pub fn outside_text(value: &str) -> &str {
    match value.starts_with('&') {
        true => "the address of another object",
        false => value,
    }
}

/// Writes a value from outside of the program.
fn from_outside<S: Serializer>(value: &str, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(outside_text(value))
}
