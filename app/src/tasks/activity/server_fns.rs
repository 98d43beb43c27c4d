//! The activity of the desk.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use domain::{DomainError, activity::ActivityQuery, error::ValidationError};
use domain::{Page, activity::ActivityEntry};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the URL means.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActivityFilter {
    /// Id of an account.
    pub person: Option<String>,
    /// Id of an item.
    pub item: Option<String>,
    /// Whether also what the engine did.
    pub with_engine: bool,
    /// Where the page starts.
    pub cursor: Option<String>,
}

/// A page of the activity, and the people of the filter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ActivityList {
    /// The page.
    pub page: Page<ActivityEntry>,
    /// Ids and names of the accounts. An empty name is unknown.
    pub people: Vec<(String, String)>,
}

/// A page of the activity.
#[server(name = ListActivity, prefix = "/fn", endpoint = "activity", output = JsonOutput)]
pub async fn list_activity(filter: ActivityFilter) -> Result<ActivityList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let why = || ValidationError::Unreadable { why: "must be an id".to_owned() };
            let item = filter.item.map(|id| id.parse().map_err(|_| DomainError::invalid("item", why())));
            let person = filter.person.and_then(|id| id.parse().ok());
            let query = ActivityQuery {
                person,
                item: item.transpose()?,
                with_engine: filter.with_engine,
                cursor: filter.cursor,
                limit: None,
            };
            let page = services.tasks.activity(&actor, query).await?;
            let mut people = services.calendar.people(&actor).await?;
            if let Some(person) = person.filter(|person| people.iter().all(|(id, _)| id != person)) {
                // A disabled account.
                let name = page.items.first().map(|entry| entry.event.actor.clone());
                people.push((person, name.unwrap_or_default()));
            }
            let people = people.into_iter().map(|(id, name)| (id.to_string(), name)).collect();
            Ok(ActivityList { page, people })
        }
        .await,
    )
}
