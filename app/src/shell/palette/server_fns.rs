//! What the palette finds.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::{article::ArticleQuery, meetings::MeetingQuery};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// Maximum number of articles that are found, and of meetings.
#[cfg(feature = "ssr")]
const MAX_FOUND: u32 = 6;
/// Maximum number of releases, rooms and people that are found, each.
#[cfg(feature = "ssr")]
const MAX_NAMED: usize = 3;

/// A page with this title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundItem {
    /// Its title.
    pub title: String,
    /// Path of its page.
    pub path: String,
}

/// Finds articles by their titles and texts, and meetings, releases, rooms and, for admins, people by
/// their names.
#[server(name = FindItems, prefix = "/fn", endpoint = "find_items", output = JsonOutput)]
pub async fn find_items(q: String) -> Result<Vec<FoundItem>, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let articles =
                ArticleQuery { q: Some(q.clone()), limit: Some(MAX_FOUND), ..ArticleQuery::default() };
            let found = services.articles.list(&actor, articles).await?.items.into_iter();
            let mut items: Vec<_> = found.map(|row| item("/articles/", row.id, row.title)).collect();
            let meetings =
                MeetingQuery { q: Some(q.clone()), limit: Some(MAX_FOUND), ..MeetingQuery::default() };
            let found = services.meetings.list(&actor, meetings).await?.items.into_iter();
            items.extend(found.map(|row| item("/meetings/", row.id, row.title)));
            let has_name = named(&q);
            let releases =
                services.releases.list(&actor).await?.into_iter().filter(|row| has_name(&row.name));
            items.extend(releases.take(MAX_NAMED).map(|row| item("/releases/", row.id, row.name)));
            let rooms = services
                .rooms
                .list(&actor, false)
                .await?
                .into_iter()
                .filter(|room| has_name(&room.settings.name));
            items.extend(rooms.take(MAX_NAMED).map(|room| item("/rooms/", room.id, room.settings.name)));
            if actor.is_admin() {
                let people = services.accounts.list(&actor).await?.into_iter();
                let people = people.filter(|one| has_name(&one.name) || has_name(one.email.as_str()));
                let page = |name| FoundItem { path: "/settings/people".to_owned(), title: name };
                items.extend(people.take(MAX_NAMED).map(|one| page(one.name)));
            }
            Ok(items)
        }
        .await,
    )
}

#[cfg(feature = "ssr")]
fn item(folder: &str, id: impl std::fmt::Display, title: String) -> FoundItem {
    FoundItem { path: format!("{folder}{id}"), title }
}

/// Returns a function that checks whether a name contains the typed text.
#[cfg(feature = "ssr")]
fn named(typed: &str) -> impl Fn(&str) -> bool + use<> {
    let typed = typed.trim().to_lowercase();
    move |name| name.to_lowercase().contains(&typed)
}
