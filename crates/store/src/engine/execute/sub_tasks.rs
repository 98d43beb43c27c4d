//! Tasks that are executed as parts of others, such as the articles of a release.

use crate::engine::execute::{ClaimedTask, Run};
use crate::{
    StoreError, Tx,
    task::{self, NewTaskRow},
};
use domain::{RevisionId, Version};

impl Run<'_> {
    /// Stores executed parts, and records them as executed tasks.
    pub(super) async fn record_parts(&mut self, tx: &mut Tx, parts: &[NewTaskRow]) -> Result<(), StoreError> {
        task::insert_all_executed(tx.conn(), parts, self.outcome.at).await?;
        let executed = |part: &NewTaskRow| ClaimedTask {
            id: part.id,
            kind: part.kind,
            target_id: part.target_id,
            revision_id: part.revision_id.map(RevisionId),
            due_at: part.due_at,
            version: Version::FIRST,
        };
        self.records.executed(&parts.iter().map(executed).collect::<Vec<_>>(), &[]);
        Ok(())
    }
}
