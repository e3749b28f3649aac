//! What tests with random systems share: how they are set, and that the same seed gives the same
//! systems.

use proptest::test_runner::{Config, RngAlgorithm, RngSeed, TestRng, TestRunner};

/// Shrinking ends after that: it tries many systems, and each takes time.
const SHRINK_MILLISECONDS: u32 = 60_000;

/// A number from the environment.
pub(crate) fn environment<T: std::str::FromStr>(name: &str, default: T) -> T {
    match std::env::var(name) {
        Ok(text) => match text.parse() {
            Ok(value) => value,
            Err(_) => panic!("{name}: {text} is no number"),
        },
        Err(_) => default,
    }
}

/// Runs that many cases, the same for the same seed, and shrinks the one that fails.
pub(crate) fn runner(cases: u32, seed: u64) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        max_shrink_iters: 2_000,
        max_shrink_time: SHRINK_MILLISECONDS,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes))
}

/// That many cases of a property, the same in every run; `PROPTEST_RNG_SEED` chooses others.
pub(crate) fn cases(cases: u32) -> Config {
    let asked = Config::default();
    let rng_seed = match asked.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config {
        cases,
        rng_seed,
        // Failures are repeated by the seed.
        failure_persistence: None,
        ..asked
    }
}
