//! One message as a row of the list.

use super::BULK_FORM;
use crate::{
    deliveries::row::StateMark as DeliveryMark,
    live::live,
    tasks::list_page::table_row::{RowActions, TaskTime},
    ui::{table::address::ListAddress, time::date_time::Relative},
};
use domain::{
    MessageId, State, Version,
    delivery::DeliveryState,
    message::{MessageEntry, MessageRow},
    task::TaskRow,
};
use leptos::prelude::*;
use texts::{language, messages::MessageTexts, reason, tasks::TaskTexts};

/// Key of a row. A row with an equal key keeps its element, focus and input.
pub(super) fn key(entry: &MessageEntry) -> (MessageId, Version, State, Option<DeliveryState>, u32) {
    let row = &entry.message;
    (row.id, row.version, row.state, row.delivery.map(|(_, state)| state), row.attempts)
}

/// One message: key and channel, state, time and actions.
#[component]
pub(super) fn MessageTableRow(entry: MessageEntry, address: Memo<ListAddress>) -> impl IntoView {
    let texts = MessageTexts::here();
    let MessageEntry { message, task } = entry;
    let why = message.reason.as_deref().map(|why| reason::sentence(language(), why));
    let channel = message.channel.clone().unwrap_or_else(|| texts.no_channel().to_owned());
    let is_open_yet = matches!(message.state, State::Scheduled | State::Failed | State::Missed);
    let (id, title) = (message.id.to_string(), message.key.clone());
    let select = is_open_yet.then(|| {
        view! {
            <input
                type="checkbox" class="select" form=BULK_FORM name="ids[]" value=id.clone()
                aria-label=texts.select(&message.key)
            />
        }
    });
    view! {
        <tr class="list-row" id=format!("message-{id}")>
            <th scope="row" class="main">
                {select}
                <a class="title" dir="auto" href=format!("/messages/{id}")>{title}</a>
                <p class="meta" dir="auto">{channel}</p>
                {why.map(|why| view! { <p class="meta">{why}</p> })}
                <Attempts row=message.clone() />
            </th>
            <td class="state"><StateMark row=message task=task.clone() /></td>
            <td class="when"><TaskTime row=task.clone() /></td>
            <td class="actions"><RowActions row=task address=address /></td>
        </tr>
    }
}

/// State of the delivery once there is one, else of the task.
#[component]
pub fn StateMark(
    /// The message.
    row: MessageRow,
    /// Its task.
    task: TaskRow,
) -> impl IntoView {
    let (now, texts) = (live().now(), TaskTexts::here());
    if let Some((_, state)) = row.delivery {
        return view! { <DeliveryMark state=state /> }.into_any();
    }
    let kind = task.kind;
    let phase = Memo::new(move |_| task.phase(now.get()));
    let word = move || texts.phase(phase.get(), kind);
    view! { <span class="phase state-mark" data-phase=move || phase.get().as_str()>{word}</span> }.into_any()
}

/// Number of failed attempts, and when the next one is made.
#[component]
fn Attempts(row: MessageRow) -> impl IntoView {
    let texts = MessageTexts::here();
    let is_done = matches!(row.delivery, Some((_, DeliveryState::Delivered)));
    let now = live().now();
    let next = row.next_attempt.map(|at| {
        let is_ahead = Memo::new(move |_| at.at > now.get());
        move || is_ahead.get().then(|| view! { " · "{texts.next_attempt()}" "<Relative at=at.at /> })
    });
    (row.attempts > 0 && !is_done).then(|| view! { <p class="meta">{texts.attempts(row.attempts)}{next}</p> })
}
