//! Tasks: the board, the list, one task, what needs a person, and every change.

#[cfg(feature = "ssr")]
use super::ssr;
use super::{Refused, Told};
#[cfg(feature = "ssr")]
use domain::Version;
use domain::{
    ChannelId, Page, Refusal, State, TaskId, Timestamp, When,
    delivery::DeliveryRow,
    refusal::Problem,
    task::{AttentionGroup, Board, Change, Retried, Task, TaskQuery, TaskRow},
    time::Disambiguation,
};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

/// The front page.
#[server(name = ReadBoard, prefix = "/fn", endpoint = "board", output = Told)]
pub async fn board() -> Result<Board, Refused> {
    ssr::answer(async { ssr::desk()?.tasks.board(&ssr::actor()?).await }.await)
}

/// One page of the list of tasks. Empty texts mean: all.
#[server(name = ListTasks, prefix = "/fn", endpoint = "tasks", output = Told)]
pub async fn list_tasks(state: String, q: String, cursor: Option<String>) -> Result<Page<TaskRow>, Refused> {
    ssr::answer(
        async {
            let query = query_of(&state, &q, cursor);
            ssr::desk()?.tasks.list(&ssr::actor()?, query).await
        }
        .await,
    )
}

/// One task with its history.
#[server(name = FindTask, prefix = "/fn", endpoint = "task", output = Told)]
pub async fn find_task(id: String) -> Result<Task, Refused> {
    ssr::answer(
        async {
            let id: TaskId = id.parse().map_err(|_| Refusal::no_such("task"))?;
            ssr::desk()?.tasks.find(&ssr::actor()?, id).await
        }
        .await,
    )
}

/// What needs a person, as its page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Needing {
    /// Tasks, by state and reason.
    pub tasks: Vec<AttentionGroup>,
    /// Messages that failed or may have arrived, channel by channel.
    pub messages: Vec<DeliveryRow>,
    /// Channels that do not take messages, and whether all messages are held.
    pub notices: Vec<Notice>,
}

/// A channel that does not take messages, or that all are held.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Notice {
    /// Whether something that was promised does not happen; else it waits for a decision.
    pub is_bad: bool,
    /// The channel to let go on; `None`: there is none, or the visitor may not.
    pub channel: Option<ChannelId>,
    /// How many messages it is about.
    pub count: u64,
    /// What is wrong, in one line.
    pub title: String,
    /// What follows from it.
    pub message: String,
    /// Path and title of some of the messages.
    pub items: Vec<(String, String)>,
}

/// What needs a person.
#[server(name = ReadAttention, prefix = "/fn", endpoint = "attention", output = Told)]
pub async fn attention() -> Result<Needing, Refused> {
    ssr::answer(
        async {
            let (desk, actor) = (ssr::desk()?, ssr::actor()?);
            Ok(Needing {
                tasks: desk.tasks.attention(&actor).await?,
                messages: desk.channels.needing(&actor).await?,
                notices: ssr::notices(desk.attention.list(&actor, false).await?, actor.is_admin()),
            })
        }
        .await,
    )
}

/// Cancels, publishes now, takes back, retries a task, or gives it the current revision: `what` says which.
#[server(name = ChangeTask, prefix = "/fn", endpoint = "change_task", output = Told)]
pub async fn change_task(id: TaskId, seen: i32, what: String, from: String) -> Result<TaskRow, Refused> {
    ssr::answer(
        async {
            let change = change_named(&what)?;
            let answer = ssr::desk()?.tasks.change(&ssr::actor()?, id, change.clone(), Version(seen)).await;
            let row = ssr::calm(answer, &change, Version(seen))?;
            ssr::go_back(&with_changed(&from, row.id));
            Ok(row)
        }
        .await,
    )
}

