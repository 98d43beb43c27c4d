//! The activity of the desk.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::{Page, activity::ActivityEntry};
#[cfg(feature = "ssr")]
use domain::activity::ActivityQuery;
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// What the URL means. Ids that cannot be read are like none.
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
    /// Ids and names of the accounts.
    pub people: Vec<(String, String)>,
}

/// A page of the activity.
#[server(name = ListActivity, prefix = "/fn", endpoint = "activity", output = JsonOutput)]
pub async fn list_activity(filter: ActivityFilter) -> Result<ActivityList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let query = ActivityQuery {
                person: filter.person.and_then(|id| id.parse().ok()),
                item: filter.item.and_then(|id| id.parse().ok()),
                with_engine: filter.with_engine,
                cursor: filter.cursor,
                limit: None,
            };
            let people = services.calendar.people(&actor).await?;
            Ok(ActivityList {
                page: services.tasks.activity(&actor, query).await?,
                people: people.into_iter().map(|(id, name)| (id.to_string(), name)).collect(),
            })
        }
        .await,
    )
}
