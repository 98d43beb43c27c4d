//! One card: the cause, the actions, and the items.

use super::{
    actions::Actions,
    headline::{headline, numbers},
    move_group::Moving,
};
use crate::{
    deliveries::row::{self, DeliveryRow},
    help::link::WordLink,
    live::live,
    session::visitor,
    tasks::row::TaskList,
    ui::{
        icon::Icon,
        time::date_time::{DateTime, Relative},
    },
};
use domain::{
    Timestamp,
    attention::{AttentionCard, AttentionCause, AttentionPage},
    delivery::Answer,
    task::Phase,
};
use leptos::prelude::*;
use texts::attention::card::CardTexts;
use texts::{deliveries::ChannelTexts, language, number::counted, reason};

/// The card with this id. Its parts are replaced only if they change, so that an open form stays.
#[component]
pub fn Card(
    /// The page.
    content: Signal<AttentionPage>,
    /// Id of the card.
    id: String,
    /// The card whose tasks the user reschedules.
    moving: Moving,
) -> impl IntoView {
    let own = id.clone();
    let card = Memo::new(move |_| content.with(|page| page.cards.iter().find(|card| card.id == id).cloned()));
    let phase = move || card.with(|card| card.as_ref().map(|card| phase_of(card.cause).as_str()));
    let head = Memo::new(move |_| card.with(|card| card.as_ref().map(without_items)));
    // Without the parts that change with each attempt; an open form stays as it is.
    let actions = Memo::new(move |last: Option<&Option<AttentionCard>>| {
        if let Some(last) = last.filter(|_| moving.is(&own)) {
            return last.clone();
        }
        card.with(|card| {
            let card = card.clone()?;
            let tasks = card.tasks.into_iter().take(1).collect();
            let (deliveries, since, next_at, answer) = (Vec::new(), None, None, Answer::default());
            Some(AttentionCard { deliveries, since, next_at, answer, retried: 0, failed: 0, tasks, ..card })
        })
    });
    view! {
        <section class="cause" data-phase=phase>
            {move || head.get().map(|card| view! { <Head card=card /> })}
            {move || actions.get().map(|card| view! { <Actions card=card moving=moving /> })}
            <Items card=card />
        </section>
    }
}

/// Returns the card without all items but the first task, whose title is in the headline.
fn without_items(card: &AttentionCard) -> AttentionCard {
    let tasks = card.tasks.iter().take(1).cloned().collect();
    AttentionCard { tasks, deliveries: Vec::new(), ..card.clone() }
}

fn phase_of(cause: AttentionCause) -> Phase {
    match cause {
        AttentionCause::TaskFailed | AttentionCause::DeliveryFailed => Phase::Failed,
        AttentionCause::ChannelFailing | AttentionCause::ChannelOff => Phase::Failed,
        AttentionCause::TaskMissed | AttentionCause::DeliveryUnconfirmed => Phase::Missed,
        AttentionCause::TextOlder | AttentionCause::TaskHeld => Phase::Failed,
        AttentionCause::MeetingExpiring | AttentionCause::MeetingHeld => Phase::Due,
        AttentionCause::BackupsFailing => Phase::Failed,
        AttentionCause::ZoneData | AttentionCause::MeetingReleased => Phase::Scheduled,
        AttentionCause::TaskOverdue | AttentionCause::ChannelDelayed | AttentionCause::DeliveriesHeld => {
            Phase::Due
        }
    }
}

