//! The newest approved revision of an article.

use crate::{
    articles::review::{pinned, publishing},
    services::{Presenter, internal_error},
};
use domain::{ArticleId, DomainError, article::ApprovedRevision};
use store::Conn;
use uuid::Uuid;

/// Returns the newest approved revision of an article that is not public yet. `current`: its current
/// revision.
pub async fn approved(
    mut conn: Conn<'_>,
    presenter: &Presenter<'_>,
    (id, current): (ArticleId, Uuid),
) -> Result<Option<ApprovedRevision>, DomainError> {
    let newest = pinned::newest(conn.reborrow(), &[id.0]).await.map_err(internal_error)?;
    let Some(newest) = newest.get(&id.0) else { return Ok(None) };
    let is_other = newest.revision_id != current;
    let others: &[Uuid] = if is_other { &[current] } else { &[] };
    let refused = publishing::refusals(conn, others).await.map_err(internal_error)?;
    Ok(Some(ApprovedRevision {
        revision: newest.number,
        at: presenter.moment(newest.approved_at),
        newer_edits: u32::try_from(newest.newer_edits).unwrap_or(u32::MAX),
        is_default: !refused.is_empty(),
    }))
}
