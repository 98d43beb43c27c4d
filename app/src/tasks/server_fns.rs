//! Tasks: dashboard, list, one task, Attention, and changes.

#[cfg(feature = "ssr")]
use crate::server_fns::ssr;
use crate::server_fns::{JsonOutput, Refused};
use domain::{
    ChannelId, DomainError, Page, State, TaskId, Timestamp, When,
    delivery::DeliveryRow,
    error::ValidationError,
    task::{AttentionGroup, BulkResult, Change, Dashboard, Task, TaskQuery, TaskRow},
    time::Disambiguation,
};
#[cfg(feature = "ssr")]
use domain::{
    Version,
    attention::{AttentionEntry, Severity},
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The dashboard.
#[server(name = ReadDashboard, prefix = "/fn", endpoint = "dashboard", output = JsonOutput)]
pub async fn read_dashboard() -> Result<Dashboard, Refused> {
    ssr::respond(async { ssr::services()?.tasks.dashboard(&ssr::actor()?).await }.await)
}

/// A page of the list of tasks. An empty text means no filter.
#[server(name = ListTasks, prefix = "/fn", endpoint = "tasks", output = JsonOutput)]
pub async fn list_tasks(state: String, q: String, cursor: Option<String>) -> Result<Page<TaskRow>, Refused> {
    ssr::respond(
        async {
            let query = query_of(&state, &q, cursor);
            ssr::services()?.tasks.list(&ssr::actor()?, query).await
        }
        .await,
    )
}

/// A task with its history.
#[server(name = FindTask, prefix = "/fn", endpoint = "task", output = JsonOutput)]
pub async fn find_task(id: String) -> Result<Task, Refused> {
    ssr::respond(
        async {
            let id: TaskId = id.parse().map_err(|_| DomainError::no_such("task"))?;
            ssr::services()?.tasks.find(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// Content of the Attention page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttentionPage {
    /// Tasks, by state and reason.
    pub tasks: Vec<AttentionGroup>,
    /// Messages that failed or are unconfirmed, sorted by channel.
    pub messages: Vec<DeliveryRow>,
    /// Channels that do not send, and whether all messages are held.
    pub notices: Vec<Notice>,
}

/// A channel that does not send, or the notice that all messages are held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Whether it is an error; else it waits for a decision.
    pub is_bad: bool,
    /// The channel to resume; `None` if there is none, or the user may not.
    pub channel: Option<ChannelId>,
    /// Number of affected messages.
    pub count: u64,
    /// The problem, in one line.
    pub title: String,
    /// Its consequence.
    pub message: String,
    /// Path and title of some of the messages.
    pub items: Vec<(String, String)>,
}

/// Everything that needs a person.
#[server(name = ReadAttention, prefix = "/fn", endpoint = "attention", output = JsonOutput)]
pub async fn attention() -> Result<AttentionPage, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            Ok(AttentionPage {
                tasks: services.tasks.attention(&actor).await?,
                messages: services.channels.unresolved_deliveries(&actor).await?,
                notices: notices(services.attention.list(&actor, true).await?, actor.is_admin()),
            })
        }
        .await,
    )
}

/// Changes a task; `what` is `cancel`, `publish_now`, `undo`, `retry` or `replace_revision`.
#[server(name = ChangeTask, prefix = "/fn", endpoint = "change_task", output = JsonOutput)]
pub async fn change_task(id: TaskId, seen: i32, what: String, from: String) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let change = change_named(&what)?;
            let result =
                ssr::services()?.tasks.change(&ssr::actor()?, id, change.clone(), Version(seen)).await;
            let row = ssr::accept_duplicate(result, &change, Version(seen))?;
            ssr::redirect_back(&with_changed(&from, row.id));
            Ok(row)
        }
        .await,
    )
}

/// Retries the failed or missed entries of a group. `id`: see [`group_id`] and [`messages_id`];
/// `most`: maximum number of entries.
#[server(name = RetryGroup, prefix = "/fn", endpoint = "retry_group", output = JsonOutput)]
pub async fn retry_group(id: String, most: u64, from: String) -> Result<BulkResult, Refused> {
    ssr::respond(
        async {
            let (services, actor, unknown) =
                (ssr::services()?, ssr::actor()?, || DomainError::no_such("group"));
            let (kind, rest) = id.split_once(':').unwrap_or((&id, ""));
            let retried = match kind.strip_prefix(MESSAGE_GROUP_PREFIX) {
                Some(state) => {
                    let state = state.parse().map_err(|_| unknown())?;
                    let channel = rest.parse().map_err(|_| unknown())?;
                    services.channels.resend_all(&actor, channel, state, most).await?
                }
                None => {
                    let state = kind.parse().map_err(|_| unknown())?;
                    services.tasks.retry_group(&actor, state, rest, most).await?
                }
            };
            let path = from.split('?').next().unwrap_or_default();
            ssr::redirect_back(&format!("{path}?retried={}&refused={}", retried.done, retried.refused));
            Ok(retried)
        }
        .await,
    )
}

