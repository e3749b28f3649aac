//! Standard input at the end of a program.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read};
use std::io::{IsTerminal, stdin};
use std::time::{Duration, Instant};

/// The silence of a writer that may not have begun to write, after which it is not waited for. The
/// value was not tuned: a client makes its script within a second.
pub const SILENCE_BEFORE: Duration = Duration::from_secs(1);
/// The silence of a writer that has written, after which it is not waited for. The value was not
/// tuned: what a client has to write follows at once, and a client that waits for the end of this
/// program does not notice it.
pub const SILENCE_AFTER: Duration = Duration::from_millis(200);
/// Reading ends after ten seconds, also where a writer never ends. The value was not tuned.
const MOST: Duration = Duration::from_secs(10);
/// How much is read at a time.
const PIECE: usize = 1 << 16;

/// Reads what is left on standard input, and forgets it: the end of this program would kill whoever
/// is writing there.
///
/// This ends at the end of the input, when a writer is silent for this long, and after ten seconds.
/// A terminal is not read.
pub fn drain_stdin(silence: Duration) {
    let stdin = stdin();
    if stdin.is_terminal() {
        return;
    }
    let started = Instant::now();
    let silence = Timespec::try_from(silence).ok();
    let mut piece = [0; PIECE];
    while started.elapsed() < MOST {
        let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
        let taken = match poll(&mut watched, silence.as_ref()) {
            Ok(0) => return,
            Ok(_) => read(&stdin, &mut piece[..]),
            Err(error) => Err(error),
        };
        match taken {
            Ok(0) => return,
            Ok(_) | Err(Errno::INTR) => {}
            // Nothing of it is needed, so its errors are not either.
            Err(_) => return,
        }
    }
}
