//! When an article goes out: the panel beside the editor. Changes of a task that waits are in [`super::tasks`].

use super::{Refused, Told};
#[cfg(feature = "ssr")]
use super::{ssr, tasks::local_time};
#[cfg(feature = "ssr")]
use domain::task::NewTask;
pub use domain::time::Picks;
use domain::{ArticleId, Kind, Moment, task::TaskRow};
use leptos::prelude::*;

/// A new task for an article: publishes it (or what changed), or takes it off the site.
#[server(name = ScheduleArticle, prefix = "/fn", endpoint = "schedule", output = Told)]
pub async fn schedule_article(
    article: ArticleId,
    kind: Kind,
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
) -> Result<TaskRow, Refused> {
    ssr::answer(
        async {
            let when = local_time(&date, &time, &zone, &which);
            let (desk, actor) = (ssr::desk()?, ssr::actor()?);
            let due_at = desk.tasks.resolve(&actor, &when).await?.at;
            let new = NewTask { kind, target_id: article.0, when, lane: None };
            let answer = desk.tasks.schedule(&actor, new).await;
            let task = ssr::calm_schedule(answer, (&desk, &actor), (article, kind), due_at).await?;
            ssr::go_back(&ssr::moment_path(article, "schedule", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// The current revision at once: publishes it, updates what is public, or moves the waiting publish to now.
#[server(name = PublishArticle, prefix = "/fn", endpoint = "publish_article", output = Told)]
pub async fn publish_article(article: ArticleId) -> Result<TaskRow, Refused> {
    ssr::answer(
        async {
            let task = ssr::desk()?.tasks.publish_at_once(&ssr::actor()?, article).await?;
            ssr::go_back(&ssr::moment_path(article, "publish", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// The article leaves the site at once.
#[server(name = UnpublishArticle, prefix = "/fn", endpoint = "unpublish_article", output = Told)]
pub async fn unpublish_article(article: ArticleId) -> Result<TaskRow, Refused> {
    ssr::answer(
        async {
            let task = ssr::desk()?.tasks.unpublish_at_once(&ssr::actor()?, article).await?;
            ssr::go_back(&ssr::moment_path(article, "unpublish", Some(task.id)));
            Ok(task)
        }
        .await,
    )
}

/// What a local time means, before it is used.
#[server(name = ResolveTime, prefix = "/fn", endpoint = "resolve", output = Told)]
pub async fn resolve_time(
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
) -> Result<Moment, Refused> {
    ssr::answer(
        async {
            let when = local_time(&date, &time, &zone, &which);
            ssr::desk()?.tasks.resolve(&ssr::actor()?, &when).await
        }
        .await,
    )
}

/// The times people often want, in `zone`; in the asker's own if that is not a zone.
#[server(name = UsualTimes, prefix = "/fn", endpoint = "picks", output = Told)]
pub async fn usual_times(#[server(default)] zone: String) -> Result<Picks, Refused> {
    ssr::answer(async { ssr::desk()?.tasks.usual_times(&ssr::actor()?, &zone).await }.await)
}
