//! Memory for bodies that are being read and handled: a fixed number of bytes over all requests.

use std::{sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How long a body waits for others to be done.
const WAIT: Duration = Duration::from_secs(2);
const KIB: usize = 1024;

/// So many KiB of bodies in memory at once.
pub struct Budget(Arc<Semaphore>);

/// What one body has of the budget; given back when it is dropped.
pub struct Held {
    budget: Arc<Semaphore>,
    permit: Option<OwnedSemaphorePermit>,
}

/// The budget stayed used up for 2 s.
#[derive(Debug, PartialEq, Eq)]
pub struct UsedUp;

impl Budget {
    /// A budget of so many bytes.
    #[must_use]
    pub fn new(bytes: usize) -> Self {
        Self(Arc::new(Semaphore::new(bytes / KIB)))
    }

    /// Nothing of it, at first.
    #[must_use]
    pub fn hold(&self) -> Held {
        Held { budget: Arc::clone(&self.0), permit: None }
    }

    /// Bytes that are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.0.available_permits() * KIB
    }
}

impl Held {
    /// Takes as much as `bytes` need in all. Waits for others: meanwhile nothing more is read of this body.
    pub async fn grow(&mut self, bytes: usize) -> Result<(), UsedUp> {
        let held = self.permit.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let missing = bytes.div_ceil(KIB).saturating_sub(held);
        let Ok(missing) = u32::try_from(missing) else { return Err(UsedUp) };
        if missing == 0 {
            return Ok(());
        }
        let more = timeout(WAIT, Arc::clone(&self.budget).acquire_many_owned(missing));
        let Ok(Ok(more)) = more.await else { return Err(UsedUp) };
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
    async fn what_is_held_comes_back_and_no_more_is_given_than_there_is() {
        let budget = Budget::new(10 * KIB);
        let (mut one, mut other) = (budget.hold(), budget.hold());
        assert_eq!((one.grow(1).await, one.grow(KIB).await), (Ok(()), Ok(())));
        assert_eq!(budget.free(), 9 * KIB);
        assert_eq!(one.grow(8 * KIB).await, Ok(()));
        assert_eq!(other.grow(3 * KIB).await, Err(UsedUp));
        let (waited, ()) = tokio::join!(other.grow(3 * KIB), async {
            tokio::time::sleep(WAIT / 2).await;
            drop(one);
        });
        assert_eq!((waited, budget.free()), (Ok(()), 7 * KIB));
        drop(other);
        assert_eq!(budget.free(), 10 * KIB);
    }
}
