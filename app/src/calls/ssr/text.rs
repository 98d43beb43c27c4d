//! Small turns of what forms send.

use crate::calls::articles::Saved;
use domain::{Actor, ArticleId, Desk, Refusal, TaskId, article::Article};

/// The text with line ends as `\n`: forms send `\r\n`.
pub fn plain_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Where to go after the editor's form was saved.
pub fn editor_path(id: ArticleId, then: Option<&str>) -> String {
    match then {
        Some("preview") => format!("/articles/{id}?view=preview"),
        Some("moment") => format!("/articles/{id}?view=moment"),
        Some("write") => format!("/articles/{id}"),
        _ => format!("/articles/{id}?done=save"),
    }
}

/// Where to go after something about the moments of an article was done: the page says what, and offers the undo of the task.
pub fn moment_path(id: ArticleId, done: &str, changed: Option<TaskId>) -> String {
    let changed = changed.map(|task| format!("&changed={task}")).unwrap_or_default();
    format!("/articles/{id}?view=moment&done={done}{changed}")
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
