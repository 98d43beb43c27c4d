//! Comments on paragraphs of a revision: the owner and reviewers write them, and each can be resolved
//! and opened again.

use super::change;
use crate::{
    app_state::AppState,
    articles::review::notify,
    services::{Presenter, internal_error, write_error},
    tasks::unit_of_work::{UnitOfWork, find_idempotent_result},
};
use domain::{
    AccountId, Actor, ArticleId, DomainError,
    error::ValidationError,
    review::{
        comment::{MAX_COMMENT_CHARS, MAX_COMMENTS, NewComment, ReviewComment, paragraphs, quote},
        workflow::may_review,
    },
    text::find_forbidden_char,
};
use serde_json::json;
use store::{
    Conn, PoolRole,
    review_comment::{self, CommentRow, NewCommentRow},
    revision,
};
use uuid::Uuid;

/// Whether the actor may comment on articles of this owner.
pub fn may_comment(actor: &Actor, owner: AccountId) -> bool {
    may_review(actor) || actor.may_change(owner)
}

fn present(presenter: &Presenter<'_>, row: CommentRow) -> ReviewComment {
    let actor = presenter.actor;
    ReviewComment {
        may_resolve: may_comment(actor, AccountId(row.owner_id)) || row.author_id == actor.account.0,
        id: row.id,
        article_id: ArticleId(row.article_id),
        revision: row.revision,
        paragraph: row.paragraph.unsigned_abs(),
        quote: row.quote,
        text: row.text,
        author_id: AccountId(row.author_id),
        author: row.author,
        created: presenter.moment(row.created_at),
        resolved: row.resolved_at.map(|at| presenter.moment(at)),
        resolved_by: row.resolved_by,
    }
}

/// Returns the comments of an article.
pub async fn list(
    conn: Conn<'_>,
    presenter: &Presenter<'_>,
    article: ArticleId,
) -> Result<Vec<ReviewComment>, DomainError> {
    let rows = review_comment::list(conn, article, MAX_COMMENTS).await.map_err(internal_error)?;
    Ok(rows.into_iter().map(|row| present(presenter, row)).collect())
}

/// Returns the comments of an article that exists.
pub async fn of_article(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
) -> Result<Vec<ReviewComment>, DomainError> {
    let mut lease = parts.store.read(PoolRole::Web).await.map_err(internal_error)?;
    let presenter = Presenter::of(lease.conn(), actor, parts.clock.now()).await?;
    let found = store::article::find(lease.conn(), article).await.map_err(internal_error)?;
    found.ok_or_else(|| DomainError::no_such("article"))?;
    list(lease.conn(), &presenter, article).await
}

/// Comments on a paragraph, and notifies the owner and those who commented before.
pub async fn add(
    parts: &AppState,
    actor: &Actor,
    article: ArticleId,
    new: NewComment,
) -> Result<ReviewComment, DomainError> {
    let text = checked(&new.text)?;
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    let id = Uuid::now_v7();
    if let Some(stored) = find_idempotent_result(&mut unit, id).await? {
        return find(&mut unit, stored).await;
    }
    let (target, _) = change::lock(&mut unit, article).await?;
    if !may_comment(actor, AccountId(target.owner_id)) {
        return Err(DomainError::NotAllowed);
    }
    let found = revision::find_by_number(unit.tx.conn(), article, new.revision).await;
    let found = found.map_err(internal_error)?.ok_or_else(|| DomainError::no_such("revision"))?;
    let all = paragraphs(&found.body);
    let max = i32::try_from(all.len()).unwrap_or(i32::MAX);
    let place = usize::try_from(new.paragraph).ok().and_then(|number| all.get(number.checked_sub(1)?));
    let place = place.ok_or_else(|| {
        DomainError::invalid("paragraph", ValidationError::NotBetween { min: max.min(1), max })
    })?;
    let row = NewCommentRow {
        id,
        article,
        revision: new.revision,
        paragraph: new.paragraph,
        quote: quote(place),
        text,
        author: actor.account.0,
    };
    let (now, failed) = (unit.now(), write_error(parts));
    if !review_comment::insert(unit.tx.conn(), &row, MAX_COMMENTS, now).await.map_err(&failed)? {
        return Err(DomainError::invalid("text", ValidationError::TooMany { max: MAX_COMMENTS }));
    }
    let detail = json!({"comment": id, "paragraph": new.paragraph, "text": row.text});
    change::record(&mut unit, article.0, "comment", (new.revision, &detail));
    let events = notify::commented(&mut unit.tx, (article, &found.title), (actor.account, now)).await;
    unit.record_events(events.map_err(&failed)?);
    let comment = find(&mut unit, id).await?;
    unit.commit().await?;
    Ok(comment)
}

/// Resolves a comment, or opens it again.
pub async fn resolve(
    parts: &AppState,
    actor: &Actor,
    id: Uuid,
    is_resolved: bool,
) -> Result<ReviewComment, DomainError> {
    let mut unit = UnitOfWork::begin(parts, actor).await?;
    if find_idempotent_result(&mut unit, id).await?.is_some() {
        return find(&mut unit, id).await;
    }
    let before = find(&mut unit, id).await?;
    if !before.may_resolve {
        return Err(DomainError::NotAllowed);
    }
    change::lock(&mut unit, before.article_id).await?;
    let (now, by) = (unit.now(), is_resolved.then_some(actor.account.0));
    let changed = review_comment::resolve(unit.tx.conn(), id, by, now).await.map_err(write_error(parts))?;
    if !changed {
        return Err(DomainError::Changed);
    }
    let verb = if is_resolved { "comment_resolve" } else { "comment_reopen" };
    let detail = json!({"comment": id, "paragraph": before.paragraph});
    change::record(&mut unit, before.article_id.0, verb, (before.revision, &detail));
    let comment = find(&mut unit, id).await?;
    unit.commit().await?;
    Ok(comment)
}

async fn find(unit: &mut UnitOfWork<'_>, id: Uuid) -> Result<ReviewComment, DomainError> {
    let row = review_comment::find(unit.tx.conn(), id).await.map_err(internal_error)?;
    let row = row.ok_or_else(|| DomainError::no_such("comment"))?;
    Ok(present(&unit.presenter, row))
}

/// Trims the text: 1 to [`MAX_COMMENT_CHARS`] characters.
fn checked(typed: &str) -> Result<String, DomainError> {
    let text = typed.trim();
    let problem = if text.is_empty() {
        ValidationError::Empty
    } else if text.chars().count() > MAX_COMMENT_CHARS as usize {
        ValidationError::TooLong { max: MAX_COMMENT_CHARS }
    } else if text.lines().any(|line| find_forbidden_char(line).is_some()) {
        ValidationError::BadCharacters
    } else {
        return Ok(text.to_owned());
    };
    Err(DomainError::invalid("text", problem))
}
