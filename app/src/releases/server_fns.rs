//! Releases: list, one release, and changes.

use crate::server_fns::{JsonOutput, Refused, time_of_form::TimeOfForm};
#[cfg(feature = "ssr")]
use crate::{
    server_fns::{result_url::with_done, ssr},
    tasks::server_fns::with_changed,
};
use domain::releases::{Release, ReleaseRow};
#[cfg(feature = "ssr")]
use domain::{
    Actor, ArticleId, DomainError, ReleaseId, Services, Version, When,
    article::{ArticleFilter, ArticleQuery, ArticleRow},
    error::ValidationError,
    releases::{NewItem, NewRelease, ReleaseAction, ReleaseEdit},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};
#[cfg(feature = "ssr")]
use std::collections::HashSet;

/// Maximum number of articles that the page offers.
#[cfg(feature = "ssr")]
const MAX_OFFERED: u32 = 100;
/// Maximum number of ticked articles that a form brings back: more than a release may have, so that a form that was
/// refused for too many loses none of them.
#[cfg(feature = "ssr")]
const MAX_TICKED: usize = 1_000;

/// A release, and articles that may be added.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReleaseView {
    /// The release.
    pub release: Release,
    /// Those that are ticked.
    pub ticked: Vec<OfferedArticle>,
    /// Number of ticked ones that no longer exist.
    pub gone: u32,
    /// Others, drafts first.
    pub offered: Vec<OfferedArticle>,
}

/// An article that may be added to a release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedArticle {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Whether it is neither scheduled nor public.
    pub is_draft: bool,
}

#[cfg(feature = "ssr")]
impl From<ArticleRow> for OfferedArticle {
    fn from(row: ArticleRow) -> Self {
        let is_draft = row.published.is_none() && row.waiting.is_none() && row.release.is_none();
        Self { id: row.id.to_string(), title: row.title, is_draft }
    }
}

/// What the form of a new release offers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewReleaseForm {
    /// The articles that were chosen before.
    pub chosen: Vec<OfferedArticle>,
    /// Number of chosen ones that no longer exist.
    pub gone: u32,
    /// Others that may be added, drafts first.
    pub offered: Vec<OfferedArticle>,
    /// The releases that the articles can be added to instead.
    pub open: Vec<ReleaseRow>,
}

/// The newest releases.
#[server(name = ListReleases, prefix = "/fn", endpoint = "releases", output = JsonOutput)]
pub async fn list_releases() -> Result<Vec<ReleaseRow>, Refused> {
    ssr::respond(async { ssr::services()?.releases.list(&ssr::actor()?).await }.await)
}

/// A release, and the articles with these words that may be added: drafts first, those that changed last. `ids`:
/// those of articles that are ticked, separated by commas.
#[server(name = FindRelease, prefix = "/fn", endpoint = "release", output = JsonOutput)]
pub async fn find_release(
    id: String,
    #[server(default)] q: String,
    #[server(default)] ids: String,
) -> Result<ReleaseView, Refused> {
    ssr::respond(find(&id, &q, &ids).await)
}

#[cfg(feature = "ssr")]
async fn find(id: &str, q: &str, ids: &str) -> Result<ReleaseView, DomainError> {
    let (services, actor) = (ssr::services()?, ssr::actor()?);
    let release = services.releases.find(&actor, parsed(id)?).await?;
    if !release.row.may_change || !release.row.state.may_edit() {
        return Ok(ReleaseView { release, ticked: Vec::new(), gone: 0, offered: Vec::new() });
    }
    let mut known: HashSet<ArticleId> = release.items.iter().map(|item| item.article).collect();
    let new = ids_in(ids)?.into_iter().filter(|id| known.insert(*id)).collect::<Vec<_>>();
    let (ticked, gone) = articles(&services, &actor, &new).await?;
    let offered = offered(&services, &actor, q, known).await?;
    Ok(ReleaseView { release, ticked, gone, offered })
}

/// Reads ids that commas separate.
#[cfg(feature = "ssr")]
fn ids_in(ids: &str) -> Result<Vec<ArticleId>, DomainError> {
    articles_of(ids.split(',').filter(|id| !id.is_empty()).take(MAX_TICKED))
}

/// The articles with these ids, and the number of those that no longer exist.
#[cfg(feature = "ssr")]
async fn articles(
    services: &Services,
    actor: &Actor,
    ids: &[ArticleId],
) -> Result<(Vec<OfferedArticle>, u32), DomainError> {
    let (mut all, mut gone) = (Vec::with_capacity(ids.len()), 0);
    for id in ids {
        match services.articles.find(actor, *id).await {
            Ok(article) => all.push(OfferedArticle::from(article.row)),
            Err(DomainError::NoSuch { .. }) => gone += 1,
            Err(other) => return Err(other),
        }
    }
    Ok((all, gone))
}

/// The articles with these words that the actor may add, without the known ones.
#[cfg(feature = "ssr")]
async fn offered(
    services: &Services,
    actor: &Actor,
    q: &str,
    mut known: HashSet<ArticleId>,
) -> Result<Vec<OfferedArticle>, DomainError> {
    let query = |filter| ArticleQuery {
        filter,
        q: Some(q.to_owned()).filter(|q| !q.trim().is_empty()),
        is_mine: !actor.is_admin(),
        limit: Some(MAX_OFFERED),
        ..ArticleQuery::default()
    };
    let mut rows = services.articles.list(actor, query(Some(ArticleFilter::Draft))).await?.items;
    rows.extend(services.articles.list(actor, query(None)).await?.items);
    Ok(rows.into_iter().filter(|row| known.insert(row.id)).map(OfferedArticle::from).collect())
}

