//! Ends checks from another thread.

use solver::chc::UnknownReason;
use solver::portfolio::Stop;

/// Ends the checks that it was given to. Any thread may raise it.
pub struct HornStop(pub(crate) Stop);

/// A stop that is not raised.
#[unsafe(no_mangle)]
pub extern "C" fn horn_stop_new() -> *mut HornStop {
    Box::into_raw(Box::new(HornStop(Stop::new())))
}

/// Ends the checks that have this stop, for good, with the verdict `unknown`.
///
/// # Safety
/// The pointer is null or to a stop.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_stop_raise(stop: *const HornStop) {
    // SAFETY: the pointer is null or to a stop.
    if let Some(stop) = unsafe { stop.as_ref() } {
        stop.0.stop(UnknownReason::Interrupted);
    }
}

/// Ends a stop. Checks under way are not ended.
///
/// # Safety
/// The pointer is null, or from `horn_stop_new` and not freed, and no check has it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn horn_stop_free(stop: *mut HornStop) {
    if !stop.is_null() {
        // SAFETY: the pointer is from `Box::into_raw`, and is given back once.
        drop(unsafe { Box::from_raw(stop) });
    }
}
