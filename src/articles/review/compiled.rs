//! The compiled word lists, kept until a list changes.

use crate::{
    server::app_state::AppState,
    services::{internal_error, run_blocking},
};
use domain::{
    DomainError, WordListId,
    review::{Action, CompiledLists, Term},
};
use std::{collections::HashMap, sync::Arc};
use store::{PoolRole, word_list};
use tokio::sync::Mutex;
use uuid::Uuid;

/// Word lists as they were at one moment.
#[derive(Debug)]
pub(super) struct Lists {
    /// Id and version of each list, in the order of the compiled ones.
    versions: Vec<(Uuid, i32)>,
    pub ids: Vec<WordListId>,
    pub compiled: CompiledLists,
}

/// The compiled lists of the newest versions that were used.
#[derive(Debug, Default)]
pub(super) struct Cache(Mutex<Option<Arc<Lists>>>);

impl Cache {
    /// Returns the compiled lists. If a list has changed since, on this node or another, one caller
    /// compiles them on a blocking thread, and the others wait for it.
    pub async fn get(&self, parts: &AppState) -> Result<Arc<Lists>, DomainError> {
        let mut cached = self.0.lock().await;
        let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
        let records = word_list::all(lease.conn()).await.map_err(internal_error)?;
        let versions: Vec<(Uuid, i32)> = records.iter().map(|list| (list.id, list.version)).collect();
        if let Some(lists) = cached.as_ref().filter(|lists| lists.versions == versions) {
            return Ok(Arc::clone(lists));
        }
        let mut terms: HashMap<Uuid, Vec<Term>> = HashMap::new();
        for (list, term) in word_list::all_terms(lease.conn()).await.map_err(internal_error)? {
            terms.entry(list).or_default().push(term);
        }
        drop(lease);
        let mut lists: Vec<(Action, Vec<Term>)> = Vec::with_capacity(records.len());
        for record in &records {
            let action = record.settings().map_err(internal_error)?.action;
            lists.push((action, terms.remove(&record.id).unwrap_or_default()));
        }
        let compiled = run_blocking(move || CompiledLists::new(&lists)).await?;
        let ids = records.iter().map(|list| WordListId(list.id)).collect();
        let lists = Arc::new(Lists { versions, ids, compiled });
        *cached = Some(Arc::clone(&lists));
        Ok(lists)
    }
}
