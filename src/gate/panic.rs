//! A panic of one part of the program becomes an answer.

use crate::chc::{Answer, Unknown, UnknownReason};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The answer of a computation; `unknown` if it panics.
pub(crate) fn guarded(computation: impl FnOnce() -> Answer) -> Answer {
    // The store of terms only grows and is consistent between any two of its operations, so it can
    // be used after a panic.
    catch_unwind(AssertUnwindSafe(computation)).unwrap_or_else(|panic| {
        let message = panic_message(&*panic).to_owned();
        Answer::Unknown(Unknown::new(UnknownReason::Fault(message)))
    })
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> &str {
    (panic.downcast_ref::<&str>().copied())
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
