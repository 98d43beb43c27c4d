//! Saves an edit of an article, merged with a revision that was saved meanwhile. Server only.

use domain::{
    Actor, ArticleId, DomainError, Services,
    article::ArticleEdit,
    articles::{details::DetailsEdit, merge::merged_text},
};

/// Saves the edit. If another revision was saved since it began and changed other lines, saves both
/// changes. Returns whether they were merged; `TextConflict` if both changed the same lines.
pub async fn save(
    services: &Services,
    actor: &Actor,
    id: ArticleId,
    edit: ArticleEdit,
) -> Result<bool, DomainError> {
    let conflict = match services.articles.save(actor, id, edit.clone()).await {
        Ok(_) => return Ok(false),
        Err(refusal) => refusal,
    };
    let DomainError::TextConflict { revision, title, body, .. } = &conflict else { return Err(conflict) };
    // The revision may be gone: the next autosave of the same edit replaces an autosave.
    let Ok(base) = services.articles.revision(actor, id, edit.seen_revision).await else {
        return Err(conflict);
    };
    let (my_title, my_body) = (edit.title.unwrap_or_default(), edit.body.unwrap_or_default());
    let merged = merged_text(&base.row.title, &my_title, title).zip(merged_text(&base.body, &my_body, body));
    let Some((title, body)) = merged else { return Err(conflict) };
    // A form sends all details: if they are those that it was opened with, the newer ones stay.
    let is_same = edit.details.clone().apply(base.details.clone()) == base.details;
    let edit = ArticleEdit {
        title: Some(title),
        body: Some(body),
        seen_revision: *revision,
        is_autosave: false,
        details: if is_same { DetailsEdit::default() } else { edit.details },
    };
    services.articles.save(actor, id, edit).await?;
    Ok(true)
}
