//! Switches for tests: failpoints and mutants. No-op in a release.

pub mod failpoint;
pub mod mutant;
