//! What counts as the error.

use crate::cfront::source::CError;
use rustc_hash::FxHashSet;

/// What a call by name means where the specification speaks of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ErrorKind {
    /// The call is the error.
    Always,
    /// It is where the argument is 0.
    Assertion,
    /// The path goes on only where the argument is not 0.
    Assumption,
    /// The path ends.
    Ends,
}

/// What counts as the error of a program.
///
/// One of three conventions holds, the first of which the text makes use: calls of `reach_error`,
/// calls of `__VERIFIER_error`, or else labels `ERROR` and failing assertions. A program may define
/// these functions; the call is the error all the same.
#[derive(Clone, Debug)]
pub(crate) struct Specification {
    calls: FxHashSet<String>,
    pub(crate) label: bool,
    pub(crate) assertions: bool,
}

impl Specification {
    /// The convention of a program's text.
    pub(crate) fn of_text(text: &str) -> Self {
        let called = ["reach_error", "__VERIFIER_error"]
            .into_iter()
            .find(|name| is_called(text, name));
        Specification {
            calls: called.into_iter().map(str::to_owned).collect(),
            label: called.is_none(),
            assertions: called.is_none(),
        }
    }

    /// Nothing is an error: the calls that are in other programs end the run.
    pub(crate) fn without_errors() -> Self {
        Specification {
            calls: FxHashSet::default(),
            label: false,
            assertions: false,
        }
    }

    /// Is nothing an error?
    pub(crate) fn is_empty(&self) -> bool {
        self.calls.is_empty() && !self.label && !self.assertions
    }

    /// What an SV-COMP property file asks for.
    ///
    /// # Errors
    /// The property is none about a call that must not be reached.
    pub(crate) fn of_property(property: &str, text: &str) -> Result<Self, CError> {
        let mut compact: String = property.chars().filter(|c| !c.is_whitespace()).collect();
        // Some tools write only the formula into their witnesses.
        if compact.starts_with("G!") {
            compact = format!("CHECK(init(main()),LTL({compact}))");
        }
        let lines = compact.split("CHECK(").filter(|part| !part.is_empty());
        let mut calls = FxHashSet::default();
        for line in lines {
            let name = line
                .strip_prefix("init(main()),LTL(G!call(")
                .and_then(|rest| rest.split_once('('))
                .map(|(name, _)| name);
            let label = line.starts_with("init(main()),LTL(G!label(ERROR)");
            match name {
                Some(name) => drop(calls.insert(name.to_owned())),
                None if label => {}
                None => {
                    return Err(CError::Property(format!(
                        "only `CHECK( init(main()), LTL(G ! call(f())) )` is supported, not `CHECK({line}`"
                    )));
                }
            }
        }
        if calls.iter().any(|name| !text.contains(name.as_str())) {
            // The program follows an older convention than the property.
            return Ok(Specification::of_text(text));
        }
        let label = calls.is_empty();
        Ok(Specification {
            calls,
            label,
            assertions: label,
        })
    }

    /// What a call of this function means, which `has_body` or not; `None` for an ordinary one.
    pub(crate) fn call(&self, name: &str, has_body: bool) -> Option<ErrorKind> {
        if self.calls.contains(name) {
            return Some(ErrorKind::Always);
        }
        let error = |yes: ErrorKind| {
            if self.assertions {
                yes
            } else {
                ErrorKind::Ends
            }
        };
        match name {
            _ if has_body => None,
            "__assert_fail" | "__assert_perror_fail" | "__assert" | "__assert_rtn" => {
                Some(error(ErrorKind::Always))
            }
            "assert" | "__VERIFIER_assert" if self.assertions => Some(ErrorKind::Assertion),
            "assert"
            | "__VERIFIER_assert"
            | "__VERIFIER_assume"
            | "assume"
            | "__builtin_assume"
            | "assume_abort_if_not" => Some(ErrorKind::Assumption),
            "abort"
            | "exit"
            | "_exit"
            | "_Exit"
            | "quick_exit"
            | "__builtin_unreachable"
            | "__builtin_trap"
            | "__builtin_abort" => Some(ErrorKind::Ends),
            _ => None,
        }
    }
}

/// Is a function called in a text, not only declared or defined?
fn is_called(text: &str, name: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(word) || !after.trim_start().starts_with('(') {
            return false;
        }
        // What stands before the name in a declaration is a type.
        let before = before.trim_end();
        let last = before.rsplit(|c| !word(c)).next().unwrap_or("");
        let declared = before.ends_with(word) && !matches!(last, "else" | "do" | "return");
        !declared && !before.ends_with('*')
    })
}
