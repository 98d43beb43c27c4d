//! Articles that channels publish on other sites: an admin chooses for each article which.

use super::change::commit_with_event;
use crate::{app_state::AppState, services::internal_error};
use domain::{
    Actor, ArticleId, ChannelId, DomainError,
    error::ValidationError,
    post::{MAX_POSTS_OF_ARTICLE, Post, PostPurpose, PostState},
};
use serde_json::json;
use store::{
    Conn, PoolRole, article,
    post::{self, PostRecord},
};

/// Returns the article at each channel that publishes posts, by name.
pub async fn list(parts: &AppState, id: ArticleId) -> Result<Vec<Post>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = article::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("article"))?;
    let all = post::of_article(lease.conn(), id, None).await.map_err(internal_error)?;
    Ok(all.into_iter().map(|record| record.into_post(id)).collect())
}

/// Returns the article at one channel.
pub async fn find(parts: &AppState, id: ArticleId, channel: ChannelId) -> Result<Post, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = article::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("article"))?;
    Ok(one(lease.conn(), id, channel).await?.into_post(id))
}

async fn one(conn: Conn<'_>, id: ArticleId, channel: ChannelId) -> Result<PostRecord, DomainError> {
    let found = post::of_article(conn, id, Some(channel)).await.map_err(internal_error)?;
    found.into_iter().next().ok_or_else(|| DomainError::no_such("channel"))
}

/// Chooses an article for a channel, or not any more. A public article is published there at once; what is public there
/// is withdrawn.
pub async fn choose(
    parts: &AppState,
    actor: &Actor,
    (id, channel): (ArticleId, ChannelId),
    is_chosen: bool,
) -> Result<Post, DomainError> {
    let now = parts.clock.now();
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let found = article::lock(tx.conn(), id).await.map_err(internal_error)?;
    let article = found.ok_or_else(|| DomainError::no_such("article"))?;
    let before = one(tx.conn(), id, channel).await?.into_post(id);
    if before.is_chosen == is_chosen {
        return Ok(before);
    }
    if is_chosen && article.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    let all = post::of_article(tx.conn(), id, None).await.map_err(internal_error)?;
    let chosen = all.into_iter().map(|record| record.into_post(id)).filter(|post| post.is_chosen).count();
    if is_chosen && chosen >= MAX_POSTS_OF_ARTICLE {
        let max = u32::try_from(MAX_POSTS_OF_ARTICLE).unwrap_or(u32::MAX);
        return Err(DomainError::invalid("channel_id", ValidationError::TooMany { max }));
    }
    let kept = post::choose(tx.conn(), (id, channel), is_chosen, now).await.map_err(internal_error)?;
    let purpose = match is_chosen {
        true => article.published_revision_id.is_some().then_some(PostPurpose::Publish),
        false => may_be_public(&before).then_some(PostPurpose::Withdraw),
    };
    if let (Some(post), Some(purpose)) = (kept, purpose) {
        post::enqueue_now(&mut tx, (id, post), purpose, now).await.map_err(internal_error)?;
    }
    let detail = json!({"name": before.name, "article_id": id, "is_chosen": is_chosen});
    commit_with_event(parts, actor, channel, tx, "change", detail).await?;
    find(parts, id, channel).await
}

/// Whether readers of the other site may see it: unless nothing was ever sent, or it was withdrawn. An attempt of a
/// delivery that was cancelled may have published it.
fn may_be_public(post: &Post) -> bool {
    post.delivery.is_some() && post.state != PostState::Withdrawn
}
