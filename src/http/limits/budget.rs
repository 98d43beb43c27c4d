//! Memory budget for request bodies: a fixed number of bytes over all requests.

use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// Timeout for free memory.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);
const KIB: usize = 1024;

/// Maximum memory for bodies, counted in KiB.
pub struct Budget(Arc<Semaphore>);

/// The part of the budget that one body uses; returned on drop.
pub struct BudgetPermit {
    budget: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

/// There was not enough free memory for 2 s.
#[derive(Debug, PartialEq, Eq)]
pub struct BudgetExhausted;

impl Budget {
    /// Returns a budget of `bytes`.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes / KIB)))
    }

    /// Returns an empty permit.
    #[must_use]
    pub fn permit(&self) -> BudgetPermit {
        BudgetPermit { budget: Arc::clone(&self.0), permit: None }
    }

    /// Free bytes.
    #[must_use]
    pub fn free(&self) -> usize {
        self.0.available_permits() * KIB
    }
}

impl BudgetPermit {
    /// Grows the permit to `bytes` in total. Waits for free memory; meanwhile the body is not read.
    pub async fn grow(&mut self, bytes: usize) -> Result<(), BudgetExhausted> {
        let held = self.permit.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = bytes.div_ceil(KIB).saturating_sub(held);
        let Ok(missing) = u32::try_from(missing) else { return Err(BudgetExhausted) };
        if missing == 0 {
            return Ok(());
        }
        let more = timeout(ACQUIRE_TIMEOUT, Arc::clone(&self.budget).acquire_many_owned(missing));
        let Ok(Ok(more)) = more.await else { return Err(BudgetExhausted) };
        match &mut self.permit {
            Some(permit) => permit.merge(more),
            None => self.permit = Some(more),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn permits_are_returned_and_never_exceed_the_budget() {
        let budget = Budget::new(10 * KIB);
        let (mut one, mut other) = (budget.permit(), budget.permit());
        assert_eq!((one.grow(1).await, one.grow(KIB).await), (Ok(()), Ok(())));
        assert_eq!(budget.free(), 9 * KIB);
        assert_eq!(one.grow(8 * KIB).await, Ok(()));
        assert_eq!(other.grow(3 * KIB).await, Err(BudgetExhausted));
        let (waited, ()) = tokio::join!(other.grow(3 * KIB), async {
            tokio::time::sleep(ACQUIRE_TIMEOUT / 2).await;
            drop(one);
        });
        assert_eq!((waited, budget.free()), (Ok(()), 7 * KIB));
        drop(other);
        assert_eq!(budget.free(), 10 * KIB);
    }
}