/// Dismisses the notices about time zone changes that were shown at `seen_at`.
#[server(name = DismissZoneMoves, prefix = "/fn", endpoint = "dismiss_zone_moves", output = JsonOutput)]
pub async fn dismiss_zone_moves(seen_at: Timestamp, from: String) -> Result<u64, Refused> {
    ssr::respond(
        async {
            let dismissed = ssr::services()?.tasks.dismiss_zone_moves(&ssr::actor()?, seen_at).await?;
            ssr::redirect_back(&from);
            Ok(dismissed)
        }
        .await,
    )
}

/// Prefix of the ids of message groups.
pub const MESSAGE_GROUP_PREFIX: &str = "messages.";

/// Id of a group of tasks: state and reason.
#[must_use]
pub fn group_id(state: State, reason: &str) -> String {
    format!("{}:{reason}", state.as_str())
}

/// Id of a group of messages: state and channel.
#[must_use]
pub fn messages_id(row: &DeliveryRow) -> String {
    format!("{MESSAGE_GROUP_PREFIX}{}:{}", row.state.as_str(), row.channel_id)
}

/// Reschedules a task to a local time in `zone`. `which` (`earlier`, `later`) selects one of two
/// occurrences.
#[server(name = MoveTask, prefix = "/fn", endpoint = "move_task", output = JsonOutput)]
pub async fn move_task(
    id: TaskId,
    seen: i32,
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
    from: String,
) -> Result<TaskRow, Refused> {
    ssr::respond(
        async {
            let when = local_time(&date, &time, &zone, &which);
            let due_at = ssr::services()?.tasks.resolve(&ssr::actor()?, &when).await?.at;
            let change = Change::Reschedule { when };
            let result = ssr::services()?.tasks.change(&ssr::actor()?, id, change, Version(seen)).await;
            let row =
                ssr::accept_duplicate(result, &Change::Reschedule { when: due_at.into() }, Version(seen))?;
            ssr::redirect_back(&with_changed(&from, row.id));
            Ok(row)
        }
        .await,
    )
}

/// Builds the time from a form: `YYYY-MM-DD`, `HH:MM[:SS]`, time zone, and `which` of two
/// occurrences. A local time in `which` replaces date and time; it comes from a button that offers
/// an alternative to a skipped time.
#[must_use]
pub fn local_time(date: &str, time: &str, zone: &str, which: &str) -> When {
    let disambiguation = match which {
        "earlier" => Some(Disambiguation::Earlier),
        "later" => Some(Disambiguation::Later),
        _ => None,
    };
    let local =
        if which.contains('T') { which.to_owned() } else { format!("{}T{}", date.trim(), time.trim()) };
    When::Local { local, zone: zone.trim().to_owned(), disambiguation }
}

/// Builds the query of the list from the URL; an empty text means no filter.
#[must_use]
pub fn query_of(state: &str, q: &str, cursor: Option<String>) -> TaskQuery {
    let q = q.trim();
    TaskQuery {
        state: state.parse().ok(),
        q: (!q.is_empty()).then(|| q.to_owned()),
        cursor: cursor.filter(|cursor| !cursor.is_empty()),
        ..TaskQuery::default()
    }
}

/// Returns the change that a form value names; `Invalid` for an unknown value.
pub fn change_named(what: &str) -> Result<Change, DomainError> {
    Ok(match what {
        "cancel" => Change::Cancel,
        "publish_now" => Change::PublishNow,
        "undo" => Change::Undo,
        "retry" => Change::Retry,
        "replace_revision" => Change::ReplaceRevision,
        _ => {
            let words = "cancel, publish_now, undo, retry, replace_revision".to_owned();
            return Err(DomainError::invalid("what", ValidationError::NotOneOf { words }));
        }
    })
}

/// Returns the URL of the form's page, with the parameter that makes it offer undo of the task.
#[must_use]
pub fn with_changed(from: &str, id: TaskId) -> String {
    let (path, query) = from.split_once('?').unwrap_or((from, ""));
    let is_result = |part: &str| part.starts_with("changed=") || part.starts_with("done=");
    let kept = query.split('&').filter(|part| !part.is_empty() && !is_result(part));
    let query: Vec<String> = kept.map(str::to_owned).chain([format!("changed={id}")]).collect();
    format!("{path}?{}", query.join("&"))
}

/// Maximum number of messages listed per channel; the channel's log has them all.
#[cfg(feature = "ssr")]
const MAX_LISTED_MESSAGES: usize = 10;

/// Returns the entries that are about channels; the others have rows of their own. `is_admin`:
/// whether the user may resume a channel.
#[cfg(feature = "ssr")]
fn notices(entries: Vec<AttentionEntry>, is_admin: bool) -> Vec<Notice> {
    let notice = |entry: AttentionEntry| Notice {
        is_bad: entry.cause.severity() == Severity::Error,
        channel: entry.channel.filter(|_| is_admin),
        count: entry.count,
        title: entry.title,
        message: entry.message,
        items: entry
            .items
            .into_iter()
            .take(MAX_LISTED_MESSAGES)
            .map(|item| (item.path, item.title))
            .collect(),
    };
    entries.into_iter().filter(|entry| entry.cause.is_about_channels()).map(notice).collect()
}
