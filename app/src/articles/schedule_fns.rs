//! Scheduling of articles. Changes of scheduled tasks are in [`crate::tasks::server_fns`].

use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use crate::server_fns::{result_url::schedule_path, ssr};
#[cfg(feature = "ssr")]
use domain::task::NewTask;
use domain::{ArticleId, Kind, task::TaskRow};
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
            let revision = ssr::chosen(&revision)?;
            let new = NewTask { kind, target_id: article.0, when, priority: None, revision };
            let result = services.tasks.schedule(&actor, new).await;
            let task =
                ssr::accept_duplicate_schedule(result, (&services, &actor), (article, kind), due_at).await?;
            ssr::redirect_back(&schedule_path(article, "schedule", Some(task.id)));
            Ok(task)
        }
        .await,
    )
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
            let task = match ssr::chosen(&revision)? {
                Some(revision) => services.tasks.publish_revision_now(&actor, article, revision).await?,
                None => services.tasks.publish_now(&actor, article).await?,
            };
            ssr::redirect_back(&schedule_path(article, "publish", Some(task.id)));
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
            ssr::redirect_back(&schedule_path(article, "unpublish", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}