/// What the form of a new release offers. `ids`: those of articles that were chosen before, separated by commas.
#[server(name = OfferForRelease, prefix = "/fn", endpoint = "offer_for_release", output = JsonOutput)]
pub async fn offer_for_release(
    #[server(default)] ids: String,
    #[server(default)] q: String,
) -> Result<NewReleaseForm, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let ids = ids_in(&ids)?;
            let (chosen, gone) = articles(&services, &actor, &ids).await?;
            let offered = offered(&services, &actor, &q, ids.into_iter().collect()).await?;
            let mut open = services.releases.list(&actor).await?;
            open.retain(|row| row.may_change && row.state.may_edit());
            Ok(NewReleaseForm { chosen, gone, offered, open })
        }
        .await,
    )
}

/// Creates a release of these articles and schedules it; or adds them to the release `into`, `ID.VERSION` as the
/// user saw it. `draft`, or no time: it is not scheduled.
#[server(name = CreateRelease, prefix = "/fn", endpoint = "create_release", output = JsonOutput)]
pub async fn create_release(
    name: String,
    #[server(default)] into: String,
    #[server(default)] ids: Vec<String>,
    #[server(default)] draft: String,
    #[server(flatten)] time: TimeOfForm,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let has_time = [&time.date, &time.words].iter().any(|typed| !typed.trim().is_empty());
            let when = match draft.is_empty() && has_time {
                true => Some(ssr::time_of_form(&services, &actor, &time).await?),
                false => None,
            };
            create(name, &into, &ids, when).await
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn create(name: String, into: &str, ids: &[String], when: Option<When>) -> Result<(), DomainError> {
    let (services, actor) = (ssr::services()?, ssr::actor()?);
    let articles = articles_of(ids.iter().map(String::as_str))?;
    if let Some((release, seen)) = into.split_once('.') {
        let seen: i32 = seen.parse().map_err(|_| DomainError::no_such("release"))?;
        change_items(release, Version(seen), articles, ReleaseAction::Publish.as_str()).await?;
        // The articles are added: if it cannot be scheduled, its page says so.
        if let Some(when) = when {
            let id = parsed(release)?;
            match services.releases.schedule(&actor, id, when).await {
                Ok(task) => ssr::redirect(&with_changed(&page(id), task.id)),
                Err(_) => ssr::redirect(&with_done(&page(id), "no-time")),
            }
        }
        return Ok(());
    }
    let item = |article| NewItem { article, action: ReleaseAction::Publish, revision: None };
    let new = NewRelease { name, items: articles.into_iter().map(item).collect() };
    let row = services.releases.create(&actor, new).await?.row;
    let Some(when) = when else {
        ssr::redirect(&page(row.id));
        return Ok(());
    };
    match services.releases.schedule(&actor, row.id, when).await {
        Ok(task) => {
            ssr::redirect(&with_changed(&page(row.id), task.id));
            Ok(())
        }
        Err(refusal) => {
            // The form comes back with all that was chosen: sent again, it must not make a second release.
            drop(services.releases.delete(&actor, row.id, Some(row.version)).await);
            Err(refusal)
        }
    }
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

/// Adds the articles `ids` and `id` to a release; `action` is `publish` or `unpublish`. Or changes them there:
/// `remove` takes them out, `refresh` pins their current revisions.
#[server(name = ChangeReleaseItem, prefix = "/fn", endpoint = "change_release_item", output = JsonOutput)]
pub async fn change_release_item(
    release: String,
    seen: i32,
    #[server(default)] id: String,
    #[server(default)] ids: Vec<String>,
    action: String,
) -> Result<(), Refused> {
    ssr::respond(
        async {
            let all = ids.iter().chain([&id]).map(String::as_str).filter(|id| !id.is_empty());
            change_items(&release, Version(seen), articles_of(all)?, &action).await
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
async fn change_items(
    release: &str,
    seen: Version,
    articles: Vec<ArticleId>,
    action: &str,
) -> Result<(), DomainError> {
    let (services, actor, release) = (ssr::services()?, ssr::actor()?, parsed(release)?);
    if articles.is_empty() {
        return Err(DomainError::invalid("ids", ValidationError::Empty));
    }
    let found = services.releases.find(&actor, release).await?;
    let mut items: Vec<NewItem> = Vec::new();
    for item in found.items {
        let is_it = articles.contains(&item.article);
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
            let action: ReleaseAction =
                action.parse().map_err(|_| DomainError::invalid("action", words()))?;
            let known: HashSet<ArticleId> = items.iter().map(|item| item.article).collect();
            let new = articles.into_iter().filter(|id| !known.contains(id));
            items.extend(new.map(|article| NewItem { article, action, revision: None }));
        }
    }
    let edit = ReleaseEdit { name: None, items: Some(items), seen };
    services.releases.edit(&actor, release, edit).await?;
    ssr::redirect(&page(release));
    Ok(())
}

#[cfg(feature = "ssr")]
fn articles_of<'i>(ids: impl Iterator<Item = &'i str>) -> Result<Vec<ArticleId>, DomainError> {
    ids.map(|id| id.parse().map_err(|_| DomainError::no_such("article"))).collect()
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
