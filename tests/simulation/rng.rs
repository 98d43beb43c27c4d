//! Seeded random numbers.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A random number generator; the same seed gives the same numbers.
#[derive(Debug)]
pub struct Rng(AtomicU64);

impl Rng {
    /// Creates a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed.wrapping_mul(0x2545_F491_4F6C_DD1D).wrapping_add(0x9E37_79B9)))
    }

    fn next(&self) -> u64 {
        let mut bits = self.0.fetch_add(0x9E37_79B9_7F4A_7C15, Relaxed).wrapping_add(0x9E37_79B9_7F4A_7C15);
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `end`.
    pub fn below(&self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns a number of milliseconds below `end`.
    pub fn millis(&self, end: i64) -> i64 {
        self.below(usize::try_from(end).unwrap_or(1)) as i64
    }

    /// Returns true with a probability of `percent`.
    pub fn chance(&self, percent: usize) -> bool {
        self.below(100) < percent
    }
}
