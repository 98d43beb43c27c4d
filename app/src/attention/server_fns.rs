//! What needs a person, and actions on all items of a card.

use crate::server_fns::{JsonOutput, Refused};
#[cfg(feature = "ssr")]
use crate::server_fns::{ssr, time_of_form::local_time};
#[cfg(feature = "ssr")]
use domain::{
    ChannelId, DomainError, State,
    delivery::{DeliveryState, Undelivered},
    task::Change,
};
use domain::{
    Timestamp,
    attention::AttentionPage,
    task::{BulkResult, Dismissal},
};
use leptos::prelude::*;
#[cfg(feature = "ssr")]
use leptos_router::location::Url;

/// Whether a card with this id is about messages of a channel.
#[must_use]
pub fn is_of_channel(card: &str) -> bool {
    card.starts_with("channel:") || card.starts_with("messages.")
}

/// Everything that needs a person.
#[server(name = ReadAttention, prefix = "/fn", endpoint = "attention", output = JsonOutput)]
pub async fn attention() -> Result<AttentionPage, Refused> {
    ssr::respond(async { ssr::services()?.attention.page(&ssr::actor()?).await }.await)
}

/// Retries the items of a card. `id`: see [`domain::attention::AttentionCard::id`]; `most`: maximum
/// number of items.
#[server(name = RetryGroup, prefix = "/fn", endpoint = "retry_group", output = JsonOutput)]
pub async fn retry_group(id: String, most: u64, from: String) -> Result<BulkResult, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let retried = match Group::of(&id)? {
                Group::Tasks(state, why) => {
                    services.tasks.change_group(&actor, (state, &why), Change::Retry, most).await?
                }
                Group::Channel(channel) => services.channels.retry_all(&actor, channel, most).await?,
                Group::Messages(state, channel) => {
                    services.channels.resend_all(&actor, channel, state, most).await?
                }
            };
            let is_held = is_of_channel(&id) && services.engine.status().await.are_deliveries_held;
            redirect_with("retried", &retried, if is_held { "&held=true" } else { "" }, &from);
            Ok(retried)
        }
        .await,
    )
}

/// Dismisses the items of a card: tasks are cancelled, messages written until `seen_at` are not
/// sent.
#[server(name = DismissGroup, prefix = "/fn", endpoint = "dismiss_group", output = JsonOutput)]
pub async fn dismiss_group(
    id: String,
    most: u64,
    seen_at: Timestamp,
    from: String,
) -> Result<Dismissal, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let began_at = services.engine.status().await.now;
            let dismiss =
                |channel, which| services.channels.dismiss_all(&actor, channel, which, seen_at, most);
            let result = match Group::of(&id)? {
                Group::Tasks(state, why) => {
                    services.tasks.change_group(&actor, (state, &why), Change::Cancel, most).await?
                }
                Group::Channel(channel) => dismiss(channel, Undelivered::All).await?,
                Group::Messages(DeliveryState::Unconfirmed, channel) => {
                    dismiss(channel, Undelivered::Unconfirmed).await?
                }
                Group::Messages(_, channel) => dismiss(channel, Undelivered::Failed).await?,
            };
            let ended_at = services.engine.status().await.now;
            let undo = format!("&card={}&began={began_at}&ended={ended_at}", Url::escape(&id));
            redirect_with("dismissed", &result, &undo, &from);
            Ok(Dismissal { result, began_at, ended_at })
        }
        .await,
    )
}

/// Undoes the dismissal of the items of a card by this user, between two moments.
#[server(name = UndoDismissal, prefix = "/fn", endpoint = "undo_dismissal", output = JsonOutput)]
pub async fn undo_dismissal(
    id: String,
    began_at: Timestamp,
    ended_at: Timestamp,
    from: String,
) -> Result<BulkResult, Refused> {
    ssr::respond(
        async {
            let (services, actor, between) = (ssr::services()?, ssr::actor()?, (began_at, ended_at));
            let reopened = match Group::of(&id)? {
                Group::Tasks(state, _) => services.tasks.undo_dismissal(&actor, state, between).await?,
                Group::Channel(channel) | Group::Messages(_, channel) => {
                    services.channels.undo_dismissal(&actor, channel, between).await?
                }
            };
            redirect_with("reopened", &reopened, "", &from);
            Ok(reopened)
        }
        .await,
    )
}

/// Schedules the tasks of a card for a local time in `zone`. `which` (`earlier`, `later`) selects
/// one of two occurrences.
#[server(name = MoveGroup, prefix = "/fn", endpoint = "move_group", output = JsonOutput)]
pub async fn move_group(
    id: String,
    most: u64,
    date: String,
    time: String,
    zone: String,
    #[server(default)] which: String,
    from: String,
) -> Result<BulkResult, Refused> {
    ssr::respond(
        async {
            let (services, actor) = (ssr::services()?, ssr::actor()?);
            let Group::Tasks(state, why) = Group::of(&id)? else {
                return Err(DomainError::no_such("group"));
            };
            let when = local_time(&date, &time, &zone, &which);
            // An invalid time is refused once, not for each task.
            services.tasks.resolve(&actor, &when).await?;
            let change = Change::Reschedule { when };
            let moved = services.tasks.change_group(&actor, (state, &why), change, most).await?;
            redirect_with("moved", &moved, "", &from);
            Ok(moved)
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

/// Items of a card.
#[cfg(feature = "ssr")]
enum Group {
    /// Tasks, by state and reason.
    Tasks(State, String),
    /// All undelivered messages of a channel.
    Channel(ChannelId),
    /// Messages of a channel in one state.
    Messages(DeliveryState, ChannelId),
}

#[cfg(feature = "ssr")]
impl Group {
    /// Parses `missed:late`, `channel:ID`, `messages.failed:ID`.
    fn of(id: &str) -> Result<Self, DomainError> {
        let unknown = || DomainError::no_such("group");
        let (kind, rest) = id.split_once(':').ok_or_else(unknown)?;
        let channel = || rest.parse().map_err(|_| unknown());
        Ok(match kind.strip_prefix("messages.") {
            Some(state) => Self::Messages(state.parse().map_err(|_| unknown())?, channel()?),
            None if kind == "channel" => Self::Channel(channel()?),
            None => Self::Tasks(kind.parse().map_err(|_| unknown())?, rest.to_owned()),
        })
    }
}

/// Redirects a form without JavaScript to its page, which shows the result. `more`: parameters.
#[cfg(feature = "ssr")]
fn redirect_with(verb: &str, result: &BulkResult, more: &str, from: &str) {
    let path = from.split('?').next().unwrap_or_default();
    ssr::redirect_back(&format!("{path}?{verb}={}&refused={}{more}", result.done, result.refused));
}
