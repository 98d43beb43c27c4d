//! Articles that channels publish on other sites: an admin chooses for each article which.

use super::change::commit_with_event;
use crate::{
    app_state::AppState,
    services::{cursor, internal_error},
};
use domain::{
    Actor, ArticleId, ChannelId, DomainError, Page, PostId, Version,
    base::page::PageStart,
    error::ValidationError,
    input_limits::{DEFAULT_PAGE_ITEMS, MAX_PAGE_ITEMS},
    post::{MAX_POSTS_OF_ARTICLE, Post, PostAction, PostPurpose, PostQuery, PostState},
};
use serde_json::json;
use store::{
    Conn, PoolRole, StoreError, Tx, article, delivery,
    post::{self, PostFilter, PostRecord},
};
use uuid::Uuid;

/// Returns one page of all posts, newest first.
pub async fn all(parts: &AppState, query: &PostQuery) -> Result<Page<Post>, DomainError> {
    let limit =
        usize::try_from(query.limit.unwrap_or(DEFAULT_PAGE_ITEMS).clamp(1, MAX_PAGE_ITEMS)).unwrap_or(1);
    let mut start = query.cursor.as_deref().map_or(Ok(PageStart::first()), cursor::read_id)?;
    let filter = PostFilter {
        channel: query.channel,
        state: query.state,
        is_ascending: start.is_backward,
        start: start.place,
        // One more than requested shows whether there is another page.
        limit: i64::try_from(limit + 1).unwrap_or(i64::MAX),
    };
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let mut records = post::list(lease.conn(), filter).await.map_err(internal_error)?;
    if start.is_backward && records.len() <= limit {
        // The way back ends on this page: it is the first one, read from its start so that it is full.
        start = PageStart::first();
        let filter = PostFilter { is_ascending: false, start: None, ..filter };
        records = post::list(lease.conn(), filter).await.map_err(internal_error)?;
    }
    let place = |post: &Post| post.id.map_or(Uuid::nil(), |id| id.0);
    Ok(Page::of_rows(presented(records)?, limit, start, place, cursor::write_id))
}

fn presented(records: Vec<PostRecord>) -> Result<Vec<Post>, DomainError> {
    records.into_iter().map(PostRecord::into_post).collect::<Result<_, StoreError>>().map_err(internal_error)
}

/// Returns the article at each channel that publishes posts, by name.
pub async fn list(parts: &AppState, id: ArticleId) -> Result<Vec<Post>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = article::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("article"))?;
    presented(post::of_article(lease.conn(), id, None).await.map_err(internal_error)?)
}

/// Returns the article at one channel.
pub async fn find(parts: &AppState, id: ArticleId, channel: ChannelId) -> Result<Post, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let found = article::find(lease.conn(), id).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("article"))?;
    one(lease.conn(), id, channel).await
}

