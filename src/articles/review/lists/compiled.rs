//! The compiled word lists of the service.

use super::{self as lists, Lists};
use crate::{app_state::AppState, services::internal_error};
use domain::DomainError;
use std::sync::Arc;
use store::PoolRole;
use tokio::sync::Mutex;

/// Lets one caller compile changed lists, while the others wait for it.
#[derive(Debug, Default)]
pub struct Cache(Mutex<()>);

impl Cache {
    /// Returns the compiled lists.
    pub async fn get(&self, parts: &AppState) -> Result<Arc<Lists>, DomainError> {
        let _one = self.0.lock().await;
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        lists::current(lease.conn()).await.map_err(internal_error)
    }
}
