//! Scheduling of articles. Changes of scheduled tasks are in [`crate::tasks::server_fns`].

#[cfg(feature = "ssr")]
use crate::{server_fns::ssr, tasks::server_fns::local_time};
use crate::{
    server_fns::{JsonOutput, Refused},
    tasks::server_fns::TimeOfForm,
};
pub use domain::TimePresets;
use domain::{ArticleId, Kind, LocalizedTime, task::TaskRow};
#[cfg(feature = "ssr")]
use domain::{
    DomainError,
    error::ValidationError,
    task::{NewTask, RevisionChoice},
};
use leptos::prelude::*;

/// Schedules an article: publish, update or unpublish. `revision`: `approved`, `current`, or empty.
#[server(name = ScheduleArticle, prefix = "/fn", endpoint = "schedule", output = JsonOutput)]
pub async fn schedule_article(
    article: ArticleId,
    kind: Kind,
    #[server(default)] revision: String,
    #[server(flatten)] time: TimeOfForm,
) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let when = ssr::time_of_form(&services, &actor, &time).await?;
            let due_at = services.tasks.resolve(&actor, &when).await?.at;
            let revision = chosen(&revision)?;
            let new = NewTask { kind, target_id: article.0, when, priority: None, revision };
            let result = services.tasks.schedule(&actor, new).await;
            let task =
                ssr::accept_duplicate_schedule(result, (&services, &actor), (article, kind), due_at).await?;
            ssr::redirect_back(&ssr::schedule_path(article, "schedule", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// The choice of a form; `None`: it offers none.
#[cfg(feature = "ssr")]
pub fn chosen(word: &str) -> Result<Option<RevisionChoice>, DomainError> {
    if word.is_empty() {
        return Ok(None);
    }
    let words = "approved, current".to_owned();
    let problem = |_| DomainError::invalid("revision", ValidationError::NotOneOf { words });
    word.parse().map(Some).map_err(problem)
}

/// Publishes or updates an article now, or executes its scheduled publication now. `revision`:
/// `approved`, `current`, or empty.
#[server(name = PublishArticle, prefix = "/fn", endpoint = "publish_article", output = JsonOutput)]
pub async fn publish_article(
    article: ArticleId,
    #[server(default)] revision: String,
) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let task = match chosen(&revision)? {
                Some(revision) => services.tasks.publish_revision_now(&actor, article, revision).await?,
                None => services.tasks.publish_now(&actor, article).await?,
            };
            ssr::redirect_back(&ssr::schedule_path(article, "publish", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// Unpublishes an article now.
#[server(name = UnpublishArticle, prefix = "/fn", endpoint = "unpublish_article", output = JsonOutput)]
pub async fn unpublish_article(article: ArticleId) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let task = ssr::services()?.tasks.unpublish_now(&ssr::actor()?, article).await?;
            ssr::redirect_back(&ssr::schedule_path(article, "unpublish", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// Resolves a local time.
#[server(name = ResolveTime, prefix = "/fn", endpoint = "resolve", output = JsonOutput)]
pub async fn resolve_time(
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
) -> Result<LocalizedTime, Refused> {
    ssr::respond(
        async {
            let when = local_time(&date, &time, &zone, &which);
            ssr::services()?.tasks.resolve(&ssr::actor()?, &when).await
        }
        .await,
    )
}

/// Returns the time presets in `zone`; in the user's time zone if `zone` is invalid.
#[server(name = ReadTimePresets, prefix = "/fn", endpoint = "time_presets", output = JsonOutput)]
pub async fn time_presets(#[server(default)] zone: String) -> Result<TimePresets, Refused> {
    ssr::respond(async { ssr::services()?.tasks.time_presets(&ssr::actor()?, &zone).await }.await)
}