/// The first line, and since when, how many and until when.
#[component]
fn Head(card: AttentionCard) -> impl IntoView {
    let texts = CardTexts::here();
    let icon = match phase_of(card.cause) {
        Phase::Missed => "missed",
        Phase::Failed => "failed",
        Phase::Scheduled => "scheduled",
        _ => "attention",
    };
    let since = card.since.map(|at| view! { <span>{texts.since()}" "<DateTime at=at /></span> });
    let (held, counts) = (live().are_deliveries_held(), card.clone());
    let parts = move || {
        let parts = numbers(texts, &counts, held.get()).into_iter();
        parts.map(|part| view! { <span>{part}</span> }).collect_view()
    };
    let is_retried = card.total > 0
        && matches!(card.cause, AttentionCause::ChannelFailing | AttentionCause::ChannelDelayed);
    let is_held = matches!(card.cause, AttentionCause::TaskHeld | AttentionCause::DeliveriesHeld);
    let held_word = ChannelTexts::here().held();
    let help = is_held.then(|| view! { <WordLink topic="today" word="held" name=held_word /> });
    let next_at = card.next_at;
    let next = move || (is_retried && !held.get()).then(|| view! { <NextTry at=next_at /> });
    view! {
        <header>
            <h3><Icon name=icon /><span dir="auto">{headline(texts, &card)}</span></h3>
            <p class="facts-line">{since}{parts}{next}</p>
            {hint(texts, &card).map(|hint| view! { <p class="hint">{hint}{help}</p> })}
        </header>
    }
}

/// What the user should know besides the cause.
fn hint(texts: CardTexts, card: &AttentionCard) -> Option<String> {
    match card.cause {
        AttentionCause::DeliveriesHeld => Some(texts.held_hint().to_owned()),
        AttentionCause::BackupsFailing => Some(texts.backup_hint(&card.reason).to_owned()),
        AttentionCause::MeetingExpiring => Some(texts.expiring_hint().to_owned()),
        AttentionCause::MeetingHeld => Some(texts.meetings_held_hint().to_owned()),
        AttentionCause::MeetingReleased => Some(texts.released_hint().to_owned()),
        cause if cause.is_about_tasks() => Some(reason::sentence(language(), &card.reason)),
        _ => (!visitor().is_admin()).then(|| texts.ask_admin().to_owned()),
    }
}

/// Time of the next attempt. While it is late, one is being made.
#[component]
fn NextTry(at: Option<Timestamp>) -> impl IntoView {
    let now = live().now();
    let ahead = Memo::new(move |_| at.filter(|at| *at > now.get()));
    view! {
        <span>
            {move || match ahead.get() {
                Some(at) => view! { {ChannelTexts::here().next_try()}" "<Relative at=at /> }.into_any(),
                None => CardTexts::here().trying().into_any(),
            }}
        </span>
    }
}

/// Number of items of a card that are shown.
fn shown(card: &AttentionCard) -> u64 {
    (card.tasks.len() + card.deliveries.len() + card.meetings.len()) as u64
}

/// The items, folded unless there is only one.
#[component]
fn Items(card: Memo<Option<AttentionCard>>) -> impl IntoView {
    let texts = CardTexts::here();
    let tasks = move || card.with(|card| card.as_ref().map(|card| card.tasks.clone()).unwrap_or_default());
    let deliveries =
        move || card.with(|card| card.as_ref().map(|card| card.deliveries.clone()).unwrap_or_default());
    let meetings = move || {
        card.with(|card| card.as_ref().map(|card| card.meetings.clone()).unwrap_or_default())
            .into_iter()
            .map(|one| {
                view! {
                    <li>
                        <DateTime at=one.at />
                        <a dir="auto" href=format!("/meetings/{}", one.id)>{one.title}</a>
                    </li>
                }
            })
            .collect_view()
    };
    let numbers =
        Memo::new(move |_| card.with(|card| card.as_ref().map_or((0, 0), |card| (shown(card), card.total))));
    let label = move || match numbers.get() {
        (shown, total) if shown < total => texts.shown_of(counted(shown), counted(total)),
        (shown, _) => texts.show(counted(shown)),
    };
    let is_empty = Memo::new(move |_| numbers.get().0 == 0);
    let is_single = Memo::new(move |_| numbers.get() == (1, 1));
    view! {
        <details class="cause-items" class:single=is_single open=is_single.get_untracked() hidden=is_empty>
            <summary>{label}</summary>
            <TaskList rows=tasks />
            <ul class="delivery-list">
                <For each=deliveries key=row::key children=|row| view! { <DeliveryRow row=row is_own_log=true /> } />
            </ul>
            <ul class="timeline">{meetings}</ul>
        </details>
    }
}
