//! Everything that needs a person, grouped by its cause, with the way out beside each.

mod retry;

use crate::{
    calls::{channels::deliveries_needing, tasks::attention},
    components::{
        delivery_row::{self, DeliveryRow},
        empty::Empty,
        head::Head,
        icon::Icon,
        loaded::Loaded,
        task_row::{TaskRow, key},
    },
    live::{follow, live},
    words::{channel::ChannelWords, desk::DeskWords, frame::FrameWords, language, reason},
};
use domain::{
    State,
    delivery::{DeliveryRow as Delivery, DeliveryState},
    task::{AttentionGroup, Phase},
};
use leptos::{either::Either, prelude::*};
use retry::{Outcome, RetryGroup, Said};

/// The page.
#[component]
pub fn Attention() -> impl IntoView {
    let words = DeskWords::here();
    let said = Said(RwSignal::new(None));
    provide_context(said);
    // What becomes overdue is no event: the heartbeat counts it.
    let beat = live().heartbeat();
    let count = Memo::new(move |_| beat.with(|beat| beat.attention));
    let read = follow(
        |change| matches!(change.entity.as_str(), "task" | "delivery"),
        move || count.get(),
        |_| async { Ok((attention().await?, deliveries_needing().await?)) },
    );
    view! {
        <Head title=words.attention_title().to_owned() lead=words.attention_lead() />
        <Outcome said=said />
        <Loaded from=read children=|needing| view! { <Groups needing=needing /> } />
    }
}

#[component]
fn Groups(needing: Signal<(Vec<AttentionGroup>, Vec<Delivery>)>) -> impl IntoView {
    let words = DeskWords::here();
    let groups = Signal::derive(move || needing.with(|(groups, _)| groups.clone()));
    let deliveries = Signal::derive(move || needing.with(|(_, deliveries)| deliveries.clone()));
    let is_empty =
        Memo::new(move |_| needing.with(|(groups, deliveries)| groups.is_empty() && deliveries.is_empty()));
    let causes = Memo::new(move |_| {
        groups
            .with(|groups| groups.iter().map(|group| (group.state, group.reason.clone())).collect::<Vec<_>>())
    });
    move || {
        if is_empty.get() {
            Either::Left(view! {
                <Empty title=words.attention_empty() hint=words.attention_empty_hint()>
                    <a class="button" href="/">{FrameWords::here().to_the_desk()}</a>
                </Empty>
            })
        } else {
            Either::Right(view! {
                <For each=move || causes.get() key=Clone::clone children=move |cause| view! { <Cause groups=groups cause=cause /> } />
                <Messages deliveries=deliveries state=DeliveryState::Unconfirmed />
                <Messages deliveries=deliveries state=DeliveryState::Failed />
            })
        }
    }
}

/// All that has one cause.
#[component]
fn Cause(groups: Signal<Vec<AttentionGroup>>, cause: (State, String)) -> impl IntoView {
    let words = DeskWords::here();
    let (state, why) = cause.clone();
    let group = Memo::new(move |_| {
        groups.with(|groups| {
            groups.iter().find(|group| (group.state, &group.reason) == (cause.0, &cause.1)).cloned()
        })
    });
    let (phase, word) = match state {
        State::Failed => (Phase::Failed, words.failed_because()),
        State::Missed => (Phase::Missed, words.missed_because()),
        _ => (Phase::Due, words.overdue_because()),
    };
    let rows =
        move || group.with(|group| group.as_ref().map(|group| group.tasks.clone()).unwrap_or_default());
    let count = move || {
        group.with(|group| {
            let (shown, total) = group.as_ref().map(|group| (group.tasks.len(), group.total))?;
            (total > shown as u64).then(|| words.shown_of(shown, total))
        })
    };
    let of_others = move || {
        let is_any = |group: &AttentionGroup| group.tasks.iter().any(|row| row.may_change);
        group.with(|group| !group.as_ref().is_none_or(is_any)).then(|| words.attention_of_others())
    };
    view! {
        <section class="cause" data-phase=phase.as_str()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{word}</span>
                <h2>{reason::sentence(language(), &why)}</h2>
                <span class="over">{count}</span>
            </header>
            <RetryGroup group=group />
            {move || of_others().map(|said| view! { <p class="hint">{said}</p> })}
            <ul class="task-list"><For each=rows key=key children=|row| view! { <TaskRow row=row /> } /></ul>
        </section>
    }
}

/// Messages to the outside that did not arrive, or may have.
#[component]
fn Messages(deliveries: Signal<Vec<Delivery>>, state: DeliveryState) -> impl IntoView {
    let words = ChannelWords::here();
    let rows = move || {
        deliveries.with(|all| all.iter().filter(|one| one.state == state).cloned().collect::<Vec<_>>())
    };
    let (phase, title) = match state {
        DeliveryState::Unconfirmed => (Phase::Missed, words.deliveries_unconfirmed()),
        _ => (Phase::Failed, words.deliveries_failed()),
    };
    let way_out = (!crate::visitor::visitor().is_admin()).then(|| words.ask_admin());
    view! {
        <section class="cause" data-phase=phase.as_str() hidden=move || rows().is_empty()>
            <header>
                <span class="phase" data-phase=phase.as_str()><Icon name=phase.as_str() />{words.state(state)}</span>
                <h2>{title}</h2>
                <span class="over">{way_out}</span>
            </header>
            <ul class="delivery-list">
                <For each=rows key=delivery_row::key children=|row| view! { <DeliveryRow row=row /> } />
            </ul>
        </section>
    }
}
