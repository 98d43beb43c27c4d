//! A text that was changed on another site and becomes a new revision here.

use super::{ArticleService, save_with};
use crate::services::{internal_error, write_error};
use domain::{
    Actor, ArticleId, ChannelId, DeliveryId, DomainError, PostId, Version,
    article::{Article, ArticleEdit},
};
use serde_json::json;
use store::{
    Tx,
    article::ArticleRecord,
    delivery,
    event::{self, NewEvent},
    post,
};

/// The post of a text that is taken.
pub struct TakenPost {
    /// The post.
    pub id: PostId,
    /// Its channel.
    pub channel: ChannelId,
    /// Name of the channel.
    pub name: String,
    /// The delivery that found the change; `None`: there is none.
    pub delivery: Option<DeliveryId>,
    /// The version that the user has seen.
    pub seen: Version,
    /// Hash of the text there, which becomes the known one.
    pub hash: String,
}

/// Saves the text of a post on another site as any other text. The post is not changed there any more.
pub async fn save_taken(
    service: &ArticleService,
    actor: &Actor,
    id: ArticleId,
    edit: ArticleEdit,
    post: &TakenPost,
) -> Result<Article, DomainError> {
    save_with(service, actor, id, edit, Some(post)).await
}

/// Records in the transaction of the save that the text of the post is known. Refuses it if the post or the article was
/// changed since.
pub(super) async fn record(
    service: &ArticleService,
    actor: &Actor,
    tx: &mut Tx,
    (article, seen_revision): (&ArticleRecord, i32),
    post: &TakenPost,
) -> Result<(), DomainError> {
    if article.revision != seen_revision {
        return Err(DomainError::Changed);
    }
    let now = service.parts.clock.now();
    // Deliveries are locked before posts. One that has ended already needs no cancellation.
    if let Some(newest) = post.delivery {
        delivery::cancel(tx.conn(), newest, now).await.map_err(internal_error)?;
    }
    let taken = post::take_theirs(tx.conn(), (post.id, post.seen), &post.hash, now);
    if !taken.await.map_err(internal_error)? {
        return Err(DomainError::Changed);
    }
    let detail = json!({"name": post.name, "article_id": article.id, "post": "take_theirs"});
    let plain = NewEvent::simple(now, Some(actor.account), "channel", post.channel.0, "change");
    let event = NewEvent { detail: detail.to_string(), ..plain };
    event::append(tx.conn(), &[event]).await.map_err(write_error(&service.parts))
}
