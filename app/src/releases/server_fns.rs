//! Releases: list, one release, and changes.

use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use crate::{server_fns::ssr, tasks::server_fns::with_changed};
use domain::releases::{Release, ReleaseRow};
#[cfg(feature = "ssr")]
use domain::{
    ArticleId, DomainError, ReleaseId, Version,
    article::ArticleQuery,
    error::ValidationError,
    releases::{NewItem, NewRelease, ReleaseAction, ReleaseEdit},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Maximum number of articles that the page offers.
#[cfg(feature = "ssr")]
const MAX_OFFERED: u32 = 100;

/// A release, and articles that may be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseView {
    /// The release.
    pub release: Release,
    /// Ids and titles.
    pub offered: Vec<(String, String)>,
}

/// The newest releases.
#[server(name = ListReleases, prefix = "/fn", endpoint = "releases", output = JsonOutput)]
pub async fn list_releases() -> Result<Vec<ReleaseRow>, Refused> {
    ssr::respond(async { ssr::services()?.releases.list(&ssr::actor()?).await }.await)
}

/// A release, and the articles with these words that may be added; the last changed ones without words.
#[server(name = FindRelease, prefix = "/fn", endpoint = "release", output = JsonOutput)]
pub async fn find_release(id: String, #[server(default)] q: String) -> Result<ReleaseView, Refused> {
    ssr::respond(find(&id, q).await)
}

#[cfg(feature = "ssr")]
async fn find(id: &str, q: String) -> Result<ReleaseView, DomainError> {
    let (services, actor) = (ssr::services()?, ssr::actor()?);
    let release = services.releases.find(&actor, parsed(id)?).await?;
    if !release.row.may_change || !release.row.state.may_edit() {
        return Ok(ReleaseView { release, offered: Vec::new() });
    }
    let query = ArticleQuery {
        q: Some(q).filter(|q| !q.trim().is_empty()),
        is_mine: !actor.is_admin(),
        limit: Some(MAX_OFFERED),
        ..ArticleQuery::default()
    };
    let articles = services.articles.list(&actor, query).await?.items.into_iter();
    let is_in = |id: ArticleId| release.items.iter().any(|item| item.article == id);
    let offered = articles.filter(|row| !is_in(row.id)).map(|row| (row.id.to_string(), row.title)).collect();
    Ok(ReleaseView { release, offered })
}

/// Creates a release without articles.
#[server(name = CreateRelease, prefix = "/fn", endpoint = "create_release", output = JsonOutput)]
pub async fn create_release(name: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let new = NewRelease { name, items: Vec::new() };
            let release = ssr::services()?.releases.create(&ssr::actor()?, new).await?;
            ssr::redirect(&page(release.row.id));
            Ok(())
        }
        .await,
    )
}

/// Renames a release.
#[server(name = RenameRelease, prefix = "/fn", endpoint = "rename_release", output = JsonOutput)]
pub async fn rename_release(id: String, seen: i32, name: String) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (id, seen) = (parsed(&id)?, Version(seen));
            let edit = ReleaseEdit { name: Some(name), items: None, seen };
            ssr::services()?.releases.edit(&ssr::actor()?, id, edit).await?;
            ssr::redirect(&page(id));
            Ok(())
        }
        .await,
    )
}

/// Adds the article `id` to a release; `action` is `publish` or `unpublish`. Or changes it there:
/// `remove` takes it out, `refresh` pins its current revision.
#[server(name = ChangeReleaseItem, prefix = "/fn", endpoint = "change_release_item", output = JsonOutput)]
pub async fn change_release_item(
    release: String,
    seen: i32,
    id: String,
    action: String,
) -> Result<(), Refused> {
    ssr::respond(change_item(&release, Version(seen), &id, &action).await)
}

#[cfg(feature = "ssr")]
async fn change_item(release: &str, seen: Version, id: &str, action: &str) -> Result<(), DomainError> {
    let (services, actor, release) = (ssr::services()?, ssr::actor()?, parsed(release)?);
    let article: ArticleId = id.parse().map_err(|_| DomainError::no_such("article"))?;
    let found = services.releases.find(&actor, release).await?;
    let mut items: Vec<NewItem> = Vec::new();
    for item in found.items {
        let is_it = item.article == article;
        if is_it && action == "remove" {
            continue;
        }
        let revision = item.revision.filter(|_| !(is_it && action == "refresh"));
        items.push(NewItem { article: item.article, action: item.action, revision });
    }
    match action {
        "remove" | "refresh" => {}
        action => {
            let words = || ValidationError::NotOneOf { words: ReleaseAction::NAMES.join(", ") };
            let action = action.parse().map_err(|_| DomainError::invalid("action", words()))?;
            items.push(NewItem { article, action, revision: None });
        }
    }
    let edit = ReleaseEdit { name: None, items: Some(items), seen };
    services.releases.edit(&actor, release, edit).await?;
    ssr::redirect(&page(release));
    Ok(())
}

/// Schedules a release.
#[server(name = ScheduleRelease, prefix = "/fn", endpoint = "schedule_release", output = JsonOutput)]
pub async fn schedule_release(id: String, #[server(flatten)] time: TimeOfForm) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor, id) = (ssr::services()?, ssr::actor()?, parsed(&id)?);
            let when = ssr::time_of_form(&services, &actor, &time).await?;
            let task = services.releases.schedule(&actor, id, when).await?;
            ssr::redirect(&with_changed(&page(id), task.id));
            Ok(())
        }
        .await,
    )
}

/// Acts on a release; `what` is `publish`, `revert` or `delete`.
#[server(name = ActOnRelease, prefix = "/fn", endpoint = "act_on_release", output = JsonOutput)]
pub async fn act_on_release(id: String, seen: i32, what: String) -> Result<(), Refused> {
    ssr::respond(act(&id, Version(seen), &what).await)
}

#[cfg(feature = "ssr")]
async fn act(id: &str, seen: Version, what: &str) -> Result<(), DomainError> {
    let (services, actor, id) = (ssr::services()?, ssr::actor()?, parsed(id)?);
    match what {
        "publish" => drop(services.releases.publish_now(&actor, id).await?),
        "revert" => drop(services.releases.revert(&actor, id).await?),
        "delete" => {
            services.releases.delete(&actor, id, Some(seen)).await?;
            ssr::redirect("/releases");
            return Ok(());
        }
        _ => {
            let words = "publish, revert, delete".to_owned();
            return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
        }
    }
    ssr::redirect(&page(id));
    Ok(())
}

#[cfg(feature = "ssr")]
fn page(id: ReleaseId) -> String {
    format!("/releases/{id}")
}

#[cfg(feature = "ssr")]
fn parsed(id: &str) -> Result<ReleaseId, DomainError> {
    id.parse().map_err(|_| DomainError::no_such("release"))
}