async fn one(conn: Conn<'_>, id: ArticleId, channel: ChannelId) -> Result<Post, DomainError> {
    let found = post::of_article(conn, id, Some(channel)).await.map_err(internal_error)?;
    presented(found)?.into_iter().next().ok_or_else(|| DomainError::no_such("channel"))
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
    let before = one(tx.conn(), id, channel).await?;
    if before.is_chosen == is_chosen {
        return Ok(before);
    }
    if is_chosen && article.deleted_at.is_some() {
        return Err(DomainError::InTrash);
    }
    let all = presented(post::of_article(tx.conn(), id, None).await.map_err(internal_error)?)?;
    let chosen = all.into_iter().filter(|post| post.is_chosen).count();
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
        post::enqueue_now(&mut tx, (id, post), (purpose, false), now).await.map_err(internal_error)?;
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

/// Does something with a post that a user has seen in this version.
pub async fn change(
    parts: &AppState,
    actor: &Actor,
    id: PostId,
    action: PostAction,
    seen: Version,
) -> Result<Post, DomainError> {
    let no_post = || DomainError::no_such("post");
    let mut tx = parts.store.begin(PoolRole::Web).await.map_err(internal_error)?;
    let found = post::find(tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_post)?;
    let article = found.into_post().map_err(internal_error)?.article;
    let public = article::lock(tx.conn(), article).await.map_err(internal_error)?.ok_or_else(no_post)?;
    let is_public = public.published_revision_id.is_some();
    let found = post::find(tx.conn(), id).await.map_err(internal_error)?.ok_or_else(no_post)?;
    let before = found.into_post().map_err(internal_error)?;
    if before.version != seen {
        return Err(DomainError::Changed);
    }
    if public.deleted_at.is_some() && action != PostAction::Leave {
        return Err(DomainError::InTrash);
    }
    if !is_allowed(action, &before, is_public) {
        return Err(wrong_state(&before));
    }
    // Deliveries are locked before posts, as a result that is recorded does.
    end_delivery(parts, &mut tx, action, &before).await?;
    if !post::change_seen(tx.conn(), id, seen).await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    begin(parts, &mut tx, action, (&before, id), is_public).await?;
    let detail = json!({"name": before.name, "article_id": article, "post": action});
    commit_with_event(parts, actor, before.channel, tx, "change", detail).await?;
    find(parts, article, before.channel).await
}

fn wrong_state(post: &Post) -> DomainError {
    DomainError::WrongState { what: "post".to_owned(), state: post.state.to_string() }
}

/// Whether a post is in a state for an action.
fn is_allowed(action: PostAction, post: &Post, is_article_public: bool) -> bool {
    let is_changed = post.state == PostState::ChangedThere;
    match action {
        PostAction::Check if is_article_public => post.state.is_public() && post.url.is_some(),
        PostAction::Check => {
            post.is_chosen
                && !matches!(
                    post.state,
                    PostState::Preparing
                        | PostState::Publishing
                        | PostState::Withdrawing
                        | PostState::Unconfirmed
                )
        }
        PostAction::Retry => post.state.needs_user() || post.state == PostState::Cancelled,
        PostAction::Overwrite => is_changed && post.is_chosen,
        PostAction::Leave => is_changed,
    }
}

/// Sends the newest delivery again, or cancels it if another one or none follows.
async fn end_delivery(
    parts: &AppState,
    tx: &mut Tx,
    action: PostAction,
    post: &Post,
) -> Result<(), DomainError> {
    let now = parts.clock.now();
    let Some(newest) = post.delivery else { return Ok(()) };
    let is_done = match action {
        PostAction::Check => true,
        PostAction::Retry => delivery::resend(tx.conn(), newest, now).await.map_err(internal_error)?,
        PostAction::Overwrite | PostAction::Leave => {
            // One that has ended already needs no cancellation.
            delivery::cancel(tx.conn(), newest, now).await.map_err(internal_error)?;
            true
        }
    };
    if is_done { Ok(()) } else { Err(wrong_state(post)) }
}

/// Stores the delivery of an action.
async fn begin(
    parts: &AppState,
    tx: &mut Tx,
    action: PostAction,
    (post, id): (&Post, PostId),
    is_article_public: bool,
) -> Result<(), DomainError> {
    let purpose = match (action, is_article_public) {
        (PostAction::Check, true) => PostPurpose::Look,
        (PostAction::Overwrite, true) => PostPurpose::Publish,
        (PostAction::Check | PostAction::Overwrite, false) => PostPurpose::Prepare,
        (PostAction::Retry, _) => return Ok(()),
        (PostAction::Leave, _) => return post::leave(tx.conn(), id).await.map_err(internal_error),
    };
    let (is_overwrite, now) = (action == PostAction::Overwrite, parts.clock.now());
    let about = (post.article, id);
    let is_stored =
        post::enqueue_now(tx, about, (purpose, is_overwrite), now).await.map_err(internal_error)?;
    if is_stored { Ok(()) } else { Err(wrong_state(post)) }
}
