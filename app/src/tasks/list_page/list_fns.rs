//! The list of tasks, and the actions of its rows.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::{server_fns::ssr, tasks::server_fns::apply_change};
#[cfg(feature = "ssr")]
use domain::{DomainError, TaskId, error::ValidationError};
use domain::{
    Page,
    task::{TaskCounts, TaskQuery, TaskRow},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// A page of the list with the number of tasks in each state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskList {
    /// The page.
    pub page: Page<TaskRow>,
    /// Counts over all tasks, whatever the query.
    pub counts: TaskCounts,
}

/// A page of the list of tasks.
#[server(name = ListTasks, prefix = "/fn", endpoint = "tasks", output = JsonOutput)]
pub async fn list_tasks(#[server(default)] query: TaskQuery) -> Result<TaskList, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let page = services.tasks.list(&actor, query).await?;
            Ok(TaskList { page, counts: services.tasks.counts(&actor).await? })
        }
        .await,
    )
}

/// Changes a task from a list: one form for all rows, so a button carries the change, the id and
/// the version that the user saw, see [`act_value`].
#[server(name = ActOnTask, prefix = "/fn", endpoint = "act_on_task", output = JsonOutput)]
pub async fn act_on_task(act: String, from: String) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            ssr::actor()?;
            let unreadable = || {
                let why = "is not an action of this list".to_owned();
                DomainError::invalid("act", ValidationError::Unreadable { why })
            };
            let mut parts = act.splitn(3, '.');
            let mut part = || parts.next().ok_or_else(unreadable);
            let (what, id, seen) = (part()?, part()?, part()?);
            let id: TaskId = id.parse().map_err(|_| unreadable())?;
            apply_change(id, seen.parse().map_err(|_| unreadable())?, what, &from).await
        }
        .await,
    )
}

/// Value of a button of [`act_on_task`].
#[must_use]
pub fn act_value(row: &TaskRow, what: &str) -> String {
    format!("{what}.{}.{}", row.id, row.version.0)
}
