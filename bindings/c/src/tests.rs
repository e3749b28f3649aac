//! The border, from the side of Rust.

use super::*;
use std::ffi::CStr;
use std::ptr::{null, null_mut};

#[test]
fn nothing_unwinds_into_c() {
    let problem = horn_problem_new();
    // SAFETY: the problem is freed once, at the end.
    unsafe {
        let answer: u32 = crate::boundary::call(problem.as_ref(), |_, _| panic!("on purpose"));
        assert_eq!(answer, 0);
        let why = CStr::from_ptr(horn_error(problem)).to_string_lossy();
        assert_eq!(why, "an internal fault: a panic was caught");
        // What a panic has left is not asked again.
        assert!(!horn_push(problem) && horn_check(problem, null(), None, null_mut()).is_null());
        horn_problem_free(problem);
    }
}

#[test]
fn wrong_arguments_are_errors() {
    // SAFETY: null is allowed everywhere, and the problem is freed once.
    unsafe {
        let problem = horn_problem_new();
        // No sort has this width.
        let sort = c"(_ BitVec 99999999999999999999)";
        assert_eq!(horn_variable(problem, c"x".as_ptr(), sort.as_ptr()), 0);
        assert!(!horn_error(problem).is_null());
        let outcome = horn_check(problem, null(), None, null_mut());
        assert_eq!(horn_verdict(outcome), HornVerdict::Sat);
        // An outcome of another problem is refused.
        let other = horn_problem_new();
        let holds = horn_holds(other, outcome, c"p".as_ptr(), null(), 0);
        assert_eq!(holds, HornTruth::Failed);
        let why = CStr::from_ptr(horn_error(other)).to_string_lossy();
        assert_eq!(why, "an outcome of this problem is expected");
        horn_outcome_free(outcome);
        horn_problem_free(problem);
        horn_problem_free(other);
        horn_problem_free(null_mut());
        horn_outcome_free(null_mut());
        horn_stop_free(null_mut());
        horn_stop_raise(null());
    }
}
