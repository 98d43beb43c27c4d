//! Where the forms of the article page lead.

use crate::server_fns::result_url::schedule_path;
use domain::{
    Actor, ArticleId, DomainError, Kind, Services, TaskId, When, article::NewArticle, task::NewTask,
};

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
    let (id, task) = create_and_schedule(services, actor, new, when).await?;
    // An article without a task exists: its page says that it is saved, and has the form again.
    Ok(schedule_path(id, if task.is_some() { "schedule" } else { "save" }, task))
}

/// The same, with the article and the task. `None`: the article exists, and could not be scheduled.
pub async fn create_and_schedule(
    services: &Services,
    actor: &Actor,
    new: NewArticle,
    when: When,
) -> Result<(ArticleId, Option<TaskId>), DomainError> {
    let at = services.tasks.resolve(actor, &when).await?.at;
    if at <= services.engine.status().await.now {
        return Err(DomainError::past(at).or_publish_now());
    }
    let id = services.articles.create(actor, new).await?.row.id;
    let task = NewTask { kind: Kind::ArticlePublish, target_id: id.0, when, priority: None, revision: None };
    Ok((id, services.tasks.schedule(actor, task).await.ok().map(|task| task.id)))
}
