//! What the sanitizers of the C compiler say of an execution.

use crate::cfront::Property;

/// How an execution shows that a property is violated.
pub(super) struct Sanitizer {
    /// Options of the compiler.
    pub(super) options: &'static [&'static str],
    /// Variables of the environment.
    pub(super) environment: &'static [(&'static str, &'static str)],
    /// Does the address sanitizer reserve memory that no limit may forbid?
    pub(super) reserves: bool,
    /// What a report has in it.
    reports: &'static [&'static str],
}

/// Reports of the address sanitizer and of the checks of bounds and pointers.
const ADDRESS: [&str; 1] = ["-fsanitize=address,bounds,null,object-size,pointer-overflow"];
/// Reports of operations on integers.
const OVERFLOW: [&str; 3] = [
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero",
    "-fno-wrapv",
    // Comparisons such as `x + 1 > x` are computed, not folded.
    "-ftrapv",
];
/// Environment that makes reports complete.
const COMPLETE: [(&str, &str); 2] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1:hard_rss_limit_mb=4000",
    ),
    ("UBSAN_OPTIONS", "print_stacktrace=0"),
];
/// Environment in which memory is lost that no static variable leads to.
const LEAKS: [(&str, &str); 2] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=4000",
    ),
    ("LSAN_OPTIONS", "use_stacks=0:use_registers=0"),
];
/// Environment in which memory is lost that was not freed.
const CLEANUP: [(&str, &str); 2] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=1:allocator_may_return_null=1:hard_rss_limit_mb=4000",
    ),
    (
        "LSAN_OPTIONS",
        "use_stacks=0:use_registers=0:use_globals=0:use_tls=0",
    ),
];

impl Sanitizer {
    /// The sanitizer for a property; `None` where the program itself says what happens.
    pub(super) fn of(property: Property) -> Option<Sanitizer> {
        let made = |options, environment, reserves, reports| {
            Some(Sanitizer {
                options,
                environment,
                reserves,
                reports,
            })
        };
        match property {
            Property::UnreachCall | Property::Termination => None,
            Property::ValidDeref => made(
                &ADDRESS,
                &COMPLETE,
                true,
                &[
                    "buffer-overflow",
                    "buffer-underflow",
                    "use-after",
                    "out of bounds",
                    "null pointer",
                    "SEGV",
                    "stack-use",
                    "insufficient space",
                    "unknown-crash",
                    "param-overlap",
                ],
            ),
            Property::ValidFree => made(
                &ADDRESS,
                &COMPLETE,
                true,
                &["double-free", "bad-free", "attempting free"],
            ),
            Property::ValidMemtrack => made(&ADDRESS, &LEAKS, true, &["detected memory leaks"]),
            Property::ValidMemcleanup => made(&ADDRESS, &CLEANUP, true, &["detected memory leaks"]),
            Property::NoOverflow => made(
                &OVERFLOW,
                &COMPLETE,
                false,
                &["overflow", "cannot be represented", "shift"],
            ),
            Property::NoDivisionByZero => made(
                &["-fsanitize=integer-divide-by-zero"],
                &COMPLETE,
                false,
                &["division by zero"],
            ),
            Property::NoUndefinedResult => made(
                &["-fsanitize=shift-exponent,float-cast-overflow"],
                &COMPLETE,
                false,
                &[
                    "shift exponent",
                    "outside the range of representable values",
                ],
            ),
        }
    }

    /// Is this a report of the violation?
    pub(super) fn reports(&self, text: &str) -> bool {
        self.reports.iter().any(|part| text.contains(part))
    }
}
