//! Where the forms of the article page lead.

use crate::server_fns::result_url::schedule_path;
use domain::{Actor, ArticleId, DomainError, Kind, Services, When, article::NewArticle, task::NewTask};

/// Returns the path after the editor's form was saved.
pub fn editor_path(id: ArticleId, then: Option<&str>) -> String {
    match then {
        Some("preview") => format!("/articles/{id}?view=preview"),
        Some("schedule") => format!("/articles/{id}?view=schedule"),
        Some("write") => format!("/articles/{id}"),
        _ => format!("/articles/{id}?done=save"),
    }
}

/// Creates an article and schedules its publication. Returns the path of the page that says so. An
/// invalid time is refused before anything is stored.
pub async fn create_scheduled(
    services: &Services,
    actor: &Actor,
    new: NewArticle,
    when: When,
) -> Result<String, DomainError> {
    let at = services.tasks.resolve(actor, &when).await?.at;
    if at <= services.engine.status().await.now {
        return Err(DomainError::past(at).or_publish_now());
    }
    let id = services.articles.create(actor, new).await?.row.id;
    let task = NewTask { kind: Kind::ArticlePublish, target_id: id.0, when, priority: None, revision: None };
    match services.tasks.schedule(actor, task).await {
        Ok(task) => Ok(schedule_path(id, "schedule", Some(task.id))),
        // The article exists: its page says that it is saved, and has the form again.
        Err(_) => Ok(schedule_path(id, "save", None)),
    }
}
