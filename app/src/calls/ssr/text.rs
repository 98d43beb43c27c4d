//! Small turns of what forms send.

use crate::calls::articles::Saved;
use domain::{Actor, ArticleId, Desk, Refusal, article::Article};

/// The text with line ends as `\n`: forms send `\r\n`.
pub fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Where to go after the editor's form was saved.
pub fn editor_path(id: ArticleId, then: Option<&str>) -> String {
    match then {
        Some("preview") => format!("/articles/{id}?view=preview"),
        Some("write") => format!("/articles/{id}"),
        _ => format!("/articles/{id}?done=save"),
    }
}

/// What the open editor needs to know of a text that was just saved.
pub async fn saved(desk: &Desk, actor: &Actor, article: &Article) -> Result<Saved, Refusal> {
    let words = desk.articles.preview(actor, &article.body).await?.words;
    Ok(Saved {
        id: article.row.id,
        revision: article.row.revision,
        words,
        drift: article.drift,
        at: article.row.changed,
    })
}