/// Tries again what failed or was missed for one cause: `id` is its name (see [`group_id`], [`messages_id`]), `most` as many as were
/// shown.
#[server(name = RetryGroup, prefix = "/fn", endpoint = "retry_group", output = Told)]
pub async fn retry_group(id: String, most: u64, from: String) -> Result<Retried, Refused> {
    ssr::answer(
        async {
            let (desk, actor, unknown) = (ssr::desk()?, ssr::actor()?, || Refusal::no_such("group"));
            let (kind, rest) = id.split_once(':').unwrap_or((&id, ""));
            let retried = match kind.strip_prefix(MESSAGES) {
                Some(state) => {
                    let state = state.parse().map_err(|_| unknown())?;
                    let channel = rest.parse().map_err(|_| unknown())?;
                    desk.channels.resend_all(&actor, channel, state, most).await?
                }
                None => {
                    let state = kind.parse().map_err(|_| unknown())?;
                    desk.tasks.retry_group(&actor, state, rest, most).await?
                }
            };
            let path = from.split('?').next().unwrap_or_default();
            ssr::go_back(&format!("{path}?retried={}&refused={}", retried.done, retried.refused));
            Ok(retried)
        }
        .await,
    )
}

/// Takes off the list what newer time-zone data had moved at `seen_at`.
#[server(name = DismissZoneMoves, prefix = "/fn", endpoint = "dismiss_zone_moves", output = Told)]
pub async fn dismiss_zone_moves(seen_at: Timestamp, from: String) -> Result<u64, Refused> {
    ssr::answer(
        async {
            let dismissed = ssr::desk()?.tasks.dismiss_zone_moves(&ssr::actor()?, seen_at).await?;
            ssr::go_back(&from);
            Ok(dismissed)
        }
        .await,
    )
}

/// What the names of groups of messages begin with.
pub const MESSAGES: &str = "messages.";

/// The name of a group of Attention, in a form too: a state and a reason.
#[must_use]
pub fn group_id(state: State, reason: &str) -> String {
    format!("{}:{reason}", state.as_str())
}

/// The same of messages: a state and a channel.
#[must_use]
pub fn messages_id(row: &DeliveryRow) -> String {
    format!("{MESSAGES}{}:{}", row.state.as_str(), row.channel_id)
}

/// Moves a task to what a wall clock in `zone` shows. `which` (`earlier`, `later`) is needed where the time happens twice.
#[server(name = MoveTask, prefix = "/fn", endpoint = "move_task", output = Told)]
pub async fn move_task(
    id: TaskId,
    seen: i32,
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
    from: String,
) -> Result<TaskRow, Refused> {
    ssr::answer(
        async {
            let when = local_time(&date, &time, &zone, &which);
            let due_at = ssr::desk()?.tasks.resolve(&ssr::actor()?, &when).await?.at;
            let change = Change::Reschedule { when };
            let answer = ssr::desk()?.tasks.change(&ssr::actor()?, id, change, Version(seen)).await;
            let row = ssr::calm(answer, &Change::Reschedule { when: due_at.into() }, Version(seen))?;
            ssr::go_back(&with_changed(&from, row.id));
            Ok(row)
        }
        .await,
    )
}

/// The time a form asks for: `YYYY-MM-DD`, `HH:MM[:SS]`, a zone, and which one where it happens twice; a whole local time in
/// `which` is meant instead, from a button that offers one where the typed time does not exist.
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

/// The query a list's address means: empty texts mean all.
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

/// The change a button's word means; `Invalid` for another word.
pub fn change_named(what: &str) -> Result<Change, Refusal> {
    Ok(match what {
        "cancel" => Change::Cancel,
        "publish_now" => Change::PublishNow,
        "undo" => Change::Undo,
        "retry" => Change::Retry,
        "replace_revision" => Change::ReplaceRevision,
        _ => {
            let words = "cancel, publish_now, undo, retry, replace_revision".to_owned();
            return Err(Refusal::invalid("what", Problem::NotOneOf { words }));
        }
    })
}

/// The address of the page a form stood on, asking it to offer the undo of what was changed.
#[must_use]
pub fn with_changed(from: &str, id: TaskId) -> String {
    let (path, query) = from.split_once('?').unwrap_or((from, ""));
    let is_said = |part: &str| part.starts_with("changed=") || part.starts_with("done=");
    let kept = query.split('&').filter(|part| !part.is_empty() && !is_said(part));
    let query: Vec<String> = kept.map(str::to_owned).chain([format!("changed={id}")]).collect();
    format!("{path}?{}", query.join("&"))
}
